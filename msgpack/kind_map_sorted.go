package msgpack

import (
	"slices"
	"sync"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

// encodeSorted is encode with the entries in order of their keys: first all are
// encoded as they come, then their bytes are put in order, which is the same for
// keys of every kind.
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
	if n < 2 {
		return c.entries(dst, m, n, depth-1, nil)
	}
	s := sorters.Get().(*sorter)
	defer s.release()
	start := len(dst)
	if dst, err = c.entries(dst, m, n, depth-1, s); err != nil {
		return dst, err
	}
	return dst, s.sort(dst, start, c.want)
}

// A sorter puts the entries of one map in order.
type sorter struct {
	entries []sortedEntry
	order   []*sortedEntry // pointers, since all types of them share one compiled sort
	bytes   []byte
}

// A sortedEntry is where an entry lies in the message.
type sortedEntry struct {
	key             syntax.Key
	start, mid, end int // of the key, of the value, and of both
}

var sorters = sync.Pool{New: func() any { return new(sorter) }}

// release gives the sorter back, without what it points at and how much it has grown.
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

// sort puts the entries, which lie in dst from start on, in order.
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
		if i > 0 && e.key == s.order[i-1].key {
			return failed(ErrDuplicateKey, found)
		}
		to = append(to, s.bytes[e.start-start:e.end-start]...)
	}
	return nil
}
