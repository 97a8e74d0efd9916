package reference

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/reference/randtype"
)

// leaves adds raw and ext to the random types.
var leaves = []randtype.Leaf{
	randtype.LeafOf(func(r *randtype.Rand) raw {
		if r.Below(4) == 0 {
			return nil
		}
		return appendStr(nil, r.Bytes())
	}),
	randtype.LeafOf(func(r *randtype.Rand) ext {
		return ext{int8(r.Below(128)), r.Bytes()}
	}),
}

// TestRandomRoundTrips checks that encoding and decoding a decoded value again
// returns an equal value, and, for types that keep all information, the same bytes.
func TestRandomRoundTrips(t *testing.T) {
	var unsupported, unhashable, exact int
	for seed := range uint64(1500) {
		r := randtype.FromSeed(seed, leaves...)
		typ := r.Type()
		first, err := ref.Marshal(r.Value(typ).Interface())
		if errors.Is(err, ErrUnsupported) {
			unsupported++ // a struct with only an unexported field
			continue
		}
		x, y := reflect.New(typ), reflect.New(typ)
		if err == nil {
			err = ref.Unmarshal(first, x.Interface())
		}
		if errors.Is(err, ErrUnhashable) {
			unhashable++ // an array as a key of a map[any]any
			continue
		}
		second, errSecond := ref.Marshal(x.Interface())
		if err := errors.Join(err, errSecond, ref.Valid(first), ref.Unmarshal(second, y.Interface())); err != nil {
			t.Fatalf("seed %d: %v: %v", seed, typ, err)
		}
		if d := randtype.Diff(x.Interface(), y.Interface()); d != "" {
			t.Errorf("seed %d: %v: decoded again: %s", seed, typ, d)
		}
		if !keepsAll(typ, map[reflect.Type]bool{}) {
			continue
		}
		exact++
		first, _ = ref.SortMaps(first)
		second, _ = ref.SortMaps(second)
		if !bytes.Equal(first, second) {
			t.Errorf("seed %d: %v: %d bytes changed to %d different bytes", seed, typ, len(first), len(second))
		}
	}
	if unsupported > 50 || unhashable > 150 || exact < 500 {
		t.Errorf("too few meaningful cases: %d unsupported types, %d unhashable keys, %d exact", unsupported, unhashable, exact)
	}
}

// keepsAll reports whether t loses no information. Interfaces may change the
// type of their value, and pointers to values that may be nil lose a level.
func keepsAll(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return true
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return false
	case reflect.Map:
		if t.Key() == reflect.TypeFor[time.Time]() { // two keys can be the same time in different zones
			return false
		}
		return keepsAll(t.Key(), seen) && keepsAll(t.Elem(), seen)
	case reflect.Slice, reflect.Array:
		return keepsAll(t.Elem(), seen)
	case reflect.Pointer:
		switch t.Elem().Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			return false
		}
		return keepsAll(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if !keepsAll(t.Field(i).Type, seen) {
				return false
			}
		}
	}
	return true
}

// TestRandomTruncations checks that every proper prefix of a message is refused as
// truncated.
func TestRandomTruncations(t *testing.T) {
	for seed := range uint64(300) {
		r := randtype.FromSeed(seed, leaves...)
		typ := r.Type()
		data, err := ref.Marshal(r.Value(typ).Interface())
		if err != nil || len(data) > 500 {
			continue
		}
		for cut := range data {
			if err := ref.Unmarshal(data[:cut], reflect.New(typ).Interface()); !errors.Is(err, ErrTruncated) {
				t.Fatalf("seed %d: %v: %d of % x: %v", seed, typ, cut, data, err)
			}
		}
	}
}

// FuzzUnmarshal decodes arbitrary bytes into a random type and into an
// interface.
func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte{0x83, 0xa1, 'A', 0x01, 0xa1, 'B', 0xc4, 0x01, 0x02, 0xa1, 'C', 0xc0}, []byte{9, 4, 0, 0, 0, 0, 3})
	f.Add([]byte{0x82, 0x01, 0x92, 0xc3, 0xcb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0, 0xd6, 0xff, 0, 0, 0, 1, 0x90}, []byte{2, 8, 0, 16})
	f.Add([]byte{0xdd, 0xff, 0xff, 0xff, 0xff}, []byte{3, 6, 16})
	f.Add(bytes.Repeat([]byte{0x91}, 600), []byte{})
	f.Fuzz(func(t *testing.T, data, decisions []byte) {
		target := reflect.New(randtype.FromBytes(decisions, leaves...).Type())
		errTyped := ref.Unmarshal(data, target.Interface())
		var x, y any
		errAny, errValid := ref.Unmarshal(data, &x), ref.Valid(data)
		if (errAny == nil) != (errValid == nil) && !errors.Is(errAny, ErrUnhashable) {
			t.Fatalf("% x: valid %v, into any %v", data, errValid, errAny)
		}
		if errTyped == nil && errValid != nil {
			t.Fatalf("% x into %v, although %v", data, target.Type(), errValid)
		}
		if errAny != nil {
			return
		}
		again, err := ref.Marshal(x)
		if err := errors.Join(err, ref.Unmarshal(again, &y)); err != nil {
			t.Fatalf("% x: encoded again as % x: %v", data, again, err)
		}
		if d := randtype.Diff(x, y); d != "" {
			t.Fatalf("% x: encoded again as % x: %s", data, again, d)
		}
	})
}
