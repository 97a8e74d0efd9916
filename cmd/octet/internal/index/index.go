package index

import (
	"errors"
	"io"
	"sort"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// distance is the number of bytes between two marks.
const distance = 32 << 10

// A mark is the state of a cursor between two tokens.
type mark struct {
	pos    int
	top    int64
	line   int64
	lo, hi int // its containers in Index.around and Index.lines
}

// An Index is MessagePack data with its marks.
type Index struct {
	Data    []byte
	Values  int64 // complete top-level values
	Tokens  int64 // values of every depth, keys included
	Lines   int64 // of the text
	Deepest int   // greatest number of containers around a value
	End     int   // offset after the last token that is complete
	Fault   *scan.Fault

	marks  []mark
	around []wire.Container // of all marks
	lines  []int64          // on which these containers begin
	tail   []wire.Container // containers that are incomplete at the end
}

// New indexes data. Only an error of watch stops it: a fault in the data is part of the
// index.
func New(data []byte, watch Watch) (*Index, error) {
	x := &Index{Data: data}
	c := Cursor{data: data, line: -1}
	x.mark(&c)
	next := distance
	for {
		if c.pos >= next {
			c.pop()
			x.mark(&c)
			// Deep containers take more memory for each mark.
			next = c.pos + distance + c.depth()*distance/16
			if err := watch.Call(c.pos, len(data)); err != nil {
				return nil, err
			}
		}
		tokens, deepest := c.skim(next)
		x.Tokens, x.Deepest = x.Tokens+tokens, max(x.Deepest, deepest)
		if !c.Next() { // what ends later, such as a long string
			break
		}
		x.Tokens++
		x.Deepest = max(x.Deepest, c.token.Depth)
	}
	x.End, x.Lines, x.Values = c.pos, c.line+1, c.top
	if x.tail = c.s.Open(); c.wrong {
		if x.tail = c.s.Around(); len(x.tail) > 0 {
			x.tail[len(x.tail)-1].Left++ // the value at fault does not count
		}
	}
	if len(x.tail) > 0 {
		x.Values--
	}
	if c.pos < len(data) || len(x.tail) > 0 {
		return x, x.explain(watch)
	}
	return x, nil
}

// explain sets the fault that stopped the index.
func (x *Index) explain(watch Watch) error {
	start := x.End
	if len(x.tail) > 0 {
		start = int(x.tail[0].Offset)
	}
	s := scan.New(watch.Reader(x.Data[start:]), int64(start))
	for {
		_, err := s.Next()
		if err == nil {
			continue
		}
		var f *scan.Fault
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &f):
			f.Value = x.Values
			x.Fault = f
			return nil
		}
		return err
	}
}

func (x *Index) mark(c *Cursor) {
	lo := len(x.around)
	x.around = append(x.around, c.s.Open()...)
	x.lines = append(x.lines, c.lines...)
	x.marks = append(x.marks, mark{pos: c.pos, top: c.top, line: c.line, lo: lo, hi: len(x.around)})
}

// at returns a cursor that continues at a mark.
func (x *Index) at(m int) *Cursor {
	k := &x.marks[m]
	c := &Cursor{data: x.Data[:x.End], top: k.top, line: k.line}
	c.resume(k.pos, x.around[k.lo:k.hi], x.lines[k.lo:k.hi])
	return c
}

// inside reports whether the mark lies inside the container that begins at start
// and has depth containers around it.
func (x *Index) inside(m, start, depth int) bool {
	k := &x.marks[m]
	return k.hi-k.lo > depth && x.around[k.lo+depth].Offset == int64(start)
}

// within returns the range of the marks inside a container.
func (x *Index) within(start, depth int) (lo, hi int) {
	lo = sort.Search(len(x.marks), func(m int) bool { return x.marks[m].pos > start })
	hi = lo + sort.Search(len(x.marks)-lo, func(i int) bool { return !x.inside(lo+i, start, depth) })
	return lo, hi
}

// Before returns a cursor whose next tokens include the one that begins at or
// contains offset.
func (x *Index) Before(offset int) *Cursor {
	m := sort.Search(len(x.marks), func(m int) bool { return x.marks[m].pos > offset })
	return x.at(max(m-1, 0))
}

// BeforeLine returns a cursor that has not yet read what begins on the line.
func (x *Index) BeforeLine(line int64) *Cursor {
	m := sort.Search(len(x.marks), func(m int) bool { return x.marks[m].line >= line })
	return x.at(max(m-1, 0))
}

