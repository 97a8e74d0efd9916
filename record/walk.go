package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
)

// A walk goes over the frames of a file from header to header, without reading the
// blocks.
type walk struct {
	src source
	max int // Options.MaxBlock

	pos    int64      // of the next frame
	next   int64      // ordinal, counted in the part, of the next block; -1 if it is not known
	base   int64      // ordinal in the file of the first record of the part
	part   int64      // offset of the header of the part
	header fileHeader // of the part
	inPart bool       // the header was passed
	safe   int64      // what comes before this offset was synced
	first  int64      // offset of a frame at safe or before: the first one that may not have been synced
	marked int64      // offset of the last sync mark, or of the header of the part
	tabled int64      // the end of the last index or seek table, or 0

	known *contents // of the file, or nil
	want  uint32    // checksum of the header at offset 0, or 0 if it is not known
	whole int64     // what is before this offset was there

	strict bool  // what does not fit is damage; Recover looks for what follows
	limit  int64 // no frame other than a block ends after it, unless it is 0
}

// A step is what walk.step found.
type step int

const (
	atBlock  step = iota // a whole block, which the walk has passed
	atHeader             // a file header, which the walk has passed
	atEnd                // nothing after pos
	atTear               // the file is torn at pos
)

// A Block describes one block of a file.
type Block struct {
	Offset  int64 // of its header in the file
	Ordinal int64 // of its first record; see [File.Blocks]
	Records int
	Raw     int // bytes of the records
	Stored  int // bytes of the zstd frame

	part int64
	crc  uint32
}

// Range returns the range that has only b.
func (b Block) Range() Range { return Range{b.Offset, b.Offset + 1, b.part} }

// end returns the offset after the block.
func (b Block) end() int64 { return b.Offset + blockHeaderSize + int64(b.Stored) }

// step goes to the next block or file header. After an error the position is that
// of the frame at fault.
func (w *walk) step() (step, Block, error) {
	s, b, err := w.frame()
	if err == nil || !w.reread(err) {
		return s, b, err
	}
	at := w.pos
	s, b, again := w.frame()
	if again != nil && w.pos == at || s == atTear && w.marked < at {
		return s, b, err // it has lost more than a torn end
	}
	return s, b, again
}

// reread reports whether an error can mean that a Writer has cut off the torn end, at pos or
// after it, and perhaps written there. The file is then read as it is now. Damage can
// be such an error if some of the bytes were read before.
func (w *walk) reread(err error) bool {
	src, ok := w.src.(*fileSource)
	if !ok || w.strict || !errors.Is(err, ErrTruncated) && !isPlace(err) {
		return false
	}
	size, e := sizeOf(src.r)
	if e != nil || size < max(w.pos, w.whole) {
		return false
	}
	now := &fileSource{r: src.r, size: min(size, src.size)}
	if !w.same(now) || !errors.Is(err, ErrTruncated) && !w.continued(now) {
		return false
	}
	src.size, src.buf = now.size, nil
	return true
}

// same reports whether src has the file header that applies.
func (w *walk) same(src *fileSource) bool {
	if !w.inPart {
		return true
	}
	want := w.header.bytes()
	b, err := src.at(w.part, len(want))
	return err == nil && bytes.Equal(b, want)
}

// continued reports whether src ends at pos, or has there what a Writer begins with that
// continues the file.
func (w *walk) continued(src *fileSource) bool {
	b, err := src.at(w.pos, markSize)
	if err != nil || len(b) == 0 || !w.inPart {
		return err == nil
	}
	_, ok := parseMark(b, &w.header.marker)
	return ok || isIndexOf(b, w.pos-w.part, &w.header)
}

// frame is step without regard to a file that has become shorter.
func (w *walk) frame() (step, Block, error) {
	for {
		b, err := w.src.at(w.pos, blockHeaderSize)
		if err != nil {
			return 0, Block{}, err
		}
		if len(b) == 0 {
			if !w.inPart {
				return atTear, Block{}, nil // not even a header
			}
			return atEnd, Block{}, nil
		}
		if !w.inPart {
			if len(b) <= fileNameAt || binary.LittleEndian.Uint32(b) != magicRecord || b[8] != kindFile {
				return w.begin(b)
			}
			return w.fileHeader(b)
		}
		if len(b) < skippableHeader {
			return atTear, Block{}, nil
		}
		magic, size := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
		if magic&^15 != magicSkippable {
			return w.misfit(blockHeaderSize, false, w.corrupt("no frame header"))
		}
		if magic == magicRecord && size > 0 && len(b) > skippableHeader {
			switch b[8] {
			case kindFile:
				return w.fileHeader(b)
			case kindBlock:
				return w.block(b)
			case kindMark:
				if synced, ok := parseMark(b, &w.header.marker); ok {
					w.mark(synced)
					continue
				}
			}
		}
		if whole, s, err := w.pass(b, skippableHeader+int64(size)); !whole || err != nil {
			return s, Block{}, err
		}
	}
}

// block passes the block whose header is b.
func (w *walk) block(b []byte) (step, Block, error) {
	if len(b) < blockHeaderSize {
		return atTear, Block{}, nil
	}
	h, m, ok := parseBlockHeader(b)
	switch {
	case !ok:
		return w.misfit(blockHeaderSize, false, w.corrupt("damaged block header"))
	case m != w.header.marker:
		return 0, Block{}, w.corrupt("block of another file")
	case w.next >= 0 && h.ordinal != w.next:
		return 0, Block{}, w.corrupt(fmt.Sprintf("block that begins with record %d, not %d,", h.ordinal, w.next))
	}
	if err := h.check(w.max); err != nil {
		return 0, Block{}, faultAt(err, w.pos, fmt.Sprintf("block of %d bytes", max(h.raw, h.stored)))
	}
	whole, err := w.src.has(w.pos, h.size())
	if err != nil {
		return 0, Block{}, err
	}
	if !whole {
		return w.misfit(h.size(), false, w.corrupt("block that others follow before its end"))
	}
	found := Block{w.pos, w.base + h.ordinal, int(h.records), int(h.raw), int(h.stored), w.part, h.crc}
	w.pos += h.size()
	w.next = h.ordinal + int64(h.records)
	return atBlock, found, nil
}

