package diff

import (
	"strconv"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// A comparer compares two top-level values. Both are in the form that a
// canonical.Rewriter with Sort and Wide writes.
type comparer struct {
	*aligner
	value  [2]int64
	path   [2][]byte
	report func(Difference) error
}

// differ reports one difference at the current path.
func (c *comparer) differ(op Op, a, b []byte) error {
	d := Difference{Op: op, Value: c.value, Path: [2]string{string(c.path[0]), string(c.path[1])}, Data: [2][]byte{a, b}}
	return c.report(d)
}

// compare compares two values and reports how they differ. raw are the values as they are in
// the inputs; nil if no key in a value is shown by its number.
func (c *comparer) compare(a, b []byte, raw [2][]byte) error {
	if same, err := c.pace.Equal(a, b); same || err != nil {
		return err
	}
	h, n, _ := wire.ConsumeHeader(a)
	g, m, _ := wire.ConsumeHeader(b)
	kind := h.Format.Kind()
	switch {
	case kind != g.Format.Kind():
	case kind == wire.KindArray:
		x, err := c.items(a[n:], h.Count)
		if err != nil {
			return err
		}
		y, err := c.items(b[m:], g.Count)
		if err != nil {
			return err
		}
		return c.arrays(x, y, raw)
	case kind == wire.KindMap:
		return c.maps(a[n:], b[m:], h.Count, g.Count, raw)
	}
	return c.differ(Change, a, b)
}

// items splits the elements of an array.
func (c *comparer) items(data []byte, n uint32) ([]item, error) {
	list := make([]item, 0, n) // the value is complete, so n is at most its length
	for range n {
		size, err := c.pace.End(data)
		if err != nil {
			return nil, err
		}
		x, err := c.item(data[:size])
		if err != nil {
			return nil, err
		}
		list, data = append(list, x), data[size:]
	}
	return list, nil
}

func (c *comparer) arrays(a, b []item, raw [2][]byte) error {
	i, j := 0, 0
	sources := [2]elements{elementsOf(raw[0]), elementsOf(raw[1])}
	for i < len(a) && j < len(b) {
		if same, err := c.equal(&a[i], &b[j]); err != nil {
			return err
		} else if same {
			i, j = i+1, j+1
			continue
		}
		n, m, err := c.next(a[i:], b[j:])
		if err != nil {
			return err
		}
		for ; n > 0 && m > 0; n, m = n-1, m-1 {
			var raw [2][]byte
			for k, index := range [2]int{i, j} {
				if raw[k], err = sources[k].get(c.pace, index); err != nil {
					return err
				}
			}
			if err := c.at(i, j, func() error { return c.compare(a[i].data, b[j].data, raw) }); err != nil {
				return err
			}
			i, j = i+1, j+1
		}
		for ; n > 0; n-- {
			if err := c.at(i, j, func() error { return c.differ(Remove, a[i].data, nil) }); err != nil {
				return err
			}
			i++
		}
		for ; m > 0; m-- {
			if err := c.at(i, j, func() error { return c.differ(Add, nil, b[j].data) }); err != nil {
				return err
			}
			j++
		}
	}
	for ; i < len(a); i++ {
		if err := c.at(i, j, func() error { return c.differ(Remove, a[i].data, nil) }); err != nil {
			return err
		}
	}
	for ; j < len(b); j++ {
		if err := c.at(i, j, func() error { return c.differ(Add, nil, b[j].data) }); err != nil {
			return err
		}
	}
	return nil
}

// at calls work with the paths of element i of the first and j of the second
// array.
func (c *comparer) at(i, j int, work func() error) error {
	before := [2]int{len(c.path[0]), len(c.path[1])}
	for k, index := range [2]int{i, j} {
		c.path[k] = append(strconv.AppendInt(append(c.path[k], '['), int64(index), 10), ']')
	}
	err := work()
	for k := range c.path {
		c.path[k] = c.path[k][:before[k]]
	}
	return err
}

// maps compares the pairs of two maps, which are sorted by their keys.
func (c *comparer) maps(a, b []byte, n, m uint32, raw [2][]byte) error {
	var sources [2][]source
	for k := range raw {
		var err error
		if sources[k], err = c.sources(raw[k]); err != nil {
			return err
		}
	}
	before := [2]int{len(c.path[0]), len(c.path[1])}
	var x, y uint64 // numbers of the pairs
	for n > 0 || m > 0 {
		order := 0
		switch {
		case n == 0:
			order = 1
		case m == 0:
			order = -1
		default:
			k, err := c.pace.End(a)
			if err != nil {
				return err
			}
			l, err := c.pace.End(b)
			if err != nil {
				return err
			}
			order = canonical.Compare(a[:k], b[:l])
		}
		var key, v, w []byte
		var err error
		if order <= 0 {
			if key, v, a, err = c.cut(a); err != nil {
				return err
			}
			n--
		}
		if order >= 0 {
			if key, w, b, err = c.cut(b); err != nil {
				return err
			}
			m--
		}
		for k, i := range [2]uint64{x, y} {
			raw[k] = nil
			if s := sources[k]; i < uint64(len(s)) {
				i, raw[k] = s[i].index, s[i].value
			}
			c.path[k] = scan.AppendKeyStep(c.path[k][:before[k]], key, i)
		}
		if order <= 0 {
			x++
		}
		if order >= 0 {
			y++
		}
		switch {
		case order < 0:
			err = c.differ(Remove, v, nil)
		case order > 0:
			err = c.differ(Add, nil, w)
		default:
			err = c.compare(v, w, raw)
		}
		if err != nil {
			return err
		}
	}
	c.path[0], c.path[1] = c.path[0][:before[0]], c.path[1][:before[1]]
	return nil
}

// cut splits the first pair from the pairs of a map.
func (c *comparer) cut(data []byte) (key, value, rest []byte, err error) {
	n, err := c.pace.End(data)
	if err != nil {
		return nil, nil, data, err
	}
	m, err := c.pace.End(data[n:])
	return data[:n], data[n : n+m], data[n+m:], err
}
