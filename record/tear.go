package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
)

// This file decides whether what does not fit at the end of a file is torn or damaged.
//
// A power loss leaves the sectors of a file that were not synced as they were before:
// the file is short, or they are zero. Some may be there although earlier ones are
// not. Damage can be anywhere and look like anything. What was synced tells the two
// apart, because a power loss does not change it:
//
//  1. A sync mark, an index or a file header after the place proves that the place was
//     synced. It is damaged.
//  2. If only blocks follow, or the block at the place has all of its bytes, the place is
//     torn if it has a lost sector, and damaged otherwise.
//  3. If no header follows, the place is torn whatever its bytes are, unless a single
//     changed bit is all that is wrong with a block header or sync mark.

// sectorSize is the smallest number of bytes that a disk writes.
const sectorSize = 512

// misfit decides what it means that no whole frame is at pos, where size bytes at least
// belong together. whole says that it is a block with all of its bytes, but a wrong
// checksum.
func (w *walk) misfit(size int64, whole bool, damage error) (step, Block, error) {
	if w.strict {
		return 0, Block{}, damage
	}
	l, err := w.look(size)
	if err != nil {
		return 0, Block{}, err
	}
	return w.judge(l, w.pos+1, whole, damage)
}

// judge is misfit after a look. Headers can follow at an offset or later.
func (w *walk) judge(l look, from int64, blocks bool, damage error) (step, Block, error) {
	for !w.strict && !l.flipped && (!blocks || l.lost) {
		f, err := w.follows(headerSearch{from: from, anyMarker: l.isFile, onlyProof: blocks})
		switch {
		case err != nil:
			return 0, Block{}, err
		case !f.ok:
			return atTear, Block{}, nil
		case f.proof:
			return 0, Block{}, damage
		}
		blocks, from = true, f.at+1
	}
	return 0, Block{}, damage
}

// blockError decides what an error of reading the block b means, which the walk has just
// passed. If the block is torn, the walk goes back to it, and the error is nil.
func (w *walk) blockError(b Block, err error) error {
	if !errors.Is(err, errChecksum) && !errors.Is(err, ErrTruncated) {
		return err
	}
	w.pos, w.next = b.Offset, b.Ordinal-w.base
	if !errors.Is(err, ErrTruncated) {
		_, _, err = w.misfit(b.end()-b.Offset, true, err)
	}
	if err != nil && w.reread(err) && w.continued(w.src.(*fileSource)) {
		return nil
	}
	return err
}

// verify goes over the blocks from an offset on, whose headers the walk has passed, and
// verifies their checksums. What was not synced may have a header and no content. If a
// block does not, the walk goes back to it, and whole is false; err is nil if it is torn.
func (w *walk) verify(from int64) (whole bool, err error) {
	v := *w
	for v.pos = from; v.pos < w.pos; {
		v.next = -1
		s, b, err := v.step()
		if err != nil || s != atBlock {
			if v.pos >= w.pos {
				break
			}
			*w = v // this is not what was there before
			return false, err
		}
		sum, err := frameSum(v.src, b)
		if err == nil && sum != b.crc {
			err = wrongChecksum(b)
		}
		if err != nil {
			err = v.blockError(b, err)
			*w = v
			return false, err
		}
	}
	return true, nil
}

// frameSum returns the checksum of the frame of a block. It reads the frame in pieces.
func frameSum(src source, b Block) (sum uint32, err error) {
	for at := b.Offset + blockHeaderSize; at < b.end(); {
		piece, err := src.at(at, int(min(b.end()-at, largeRead)))
		if err != nil {
			return 0, err
		}
		if len(piece) == 0 {
			return 0, faultAt(ErrTruncated, at, "block")
		}
		sum = appendChecksum(sum, piece)
		at += int64(len(piece))
	}
	return sum, nil
}

// A look is what the bytes of a place tell about it.
type look struct {
	lost    bool // they overlap a sector that a power loss has taken
	flipped bool // one changed bit, not in a lost sector, is all that is wrong with a block header or sync mark
	isFile  bool // they look like a file header, so that blocks with another marker can follow
}

// look looks at size bytes at pos. A sector was lost if its bytes from pos on are zero, up
// to the end of the sector or of the file.
func (w *walk) look(size int64) (look, error) {
	end := w.sectorEnd(size)
	b, err := w.src.at(w.pos, int(end-w.pos))
	l := look{isFile: !w.inPart || isFileHeader(b)}
	flipped := -1
	if w.inPart {
		flipped = flippedByte(b, &w.header.marker)
	}
	for at, next := 0, sectorSize-int(w.pos%sectorSize); at < len(b); at, next = next, next+sectorSize {
		next = min(next, len(b))
		lost := isZero(b[at:next])
		if err == errAgain && !lost && next == len(b) {
			err = nil // the rest of the sector does not matter
		}
		l.lost = l.lost || lost
		l.flipped = l.flipped || at <= flipped && flipped < next && !lost
	}
	return l, err
}

