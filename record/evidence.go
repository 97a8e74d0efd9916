package record

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// After a damaged place, a reader has to know where the file goes on. The name of the
// format and the marker of a file never occur in its data, so what has one of them is
// a part of the file. But if a header is damaged, its marker is not known, and blocks
// can also be those of a record file in a record. The evidence decides:
//
//   - A block between blocks of one part, whose ordinals go on, is in a record of that
//     part. So is a block in the bytes that a damaged block or an index of the part
//     claims.
//   - A file header in a record shows its name divided, a damaged one does not.
//   - What follows the remains of a file header is a part. So is what ends exactly where
//     the file ends or another part begins: after a record, there is at least the
//     checksum of the frame.
//   - If the file header at the beginning of a part is damaged, blocks with another marker
//     than what is left of it has are not of this part. If only the name is left, nor are
//     those whose index says that their header is elsewhere, or that the rest of a record
//     follows.
//   - Blocks with more bytes than an index says that were before the first block of another
//     file that is left are not in a record of this file.
//
// In doubt, a block is taken to be in a record, and is left out.

// A clue is something that was found after a damaged place.
type clue struct {
	kind       clueKind
	marker     marker
	start, end int64      // the bytes it covers; an index covers its part
	first      int64      // ordinal of the first block
	next       int64      // ordinal of the block that would follow
	whole      int64      // bytes of the blocks that are whole
	claim      int64      // the end of the last block as its header says, if its frame is damaged
	ends       [2]indexed // the first and the last block
	tail       []byte     // after the last block, or of a damaged file header: what may be left of a header
}

// An indexed is what an index says of a block, besides the offset.
type indexed struct {
	ordinal int64
	raw     uint32
}

type clueKind int

const (
	clueBlocks clueKind = iota // blocks with one marker and ascending ordinals
	clueOwn                    // the marker of the part, without a valid block
	clueName                   // a damaged file header
	clueInner                  // a file header in a record
	clueIndex                  // an index; without a marker if none of its blocks was found
)

// An extent is what is known of a part when a clue is judged.
type extent struct {
	known  bool
	marker marker
	start  int64 // of the file header, if the marker is not known
	next   int64
	claim  int64  // the end of a block whose header is valid and whose frame is damaged
	tail   []byte // the bytes at its end, or at its beginning if the marker is not known
}

// own returns the clues that are blocks of the file itself, in order.
func (s *survey) own() []clue {
	part := s.part
	var j judgment
	clues := s.clues
	for {
		i := slices.IndexFunc(clues, func(c clue) bool { return c.kind == clueName })
		if i < 0 && s.why == endAtBlock && part.known {
			return j.found // what is before the block is in the part
		}
		if i < 0 {
			j.end = s.end
			if s.why == endAtBlock || s.why == endInClues {
				j.end = -1
			}
			j.segment(clues, part)
			return j.found
		}
		j.end = clues[i].start
		j.segment(clues[:i], part)
		part = extent{start: clues[i].start, tail: clues[i].tail}
		clues = clues[i+1:]
	}
}

// A judgment collects the blocks of the file itself.
type judgment struct {
	end   int64 // of the clues: the next header, or the end of the file; -1 if it is not known
	found []clue
}

// segment judges clues that have no file header among them.
func (j *judgment) segment(clues []clue, part extent) {
	if !part.known {
		j.choose(clues, part.start, part.tail)
		return
	}
	rest := clues
	for i := range clues {
		if c := &clues[i]; part.accept(c) {
			if c.kind == clueBlocks {
				j.found = append(j.found, *c)
			}
			rest = clues[i+1:]
		}
	}
	j.choose(part.after(rest, j.end), -1, nil)
}

// accept reports whether a clue shows that the part goes on there.
func (p *extent) accept(c *clue) bool {
	if c.marker != p.marker || c.kind == clueName || c.kind == clueInner || c.kind != clueOwn && c.next < p.next {
		return false
	}
	switch c.kind {
	case clueBlocks:
		if c.first < p.next {
			return false
		}
		p.next, p.tail, p.claim = c.next, c.tail, c.claim
	case clueOwn:
		p.claim = 0
	case clueIndex:
		p.next, p.claim = c.next, 0
	}
	return true
}

