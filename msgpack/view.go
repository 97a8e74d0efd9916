package msgpack

import (
	"iter"
	"math"
	"time"

	"github.com/octet-go/octet/msgpack/wire"
)

// A View gives access to one encoded value without decoding it or allocating. It is
// a part of the data given to [ViewOf], which must not change while the View is in
// use. The zero View is a nil.
//
// The methods return what [Unmarshal] would store in a variable of their result
// type, with the same errors. A nil is therefore also false, 0, empty, and the zero
// time. Offsets in errors are those in the whole input; paths begin at the View.
//
// Finding the end of an element requires a pass over it. The time of [View.Get] is
// proportional to the bytes before the value, and the time of a loop over
// [View.Elements] or [View.Entries] to the length of the container. Nested loops
// take one pass for each level.
type View struct {
	data   []byte // one valid value, or empty
	offset int    // of data in the input
	plans  *plans // to decode with; nil in the zero View
}

// ViewOf checks that data is exactly one valid value and returns a View of it. The
// errors are those of [Valid]. Later calls to the View never find invalid input.
func ViewOf(data []byte) (View, error) { return defaults.ViewOf(data) }

// ViewOf checks data and returns a View of it, whose values are decoded by the
// Codec. See [ViewOf].
func (c *Codec) ViewOf(data []byte) (View, error) {
	if err := c.plans.validate(data); err != nil {
		return View{}, err
	}
	if c.plans.AllowTrailing {
		n, _ := wire.Skip(data, c.plans.depth)
		data = data[:n]
	}
	return View{data, 0, &c.plans}, nil
}

// Kind returns the kind of the value.
func (v View) Kind() wire.Kind { return wire.FormatOf(v.bytes()[0]).Kind() }

// IsNil reports whether the value is nil.
func (v View) IsNil() bool { return v.Kind() == wire.KindNil }

// Len returns the number of elements of an array, the number of pairs of a map, or
// the number of bytes of a str, bin or ext. For other kinds it returns 0.
func (v View) Len() int {
	h, _ := v.header()
	switch h.Format.Kind() {
	case wire.KindArray, wire.KindMap:
		return int(h.Count)
	case wire.KindStr, wire.KindBin, wire.KindExt:
		return int(h.Payload)
	}
	return 0
}

// Raw returns the bytes of the value, a part of the input.
func (v View) Raw() Raw { return v.data[:len(v.data):len(v.data)] }

// Decode decodes the value into the variable that x points to, like [Unmarshal], or
// like [Codec.Unmarshal] if a Codec made the View. The decoded value does not share
// memory with the input unless the Codec was made with [Config].AliasInput.
func (v View) Decode(x any) error {
	p := v.plans
	if p == nil {
		p = &defaults.plans
	}
	err := p.unmarshalWhole(v.bytes(), x)
	if e, ok := err.(*Error); ok {
		e.Offset += int64(v.offset)
	}
	return err
}

// Bool returns the value of a bool.
func (v View) Bool() (bool, error) { return scalarOf(v, wire.ConsumeBool) }

// Int returns the value of an int, or of a float without a fraction.
func (v View) Int() (int64, error) { return scalarOf(v, wire.ConsumeInt) }

// Uint returns the value of an int, or of a float without a fraction, from 0 to
// 2^64 - 1.
func (v View) Uint() (uint64, error) { return scalarOf(v, wire.ConsumeUint) }

// Float returns the value of a float, or of an int that a float64 represents
// exactly.
func (v View) Float() (float64, error) { return scalarOf(v, wire.ConsumeFloat64) }

// scalarOf returns the value that consume reads from v. Decode reads rare formats.
func scalarOf[T any](v View, consume func([]byte) (T, int, error)) (x T, err error) {
	if x, _, err = consume(v.data); err != nil {
		err = v.Decode(&x)
	}
	return x, err
}

// Time returns the instant of a timestamp.
func (v View) Time() (t time.Time, err error) {
	err = v.Decode(&t)
	return t, err
}

// Bytes returns the bytes of a str or bin, a part of the input. Unlike
// [Unmarshal], it does not accept arrays of integers, because it would have to
// allocate.
func (v View) Bytes() ([]byte, error) {
	switch h, pos := v.header(); h.Format.Kind() {
	case wire.KindStr, wire.KindBin:
		return v.data[pos:len(v.data):len(v.data)], nil
	case wire.KindNil:
		return nil, nil
	}
	return nil, v.mismatch("[]byte")
}

// Text returns a copy of the bytes of a str or bin as a string. It is the only
// method that allocates; use [View.Bytes] for comparisons.
func (v View) Text() (s string, err error) {
	err = v.Decode(&s)
	return s, err
}

// Ext returns the type and data of an ext, including a timestamp. The data is a
// part of the input.
func (v View) Ext() (Ext, error) {
	switch h, pos := v.header(); h.Format.Kind() {
	case wire.KindExt:
		return Ext{h.Ext, v.data[pos:len(v.data):len(v.data)]}, nil
	case wire.KindNil:
		return Ext{}, nil
	}
	return Ext{}, v.mismatch("msgpack.Ext")
}

// Elements returns an iterator over the elements of an array, which takes one pass.
// If the value is neither an array nor nil, it yields [ErrMismatch] once.
func (v View) Elements() iter.Seq2[View, error] {
	return func(yield func(View, error) bool) { v.elements(yield) }
}

func (v View) elements(yield func(View, error) bool) {
	h, pos := v.header()
	switch h.Format.Kind() {
	case wire.KindArray, wire.KindNil:
	default:
		yield(View{}, v.mismatch("array"))
		return
	}
	for range h.Count {
		e := v.part(pos)
		if pos += len(e.data); !yield(e, nil) {
			return
		}
	}
}

// An Entry is one pair of a map.
type Entry struct{ Key, Value View }

// Entries returns an iterator over the pairs of a map in the order of the input,
// including duplicate keys, which takes one pass. If the value is neither a map nor
// nil, it yields [ErrMismatch] once.
func (v View) Entries() iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) { v.entries(yield) }
}

func (v View) entries(yield func(Entry, error) bool) {
	h, pos := v.header()
	switch h.Format.Kind() {
	case wire.KindMap, wire.KindNil:
	default:
		yield(Entry{}, v.mismatch("map"))
		return
	}
	for range h.Count {
		var e Entry
		e.Key = v.part(pos)
		pos += len(e.Key.data)
		e.Value = v.part(pos)
		if pos += len(e.Value.data); !yield(e, nil) {
			return
		}
	}
}

var nilValue = []byte{byte(wire.Nil)}

// bytes returns the bytes of the value, which for the zero View are those of a nil.
func (v View) bytes() []byte {
	if len(v.data) == 0 {
		return nilValue
	}
	return v.data
}

// header returns the header of the value and its size.
func (v View) header() (wire.Header, int) {
	h, n, _ := wire.ConsumeHeader(v.bytes())
	return h, n
}

// end returns where the value that begins at pos ends.
func (v View) end(pos int) int {
	n, _ := wire.Skip(v.data[pos:], math.MaxInt) // ViewOf has checked the depth
	return pos + n
}

// part returns the value that begins at pos.
func (v View) part(pos int) View {
	return View{v.data[pos:v.end(pos)], v.offset + pos, v.plans}
}

// mismatch returns the error for a value that is not of the wanted kind.
func (v View) mismatch(want string) error {
	e := &Error{Op: opGet, Offset: int64(v.offset), Want: want, Err: ErrMismatch}
	e.found(v.bytes())
	return e
}
