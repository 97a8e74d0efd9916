package record

import (
	"bytes"
	"encoding/binary"
	"math"
)

// maxClues bounds the memory of a survey, and the time to judge it.
const maxClues = 1 << 10

// A survey finds what follows a damaged place. It ends at the next block of the part
// or at the next file header, whichever is first.
type survey struct {
	src     source
	max     int    // Options.MaxBlock
	part    extent // to which the damaged place belongs
	header  uint32 // checksum of the header of the part
	damaged int64  // offset of a block of the part whose header is valid, or 0
	budget  int64  // bytes of frames to read in search of whole blocks

	magicAt int64            // where the last magic of a file header was
	before  [fileNameAt]byte // what is before the name there

	clues []clue
	end   int64 // where it ended
	first int64 // ordinal of the block there
	why   ending
}

// An ending says why a survey ended.
type ending int

const (
	endOfFile ending = iota
	endAtBlock
	endAtHeader
	endInClues // there are too many
)

// The texts that a survey searches for. The second is the beginning of the name, and the
// third the marker of the part.
const (
	signMagic = iota
	signName
	signMarker
)

// halfName is how a name begins, whether or not a frame divides it.
const halfName = "octe"

// run searches from an offset on.
func (s *survey) run(from int64) error {
	signs := append(magicSign(), sign{text: []byte(halfName)})
	if s.part.known {
		signs = append(signs, sign{text: s.part.marker[:]})
	}
	end, err := scanSigns(s.src, from, math.MaxInt64-signSize, signs, func(k int, at int64, b []byte) (int64, bool, error) {
		next, err := s.look(k, at, b)
		if len(s.clues) > maxClues && s.why == endOfFile {
			s.why = endInClues
		}
		return next, s.why != endOfFile, err
	})
	if s.why == endOfFile || s.why == endInClues {
		s.end = end
	}
	return err
}

// look finds out what the sign k at an offset is, and returns where to go on. b begins
// with the sign.
func (s *survey) look(k int, at int64, b []byte) (int64, error) {
	switch k {
	case signMarker:
		c := s.last()
		if at-blockMarkerAt != s.damaged && (c == nil || c.kind != clueName || c.start+fileMarkerAt != at) {
			s.add(clue{kind: clueOwn, marker: s.part.marker, start: at - blockMarkerAt, end: at + markerSize})
		}
		return at + markerSize, nil
	case signName:
		if bytes.HasPrefix(b, []byte(name)) {
			left := append(make([]byte, fileNameAt), b[:min(len(b), signSize)]...)
			if at-fileNameAt == s.magicAt {
				copy(left, s.before[:])
			}
			s.add(clue{kind: clueName, start: at - fileNameAt, end: at + int64(len(name)), tail: left})
		} else if isDivided(b) {
			c := clue{kind: clueInner, start: at - fileNameAt, end: at + int64(len(name))}
			copy(c.marker[:], b[min(len(b), fileMarkerAt-fileNameAt+rawHeaderSize):])
			s.add(c)
		}
		return at + 1, nil
	}
	if len(b) >= fileNameAt && b[8] == kindFile {
		s.magicAt = at
		copy(s.before[:], b)
	}
	h, err := headerAt(s.src, at, b, &s.budget)
	switch {
	case err != nil:
		return 0, err
	case h.kind == kindFile:
		s.end, s.why = at, endAtHeader
	case h.kind == kindBlock:
		return s.block(at, &h)
	case h.kind == kindIndex && len(b) >= indexFixed:
		return s.index(at, b)
	}
	return at + 1, nil
}

// isDivided reports whether b begins with a name that a frame has divided.
func isDivided(b []byte) bool {
	const half = len(halfName)
	if len(b) < len(name)+rawHeaderSize || string(b[half+rawHeaderSize:][:len(name)-half]) != name[half:] {
		return false
	}
	return b[half]&6 == 0 && b[half+2] <= maxRaw>>13
}

// block looks at a block.
func (s *survey) block(at int64, found *header) (int64, error) {
	h, m := &found.block, found.marker
	if h.check(s.max) != nil {
		return at + 1, nil
	}
	if s.part.known && m == s.part.marker && h.ordinal >= s.part.next {
		s.end, s.first, s.why = at, h.ordinal, endAtBlock
		return at, nil
	}
	c := clue{kind: clueBlocks, marker: m, start: at, end: at + h.size(), first: h.ordinal, next: h.ordinal + int64(h.records)}
	c.ends = [2]indexed{{h.ordinal, h.raw}, {h.ordinal, h.raw}}
	whole, err := s.isWhole(at, h)
	if err != nil {
		return 0, err
	}
	b, err := s.src.at(c.end, fileMapAt)
	if err != nil {
		return 0, err
	}
	c.tail = bytes.Clone(b)
	if whole {
		c.whole = h.size()
	} else {
		c.claim, c.end = c.end, at+blockHeaderSize
	}
	if last := s.last(); last != nil && last.kind == clueBlocks && last.marker == m && h.ordinal >= last.next {
		last.end, last.next, last.claim, last.tail, last.ends[1] = c.end, c.next, c.claim, c.tail, c.ends[1]
		last.whole += c.whole
	} else {
		s.add(c)
	}
	return c.end, nil
}

