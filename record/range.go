package record

import (
	"fmt"
	"iter"
	"sort"
)

// A Range is a part of a file: the blocks whose headers begin at Start or later, and
// before End. It is plain data, so that it can be sent to another machine that can
// read the same file.
//
// Any Start and End are allowed, so a Range can be divided at any offset between
// them. Every block belongs to exactly one of the ranges that result. This holds
// for the ranges of [File.Split], and for all ranges of a file that was not joined
// from several by a command such as cat.
//
// The torn end of a file can have whole blocks, after one that a power loss has taken. They
// are not in the file, but a File finds them in a range that begins after the tear, until
// it knows all blocks, as after [File.Len], [File.Report] or [File.Split].
type Range struct {
	Start, End int64 // offsets in the file
	Header     int64 // offset of the file header that applies at Start; 0 if the file was not joined
}

// Range returns the range that has all blocks.
func (f *File) Range() Range {
	f.must()
	return f.all()
}

func (f *File) all() Range {
	f.mu.Lock()
	defer f.mu.Unlock()
	return Range{0, f.size, 0}
}

// Split divides the file into n ranges of about the same number of bytes, or fewer
// if it has fewer blocks. If it was joined from several files, each of these has
// ranges of its own, which can make more than n. If the file cannot be read, the
// result is one range, and reading it returns the error.
func (f *File) Split(n int) []Range {
	f.must()
	c, err := f.load()
	whole := f.all()
	if n < 1 || len(c.places.list) == 0 || c.many || err != nil && c.fault == nil {
		return []Range{whole}
	}
	// Cut at blocks, so that a worker does not need to search for its first one.
	starts := []Range{{}}
	list, last := c.places.list, 0
	n = int(min(int64(n), int64(len(list))))
	for i := 1; i < n; i++ {
		at := c.end / int64(n) * int64(i)
		k := sort.Search(len(list), func(k int) bool { return list[k].offset >= at })
		if k == len(list) || k > 0 && at-list[k-1].offset < list[k].offset-at {
			k-- // it is nearer
		}
		// Each range has a block.
		k = min(max(k, last+1), len(list)-(n-i))
		last = k
		if list[k].part == list[k-1].part { // otherwise it begins with a header, see below
			starts = append(starts, Range{Start: list[k].offset, Header: c.parts[list[k].part].offset})
		}
	}
	for _, part := range c.parts[1:] {
		starts = append(starts, Range{Start: part.offset, Header: part.offset})
	}
	sort.Slice(starts, func(i, j int) bool { return starts[i].Start < starts[j].Start })
	for i := range starts {
		starts[i].End = whole.End
		if i+1 < len(starts) {
			starts[i].End = starts[i+1].Start
		}
	}
	return starts
}

// Blocks returns the blocks of a range without their contents. It reads only the
// headers. Block.Ordinal is counted from the beginning of the file if the File
// knows all blocks, as after [File.Len], and otherwise from the file header that
// applies. After an error there are no more blocks.
func (f *File) Blocks(r Range) iter.Seq2[Block, error] {
	return func(yield func(Block, error) bool) {
		w, err := f.enter(r, f.source())
		for err == nil {
			var b Block
			var more bool
			if b, more, err = w.nextIn(r); err == nil && (!more || !yield(b, nil)) {
				return
			}
		}
		yield(Block{}, inFile(f.path, err))
	}
}

// enter returns a walk that is before the first block of the range and reads from src.
func (f *File) enter(r Range, src *fileSource) (*walk, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	f.mu.Lock()
	w := f.walkOf(src, r.Header)
	known := f.known
	if known != nil {
		w.whole = known.end
	}
	if known != nil && known.verified > 0 {
		w.known = known
	}
	f.mu.Unlock()
	if r.Start < 0 || r.End < r.Start || r.Header < 0 || r.Header > r.Start {
		return nil, fault(ErrOptions, fmt.Sprintf("range %+v", r))
	}
	s, _, err := w.step()
	if err != nil {
		return nil, err
	}
	if s != atHeader {
		if r.Header > 0 {
			return nil, faultAt(ErrCorrupt, r.Header, "no file header")
		}
		return w, nil // torn in the header
	}
	if known != nil && !known.many {
		for _, p := range known.parts {
			if p.offset == r.Header {
				w.base = p.base
			}
		}
	}
	if r.Start <= w.pos {
		return w, nil
	}
	// Neither a marker nor a name occurs in data, so what the search finds is a header.
	// No header begins after the end of the file, wherever the range ends.
	find := newFinder(w.header.marker)
	first := func() (at int64, isName bool, last int64, err error) {
		start, end := min(r.Start, src.size), min(r.End, src.size)
		return search(w.src, find, start+blockMarkerAt, end+blockMarkerAt+markerSize)
	}
	at, isName, last, err := first()
	if err != nil && w.reread(err) {
		at, isName, last, err = first()
	}
	if err != nil {
		return nil, err
	}
	w.next = -1
	switch {
	case at < 0:
		w.pos = max(r.End, last)
	case isName:
		w.pos = at - fileNameAt
		w.base = 0
	default:
		w.pos = at - blockMarkerAt
	}
	return w, nil
}

// nextIn returns the next block if it is in the range. It checks the header after
// the last one too, because the next range may not notice that its first header
// is damaged.
func (w *walk) nextIn(r Range) (b Block, more bool, err error) {
	for {
		if w.pos >= r.End && w.next < 0 {
			return Block{}, false, nil // the range has no blocks
		}
		before := w.pos
		s, b, err := w.step()
		switch {
		case err != nil:
			return Block{}, false, err
		case s == atEnd, s == atTear:
			return Block{}, false, nil
		case s == atBlock && b.Offset >= r.End, s == atHeader && w.part >= r.End:
			w.pos = before
			return Block{}, false, nil
		case s == atBlock && w.known != nil && b.Offset >= w.known.end:
			return Block{}, false, w.known.fault // the block has a header and no content
		case s == atBlock:
			return b, true, nil
		}
	}
}
