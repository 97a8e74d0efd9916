package msgpack

import (
	"slices"
	"sync"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

// encodeSorted appends the map at p with its entries sorted by key. It encodes them in
// the order of iteration and then sorts their bytes, because bytes can be compared in
// the same way for keys of every type.
func (c *mapCodec) encodeSorted(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	if p.Deref().IsNil() {
		return wire.AppendNil(dst), nil
	}
	m := mem.Value(c.typ, p)
	n := m.Len()
	dst, err := appendMapHeader(dst, n, c.want, depth)
	if err != nil {
		return dst, err
	}
	if n < 2 { // nothing to sort
		return c.appendEntries(dst, m, n, depth-1, nil)
	}
	s := sorters.Get().(*sorter)
	defer s.release()
	start := len(dst)
	if dst, err = c.appendEntries(dst, m, n, depth-1, s); err != nil {
		return dst, err
	}
	return dst, s.sort(dst, start, c.want)
}

// A sorter sorts the encoded entries of one map.
type sorter struct {
	entries []sortedEntry
	order   []*sortedEntry // pointers, because all pointer types share one compiled sort function
	bytes   []byte         // a copy of the entries, from which they are written back in order
}

// A sortedEntry holds the position of an entry in the message.
type sortedEntry struct {
	key             syntax.Key
	start, mid, end int // start of the key, start of the value, end of the value
}

var sorters = sync.Pool{New: func() any { return new(sorter) }}

// release returns the sorter to the pool. It drops pointers to the message, and memory
// that one long map has needed.
func (s *sorter) release() {
	clear(s.entries)
	clear(s.order)
	if cap(s.bytes) > maxScratch {
		s.bytes = nil
	}
	if cap(s.entries) > maxScratch/64 {
		s.entries, s.order = nil, nil
	}
	s.entries, s.order, s.bytes = s.entries[:0], s.order[:0], s.bytes[:0]
	sorters.Put(s)
}

// sort sorts the entries, which begin at dst[start]. found names the map in errors.
func (s *sorter) sort(dst []byte, start int, found string) error {
	s.bytes = append(s.bytes, dst[start:]...)
	text := mem.String(s.bytes)
	for i := range s.entries {
		e := &s.entries[i]
		from, to := e.start-start, e.mid-start
		e.key = syntax.MakeKey(s.bytes[from:to], text[from:to])
		s.order = append(s.order, e)
	}
	slices.SortFunc(s.order, func(a, b *sortedEntry) int { return a.key.Compare(&b.key) })
	to := dst[:start]
	for i, e := range s.order {
		// Different Go keys can have the same bytes, such as int 1 and uint 1 in a
		// map[any]any.
		if i > 0 && e.key == s.order[i-1].key {
			return failed(ErrDuplicateKey, found)
		}
		to = append(to, s.bytes[e.start-start:e.end-start]...)
	}
	return nil
}
