package diff

import (
	"bytes"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/cmd/octet/internal/locate"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
)

// Options select what is compared.
type Options struct {
	Bytes bool // also report equal values that have different bytes
	Pace  *canonical.Pace
}

// Streams compares the values of two scanners and calls report for each
// difference. The data of a difference is valid during the call. If an input is
// malformed, side is the number of that input, 0 or 1. Other errors come from
// the scanners and from report.
func Streams(a, b *scan.Scanner, o Options, report func(Difference) error) (side int, err error) {
	c := &comparer{aligner: newAligner(o.Pace), report: report}
	sides := [2]*window{{s: a, aligner: c.aligner, keep: o.Bytes}, {s: b, aligner: c.aligner, keep: o.Bytes}}
	for _, w := range sides {
		w.rewrite = canonical.Rewriter{Sort: true, Wide: true, Pace: o.Pace}
	}
	// wait reads until both windows have n values or their inputs end.
	wait := func(n int) (int, error) {
		for k, w := range sides {
			if err := w.fill(n); err != nil {
				return k, err
			}
		}
		return 0, nil
	}
	x, y := sides[0], sides[1]
	for {
		if side, err := wait(1); err != nil {
			return side, err
		}
		same := false
		var err error
		switch {
		case len(x.items) == 0 && len(y.items) == 0:
			return 0, nil
		case len(y.items) == 0:
			err = c.only(Remove, x, y)
		case len(x.items) == 0:
			err = c.only(Add, x, y)
		default:
			same, err = c.equal(&x.items[0], &y.items[0])
			switch {
			case err != nil:
			case !same:
				if side, err := wait(Window); err != nil {
					return side, err
				}
				err = c.reportDifferent(x, y)
			case o.Bytes:
				err = c.formats(x, y)
			}
		}
		if err != nil {
			return 0, err
		}
		if same {
			x.drop()
			y.drop()
		}
	}
}

// reportDifferent reports the values at the start of two windows that differ. While both
// have one, the two are compared in detail.
func (c *comparer) reportDifferent(x, y *window) error {
	n, m, err := c.next(x.items, y.items)
	if err != nil {
		return err
	}
	for ; n > 0 && m > 0; n, m = n-1, m-1 {
		c.value = [2]int64{x.number, y.number}
		c.path[0], c.path[1] = c.path[0][:0], c.path[1][:0]
		if err := c.compare(x.items[0].data, y.items[0].data, [2][]byte{x.source(), y.source()}); err != nil {
			return err
		}
		x.drop()
		y.drop()
	}
	for ; n > 0; n-- {
		if err := c.only(Remove, x, y); err != nil {
			return err
		}
	}
	for ; m > 0; m-- {
		if err := c.only(Add, x, y); err != nil {
			return err
		}
	}
	return nil
}

// only reports and drops the first value of one window.
func (c *comparer) only(op Op, x, y *window) error {
	d := Difference{Op: op, Value: [2]int64{x.number, -1}}
	w := x
	if op == Add {
		d.Value, w = [2]int64{-1, y.number}, y
		d.Data[1] = w.items[0].data
	} else {
		d.Data[0] = w.items[0].data
	}
	err := c.report(d)
	w.drop()
	return err
}

// A window holds the values of a stream that are being compared.
type window struct {
	*aligner
	s       *scan.Scanner
	keep    bool
	items   []item
	raw     [][]byte // the values as they are in the input, if they are kept; see source
	unnamed []bool   // whether the values have keys that paths show by their number
	bytes   int      // of all items
	number  int64    // of the first item in the stream
	rewrite canonical.Rewriter
	value   bytes.Buffer
	ended   bool
}

// fill reads until the window has n values, if the limit for bytes allows it.
func (w *window) fill(n int) error {
	for len(w.items) < n && !w.ended && (len(w.items) == 0 || w.bytes < WindowBytes) {
		t, err := w.s.Next()
		if err == io.EOF {
			w.ended = true
			return nil
		}
		if err != nil {
			return err
		}
		w.value.Reset()
		if _, err := locate.Copy(&w.value, w.s, t.Depth); err != nil {
			return err
		}
		w.rewrite.Unnamed = 0
		// Most values keep their length.
		data, err := w.rewrite.Append(make([]byte, 0, w.value.Len()), w.value.Bytes())
		if err != nil {
			return err
		}
		item, err := w.item(data)
		if err != nil {
			return err
		}
		w.items = append(w.items, item)
		w.bytes += len(data)
		var raw []byte
		if w.keep || w.rewrite.Unnamed > 0 {
			if raw, err = w.pace.Append(nil, w.value.Bytes()); err != nil {
				return err
			}
		}
		w.raw, w.unnamed = append(w.raw, raw), append(w.unnamed, w.rewrite.Unnamed > 0)
		w.bytes += len(raw)
	}
	return nil
}

// drop removes the first value.
func (w *window) drop() {
	w.bytes -= len(w.items[0].data)
	w.items = w.items[1:]
	w.bytes -= len(w.raw[0])
	w.raw, w.unnamed = w.raw[1:], w.unnamed[1:]
	w.number++
}

// source returns the first value as it is in the input, or nil if paths in it have no numbers
// of pairs.
func (w *window) source() []byte {
	if w.unnamed[0] {
		return w.raw[0]
	}
	return nil
}

// formats compares the bytes of the first values of two windows, which are equal
// as values. Both are read value by value: as long as the keys of maps are in
// the same order, the values that are read are equal.
func (c *comparer) formats(x, y *window) error {
	if same, err := c.pace.Equal(x.raw[0], y.raw[0]); same || err != nil {
		return err
	}
	c.value = [2]int64{x.number, y.number}
	a, b := scan.New(bytes.NewReader(x.raw[0]), 0), scan.New(bytes.NewReader(y.raw[0]), 0)
	plain := canonical.Rewriter{Wide: true, Pace: c.pace}
	for {
		t, err := a.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		u, err := b.Next()
		if err != nil {
			return err
		}
		c.path[0], c.path[1] = a.AppendPath(c.path[0][:0]), b.AppendPath(c.path[1][:0])
		v, w := head(a, t, x.raw[0]), head(b, u, y.raw[0])
		if t.Count == 0 && u.Count == 0 {
			short, err := plain.Append(nil, v)
			if err != nil {
				return err
			}
			other, err := plain.Append(nil, w)
			if err != nil {
				return err
			}
			if same, err := c.pace.Equal(short, other); err != nil {
				return err
			} else if !same {
				return c.differ(Order, v, w)
			}
		} else if t.Count != u.Count || t.Format.Kind() != u.Format.Kind() {
			return c.differ(Order, v, w)
		}
		if same, err := c.pace.Equal(v, w); err != nil {
			return err
		} else if !same {
			if err := c.differ(Format, v, w); err != nil {
				return err
			}
		}
	}
}

// head returns the bytes of a value that is not a container, and the header of
// a container.
func head(s *scan.Scanner, t scan.Token, data []byte) []byte {
	return data[t.Offset:][:int(t.Size)+int(t.Payload)]
}