// after returns those of the clues after the last one of the part that are after its end.
// The others are in a record of it. end is that of the clues, or -1.
func (p *extent) after(clues []clue, end int64) []clue {
	spans := spansOf(clues, p.tail)
	if len(spans) == 0 {
		return nil
	}
	last := &spans[len(spans)-1]
	switch {
	case spans[0].marker == p.marker && spans[0].first == 0: // the same file twice
		return clues
	case p.claim >= last.end:
		return nil
	case spans[0].marker.traceIn(p.tail) > noTrace:
		return clues
	case last.end == end: // this is known of the last part alone
		return clues[last.from:]
	}
	return nil
}

// choose finds the marker of the file among the clues. If start is not negative, its header
// is damaged and there, and left is what is left of it.
func (j *judgment) choose(clues []clue, start int64, left []byte) {
	spans := spansOf(clues, left)
	best, trace := -1, noTrace
	for i := range spans {
		if t := spans[i].marker.traceIn(left); t > trace {
			best, trace = i, t
		}
	}
	if best < 0 {
		best = lastOuter(spans)
	}
	if best < 0 {
		return
	}
	s := spans[best]
	if trace == noTrace && (s.marker.isOther(left) || hasName(left) && s.isElsewhere(start, j.end, left)) {
		j.segment(clues, extent{known: true, marker: marker{1}}) // all blocks of this part are lost
		return
	}
	if s.first == 0 && s.from > 0 {
		j.choose(clues[:s.from], -1, nil)
	}
	part := extent{known: true, marker: s.marker, next: s.first}
	j.segment(clues[s.from:], part)
}

// lastOuter returns the last of the spans that can have all before it in records that it has
// lost. It is the first one if there is no such span, and -1 if there are none.
func lastOuter(spans []span) int {
	for i := len(spans) - 1; i > 0; i-- {
		s := &spans[i]
		if s.first > 0 && !s.beganAfter(&spans[0]) {
			return i
		}
		for s.first > 0 && i > 1 && !s.beganAfter(&spans[i-1]) {
			i-- // it may be in the records that s has lost
		}
	}
	return min(len(spans), 1) - 1
}

// isElsewhere reports whether the index of s shows that its file header is not the damaged one
// at start, of which only the name is left. Before the header of a file in a record are the rest
// of that one and the header of a block. If bytes are missing or were inserted, the offsets in the
// index are wrong, and what follows s tells: the end of the clues, or a frame, and not the rest
// of a record.
func (s *span) isElsewhere(start, end int64, left []byte) bool {
	if !s.indexed || s.origin == start || s.end == end {
		return false
	}
	size := int64(minFileHeader)
	if n := skippableHeader + int64(binary.LittleEndian.Uint32(left[4:])); n > size && n <= maxFileHeader {
		size = n
	}
	return s.origin >= start+size+headroom || !beginsFrame(s.tail)
}

// beginsFrame reports whether a skippable frame begins with b, or the input ends there.
func beginsFrame(b []byte) bool {
	return len(b) < skippableHeader || binary.LittleEndian.Uint32(b)&^15 == magicSkippable
}

// isOther reports whether a damaged file header shows another marker than m. Its first bytes
// are enough if the name is before them.
func (m *marker) isOther(header []byte) bool {
	if len(header) < fileMapAt || header[fileVersionAt] != version || header[fileVersionAt+1] != 0 || isInner(header) {
		return false
	}
	n, equal := markerSize, 0
	if hasName(header) {
		n = 3
	}
	for i, b := range header[fileMarkerAt:][:n] {
		if b&0x82 != 0x82 {
			return false // no marker
		}
		if b == m[i] {
			equal++
		}
	}
	return equal < n/2
}

// A trace is what is left of a marker in a damaged file header.
type trace int

const (
	noTrace   trace = iota
	nearTrace       // a part of it, near its place
	inPlace         // most of it
)

