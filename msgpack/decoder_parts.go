package msgpack

import (
	"errors"
	"io"
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// ReadArrayHeader reads the header of an array and returns the number of its
// elements, which are read next. The count is a claim of the input: do not
// allocate memory for all elements before they have arrived.
func (d *Decoder) ReadArrayHeader() (count uint32, err error) {
	return d.readContainer(wire.KindArray)
}

// ReadMapHeader reads the header of a map and returns the number of its pairs,
// which are read next, key before value. The count is a claim of the input, as in
// [Decoder.ReadArrayHeader].
func (d *Decoder) ReadMapHeader() (pairs uint32, err error) {
	return d.readContainer(wire.KindMap)
}

func (d *Decoder) readContainer(k wire.Kind) (uint32, error) {
	h, err := d.header(kinds(k), k.String())
	if err != nil {
		return 0, err
	}
	if d.depth() <= 0 {
		return 0, d.malformed(0, ErrDepth)
	}
	if g := &d.plans.guard; g.on && uint64(h.Count) > g.rules.Elements {
		return 0, d.fail(0, "", ErrLimit)
	}
	d.advance(int(h.Size))
	d.open.Open(h.Values())
	return h.Count, nil
}

// ReadNil reads a nil.
func (d *Decoder) ReadNil() error {
	if _, err := d.header(kinds(wire.KindNil), "nil"); err != nil {
		return err
	}
	d.pass(1)
	return nil
}

// ReadBool reads a bool.
func (d *Decoder) ReadBool() (v bool, err error) {
	if v, n, err := wire.ConsumeBool(d.ready()); err == nil {
		d.pass(n)
		return v, nil
	}
	return readAs[bool](d, kinds(wire.KindBool), "bool")
}

// ReadInt reads an integer of any format, or a float without a fraction, that fits
// an int64.
func (d *Decoder) ReadInt() (v int64, err error) {
	if v, n, err := wire.ConsumeInt(d.ready()); err == nil {
		d.pass(n)
		return v, nil
	}
	return readAs[int64](d, kinds(wire.KindInt, wire.KindFloat), "int64")
}

// ReadUint reads an integer of any format, or a float without a fraction, that
// fits a uint64.
func (d *Decoder) ReadUint() (v uint64, err error) {
	if v, n, err := wire.ConsumeUint(d.ready()); err == nil {
		d.pass(n)
		return v, nil
	}
	return readAs[uint64](d, kinds(wire.KindInt, wire.KindFloat), "uint64")
}

// ReadFloat reads a float of either format, or an integer that a float64 represents
// exactly.
func (d *Decoder) ReadFloat() (v float64, err error) {
	if v, n, err := wire.ConsumeFloat64(d.ready()); err == nil {
		d.pass(n)
		return v, nil
	}
	return readAs[float64](d, kinds(wire.KindInt, wire.KindFloat), "float64")
}

// ReadString reads a str or bin. Use [Decoder.ReadPayload] for a long one.
func (d *Decoder) ReadString() (v string, err error) {
	if b, n, err := wire.ConsumeString(d.ready()); err == nil && (len(b) >= maxShared || len(b) <= len(d.chunk)-d.used) {
		if len(b) >= maxShared {
			v = string(b)
		} else {
			v = mem.String(append(d.chunk[d.used:d.used], b...))
			d.used += len(b)
		}
		d.pass(n)
		return v, nil
	}
	return readAs[string](d, kinds(wire.KindStr, wire.KindBin), "string")
}

// ReadBytes reads a bin or str and returns a copy of its bytes. Use
// [Decoder.ReadPayload] for a long one.
func (d *Decoder) ReadBytes() (v []byte, err error) {
	if b, n, err := wire.ConsumeBin(d.ready()); err == nil {
		v = append(make([]byte, 0, len(b)), b...)
		d.pass(n)
		return v, nil
	}
	return readAs[[]byte](d, kinds(wire.KindStr, wire.KindBin), "[]uint8")
}

// ReadTime reads a timestamp, as Decode does into a time.Time.
func (d *Decoder) ReadTime() (v time.Time, err error) {
	return readAs[time.Time](d, ^kinds(wire.KindNil, wire.KindArray, wire.KindMap), "time.Time")
}

// ReadExt reads an ext of any type, including timestamps. Its data is a copy. Use
// [Decoder.ReadPayload] for a long one.
func (d *Decoder) ReadExt() (v Ext, err error) {
	return readAs[Ext](d, kinds(wire.KindExt), "msgpack.Ext")
}

// ReadRaw reads one value of any kind and returns a copy of its bytes.
func (d *Decoder) ReadRaw() (v Raw, err error) {
	if v, err = readAs[Raw](d, ^kindSet(0), "msgpack.Raw"); err == nil && v == nil { // Compat.NilRaw is for variables
		v = Raw{byte(wire.Nil)}
	}
	return v, err
}

// A kindSet has a bit for each [wire.Kind].
type kindSet uint16

func kinds(list ...wire.Kind) (s kindSet) {
	for _, k := range list {
		s |= 1 << k
	}
	return s
}

// header waits for the header of the next value and returns it without
// advancing. The value must be of one of the kinds.
func (d *Decoder) header(s kindSet, want string) (h wire.Header, err error) {
	if err := d.begin(); err != nil {
		return h, err
	}
	for {
		h, n, err := wire.ConsumeHeader(d.unread())
		kind := h.Format.Kind()
		switch {
		case err == wire.ErrReserved:
			return h, d.malformed(0, err)
		case err == nil && s&(1<<kind) == 0:
			if (kind == wire.KindInt || kind == wire.KindFloat) && len(d.unread())-n < int(h.Payload) {
				break // the error says which number it is
			}
			return h, d.fail(0, want, ErrMismatch)
		case err == nil:
			return h, nil
		}
		if err := d.more(); err != nil {
			return h, err
		}
	}
}

// ready returns the unread bytes if the next value begins there and the Options leave
// nothing to do but to decode it, or none. What package wire does not decode from them
// is left to readAs.
func (d *Decoder) ready() []byte {
	if d.start == d.end || d.err != nil || d.payload != nil || d.skipping || !d.plans.plainParts {
		return nil
	}
	return d.buf[d.start:d.end]
}

// readAs decodes the next value into a T, if it is of one of the kinds. Otherwise d does
// not advance and does not wait for the rest of the value.
func readAs[T any](d *Decoder, s kindSet, want string) (v T, err error) {
	if _, err = d.header(s, want); err == nil {
		var n int
		if n, err = d.decode(&v); err == nil {
			d.pass(n)
		}
	}
	return v, err
}

var errPayloadPassed = errors.New("msgpack: payload read after the Decoder advanced")

// ReadPayload reads the header of a str, bin or ext and returns it with a reader
// of the payload of h.Payload bytes, which need not fit in memory:
//
//	h, r, err := dec.ReadPayload()
//	_, err = io.Copy(file, r)
//
// The next call to a method of d that reads or peeks skips the rest of the payload.
// After that, the reader returns an error. A timestamp must be well-formed.
func (d *Decoder) ReadPayload() (h wire.Header, r io.Reader, err error) {
	h, err = d.header(kinds(wire.KindStr, wire.KindBin, wire.KindExt), "str, bin or ext")
	if err != nil {
		return wire.Header{}, nil, err
	}
	if h.Ext == wire.TimestampType {
		if _, err := d.value(); err != nil {
			return wire.Header{}, nil, err
		}
	}
	if g := &d.plans.guard; g.on && uint64(h.Payload) > g.rules.Bytes {
		return wire.Header{}, nil, d.fail(0, "", ErrLimit)
	}
	d.advance(int(h.Size))
	d.payload = &payload{d, h.Payload}
	return h, d.payload, nil
}

// A payload reads the rest of the payload at the position of its Decoder.
type payload struct {
	d    *Decoder
	left uint32
}

func (p *payload) Read(b []byte) (n int, err error) {
	d := p.d
	if d.payload != p {
		return 0, errPayloadPassed
	}
	if p.left == 0 {
		return 0, io.EOF
	}
	if d.err != nil {
		return 0, d.err
	}
	b = b[:min(uint64(len(b)), uint64(p.left))]
	if len(b) == 0 {
		return 0, nil
	}
	if d.start == d.end && len(b) >= len(d.buf) {
		n, err = d.read(b)
		d.base += int64(n)
		p.left -= uint32(n)
		if err != nil {
			err = d.ended(err)
		}
		return n, err
	}
	if d.start == d.end {
		if err := d.fill(); err != nil {
			return 0, d.ended(err)
		}
	}
	n = copy(b, d.unread())
	d.start += n
	p.left -= uint32(n)
	return n, nil
}

// finish skips the rest of the payload.
func (p *payload) finish() error {
	d := p.d
	for {
		n := min(uint64(p.left), uint64(d.end-d.start))
		d.start += int(n)
		if p.left -= uint32(n); p.left == 0 {
			d.payload = nil
			d.pass(0)
			return nil
		}
		if err := d.fill(); err != nil {
			return d.ended(err)
		}
	}
}
