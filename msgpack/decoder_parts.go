package msgpack

import (
	"time"

	"github.com/octet-go/octet/msgpack/wire"
)

// ReadArrayHeader reads the header of an array and returns how many elements
// follow, which are read next. The count is a claim: more memory than a few
// elements take should be reserved only as they arrive.
func (d *Decoder) ReadArrayHeader() (count uint32, err error) {
	return d.readContainer(wire.KindArray)
}

// ReadMapHeader reads the header of a map and returns how many pairs follow,
// key before value, which are read next. The count is a claim, as in
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
	err = d.readInto(&v, kinds(wire.KindBool), "bool")
	return v, err
}

// ReadInt reads an integer of any format that an int64 holds, or a float without
// a fraction.
func (d *Decoder) ReadInt() (v int64, err error) {
	err = d.readInto(&v, kinds(wire.KindInt, wire.KindFloat), "int64")
	return v, err
}

// ReadUint reads an integer of any format that a uint64 holds, or a float without
// a fraction.
func (d *Decoder) ReadUint() (v uint64, err error) {
	err = d.readInto(&v, kinds(wire.KindInt, wire.KindFloat), "uint64")
	return v, err
}

// ReadFloat reads a float of either format, or an integer that a float64 holds
// exactly.
func (d *Decoder) ReadFloat() (v float64, err error) {
	err = d.readInto(&v, kinds(wire.KindInt, wire.KindFloat), "float64")
	return v, err
}

// ReadString reads a str or bin. See [Decoder.ReadPayload] for long ones.
func (d *Decoder) ReadString() (v string, err error) {
	err = d.readInto(&v, kinds(wire.KindStr, wire.KindBin), "string")
	return v, err
}

// ReadBytes reads a bin or str and returns its bytes, in memory of their own. See
// [Decoder.ReadPayload] for long ones.
func (d *Decoder) ReadBytes() (v []byte, err error) {
	err = d.readInto(&v, kinds(wire.KindStr, wire.KindBin), "[]uint8")
	return v, err
}

// ReadTime reads a timestamp, as Decode does into a time.Time.
func (d *Decoder) ReadTime() (v time.Time, err error) {
	err = d.readInto(&v, ^kinds(wire.KindNil, wire.KindArray, wire.KindMap), "time.Time")
	return v, err
}

// ReadExt reads an ext of any type, also a timestamp. Its data is a copy. See
// [Decoder.ReadPayload] for long ones.
func (d *Decoder) ReadExt() (v Ext, err error) {
	err = d.readInto(&v, kinds(wire.KindExt), "msgpack.Ext")
	return v, err
}

// ReadRaw reads one value of any kind and returns a copy of its bytes.
func (d *Decoder) ReadRaw() (v Raw, err error) {
	err = d.readInto(&v, ^kindSet(0), "msgpack.Raw")
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

// header waits for the header of the next value, which must be of one of the
// kinds, and returns it without passing it.
func (d *Decoder) header(s kindSet, want string) (h wire.Header, err error) {
	if err := d.begin(); err != nil {
		return h, err
	}
	for {
		h, _, err := wire.ConsumeHeader(d.unread())
		switch {
		case err == wire.ErrReserved:
			return h, d.malformed(0, err)
		case err == nil && s&(1<<h.Format.Kind()) == 0:
			return h, d.fail(0, want, ErrMismatch)
		case err == nil:
			return h, nil
		}
		if err := d.more(); err != nil {
			return h, err
		}
	}
}

// readInto decodes the next value into what v points to, if it is of one of the
// kinds. It leaves any other value where it is, without waiting for all of it.
func (d *Decoder) readInto(v any, s kindSet, want string) error {
	if _, err := d.header(s, want); err != nil {
		return err
	}
	value, err := d.value()
	if err != nil {
		return err
	}
	if err := d.unmarshal(value, v); err != nil {
		return d.shift(err)
	}
	d.pass(len(value))
	return nil
}