// traceIn returns what is left of the marker in what may be a damaged file header.
func (m *marker) traceIn(header []byte) trace {
	if next := bytes.Index(header[min(1, len(header)):], binary.LittleEndian.AppendUint32(nil, magicRecord)); next >= 0 {
		header = header[:1+next] // the marker of another frame counts for nothing
	}
	if isInner(header) {
		return noTrace
	}
	equal := 0
	for i := 0; i < markerSize && fileMarkerAt+i < len(header); i++ {
		if m[i] == header[fileMarkerAt+i] {
			equal++
		}
	}
	switch {
	case equal >= markerSize/2:
		return inPlace
	case !hasName(header):
		return noTrace
	case m.hasPart(header[fileVersionAt:min(len(header), fileMapAt+4)], 4):
		return nearTrace
	}
	return noTrace
}

func hasName(header []byte) bool {
	return len(header) >= fileVersionAt && string(header[fileNameAt:fileVersionAt]) == name
}

// isInner reports whether the end of a file header that is in a record is in the place of one
// that is not.
func isInner(header []byte) bool {
	at := fileNameAt - rawHeaderSize
	return len(header) > at && string(header[at:min(len(header), at+len(halfName))]) == halfName && isDivided(header[at:])
}

// hasPart reports whether b has n successive bytes of the marker. If all up to its end are
// there, a map must follow, because what is left may also be from the header of a block.
func (m *marker) hasPart(b []byte, n int) bool {
	for i := range markerSize - n + 1 {
		at := bytes.Index(b, m[i:i+n])
		if at < 0 {
			continue
		}
		rest := b[at:]
		if !bytes.HasPrefix(rest, m[i:]) || len(rest) == markerSize-i || beginsMap(rest[markerSize-i]) {
			return true
		}
	}
	return false
}

// beginsMap reports whether a MessagePack map begins with the byte.
func beginsMap(b byte) bool { return b&0xf0 == 0x80 || b == 0xde || b == 0xdf }

// A span is where the blocks with one marker are.
type span struct {
	marker     marker
	from, to   int   // indexes of clues
	first      int64 // ordinal
	start, end int64
	tail       []byte
	found      int64 // the end of what was found of it; end is that of the last block as its header says
	whole      int64 // bytes of the blocks that are whole
	origin     int64 // of the file header, if there is an index
	indexed    bool
}

// beganAfter reports whether the file with the blocks of s began after those of o.
func (s *span) beganAfter(o *span) bool {
	if s.indexed {
		return s.origin >= o.found || o.whole > s.start-s.origin // too much for the blocks before those of s
	}
	return s.marker.traceIn(o.tail) > noTrace
}

// spansOf returns the spans that are not inside others, in order. A file is inside another
// one if blocks of this one are around it, or a block whose header is valid. The offsets in
// an index count only if nothing else is known, because bytes may be missing before it: not for
// a marker that is left in what may be a damaged file header.
func spansOf(clues []clue, header []byte) []span {
	at := map[marker]int{}
	inner := map[marker]bool{}
	var all []span
	for i := range clues {
		c := &clues[i]
		k, seen := at[c.marker]
		switch {
		case c.kind == clueInner:
			inner[c.marker] = true
		case c.kind == clueIndex && seen:
			all[k].origin, all[k].indexed = c.start, true
			all[k].to, all[k].end, all[k].found, all[k].tail = i, c.end, c.end, c.tail
		case c.kind == clueIndex && c.marker == marker{}:
			// The blocks of the file that has this index are damaged, and what is found
			// there is in their records: what is after the file header, or has an index that
			// only the rest of a record follows.
			all = slices.DeleteFunc(all, func(s span) bool {
				within := s.start >= c.start || clues[s.to].kind == clueIndex && !beginsFrame(s.tail)
				return within && s.marker.traceIn(header) == noTrace
			})
			clear(at)
			for k := range all {
				at[all[k].marker] = k
			}
		case c.kind == clueBlocks && seen:
			all[k].to, all[k].end, all[k].found, all[k].tail = i, max(c.end, c.claim), c.end, c.tail
			all[k].whole += c.whole
		case c.kind == clueBlocks && !inner[c.marker]:
			at[c.marker] = len(all)
			all = append(all, span{marker: c.marker, from: i, to: i, first: c.first, start: c.start, end: max(c.end, c.claim), found: c.end, tail: c.tail, whole: c.whole})
		}
	}
	outer := all[:0]
	for _, s := range all {
		if n := len(outer); n == 0 || s.to > outer[n-1].to && s.end > outer[n-1].end {
			outer = append(outer, s)
		}
	}
	return outer
}
