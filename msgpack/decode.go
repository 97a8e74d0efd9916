package msgpack

import (
	"encoding/binary"
	"io"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A decoder holds the state of decoding one message.
//
// owed is the number of values that the containers around the current value still
// expect after it. Each takes at least one byte, so a header that claims n values is
// accepted only if n + owed bytes are left. This keeps memory proportional to the
// input, however many nested headers claim too much. A function that decodes the
// elements of a container sets owed before each element that can be a container
// itself, and restores it at the end.
type decoder struct {
	data  []byte
	pos   int
	owed  uint64
	depth int // levels of containers that may still be opened
	plans *plans
	seen  mem.Ptr // a bit for each field of a struct that has occurred, see decodeChecked; nil if that is not needed

	chunk  []byte  // memory for short strings, see strings.go
	used   int     // bytes of chunk that are in use
	chunks int32   // number of chunks so far
	filled int32   // bytes that are in use of the chunks before the current one
	usual  int32   // bytes of chunks that an earlier message of the type needed; 0 if that is not known
	likely int     // where the value ends if it is as long as those before it in the stream; 0 if it ends with data
	stream bool    // later messages use what is left of the last chunk
	again  bool    // the last key that was recorded in seen had occurred before
	alone  bool    // the message has one string
	part   bool    // the value is a part of one that generated code decodes
	extras *extras // nil until needed

	text      *string // the first of texts variables for strings that pointers point to, see newText
	texts     uint8
	usedTexts uint8
	expected  expected
}

// left returns the number of bytes after the position.
func (d *decoder) left() int { return len(d.data) - d.pos }

// after returns how many bytes of the value are likely to follow pos.
func (d *decoder) after(pos int) int {
	rest := len(d.data) - pos
	switch {
	case pos < d.likely:
		return d.likely - pos
	case d.likely > 0:
		return min(rest, pos) // if it is as long again
	}
	return rest
}

// shortPrefix is the length in bytes that a value at the start of a longer input is first
// thought to have.
const shortPrefix = 64

// formatByte returns the next format byte without advancing.
func (d *decoder) formatByte(want string) (byte, error) {
	if d.pos >= len(d.data) {
		return 0, d.fail(ErrTruncated, want)
	}
	return d.data[d.pos], nil
}

// isNil reports whether the next value is nil, and skips it if so.
func (d *decoder) isNil() bool {
	if d.pos < len(d.data) && d.data[d.pos] == byte(wire.Nil) {
		d.pos++
		return true
	}
	return false
}

// header reads the next header, of any kind, without advancing.
func (d *decoder) header(want string) (wire.Header, error) {
	h, _, err := wire.ConsumeHeader(d.data[d.pos:])
	if err != nil {
		return h, d.fail(err, want)
	}
	return h, nil
}

// payload skips the header h and the payload and returns the payload, which is a
// part of the input.
func (d *decoder) payload(h wire.Header, want string) ([]byte, error) {
	start := d.pos + int(h.Size)
	// The length is a claim of the input.
	if uint64(h.Payload) > uint64(len(d.data)-start) {
		return nil, d.fail(ErrTruncated, want)
	}
	end := start + int(h.Payload)
	d.pos = end
	return d.data[start:end:end], nil
}

// fixCount returns the count in the next format byte if it has the given format,
// which is FixMap or FixArray. It is inlined; most containers need no more.
func (d *decoder) fixCount(f wire.Format) (n uint32, ok bool) {
	if d.pos < len(d.data) {
		b := d.data[d.pos]
		return uint32(b & 15), b&^15 == byte(f)
	}
	return 0, false
}

// open skips a header of the given size that announces values. It first checks that
// the rest of the input is long enough for them and that they are not nested too
// deeply. close is called after the last of the values with the result of open.
func (d *decoder) open(values uint64, size int, want string) (owed uint64, err error) {
	if !d.enter(values, size) {
		return 0, d.refuse(values, size, want)
	}
	return d.owed, nil
}

// enter is open without the error, so that it can be inlined.
func (d *decoder) enter(values uint64, size int) bool {
	if !wire.Fits(values, d.owed, d.left()-size) || d.depth == 0 {
		return false
	}
	d.depth--
	d.pos += size
	return true
}

// refuse returns the error for a container that enter has refused.
func (d *decoder) refuse(values uint64, size int, want string) error {
	// A claim that is too large is reported first, as by Valid.
	if !wire.Fits(values, d.owed, d.left()-size) {
		return d.fail(ErrTruncated, want)
	}
	return d.fail(ErrDepth, want)
}

// close leaves a container that open or enter has opened.
func (d *decoder) close(owed uint64) {
	d.depth++
	d.owed = owed
}

// array opens an array and returns the number of its elements.
func (d *decoder) array(want string) (n int, owed uint64, err error) {
	return d.container(wire.FixArray, 1, want)
}

// container opens an array or a map, whose short format is fix, and returns the number
// of its elements or pairs, each of which has the given number of values.
func (d *decoder) container(fix wire.Format, values uint64, want string) (n int, owed uint64, err error) {
	// Most containers are short and need no full header.
	if n, ok := d.fixCount(fix); ok {
		owed, err = d.open(values*uint64(n), 1, want)
		return int(n), owed, err
	}
	h, err := d.header(want)
	if err != nil {
		return 0, 0, err
	}
	if h.Format.Kind() != fix.Kind() {
		return 0, 0, d.mismatch(want)
	}
	owed, err = d.open(h.Values(), int(h.Size), want)
	return int(h.Count), owed, err
}

// arrayOf opens an array that must have n elements.
func (d *decoder) arrayOf(n int, want string) (owed uint64, err error) {
	// Without a full header, an array of four integers takes half of the time.
	if count, ok := d.fixCount(wire.FixArray); ok && int(count) == n {
		return d.open(uint64(n), 1, want)
	}
	h, err := d.header(want)
	if err != nil {
		return 0, err
	}
	if h.Format.Kind() != wire.KindArray || uint64(h.Count) != uint64(n) {
		return 0, d.mismatch(want)
	}
	return d.open(h.Values(), int(h.Size), want)
}

// skip skips one value of any kind.
func (d *decoder) skip() error {
	n, err := wire.Skip(d.data[d.pos:], d.depth)
	d.pos += n
	if err != nil {
		return d.fail(err, "")
	}
	return nil
}

// rawValue skips the next value and returns its bytes.
func (d *decoder) rawValue() ([]byte, error) {
	start := d.pos
	if err := d.skip(); err != nil {
		return nil, err
	}
	return d.data[start:d.pos:d.pos], nil
}

// fail returns an error for the value at the position.
func (d *decoder) fail(reason error, want string) *Error {
	// Package wire does not know the Go type, so its error names only the format.
	if reason == wire.ErrFormat {
		reason = ErrMismatch
	}
	e := &Error{Op: opUnmarshal, Offset: int64(d.pos), Want: want, Err: reason, empty: len(d.data) == 0}
	e.found(d.data[d.pos:])
	return e
}

// mismatch returns the error for a value of the wrong kind at the position. If the
// header is invalid, that is the error.
func (d *decoder) mismatch(want string) error {
	if _, err := d.header(want); err != nil {
		return err
	}
	return d.fail(ErrMismatch, want)
}

// rangeError returns the error for a number at offset start that does not fit.
func (d *decoder) rangeError(start int, want string) error {
	d.pos = start
	return d.fail(ErrRange, want)
}

// unmarshalOther is unmarshal for types that were not looked up before, and for errors.
func (c *plans) unmarshalOther(data []byte, v any, prefix bool) (int, error) {
	p := c.orDefault().look(mem.TypeWordOf(v), v)
	switch {
	case p == nil:
		return 0, &Error{Op: opUnmarshal, Found: "nil", Err: ErrTarget}
	case p.elem == nil:
		return 0, &Error{Op: opUnmarshal, Found: p.typ.String(), Type: p.typ, Err: ErrTarget}
	}
	return c.unmarshal(p.elem, data, v, prefix)
}

// unmarshal decodes the first value in data into the variable that at points to
// and returns how many bytes it took. Unless prefix is true, bytes after it are an
// error. The plan of the variable is p, or nil if it must be looked up. As in appendAt,
// the variable does not escape, but what it points to does.
//
// Most messages are structs. For them, unmarshal itself does what the functions
// on the way to the fields do, because most of the time of a short message is there.
func (c *plans) unmarshal(p *plan, data []byte, at any, prefix bool) (int, error) {
	w, v := mem.HideAny(at)
	if p == nil {
		q := c.table.Home(w)
		if q == nil || q.word != w {
			q = c.table.Get(w)
		}
		if q == nil || q.elem == nil {
			return c.unmarshalOther(data, at, prefix)
		}
		p = q.elem
	}
	s := p.fields
	if s == nil || len(data) == 0 || v.IsNil() {
		g := p.generated
		switch {
		case g == nil || len(data) == 0 || v.IsNil():
			return p.decodeOther(data, at, prefix)
		case len(data) == 1 && data[0] == byte(wire.FixMap) && g.fields != nil && p.plans.depth > 0 && !p.plans.guard.on:
			return 1, nil // as below
		case !g.current || g.tries.Skip():
			return p.plans.unmarshal(g.plan(), data, at, prefix) // with its fast paths for small structs
		case p.plans.guard.on:
			if err := p.refuseMessage(data, v); err != nil {
				return 0, err
			}
		}
		mem.EscapeBelow(at)
		mem.Escape(data)
		var d decoder
		d.data, d.depth, d.plans, d.owed, d.usual = data, p.plans.depth, p.plans, uint64(len(data)), p.usual.Load()
		if prefix {
			d.likely = min(shortPrefix, len(data))
		}
		self := mem.At[decoder](mem.Hide(mem.PtrTo(&d)))
		if s := g.fields; s != nil && s.shares {
			n := int(data[0] & 15)
			switch {
			case data[0]&^15 == byte(wire.FixMap):
				d.pos = 1
			case data[0] == byte(wire.Map16) && len(data) > 3:
				n, d.pos = int(binary.BigEndian.Uint16(data[1:])), 3
			}
			if d.alone = s.single && d.pos > 0; d.pos > 0 && !d.alone {
				s.expect(self, n, s.least[0])
			}
		}
		d.pos = g.decode((*Input)(self), 0, v, d.depth)
		if d.pos == len(data) && d.chunks == 0 && d.extras == nil && !g.tries.Some() {
			return d.pos, nil
		}
		return g.endMessage(p, self, at, prefix)
	}
	mem.EscapeBelow(at) // users' methods receive copies of parts of the variable, with its pointers
	mem.Escape(data)    // and parts of the input
	set, least, n, start := &s.byKey, s.least[0], int(data[0]&15), 1
	switch {
	case data[0]&^15 == byte(wire.FixMap) && 2*n < len(data):
		// Most structs of services have only optional fields, and some have none.
		if n == 0 && (len(data) == 1 || prefix) {
			return 1, nil
		}
	case uint16(data[0]) == s.header && n < len(data):
		set, least = &s.byIndex, s.least[1]
	case len(data) < 3:
		return p.decodeOther(data, at, prefix)
	default:
		n, start = int(binary.BigEndian.Uint16(data[1:])), 3
		switch left := len(data) - start; {
		case data[0] == byte(wire.Map16) && 2*n <= left:
		case data[0] == byte(wire.Array16) && n == len(s.fields) && n <= left:
			set, least = &s.byIndex, s.least[1]
		default:
			return p.decodeOther(data, at, prefix)
		}
	}
	var d decoder // set field by field, because a literal would be built elsewhere and copied
	d.data, d.pos, d.depth, d.plans, d.usual = data, start, p.plans.depth-1, p.plans, p.usual.Load()
	if prefix {
		d.likely = min(shortPrefix, len(data))
	}
	self := mem.At[decoder](mem.Hide(mem.PtrTo(&d)))
	if s.shares && !s.single {
		s.expect(self, n, least)
	}
	f, err := set.decode(self, set.sentinel, n, 0, v)
	if err != nil {
		err = s.under(set, f, err)
	} else if d.pos == len(data) && d.chunks == 0 && d.extras == nil {
		return d.pos, nil
	}
	return p.endMessage(self, err, prefix)
}

// decodeOther is unmarshal for all other messages.
func (p *plan) decodeOther(data []byte, at any, prefix bool) (int, error) {
	mem.EscapeBelow(at)
	mem.Escape(data)
	_, v := mem.HideAny(at)
	c := p.plans
	if p.scalar != getCall && len(data) > 0 && !v.IsNil() {
		if end := p.decodeScalar(data, v); end == len(data) || prefix && end > 0 {
			return end, nil
		}
	}
	if c.guard.on || v.IsNil() {
		if err := p.refuseMessage(data, v); err != nil {
			return 0, err
		}
	}
	var d decoder
	d.data, d.depth, d.plans, d.usual = data, c.depth, c, p.usual.Load()
	if prefix {
		d.likely = min(shortPrefix, len(data))
	}
	self := mem.At[decoder](mem.Hide(mem.PtrTo(&d)))
	return p.endMessage(self, p.decode(self, v), prefix)
}

// endMessage ends the decoding of a message. It returns the length of the message, or err or the
// error for what follows.
func (p *plan) endMessage(d *decoder, err error, prefix bool) (int, error) {
	if d.extras != nil {
		d.release()
	}
	if err != nil || d.pos < len(d.data) && !prefix && !p.plans.AllowTrailing {
		return 0, p.messageError(d, err)
	}
	if d.chunks > 0 && (p.fields == nil || p.fields.calls) {
		d.learn(&p.usual)
	}
	return d.pos, nil
}

// decodeScalar decodes a message that is one scalar in a usual format, without a
// decoder, and returns its end. For other values it returns 0. data is not empty.
func (p *plan) decodeScalar(data []byte, v mem.Ptr) (end int) {
	b := data[0]
	switch p.scalar {
	case getInt64:
		f := integerFormats[b]
		if end = f.size(); end == 0 || end > len(data) {
			return 0
		}
		n, ok := int64(int8(b)), true // a fixint
		if end > 1 {
			n, ok = f.integer(f.load(mem.Bytes(data)))
		}
		if !ok {
			return 0
		}
		*mem.At[int64](v) = n
		return end
	case getString:
		size := int(b ^ byte(wire.FixStr))
		if end = 1 + size; size > shortString || end > len(data) {
			return 0
		}
		*mem.At[string](v) = string(data[1:end])
		return end
	}
	return fastScalar(data, 0, p, v)
}

// refuseMessage returns the error for a nil pointer, and makes the checks of the
// Options on the whole message.
func (p *plan) refuseMessage(data []byte, v mem.Ptr) error {
	if v.IsNil() {
		t := reflect.PointerTo(p.typ)
		return &Error{Op: opUnmarshal, Found: "nil " + t.String(), Type: t, Err: ErrTarget}
	}
	// A guard with MaxTotal alone has nothing to check in a message that is short
	// enough.
	c := p.plans
	if c.guard.pass || uint64(len(data)) > c.guard.total {
		if _, err := c.checkInput(&c.guard, opUnmarshal, data, c.depth); err != nil {
			return c.plainEOF(err)
		}
	}
	return nil
}

// plainEOF returns io.EOF for an error about empty input, if the Options require it.
func (c *plans) plainEOF(err error) error {
	if e, ok := err.(*Error); ok && e.empty && c.Compat.PlainEOF {
		return io.EOF
	}
	return err
}

// messageError returns the error of a message: err, or, if that is nil, the error for
// the bytes after the value.
func (p *plan) messageError(d *decoder, err error) error {
	if err == nil {
		return (&Error{Op: opUnmarshal, Offset: int64(d.pos), Err: ErrTrailing}).maybeJSON(d.data)
	}
	if e, ok := err.(*Error); ok {
		e.maybeJSON(d.data)
	}
	return p.plans.plainEOF(p.plans.withType(err, p.typ))
}
