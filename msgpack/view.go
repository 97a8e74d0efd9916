package msgpack

import (
	"iter"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/octet-go/octet/internal/syntax"
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
	p := c.ready()
	if err := p.validate(data); err != nil {
		return View{}, err
	}
	if p.AllowTrailing {
		n, _ := wire.Skip(data, p.depth)
		data = data[:n]
	}
	return View{data, 0, p}, nil
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
// memory with the input unless the Codec was made with [Options].AliasInput.
func (v View) Decode(x any) error {
	p := v.plans
	if p == nil {
		p = &defaults.plans
	}
	_, err := p.unmarshal(nil, v.bytes(), x, false)
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

// Text returns the bytes of a str or bin as a string. It is a copy unless the Codec
// was made with [Options].AliasInput; use [View.Bytes] for comparisons, which never
// allocates.
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
	if kind := h.Format.Kind(); kind != wire.KindArray && kind != wire.KindNil {
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
	if kind := h.Format.Kind(); kind != wire.KindMap && kind != wire.KindNil {
		yield(Entry{}, v.mismatch("map"))
		return
	}
	for range h.Count {
		key := v.part(pos)
		value := v.part(pos + len(key.data))
		if pos += len(key.data) + len(value.data); !yield(Entry{key, value}, nil) {
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

// part returns the value that begins at pos.
func (v View) part(pos int) View {
	n, _ := wire.Skip(v.data[pos:], math.MaxInt) // ViewOf has checked the depth
	return View{v.data[pos : pos+n], v.offset + pos, v.plans}
}

// mismatch returns the error for a value that is not of the wanted kind.
func (v View) mismatch(want string) error {
	e := &Error{Op: opGet, Offset: int64(v.offset), Want: want, Err: ErrMismatch}
	e.found(v.bytes())
	return e
}

// Get returns the value at a path of keys and indexes without decoding the values
// around it. The result is a part of data, not a copy: it changes with data, and
// keeps data in memory.
//
//	city, err := msgpack.Get(data, "users", 2, "address", "city")
//
// Each element of the path selects a value in a map or an array:
//
//	string                   the value of the str or bin key with these bytes
//	any integer              the array element with this index, or the value of this int key
//	nil, bool, any float     the value of the equal key
//	time.Time                the value of the timestamp key of this instant
//
// A named type is treated like its underlying type. Numbers of different widths can
// be equal, but a float never equals an int. If a key appears more than once, the
// last value is used. Without a path, Get returns the first value in data.
//
// Get checks the types of the path elements. It checks the value and the bytes
// that it reads to find it, as [Valid] does. [View.Get] checks the same things. Get
// reads no further than necessary and does not notice faults in the rest of data:
// use Valid to check all of data, or [Codec.ViewOf] to apply the limits of
// [Options]. Each element of the path takes one pass over the bytes before its
// value, or over the whole map if it is a key, because the same key may appear
// again.
//
// Errors are of type *[Error]. The reason is one of Valid; [ErrNotFound] if a key
// is missing, an index is out of range, or the value that should contain them is
// nil; [ErrMismatch] if that value cannot contain such an element; or
// [ErrUnsupported] if an element of the path is of another type.
func Get(data []byte, path ...any) (Raw, error) {
	start, end, err := get(data, MaxDepth, path)
	if err != nil {
		return nil, err
	}
	return data[start:end:end], nil
}

// Get returns the value at a path, like the function [Get]. Paths in errors begin
// at v; offsets are those in the whole input.
//
// It makes the same checks as [Get] and returns the same errors. Because [ViewOf]
// has checked the whole input, only errors about the path are possible.
func (v View) Get(path ...any) (View, error) {
	start, end, err := get(v.bytes(), math.MaxInt, path) // ViewOf has checked the depth
	if err != nil {
		err.Offset += int64(v.offset)
		return View{}, err
	}
	return View{v.bytes()[start:end], v.offset + start, v.plans}, nil
}

// get finds where the value at a path begins and ends.
func get(data []byte, depth int, path []any) (start, end int, err *Error) {
	for i := range path {
		if pathStepOf(path[i]).kind == wire.KindReserved {
			return 0, 0, pathError(path[:i], &Error{Found: reflect.TypeOf(path[i]).String(), Err: ErrUnsupported})
		}
	}
	d := decoder{data: data, depth: depth}
	for i := range path {
		start = d.pos
		want, reason := d.follow(pathStepOf(path[i]))
		if e, ok := reason.(*Error); ok {
			return 0, 0, d.inputError(e)
		}
		if reason != nil {
			e := &Error{Offset: int64(start), Want: want, Err: reason}
			e.found(data[start:])
			return 0, 0, pathError(path[:i+1], e)
		}
	}
	start = d.pos
	if e, ok := d.skip().(*Error); ok {
		return 0, 0, d.inputError(e)
	}
	return start, d.pos, nil
}

// pathError completes the error for a path that does not lead to a value.
func pathError(path []any, e *Error) *Error {
	var steps strings.Builder
	for i := range path {
		steps.WriteString(pathStepOf(path[i]).String())
	}
	e.Op, e.Path = opGet, steps.String()
	return e
}

// inputError completes the error for invalid input.
func (d *decoder) inputError(e *Error) *Error {
	e.Op, e.Path = opGet, syntax.PathTo(d.data, int(e.Offset))
	return e
}

// A pathStep is an element of a path. The zero pathStep stands for an element of
// an unsupported type.
type pathStep struct {
	kind    wire.Kind // the kind of the keys that it can equal
	text    string
	integer uint64 // in two's complement
	signed  bool   // integer is negative
	float   float64
	time    time.Time
}

func pathStepOf(element any) pathStep {
	if t, ok := element.(time.Time); ok {
		return pathStep{kind: wire.KindExt, time: t}
	}
	switch v := reflect.ValueOf(element); v.Kind() {
	case reflect.Invalid:
		return pathStep{kind: wire.KindNil}
	case reflect.Bool:
		s := pathStep{kind: wire.KindBool}
		if v.Bool() {
			s.integer = 1
		}
		return s
	case reflect.String:
		return pathStep{kind: wire.KindStr, text: v.String()}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return pathStep{kind: wire.KindInt, integer: uint64(v.Int()), signed: v.Int() < 0}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return pathStep{kind: wire.KindInt, integer: v.Uint()}
	case reflect.Float32, reflect.Float64:
		return pathStep{kind: wire.KindFloat, float: v.Float()}
	}
	return pathStep{}
}

// String returns the step in the form that it has in the path of an error.
func (s pathStep) String() string {
	switch s.kind {
	case wire.KindStr:
		return syntax.StringStep(s.text)
	case wire.KindBool:
		return "[" + strconv.FormatBool(s.integer != 0) + "]"
	case wire.KindFloat:
		return "[" + strconv.FormatFloat(s.float, 'g', -1, 64) + "]"
	case wire.KindExt:
		return "[" + s.time.UTC().Format(time.RFC3339Nano) + "]"
	case wire.KindInt:
		if s.signed {
			return "[" + strconv.FormatInt(int64(s.integer), 10) + "]"
		}
		return "[" + strconv.FormatUint(s.integer, 10) + "]"
	}
	return "[nil]"
}

// follow moves from a container to the element that s selects. If there is none,
// it returns the reason and the kind of container that s needs. If the input is
// invalid, the reason is an *Error.
func (d *decoder) follow(s pathStep) (want string, reason error) {
	h, err := d.header("")
	if err != nil {
		return "", err
	}
	found := false
	switch kind := h.Format.Kind(); {
	case kind == wire.KindMap:
		found, err = d.followKey(h, s)
	case kind == wire.KindArray && s.kind == wire.KindInt:
		found, err = d.followIndex(h, s)
	case kind == wire.KindNil: // Marshal writes nil maps and slices as nil, so the key is only missing
	default:
		if err := d.skip(); err != nil {
			return "", err
		}
		if s.kind == wire.KindInt {
			return "map or array", ErrMismatch
		}
		return "map", ErrMismatch
	}
	if err == nil && !found {
		err = ErrNotFound
	}
	return "", err
}

// followIndex moves to the array element with the index s.
func (d *decoder) followIndex(h wire.Header, s pathStep) (found bool, err error) {
	owed, err := d.open(h.Values(), int(h.Size), "")
	if err != nil || s.integer >= uint64(h.Count) { // true for negative indexes too, in two's complement
		return false, err
	}
	for range s.integer {
		if err := d.skip(); err != nil {
			return false, err
		}
	}
	d.owed = owed + uint64(h.Count) - s.integer - 1
	return true, nil
}

// followKey moves to the value of the last key of a map that equals s.
func (d *decoder) followKey(h wire.Header, s pathStep) (found bool, err error) {
	if _, err := d.open(h.Values(), int(h.Size), ""); err != nil {
		return false, err
	}
	at := 0
	for left := h.Values(); left > 0; left -= 2 {
		key := d.pos
		if err := d.skip(); err != nil {
			return false, err
		}
		if s.equals(d.data[key:d.pos]) {
			at = d.pos
		}
		if left == 2 && at > 0 {
			break // this is the last pair, so no other key can match
		}
		if err := d.skip(); err != nil {
			return false, err
		}
	}
	d.pos = at
	return at > 0, nil
}

// equals reports whether s equals the key.
func (s pathStep) equals(key []byte) bool {
	switch s.kind {
	case wire.KindStr:
		h, n, err := wire.ConsumeHeader(key)
		kind := h.Format.Kind()
		return err == nil && (kind == wire.KindStr || kind == wire.KindBin) && string(key[n:]) == s.text
	case wire.KindBool:
		b, _, err := wire.ConsumeBool(key)
		return err == nil && b == (s.integer != 0)
	case wire.KindInt:
		if s.signed {
			i, _, err := wire.ConsumeInt(key)
			return err == nil && i == int64(s.integer)
		}
		u, _, err := wire.ConsumeUint(key)
		return err == nil && u == s.integer
	case wire.KindFloat:
		f, _, err := wire.ConsumeFloat64(key)
		return err == nil && f == s.float
	case wire.KindExt:
		t, _, err := wire.ConsumeTime(key)
		return err == nil && t.Equal(s.time)
	}
	return key[0] == byte(wire.Nil)
}
