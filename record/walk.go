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

	pos    int64 // of the next frame
	next   int64 // ordinal, counted in the part, of the next block; -1 if it is not known
	base   int64 // ordinal in the file of the first record of the part
	part   int64 // offset of the header of the part
	header fileHeader
	find   *finder // of the part; nil before its header
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
	for {
		b, err := w.src.at(w.pos, blockHeaderSize)
		if err != nil {
			return 0, Block{}, err
		}
		if len(b) == 0 {
			if w.find == nil {
				return atTear, Block{}, nil // not even a header
			}
			return atEnd, Block{}, nil
		}
		if w.find == nil {
			if len(b) <= fileNameAt || binary.LittleEndian.Uint32(b) != magicRecord || b[8] != kindFile {
				reason := ErrCorrupt
				if w.pos == 0 {
					reason = ErrFormat
				}
				return w.broken(b, faultAt(reason, w.pos, "no file header"))
			}
			s, err := w.fileHeader(b)
			return s, Block{}, err
		}
		if len(b) < skippableHeader {
			return atTear, Block{}, nil
		}
		magic, size := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
		if magic&^15 != magicSkippable {
			return w.broken(b, w.corrupt("no frame header"))
		}
		if magic == magicRecord && size > 0 && len(b) > skippableHeader {
			switch b[8] {
			case kindFile:
				s, err := w.fileHeader(b)
				return s, Block{}, err
			case kindBlock:
				return w.block(b)
			}
		}
		// An index, a table, or something of another program.
		if torn, err := w.pass(skippableHeader + int64(size)); torn || err != nil {
			return atTear, Block{}, err
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
		return 0, Block{}, w.corrupt("damaged block header")
	case m != w.find.marker:
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
		s, err := w.cut(w.find, w.pos+blockHeaderSize, "block header")
		return s, Block{}, err
	}
	found := Block{w.pos, w.base + h.ordinal, int(h.records), int(h.raw), int(h.stored), w.part, h.crc}
	w.pos += h.size()
	w.next = h.ordinal + int64(h.records)
	return atBlock, found, nil
}

// fileHeader passes the file header that begins with b.
func (w *walk) fileHeader(b []byte) (step, error) {
	if !bytes.HasPrefix([]byte(name), b[fileNameAt:min(len(b), fileNameAt+len(name))]) {
		return 0, w.corrupt("damaged file header")
	}
	size := skippableHeader + int64(binary.LittleEndian.Uint32(b[4:]))
	if size > maxFileHeader {
		return 0, w.corrupt("file header that is too large")
	}
	whole, err := w.src.has(w.pos, size)
	if err != nil {
		return 0, err
	}
	if !whole {
		return w.cutHeader(b)
	}
	if b, err = w.src.at(w.pos, int(size)); err != nil {
		return 0, err
	}
	h, err := parseFileHeader(b)
	if err != nil {
		err.(*Error).Offset = w.pos
		return 0, err
	}
	w.base += max(w.next, 0)
	w.header, w.find = h, newFinder(h.marker)
	w.part, w.next = w.pos, 0
	w.pos += size
	return atHeader, nil
}

// cutHeader is for a file header that begins with b and is not whole.
func (w *walk) cutHeader(b []byte) (step, error) {
	if len(b) < fileMapAt {
		return atTear, nil
	}
	return w.cut(newFinder(marker(b[fileMarkerAt:fileMapAt])), w.pos+fileMapAt, "file header")
}

// cut decides what it means that the input ends before the frame at pos does. It is
// the torn end, unless there is a header after the offset: then a length is
// damaged, and blocks must not be lost silently.
func (w *walk) cut(find *finder, after int64, found string) (step, error) {
	at, _, _, err := search(w.src, find, after, -1)
	if err != nil {
		return 0, err
	}
	if at >= 0 {
		return 0, w.corrupt("damaged " + found)
	}
	return atTear, nil
}

// pass passes a skippable frame of the given size that is not a header. No frame
// has a header inside, unless its size is damaged and it covers blocks, which must
// not be lost silently.
func (w *walk) pass(size int64) (torn bool, err error) {
	end := w.pos + size
	at, _, last, err := search(w.src, w.find, w.pos+skippableHeader, end)
	if err != nil {
		return false, err
	}
	if at >= 0 {
		return false, w.corrupt("frame with a block header inside")
	}
	if last < end {
		return true, nil
	}
	w.pos = end
	return false, nil
}

// broken decides whether the bytes b at pos, which are not a frame, are a torn end, or
// damage.
func (w *walk) broken(b []byte, damage error) (step, Block, error) {
	if w.find == nil {
		if isCutHeader(b) && len(b) < minFileHeader {
			return atTear, Block{}, nil
		}
	} else if len(b) < blockHeaderSize {
		return atTear, Block{}, nil
	}
	for at := w.pos; ; {
		if len(bytes.Trim(b, "\x00")) > 0 {
			return 0, Block{}, damage
		}
		at += int64(len(b))
		var err error
		if b, err = w.src.at(at, largeRead); err != nil || len(b) == 0 {
			return atTear, Block{}, err
		}
	}
}

func (w *walk) corrupt(found string) error { return faultAt(ErrCorrupt, w.pos, found) }

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