// begin is for an input that begins with b, which is no file header. It is torn if it
// is the beginning of one, or has only zeros.
func (w *walk) begin(b []byte) (step, Block, error) {
	if isCutHeader(b) && len(b) < minFileHeader {
		return atTear, Block{}, nil
	}
	reason := ErrCorrupt
	if w.pos == 0 {
		reason = ErrFormat
	}
	for at := w.pos; len(b) > 0; {
		if !isZero(b) {
			return 0, Block{}, faultAt(reason, w.pos, "no file header")
		}
		at += int64(len(b))
		var err error
		if b, err = w.src.at(at, largeRead); err != nil {
			return 0, Block{}, err
		}
	}
	return atTear, Block{}, nil
}

// fileHeader passes the file header that begins with b.
func (w *walk) fileHeader(b []byte) (step, Block, error) {
	size := skippableHeader + int64(binary.LittleEndian.Uint32(b[4:]))
	if !bytes.HasPrefix([]byte(name), b[fileNameAt:min(len(b), fileNameAt+len(name))]) || size > maxFileHeader {
		return w.misfit(blockHeaderSize, len(b) == blockHeaderSize, w.corrupt("damaged file header"))
	}
	whole, err := w.src.has(w.pos, size)
	if err != nil {
		return 0, Block{}, err
	}
	if !whole {
		return w.misfit(size, false, w.corrupt("damaged file header"))
	}
	if b, err = w.src.at(w.pos, int(size)); err != nil {
		return 0, Block{}, err
	}
	h, err := parseFileHeader(b)
	if errors.Is(err, ErrCorrupt) {
		return w.misfit(size, true, w.place(err))
	}
	if err != nil {
		return 0, Block{}, w.place(err)
	}
	if w.pos == 0 && w.want != 0 && w.want != h.sum() {
		return 0, Block{}, faultAt(ErrTruncated, 0, "file that was written again")
	}
	w.base += max(w.next, 0)
	w.header, w.inPart = h, true
	w.part, w.next = w.pos, 0
	w.pos += size
	w.safe, w.first, w.marked = w.pos, w.pos, w.pos
	return atHeader, Block{}, nil
}

// mark passes a sync mark.
func (w *walk) mark(synced int64) {
	if at := w.part + synced; synced <= w.pos-w.part && at >= w.safe {
		// Nothing says that a frame begins at the offset, unless it is the mark. A Writer syncs
		// while it writes further blocks, so that it can be before the mark.
		w.safe = at
		switch {
		case at == w.pos:
			w.first = w.pos
		case at >= w.marked:
			w.first = max(w.first, w.marked)
		}
	}
	w.marked = w.pos
	w.pos += markSize
}

// pass passes a skippable frame of the given size that begins with b and is not the
// header of a file or block, nor a sync mark. No checksum protects the sizes of most of them, so the frame
// must not cover headers.
func (w *walk) pass(b []byte, size int64) (whole bool, s step, err error) {
	end, safe, first, tabled := w.pos+size, w.safe, w.first, w.tabled
	if isIndexOf(b, w.pos-w.part, &w.header) {
		safe, first, tabled = w.pos, w.pos, end
	} else if binary.LittleEndian.Uint32(b) == magicSeekTable {
		tabled = end
	}
	if w.limit > 0 && end > w.limit {
		return false, 0, w.corrupt("frame that covers a header")
	}
	look, err := w.lookInside(b, end)
	if err != nil {
		return false, 0, err
	}
	covered, err := w.follows(headerSearch{from: w.pos + 1, limit: end, anyMarker: w.strict})
	if err != nil {
		return false, 0, err
	}
	if covered.ok || look.flipped {
		s, _, err := w.judge(look, covered.at, false, w.corrupt("frame that covers a header"))
		return false, s, err
	}
	if b, err = w.src.at(end-1, 1); len(b) == 0 || err != nil {
		return false, atTear, err
	}
	w.pos, w.safe, w.first, w.tabled = end, safe, first, tabled
	return true, 0, nil
}

func (w *walk) corrupt(found string) error { return faultAt(ErrCorrupt, w.pos, found) }

// place gives an error of parseFileHeader its place.
func (w *walk) place(err error) error {
	e := *err.(*Error)
	e.Offset = w.pos
	return &e
}

// search looks for a marker or name in the bytes from one offset to another, or to
// the end of the input if end is negative. It returns its position, or -1, and
// where it stopped, which is before end if the input is shorter.
func search(src source, find *finder, from, end int64) (at int64, isName bool, last int64, err error) {
	for {
		n := int64(smallRead)
		if end >= 0 {
			n = max(0, min(n, end-from))
		}
		b, err := src.at(from, int(n))
		if err != nil {
			return -1, false, from, err
		}
		if i, isName := find.next(b, 0); i >= 0 {
			return from + int64(i), isName, from, nil
		}
		last := from + int64(len(b))
		if int64(len(b)) < n || last == end || n == 0 {
			return -1, false, last, nil
		}
		from = last - (markerSize - 1) // one may begin at the end of b
	}
}

// isPlace reports whether err is about the bytes of the file and not about reading
// them.
func isPlace(err error) bool {
	return errors.Is(err, ErrCorrupt) || errors.Is(err, ErrLimit) || errors.Is(err, ErrVersion)
}
