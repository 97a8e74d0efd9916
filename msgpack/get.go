package msgpack

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/octet-go/octet/msgpack/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

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
// use Valid to check all of data, or [Codec.ViewOf] to apply the limits of a
// [Config]. Each element of the path takes one pass over the bytes before its
// value, or over the whole map if it is a key, because the same key may appear
// again.
//
// Errors are of type *[Error]. The reason is one of Valid; [ErrNotFound] if a key
// is missing or an index is out of range, or in a nil; [ErrMismatch] if a value
// cannot contain such an element; or [ErrUnsupported] if an element of the path is
// of another type.
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
	h, n, err := wire.ConsumeHeader(key)
	if err != nil {
		return false
	}
	switch kind := h.Format.Kind(); {
	case s.kind == wire.KindStr:
		return (kind == wire.KindStr || kind == wire.KindBin) && string(key[n:]) == s.text
	case s.kind != kind:
		return false
	}
	switch s.kind {
	case wire.KindBool:
		return (h.Format == wire.True) == (s.integer != 0)
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
	return true // nil
}
