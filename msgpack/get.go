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
// first value in data.
//
// What Get passes on the way, and the value itself, is checked as by [Valid], and
// so is the type of each element of the path. [View.Get] checks the same things.
// Get reads no further than it has to, so data may go on after the value, and
// faults there go unnoticed: call Valid where that matters, or [Codec.ViewOf] for
// what a [Config] demands, such as limits. Each element of the path takes a pass
// over what lies before its value, and over all of the map if it is a key, since
// another one like it may follow.
//
// Errors are of type *[Error]: those of Valid; [ErrNotFound] where the key is
// missing or the index out of range, also in nil; [ErrMismatch] where the path
// leads on from a value that has no such elements; [ErrUnsupported] for an
// element of the path of any other type.
func Get(data []byte, path ...any) (Raw, error) {
	start, end, err := get(data, MaxDepth, path)
	if err != nil {
		return nil, err
	}
	return data[start:end:end], nil
}

// Get returns the value at a path, as the function [Get] does. It reports the
// path from v, and offsets in all of the input.
//
// It checks what [Get] checks, with the same errors. Since [ViewOf] has found all
// of the input valid, only those remain that are about the path.
func (v View) Get(path ...any) (View, error) {
	start, end, err := get(v.bytes(), math.MaxInt, path) // how deep it is has been checked
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
			return 0, 0, lost(path[:i], &Error{Found: reflect.TypeOf(path[i]).String(), Err: ErrUnsupported})
		}
	}
	d := decoder{data: data, depth: depth}
	for i := range path {
		start = d.pos
		want, reason := d.follow(pathStepOf(path[i]))
		if e, ok := reason.(*Error); ok {
			return 0, 0, d.broken(e)
		}
		if reason != nil {
			e := &Error{Offset: int64(start), Want: want, Err: reason}
			e.found(data[start:])
			return 0, 0, lost(path[:i+1], e)
		}
	}
	start = d.pos
	if e, ok := d.skip().(*Error); ok {
		return 0, 0, d.broken(e)
	}
	return start, d.pos, nil
}

// lost completes the error of a path that leads nowhere.
func lost(path []any, e *Error) *Error {
	var steps strings.Builder
	for i := range path {
		steps.WriteString(pathStepOf(path[i]).String())
	}
	e.Op, e.Path = opGet, steps.String()
	return e
}

// broken completes the error of input that is not valid.
func (d *decoder) broken(e *Error) *Error {
	e.Op, e.Path = opGet, syntax.PathTo(d.data, int(e.Offset))
	return e
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

// follow goes from a container to the value that s leads to. If there is none it
// returns why, and what it would take; an *Error if the input is broken.
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
	case kind == wire.KindNil: // what Marshal makes of maps and slices that are nil
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

// followIndex goes to the element of an array that s counts to.
func (d *decoder) followIndex(h wire.Header, s pathStep) (found bool, err error) {
	owed, err := d.open(h.Values(), int(h.Size), "")
	if err != nil || s.integer >= uint64(h.Count) { // as is what lies below zero, in two's complement
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

// followKey goes to the value of the last key of a map that s equals.
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
			break // no key can follow
		}
		if err := d.skip(); err != nil {
			return false, err
		}
	}
	d.pos = at
	return at > 0, nil
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
