package msgpack_test

import (
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// atomicOf returns an atomic value of type A that holds v, as an any.
func atomicOf[A, V any, P interface {
	*A
	Store(V)
}](v V) any {
	a := reflect.New(reflect.TypeFor[A]())
	a.Interface().(P).Store(v)
	return a.Elem().Interface()
}

// TestAtomicInPlaces encodes and decodes atomic values in every place: as fields,
// elements, keys and so on.
func TestAtomicInPlaces(t *testing.T) {
	c := newCodec(t, msgpack.Options{})
	for name, test := range map[string]struct {
		value any
		bytes string
	}{
		"int32":  {atomicOf[atomic.Int32](int32(-200)), "d1 ff38"},
		"int64":  {atomicOf[atomic.Int64](int64(1 << 40)), "cf 0000010000000000"},
		"uint32": {atomicOf[atomic.Uint32](uint32(200)), "cc c8"},
		"uint64": {atomicOf[atomic.Uint64](uint64(1 << 63)), "cf 8000000000000000"},
		"bool":   {atomicOf[atomic.Bool](true), "c3"},
		"zero":   {atomicOf[atomic.Int64](int64(0)), "00"},
	} {
		t.Run(name, func(t *testing.T) { checkCustom(t, c, test.value, test.bytes) })
	}
}

// TestAtomicOptions applies the options of Options and tags that affect integers.
func TestAtomicOptions(t *testing.T) {
	typed := newCodec(t, msgpack.Options{TypedInts: true})
	checkCodec(t, typed, atomicOf[atomic.Int32](int32(5)), []byte("\xd2\x00\x00\x00\x05"))
	checkCodec(t, typed, atomicOf[atomic.Uint64](uint64(5)), []byte("\xcf\x00\x00\x00\x00\x00\x00\x00\x05"))
	type counters struct {
		Z atomic.Int64 `msgpack:",omitzero"`
		E atomic.Bool  `msgpack:",omitempty"`
		N atomic.Uint32
	}
	var v counters
	checkCodec(t, newCodec(t, msgpack.Options{}), &v, []byte("\x81\xa1N\x00"))
	v.Z.Store(1)
	v.E.Store(true)
	checkCodec(t, newCodec(t, msgpack.Options{}), &v, []byte("\x83\xa1Z\x01\xa1E\xc3\xa1N\x00"))
	if err := msgpack.Unmarshal([]byte("\x83\xa1Z\xc0\xa1E\xc0\xa1N\xca\x40\x00\x00\x00"), &v); err != nil || v.Z.Load() != 0 || v.E.Load() || v.N.Load() != 2 {
		t.Errorf("got %v, %v, %v, %v", v.Z.Load(), v.E.Load(), v.N.Load(), err)
	}
	e := checkError(t, msgpack.Unmarshal([]byte("\x81\xa1N\xff"), &v), msgpack.ErrRange)
	if e != nil && (e.Path != "N" || e.Offset != 3 || v.N.Load() != 2) {
		t.Errorf("got %v, %v", e, v.N.Load())
	}
	checkError(t, msgpack.Unmarshal([]byte("\x01"), &v.E), msgpack.ErrMismatch)
}

// TestAtomicShared encodes and decodes variables that other goroutines use. The
// race detector reports an access that is not atomic.
func TestAtomicShared(t *testing.T) {
	type shared struct {
		N atomic.Int64 `msgpack:",omitzero"`
		B atomic.Bool  `msgpack:",omitempty"`
		L []*atomic.Uint32
		M map[string]*atomic.Int32
	}
	v := shared{L: []*atomic.Uint32{{}}, M: map[string]*atomic.Int32{"a": {}}}
	f, err := msgpack.For[shared](nil)
	if err != nil {
		t.Fatal(err)
	}
	together(func(g int) {
		for i := range 50 {
			switch (g + i) % 3 {
			case 0:
				v.N.Add(1)
				v.B.Store(i%2 == 0)
				v.L[0].Add(1)
				v.M["a"].Add(1)
			case 1:
				if _, err := msgpack.Marshal(&v); err != nil {
					t.Error(err)
				}
			case 2:
				if _, err := f.Append(nil, &v); err != nil {
					t.Error(err)
				}
			}
			if err := msgpack.Unmarshal([]byte("\x82\xa1N\x05\xa1B\xc3"), &v); err != nil {
				t.Error(err)
			}
		}
	})
}
