package msgpack_test

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
)

// fuzzTypes holds the types that FuzzUnmarshalTyped decodes into: one of every
// kind, and random ones. They are the same in every run.
var fuzzTypes = sync.OnceValue(func() []reflect.Type {
	types := append([]reflect.Type(nil), hostileTargets...)
	for seed := range uint64(200) {
		types = append(types, randtype.FromSeed(seed, leaves...).Type())
	}
	return types
})

// checkDecoded decodes data into new variables of the type, and checks all promises
// for arbitrary input.
func checkDecoded(t *testing.T, typ reflect.Type, data []byte) {
	_ = msgpack.Unmarshal([]byte{0xc0}, reflect.New(typ).Interface()) // compiles the type
	var err error
	heaptest.AtMost(t, int(memoryBound(typ, len(data)))+1<<20, func() { err = msgpack.Unmarshal(data, reflect.New(typ).Interface()) })
	var e *msgpack.Error
	if err != nil && (!errors.As(err, &e) || e.Offset < 0 || int(e.Offset) > len(data) || e.Error() == "") {
		t.Errorf("%v: %v", typ, err)
	}
	checkUnmarshal(t, data, reflect.New(typ), reflect.New(typ))
	n, prefixErr := msgpack.UnmarshalPrefix(data, reflect.New(typ).Interface())
	switch {
	case err == nil && (prefixErr != nil || n != len(data)):
		t.Errorf("%v: prefix of %d bytes, %v", typ, n, prefixErr)
	case err != nil && prefixErr == nil && !errors.Is(err, msgpack.ErrTrailing):
		t.Errorf("%v: %v, but the prefix has no error", typ, err)
	}
	if len(data) <= 1<<10 {
		checkMutant(t, typ, data)
	}
}

func FuzzUnmarshalAny(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) { checkDecoded(t, reflect.TypeFor[any](), data) })
}

func FuzzUnmarshalTyped(f *testing.F) {
	f.Fuzz(func(t *testing.T, typ uint16, data []byte) {
		types := fuzzTypes()
		checkDecoded(t, types[int(typ)%len(types)], data)
		checkTyped[any](t, data)
		checkTyped[company](t, data)
		checkTyped[[]string](t, data)
	})
}

// checkTyped compares Typed.Unmarshal with Unmarshal.
func checkTyped[T any](t *testing.T, data []byte) {
	typed, err := msgpack.For[T](nil)
	if err != nil {
		t.Fatal(err)
	}
	var got, want T
	heaptest.AtMost(t, int(memoryBound(reflect.TypeFor[T](), len(data)))+1<<20, func() {
		got = *new(T)
		err = typed.Unmarshal(data, &got)
	})
	wantErr := msgpack.Unmarshal(data, &want)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || show(reflect.ValueOf(&got)) != show(reflect.ValueOf(&want)) {
		t.Errorf("% x into %T: Typed.Unmarshal %v, Unmarshal %v", data, got, err, wantErr)
	}
}

// FuzzMarshal derives a type and a value from the input.
func FuzzMarshal(f *testing.F) {
	f.Fuzz(func(t *testing.T, decisions []byte) {
		r := randtype.FromBytes(decisions, leaves...)
		v := r.Value(r.Type())
		data, ok := checkMarshal(t, v.Interface())
		if !ok {
			return
		}
		checkUnmarshal(t, data, reflect.New(v.Type()), reflect.New(v.Type()))
		checkUnmarshal(t, data, reflect.New(reflect.TypeFor[any]()), reflect.New(reflect.TypeFor[any]()))
		checkValid(t, data)
	})
}

// FuzzValid compares the three calls that read every part of a value: Valid, and
// Unmarshal into a Raw and into an any.
func FuzzValid(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		var valid error
		heaptest.AtMost(t, 8*len(data)+128<<10, func() { valid = msgpack.Valid(data) }) // for the path of an error
		checkValid(t, data)
		var raw msgpack.Raw
		if err := msgpack.Unmarshal(data, &raw); (err == nil) != (valid == nil) {
			t.Errorf("% x: Valid %v, Raw %v", data, valid, err)
		} else if err == nil && string(raw) != string(data) {
			t.Errorf("% x became the Raw % x", data, raw)
		}
		written, err := msgpack.Marshal([]any{msgpack.Raw(data)})
		if len(data) == 0 { // an empty Raw is encoded as nil
			if err != nil || string(written) != "\x91\xc0" {
				t.Errorf("an empty Raw is written as % x, %v", written, err)
			}
		} else if inside := append([]byte{0x91}, data...); (err == nil) != (msgpack.Valid(inside) == nil) {
			t.Errorf("% x is written, %v, but %v", data, err, msgpack.Valid(inside))
		} else if err == nil && string(written) != string(inside) {
			t.Errorf("the Raw % x is written as % x", data, written)
		}
		var a any
		err = msgpack.Unmarshal(data, &a)
		if (err == nil) != (valid == nil) && !errors.Is(err, msgpack.ErrUnhashable) {
			t.Errorf("% x: Valid %v, any %v", data, valid, err)
		}
		var e *msgpack.Error
		if errors.As(valid, &e) && (int(e.Offset) > len(data) || e.Error() == "") {
			t.Errorf("% x: %v", data, valid)
		}
	})
}