// lookInside is look for a skippable frame that begins with b and ends at an offset, and that may have a header in it. It
// does not read what follows the frame, which a stream may get much later, unless the look depends on it. A sector that
// ends after the frame is not lost if the header begins in it, and a header that begins before it is in b.
func (w *walk) lookInside(b []byte, end int64) (look, error) {
	if end < w.sectorEnd(blockHeaderSize) && flippedByte(b, &w.header.marker) < 0 {
		magic := magicSign()[0].text
		if at := bytes.Index(b[1:], magic); at < 0 || w.pos+1+int64(at) >= end {
			return look{isFile: isFileHeader(b)}, nil
		}
	}
	return w.look(blockHeaderSize)
}

// sectorEnd returns the end of the sector that has the last of size bytes at pos.
func (w *walk) sectorEnd(size int64) int64 {
	return (w.pos + size + sectorSize - 1) / sectorSize * sectorSize
}

func isZero(b []byte) bool { return len(bytes.TrimLeft(b, "\x00")) == 0 }

// flippedByte returns the byte of which one bit was changed in the block header or sync
// mark that b begins with, or -1.
func flippedByte(b []byte, m *marker) int {
	for _, size := range []int{blockHeaderSize, markSize} {
		if len(b) < size {
			continue
		}
		kind := byte(kindBlock)
		if size == markSize {
			kind = kindMark
		}
		want := binary.LittleEndian.AppendUint32(nil, magicRecord)
		want = binary.LittleEndian.AppendUint32(want, uint32(size-skippableHeader))
		want = append(append(want, kind), m[:]...)
		wrong := 0
		for i := range want {
			wrong += bits.OnesCount8(b[i] ^ want[i])
		}
		if wrong > 1 {
			continue // as almost always
		}
		try := bytes.Clone(b[:size])
		for i := range 8 * size {
			try[i/8] ^= 1 << (i % 8)
			if sum := len(try) - 4; bytes.HasPrefix(try, want) && binary.LittleEndian.Uint32(try[sum:]) == checksum(try[:sum]) {
				return i / 8
			}
			try[i/8] ^= 1 << (i % 8)
		}
	}
	return -1
}

// isFileHeader reports whether b begins as a file header does, except for one bit.
func isFileHeader(b []byte) bool {
	want := fileHeaderStart()
	if len(b) < len(want) {
		return false
	}
	wrong := 0
	for i := range want {
		if i < 4 || i >= skippableHeader { // any size
			wrong += bits.OnesCount8(b[i] ^ want[i])
		}
	}
	return wrong <= 1
}

// A found is a header that follows a place.
type found struct {
	ok    bool // there is one
	at    int64
	proof bool // that the place was synced; otherwise it is a block
}

// A headerSearch says for which headers follows looks.
type headerSearch struct {
	from, limit int64 // they begin at from or later, and before limit, if that is not 0
	// anyMarker makes the header of a block count whatever its marker is. It is a proof
	// then, because a file header is synced before blocks are written.
	anyMarker bool
	onlyProof bool
}

// follows returns the first valid header of this part, or of another file.
func (w *walk) follows(s headerSearch) (f found, err error) {
	limit := s.limit
	if limit == 0 {
		limit = math.MaxInt64 - signSize
	}
	budget := int64(100 * maxFileHeader)
	_, err = scanSigns(w.src, s.from, limit, magicSign(), func(_ int, at int64, b []byte) (int64, bool, error) {
		h, err := headerAt(w.src, at, b, &budget)
		if err != nil {
			return 0, false, err
		}
		proof := budget < 0 // only a hostile file has many names that are not in headers
		ok := false
		switch h.kind {
		case kindFile:
			proof = true
		case kindBlock:
			ok = s.anyMarker || h.marker == w.header.marker
			proof = proof || s.anyMarker
		case kindMark:
			proof = proof || w.inPart && h.marker == w.header.marker && w.part+h.synced > w.pos
		case kindIndex:
			proof = proof || w.inPart && isIndexOf(b, at-w.part, &w.header)
		}
		if proof || ok && !s.onlyProof {
			f = found{true, at, proof}
		}
		return at + 1, f.ok, nil
	})
	return f, err
}
