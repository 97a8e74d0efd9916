package diff

import (
	"slices"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/msgpack/wire"
)

// A source is a pair of a map as it is in the input.
type source struct {
	key   []byte // in the form that is compared
	index uint64 // of the pair in the input
	value []byte
}

// sources returns the pairs of a map in the order of their keys, which is the order of the
// pairs in the form that is compared. Without a map, there are none.
func (c *comparer) sources(raw []byte) ([]source, error) {
	if raw == nil {
		return nil, nil
	}
	h, n, _ := wire.ConsumeHeader(raw)
	rewrite := canonical.Rewriter{Sort: true, Wide: true, Pace: c.pace}
	list := make([]source, 0, h.Count) // the value is complete, so the count is at most its length
	for i, rest := uint64(0), raw[n:]; i < uint64(h.Count); i++ {
		key, value, after, err := c.cut(rest)
		if err != nil {
			return nil, err
		}
		if key, err = rewrite.Append(nil, key); err != nil {
			return nil, err
		}
		list, rest = append(list, source{key, i, value}), after
	}
	slices.SortStableFunc(list, func(a, b source) int {
		_ = c.pace.Spend(len(a.key)) // the next one fails too
		return canonical.Compare(a.key, b.key)
	})
	return list, nil
}

// elements are the rest of an array as it is in the input.
type elements struct {
	rest []byte
	next int // the index of the first one
}

func elementsOf(raw []byte) elements {
	if raw == nil {
		return elements{}
	}
	_, n, _ := wire.ConsumeHeader(raw)
	return elements{rest: raw[n:]}
}

// get returns the element with an index, which is not less than that of the call before. Without an
// array, it returns nil.
func (e *elements) get(pace *canonical.Pace, i int) (element []byte, err error) {
	for e.rest != nil && e.next <= i {
		n, err := pace.End(e.rest)
		if err != nil {
			return nil, err
		}
		element, e.rest = e.rest[:n], e.rest[n:]
		e.next++
	}
	return element, nil
}
