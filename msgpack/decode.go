package msgpack

import (
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A decoder is the cursor that decode functions share.
//
// owed is the ledger: how many values the containers around the current one
// still expect after it. Each takes a byte at least, so a header that claims n
// values is believed only if n + owed bytes are left. Whoever decodes the
// elements of a container sets owed before each element that may be a
// container itself, and restores it at the end.
type decoder struct {
	data  []byte
	pos   int
	owed  uint64
	depth int // levels of containers that may still be opened
	plans *plans
	seen  mem.Ptr // bits of the fields that a struct must have; nil: none must be there

	chunk  []byte  // where short strings go, see strings.go
	used   int     // bytes of it
	chunks int     // how many there have been
	extras *extras // nil until needed
}

// left returns the number of bytes after the position.
func (d *decoder) left() int { return len(d.data) - d.pos }

// formatByte returns the next format byte without passing it.
func (d *decoder) formatByte(want string) (byte, error) {
	if d.pos >= len(d.data) {
		return 0, d.fail(ErrTruncated, want)
	}
	return d.data[d.pos], nil
}

// isNil passes a nil and reports whether there was one.
func (d *decoder) isNil() bool {
	if d.pos < len(d.data) && d.data[d.pos] == byte(wire.Nil) {
		d.pos++
		return true
	}
	return false
}

// header reads the next header, of any kind, without passing it.
func (d *decoder) header(want string) (wire.Header, error) {
	h, _, err := wire.ConsumeHeader(d.data[d.pos:])
	if err != nil {
		return h, d.fail(err, want)
	}
	return h, nil
}

// payload passes a header and returns the bytes after it, a part of the input.
func (d *decoder) payload(h wire.Header, want string) ([]byte, error) {
	start := d.pos + int(h.Size)
	if uint64(h.Payload) > uint64(len(d.data)-start) {
		return nil, d.fail(ErrTruncated, want)
	}
	end := start + int(h.Payload)
	d.pos = end
	return d.data[start:end:end], nil
}

// fixCount returns the count in the next format byte, if that is of the given
// format, fixmap or fixarray.
func (d *decoder) fixCount(f wire.Format) (n uint32, ok bool) {
	if d.pos < len(d.data) {
		b := d.data[d.pos]
		return uint32(b & 15), b&^15 == byte(f)
	}
	return 0, false
}

// open passes a header of the given size that announces so many values, after
// checking that they fit what is left and are not nested too deeply. close
// undoes it.
func (d *decoder) open(values uint64, size int, want string) (owed uint64, err error) {
	if !d.enter(values, size) {
		return 0, d.refuse(values, size, want)
	}
	return d.owed, nil
}

// enter is open without an error.
func (d *decoder) enter(values uint64, size int) bool {
	if !wire.Fits(values, d.owed, d.left()-size) || d.depth == 0 {
		return false
	}
	d.depth--
	d.pos += size
	return true
}

// refuse says why a container cannot be opened.
func (d *decoder) refuse(values uint64, size int, want string) error {
	if !wire.Fits(values, d.owed, d.left()-size) {
		return d.fail(ErrTruncated, want)
	}
	return d.fail(ErrDepth, want)
}

func (d *decoder) close(owed uint64) {
	d.depth++
	d.owed = owed
}

// array opens an array and returns the number of its elements.
func (d *decoder) array(want string) (n int, owed uint64, err error) {
	if n, ok := d.fixCount(wire.FixArray); ok {
		owed, err = d.open(uint64(n), 1, want)
		return int(n), owed, err
	}
	h, err := d.header(want)
	if err != nil {
		return 0, 0, err
	}
	if h.Format.Kind() != wire.KindArray {
		return 0, 0, d.mismatch(want)
	}
	owed, err = d.open(h.Values(), int(h.Size), want)
	return int(h.Count), owed, err
}

// arrayOf opens an array that must have n elements.
func (d *decoder) arrayOf(n int, want string) (owed uint64, err error) {
	h, err := d.header(want)
	if err != nil {
		return 0, err
	}
	if h.Format.Kind() != wire.KindArray || uint64(h.Count) != uint64(n) {
		return 0, d.mismatch(want)
	}
	return d.open(h.Values(), int(h.Size), want)
}

// skip passes one value of any kind.
func (d *decoder) skip() error {
	n, err := wire.Skip(d.data[d.pos:], d.depth)
	d.pos += n
	if err != nil {
		return d.fail(err, "")
	}
	return nil
}

// one returns the bytes of the next value and passes it.
func (d *decoder) one() ([]byte, error) {
	start := d.pos
	if err := d.skip(); err != nil {
		return nil, err
	}
	return d.data[start:d.pos:d.pos], nil
}

// fail makes an error for the value at the position.
func (d *decoder) fail(reason error, want string) error {
	if reason == wire.ErrFormat {
		reason = ErrMismatch
	}
	e := &Error{Op: opUnmarshal, Offset: int64(d.pos), Want: want, Err: reason}
	e.found(d.data[d.pos:])
	return e
}

// mismatch says that the value at the position is of the wrong kind, unless it
// is not a value at all.
func (d *decoder) mismatch(want string) error {
	if _, err := d.header(want); err != nil {
		return err
	}
	return d.fail(ErrMismatch, want)
}

// rangeError says that the number at offset start does not fit.
func (d *decoder) rangeError(start int, want string) error {
	d.pos = start
	return d.fail(ErrRange, want)
}

// unmarshalWhole decodes what must be all of data.
func (c *plans) unmarshalWhole(data []byte, v any) error {
	n, err := c.unmarshal(data, v)
	if err == nil && n < len(data) && !c.AllowTrailing {
		return trailing(int64(n))
	}
	return err
}

// trailing says that bytes follow the value that ends at offset n.
func trailing(n int64) error { return &Error{Op: opUnmarshal, Offset: n, Err: ErrTrailing} }

func (c *plans) unmarshal(data []byte, v any) (int, error) {
	p, target := c.of(v)
	if p == nil {
		return 0, &Error{Op: opUnmarshal, Found: "nil", Err: ErrTarget}
	}
	if p.elem == nil {
		return 0, &Error{Op: opUnmarshal, Found: p.typ.String(), Type: p.typ, Err: ErrTarget}
	}
	if target.IsNil() {
		return 0, &Error{Op: opUnmarshal, Found: "nil " + p.typ.String(), Type: p.typ, Err: ErrTarget}
	}
	mem.EscapeBelow(v) // users' methods are given parts of it
	if p = p.elem; p.alone {
		if end := fastAlone(data, p, target); end > 0 {
			return end, nil
		}
	}
	return c.decode(data, p, target)
}

// decode decodes the first value in data into the variable at target, which is
// of the type of p, and returns how many bytes it took.
func (c *plans) decode(data []byte, p *plan, target mem.Ptr) (int, error) {
	mem.Escape(data) // users' methods are given parts of it
	if c.guard.on && (c.guard.pass || uint64(len(data)) > c.guard.total) {
		if _, err := c.checkInput(&c.guard, opUnmarshal, data, c.depth); err != nil {
			return 0, err
		}
	}
	var d decoder // set field by field: a literal is made elsewhere and copied
	d.data, d.depth, d.plans = data, c.depth, c
	h := mem.At[decoder](mem.Hide(mem.PtrTo(&d)))
	err := p.decode(h, target)
	if d.extras != nil {
		d.release()
	}
	if err != nil {
		return 0, c.withType(err, p.typ)
	}
	return d.pos, nil
}