// At returns the token whose header or payload contains offset, with the cursor
// that has read it. It returns false if the data is malformed there.
func (x *Index) At(offset int) (*Cursor, bool) {
	if offset < 0 || offset >= x.End {
		return nil, false
	}
	c := x.Before(offset)
	c.Skim(offset)
	for c.Next() {
		if offset < c.token.End() {
			return c, true
		}
	}
	return nil, false
}

// Size returns the length of a value in bytes, as far as the data is well-formed.
func (x *Index) Size(t *Token) int {
	if !t.IsContainer() {
		return t.End() - t.Offset
	}
	return x.end(t) - t.Offset
}

// end returns the offset after a container, as far as the data is well-formed.
func (x *Index) end(t *Token) int {
	if x.open(t) != nil {
		return x.End
	}
	lo, hi := x.within(t.Offset, t.Depth)
	if hi == lo {
		return x.skip(t.Offset, 1)
	}
	// After the last mark inside t, skip the rest of the containers that are open there.
	m := &x.marks[hi-1]
	end, around := m.pos, x.around[m.lo:m.hi]
	for d := len(around) - 1; d >= t.Depth; d-- {
		end = x.skip(end, around[d].Left)
	}
	return end
}

// skip returns the offset after n complete values that begin at pos.
func (x *Index) skip(pos int, n uint64) int {
	for range n {
		pos += canonical.End(x.Data[pos:x.End]) // wire.Skip would stop at a malformed timestamp
	}
	return pos
}

// open returns the state of the container t at the end of the data, or nil if t is
// complete.
func (x *Index) open(t *Token) *wire.Container {
	if t.Depth < len(x.tail) && x.tail[t.Depth].Offset == int64(t.Offset) {
		return &x.tail[t.Depth]
	}
	return nil
}

// Count returns how many elements or pairs of a container are present. In
// malformed data they can be fewer than the header says.
func (x *Index) Count(t *Token) int64 {
	count := t.Header.Values()
	if c := x.open(t); c != nil {
		count = c.Begun()
	}
	if t.Format.Kind() == wire.KindMap {
		count = (count + 1) / 2
	}
	return int64(count)
}

// Rows returns how many top-level values have begun.
func (x *Index) Rows() int64 {
	if len(x.tail) > 0 {
		return x.Values + 1
	}
	return x.Values
}

// Top returns a cursor that reads top-level value n next.
func (x *Index) Top(n int64) *Cursor {
	m := sort.Search(len(x.marks), func(m int) bool {
		return x.marks[m].top > n
	})
	c := x.at(max(m-1, 0))
	for c.top < n || c.depth() > 0 {
		if c.pop(); c.depth() == 0 && c.top >= n {
			break
		}
		if !c.Next() {
			break
		}
	}
	c.pop()
	return c
}

// Child returns a cursor that reads value n of a container next. Keys and values
// of a map count separately.
func (x *Index) Child(t *Token, n uint64) *Cursor {
	lo, hi := x.within(t.Offset, t.Depth)
	m := lo + sort.Search(hi-lo, func(i int) bool {
		return x.around[x.marks[lo+i].lo+t.Depth].Begun() > n
	})
	var c *Cursor
	if m > lo {
		c = x.at(m - 1)
	} else {
		// Of the containers around t, the cursor holds the innermost at most: whoever goes down into a deep value
		// needs a cursor for each level. That container has more values, so that it stays open.
		held := min(t.Depth, 1)
		c = &Cursor{data: x.Data[:x.End], line: t.Line, outer: t.Depth - held}
		around := [2]wire.Container{{Header: wire.Header{Format: wire.FixArray, Count: 2}, Offset: -1, Left: 1}}
		around[held] = wire.Container{Header: t.Header, Offset: int64(t.Offset), Left: t.Header.Values()}
		lines := [2]int64{t.Line, t.Line}
		c.resume(t.Offset+int(t.Size), around[:held+1], lines[:held+1])
	}
	for c.depth() > t.Depth {
		c.pop()
		if c.depth() == t.Depth+1 && c.s.Open()[t.Depth-c.outer].Begun() >= n || !c.Next() {
			break
		}
	}
	c.pop()
	return c
}

// Skip moves the cursor after everything inside the value that it has read.
func (x *Index) Skip(c *Cursor) {
	if c.token.IsContainer() {
		c.skipTo(x.end(&c.token))
	}
}