// isWhole reports whether the frame of a block is there and has its checksum. A hostile
// file could let each header claim the same bytes.
func (s *survey) isWhole(at int64, h *blockHeader) (bool, error) {
	if has, err := s.src.has(at, h.size()); err != nil || !has {
		return false, err
	}
	if s.budget -= int64(h.stored); s.budget < 0 {
		return false, nil
	}
	b, err := s.src.at(at, int(h.size()))
	if err != nil || int64(len(b)) < h.size() {
		return false, err
	}
	return checksum(b[blockHeaderSize:]) == h.crc, nil
}

// index looks at the index that may be at the beginning of b.
func (s *survey) index(at int64, b []byte) (int64, error) {
	n := int64(binary.LittleEndian.Uint32(b[29:]))
	size := minIndex + indexEntry*n
	c := clue{kind: clueIndex, start: at - int64(binary.LittleEndian.Uint64(b[9:])), end: at + size, next: int64(binary.LittleEndian.Uint64(b[21:]))}
	if int64(binary.LittleEndian.Uint32(b[4:])) != size-skippableHeader || c.start > at {
		return at + 1, nil
	}
	if s.budget -= size; s.budget < 0 {
		return at + 1, nil
	}
	sum, header := checksum(b[:indexFixed]), binary.LittleEndian.Uint32(b[17:])
	missing := map[indexed][]*clue{} // blocks that were found
	for i := range s.clues {
		if c := &s.clues[i]; c.kind == clueBlocks {
			missing[c.ends[0]] = append(missing[c.ends[0]], c)
			missing[c.ends[1]] = append(missing[c.ends[1]], c)
		}
	}
	found := map[*clue]int{}
	origins := map[marker]int64{} // where the file header is, by the first block that was found
	for pos := at + indexFixed; pos < c.end-indexTail; {
		b, err := s.src.at(pos, int(min(2048*indexEntry, c.end-indexTail-pos)))
		if err != nil || len(b) < indexEntry {
			return at + 1, err
		}
		b = b[:len(b)/indexEntry*indexEntry]
		sum = appendChecksum(sum, b)
		pos += int64(len(b))
		for ; len(b) > 0; b = b[indexEntry:] {
			e := indexed{int64(binary.LittleEndian.Uint64(b[8:])), binary.LittleEndian.Uint32(b[16:])}
			for _, run := range missing[e] {
				if _, ok := origins[run.marker]; !ok && e == run.ends[0] {
					origins[run.marker] = run.start - int64(binary.LittleEndian.Uint64(b))
				}
				if found[run]++; found[run] == 2 {
					c.marker = run.marker
				}
			}
		}
	}
	b, err := s.src.at(c.end-indexTail, indexTail)
	if err != nil || len(b) < indexTail || appendChecksum(sum, b[:4]) != binary.LittleEndian.Uint32(b[4:]) {
		return at + 1, err
	}
	if s.part.known && header == s.header {
		c.marker = s.part.marker
	}
	if origin, ok := origins[c.marker]; ok {
		c.start = origin // bytes may be missing after the block, or too many
	}
	after := c.end
	table := minSeekTable + seekEntry*int64(2*n+1)
	if b, err = s.src.at(after, int(table)+fileMapAt); err != nil {
		return 0, err
	}
	if int64(len(b)) >= table && isTable(b[:table], b[table:]) {
		c.end, b = after+table, b[table:]
	}
	c.tail = bytes.Clone(b[:min(len(b), fileMapAt)])
	s.add(c)
	return after, nil // a header may be in what is left of a table
}

// isTable reports whether b is a seek table. If its end is damaged, its length must be right, and a
// frame or the end of the input must follow.
func isTable(b, tail []byte) bool {
	if binary.LittleEndian.Uint32(b) != magicSeekTable {
		return false
	}
	return binary.LittleEndian.Uint32(b[len(b)-4:]) == seekFooterMagic ||
		int(binary.LittleEndian.Uint32(b[4:])) == len(b)-skippableHeader && beginsFrame(tail)
}

func (s *survey) last() *clue {
	if len(s.clues) == 0 {
		return nil
	}
	return &s.clues[len(s.clues)-1]
}

func (s *survey) add(c clue) { s.clues = append(s.clues, c) }
