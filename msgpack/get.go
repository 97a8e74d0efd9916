package msgpack

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/octet-go/octet/msgpack/wire"
)

// Get returns the value at a path of keys and indexes, as a part of data and
// not a copy: it changes with data, and keeps data in memory. Nothing is
// decoded on the way.
//
//	city, err := msgpack.Get(data, "users", 2, "address", "city")
//
// An element of the path says which way to go from a map or an array:
//
//	string                   the value of a key that is a str, or a bin, of these bytes
//	any integer              the element of an array, counted from 0; the value of a key that is this int
//	nil, bool, any float     the value of a key that is the same
//	time.Time                the value of a key that is a timestamp of this instant
//
// Named types are like the type they are made from. Numbers equal each other
// in any width, but no float equals an int. Of equal keys the last one counts,
// and of the values of those before it nothing. Without a path, Get returns the
// whole of data.
//
// All of data is checked first, and must be one value, as for [Valid]. Then
// what lies before the value is passed over, once for each element of the path.
//
// Errors are of type *[Error]: those of Valid; [ErrNotFound] where the key is
// missing or the index out of range, also in nil; [ErrMismatch] where the path
// leads on from a value that has no such elements; [ErrUnsupported] for an
// element of the path of any other type.
func Get(data []byte, path ...any) (Raw, error) { return defaults.Get(data, path...) }

// Get returns the value at a path, as a part of data. See [Get]. Of equal keys
// the last one counts, whatever the Config says.
func (c *Codec) Get(data []byte, path ...any) (Raw, error) {
	v, err := c.ViewOf(data)
	if err == nil {
		v, err = v.Get(path...)
	}
	return v.Raw(), err
}

// Get returns the value at a path, as the function [Get] does. It reports the
// path from v, and offsets in all of the input.
func (v View) Get(path ...any) (View, error) {
	for i := range path {
		if pathStepOf(path[i]).kind == wire.KindReserved {
			return View{}, v.lost(path[:i], reflect.TypeOf(path[i]).String(), "", ErrUnsupported)
		}
	}
	for i := range path {
		next, want, reason := v.follow(pathStepOf(path[i]))
		if reason != nil {
			return View{}, v.lost(path[:i+1], describe(v.bytes()), want, reason)
		}
		v = next
	}
	return v, nil
}

// lost says why the path ends at v.
func (v View) lost(path []any, found, want string, reason error) error {
	var steps strings.Builder
	for i := range path {
		steps.WriteString(pathStepOf(path[i]).String())
	}
	return &Error{Op: opGet, Offset: v.offset, Path: steps.String(), Found: found, Want: want, Err: reason}
}

// A pathStep is an element of a path. The zero one is none.
type pathStep struct {
	kind    wire.Kind // of the keys that it may be equal to
	text    string
	integer uint64 // in two's complement
	signed  bool   // integer is below zero
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

// String returns the step as errors write it.
func (s pathStep) String() string {
	switch s.kind {
	case wire.KindStr:
		return stringStep(s.text)
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

// follow takes one step from v, or says what it needs to lead on.
func (v View) follow(s pathStep) (next View, want string, reason error) {
	found := false
	switch kind := v.Kind(); {
	case kind == wire.KindMap:
		next, found = v.valueOf(s)
	case kind == wire.KindArray && s.kind == wire.KindInt:
		next, found = v.element(s)
	case kind == wire.KindNil: // what Marshal makes of maps and slices that are nil
	case s.kind == wire.KindInt:
		return View{}, "map or array", ErrMismatch
	default:
		return View{}, "map", ErrMismatch
	}
	if !found {
		return View{}, "", ErrNotFound
	}
	return next, "", nil
}

// element returns the element of an array that s counts to.
func (v View) element(s pathStep) (View, bool) {
	h, pos := v.header()
	if s.integer >= uint64(h.Count) { // as is what lies below zero, in two's complement
		return View{}, false
	}
	for range s.integer {
		pos = v.end(pos)
	}
	return v.part(pos), true
}

// valueOf returns the value of the last key of a map that s equals.
func (v View) valueOf(s pathStep) (View, bool) {
	h, pos := v.header()
	found := 0
	for range h.Count {
		value := v.end(pos)
		if s.equals(v.data[pos:value]) {
			found = value
		}
		pos = v.end(value)
	}
	if found == 0 {
		return View{}, false
	}
	return v.part(found), true
}

// equals tells whether s is the key.
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
