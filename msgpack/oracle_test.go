package msgpack_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
)

// TestOracle encodes random values of random types. It decodes the messages
// complete, truncated and modified, into variables of the same type, of another
// type and of type any, which are zero or already hold a value. All results must be
// those of the oracle.
func TestOracle(t *testing.T) {
	seeds := uint64(600)
	if reduced() {
		seeds = 200
	}
	for seed := range randtype.Seeds(t, seeds) {
		checkSeed(t, seed)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// checkSeed tests one random type and value.
func checkSeed(t *testing.T, seed uint64) {
	r := randtype.FromSeed(seed, leaves...)
	typ := r.Type()
	v := r.Value(typ)
	data, ok := checkMarshal(t, v.Interface())
	if ok {
		_, _ = checkMarshal(t, v.Addr().Interface())
	} else if data, ok = checkMarshal(t, r.Value(typ).Interface()); !ok {
		return
	}
	if len(data) > 2000 {
		// The oracle is slow.
		checkUnmarshal(t, data, reflect.New(typ), reflect.New(typ))
		return
	}
	others := []reflect.Type{typ, reflect.TypeFor[any](), r.Type(), related(r, typ)}
	for _, message := range [][]byte{data, cut(r, data), changed(r, data), changed(r, changed(r, data))} {
		for _, target := range others {
			checkUnmarshal(t, message, reflect.New(target), reflect.New(target))
			full := r.Bits()
			a := randtype.FromSeed(full, leaves...).Value(target)
			b := randtype.FromSeed(full, leaves...).Value(target)
			checkUnmarshal(t, message, a.Addr(), b.Addr())
		}
		checkValid(t, message)
	}
}

// checkMarshal encodes v with both and returns the bytes of the oracle.
func checkMarshal(t *testing.T, v any) (data []byte, ok bool) {
	t.Helper()
	want, wantErr := ref.Marshal(v)
	got, err := msgpack.MarshalAppend(make([]byte, 0, len(want)), v)
	if (err == nil) != (wantErr == nil) {
		t.Errorf("%T: %.1000v\nerror %v\nwant  %v", v, v, err, wantErr)
		return nil, false
	}
	if err != nil {
		return nil, false
	}
	if !bytes.Equal(got, want) && sorted(t, got) != sorted(t, want) {
		t.Errorf("%T: %.1000v\ngot  % x\nwant % x", v, v, got, want)
	}
	if again, err := msgpack.Marshal(v); err != nil || len(again) != len(want) {
		t.Errorf("%T: Marshal gives %d bytes, %v, MarshalAppend %d", v, len(again), err, len(want))
	}
	return want, true
}

// checkUnmarshal decodes data into two equal variables: with msgpack into got, and
// with the oracle into want.
func checkUnmarshal(t *testing.T, data []byte, got, want reflect.Value) {
	t.Helper()
	wantErr := ref.Unmarshal(data, want.Interface())
	err := msgpack.Unmarshal(data, got.Interface())
	if (err == nil) != (wantErr == nil) {
		t.Errorf("% x into %v:\ngot  %v\nwant %v", data, got.Type().Elem(), err, wantErr)
		return
	}
	if err != nil {
		return
	}
	if diff := randtype.Diff(want.Elem().Interface(), got.Elem().Interface()); diff != "" {
		t.Errorf("% x into %v%s", data, got.Type().Elem(), diff)
	}
}

// checkValid compares Valid with that of the oracle.
func checkValid(t *testing.T, data []byte) {
	t.Helper()
	err, wantErr := msgpack.Valid(data), ref.Valid(data)
	if (err == nil) != (wantErr == nil) {
		t.Errorf("% x:\ngot  %v\nwant %v", data, err, wantErr)
	}
}

// cut returns a prefix of data.
func cut(r *randtype.Rand, data []byte) []byte {
	return bytes.Clone(data[:int(r.Bits()%uint64(len(data)+1))])
}

// changed returns data with one byte replaced, removed or inserted.
func changed(r *randtype.Rand, data []byte) []byte {
	if len(data) == 0 {
		return []byte{byte(r.Below(256))}
	}
	at := int(r.Bits() % uint64(len(data)))
	b := byte(r.Below(256))
	switch r.Below(4) {
	case 0:
		return append(bytes.Clone(data[:at]), data[at+1:]...)
	case 1:
		return append(append(bytes.Clone(data[:at]), b), data[at:]...)
	}
	data = bytes.Clone(data)
	data[at] = b
	return data
}

// related returns a type similar to t that accepts the same values in another form:
// other integer types, slices for arrays, maps for structs, pointers, or
// interfaces.
func related(r *randtype.Rand, t reflect.Type) reflect.Type {
	switch r.Below(8) {
	case 0:
		return reflect.PointerTo(t)
	case 1:
		return reflect.TypeFor[any]()
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint16,
		reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		numbers := []any{int(0), int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0), uint32(0), uint64(0), float32(0), 0.0, myInt8(0)}
		return reflect.TypeOf(numbers[r.Below(len(numbers))])
	case reflect.String:
		return []reflect.Type{reflect.TypeFor[[]byte](), reflect.TypeFor[myString](), reflect.TypeFor[[3]byte]()}[r.Below(3)]
	case reflect.Slice:
		if r.Below(4) == 0 && t.Elem().Size() < 1<<10 {
			return reflect.ArrayOf(r.Below(4), related(r, t.Elem()))
		}
		return reflect.SliceOf(related(r, t.Elem()))
	case reflect.Array:
		return reflect.SliceOf(related(r, t.Elem()))
	case reflect.Pointer:
		return related(r, t.Elem())
	case reflect.Map:
		if key := related(r, t.Key()); key.Comparable() {
			return reflect.MapOf(key, related(r, t.Elem()))
		}
	case reflect.Struct:
		return reflect.TypeFor[map[string]any]()
	}
	return t
}
