package msgpack_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
)

// emitted are the kinds whose values have a function of their own in the fast encoder.
var emitted = []reflect.Kind{reflect.Struct, reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map}

// TestEncoderParts encodes random values with parts of the fast encoder switched off.
// All codecs must write the bytes of the oracle, into buffers with any capacity, and
// return the same errors.
func TestEncoderParts(t *testing.T) {
	seeds := uint64(300)
	if reduced() {
		seeds = 40
	}
	parts := map[string][]reflect.Kind{"none": nil, "all": emitted}
	for _, k := range emitted {
		parts[k.String()] = []reflect.Kind{k}
	}
	for seed := range seeds {
		r := randtype.FromSeed(seed+1e6, leaves...)
		typ := r.Type()
		v := r.Value(typ).Interface()
		want, wantErr := ref.Marshal(v)
		var text [8]string // errors by maximum depth, which must be those of all codecs
		for name, kinds := range parts {
			restore := msgpack.SetPlainKinds(kinds...)
			for depth := range text {
				c := must(msgpack.Options{MaxDepth: depth, SortKeys: depth == 1})
				got, err := c.Marshal(v)
				switch {
				case err != nil && depth == 0 && wantErr == nil, err == nil && wantErr != nil:
					t.Errorf("seed %d, off %s: error %v, want %v", seed, name, err, wantErr)
				case err == nil && depth == 0 && !bytes.Equal(got, want) && sorted(t, got) != sorted(t, want):
					t.Errorf("seed %d, off %s: %T\ngot  % x\nwant % x", seed, name, v, got, want)
				}
				// Entries of maps are in random order, so the first error may be in any.
				if s := fmt.Sprint(err); hasMap(typ, map[reflect.Type]bool{}) {
				} else if text[depth] == "" {
					text[depth] = s
				} else if text[depth] != s {
					t.Errorf("seed %d, off %s, depth %d: error %s, want %s", seed, name, depth, s, text[depth])
				}
			}
			if wantErr == nil && len(want) < 300 {
				checkCapacities(t, must(msgpack.Options{}), v, want)
			}
			restore()
			if t.Failed() {
				t.FailNow()
			}
		}
	}
}

// hasMap reports whether a value of the type can contain a map. seen has the types that
// were looked at.
func hasMap(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Map:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return hasMap(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if hasMap(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}

// checkCapacities encodes v into buffers of all capacities up to the length of want. One
// that has enough must not be replaced.
func checkCapacities(t *testing.T, c *msgpack.Codec, v any, want []byte) {
	t.Helper()
	room := make([]byte, len(want)+1)
	for n := range len(want) + 1 {
		got, err := c.MarshalAppend(room[:1:n+1], v)
		if err != nil || len(got) != len(want)+1 {
			t.Fatalf("%T: %d bytes, %v into a capacity of %d, want %d", v, len(got), err, n, len(want))
		}
		if n == len(want) && &got[0] != &room[0] {
			t.Errorf("%T: a buffer with enough room was replaced", v)
		}
	}
}

// TestPlaces checks that each field of a group has a place of its own.
func TestPlaces(t *testing.T) {
	bits := map[uint64]int{}
	for i := range msgpack.MaxGroup {
		place := msgpack.PlaceOf(1 << i)
		if other, ok := bits[place]; ok || place >= msgpack.GroupPlaces {
			t.Errorf("bit %d has place %d, which is that of bit %d or too large", i, place, other)
		}
		bits[place] = i
	}
}

// TestManyOptionalFields encodes structs with fields of every kind that can be omitted, in
// one group of fields and in several.
func TestManyOptionalFields(t *testing.T) {
	values := []any{
		true, int8(1), uint16(2), int32(-3), uint64(1 << 63), 4, float32(-0.5), 6.25, "seven", []byte{8}, []string{"9"},
		map[string]int{"ten": 10}, new(int), new(string), [1]int{12}, time.Unix(13, 0), any(14),
	}
	for _, n := range []int{1, 15, 16, msgpack.MaxGroup - 1, msgpack.MaxGroup, msgpack.MaxGroup + 1, 2*msgpack.MaxGroup + 5, 300} {
		r := rand.New(rand.NewPCG(uint64(n), 1))
		codec := newCodec(t, msgpack.Options{}) // its plans go away with it, unlike those of the default one
		for round := range 20 {
			var fields []reflect.StructField
			for i := range n {
				tag := []string{"", ",omitempty", ",omitzero"}[r.IntN(3)]
				if round == 0 {
					tag = ",omitempty"
				}
				fields = append(fields, reflect.StructField{
					Name: fmt.Sprint("F", i), Type: reflect.TypeOf(values[r.IntN(len(values))]), Tag: reflect.StructTag(`msgpack:"` + tag + `"`),
				})
			}
			v := reflect.New(reflect.StructOf(fields))
			for i := range n {
				for _, value := range values {
					if f := v.Elem().Field(i); f.Type() == reflect.TypeOf(value) && r.IntN(3) > 0 {
						f.Set(reflect.ValueOf(value))
					}
				}
			}
			want, err := ref.Marshal(v.Interface())
			if err != nil {
				t.Fatal(err)
			}
			got, err := codec.Marshal(v.Interface())
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d fields, round %d: %v\ngot  % x\nwant % x", n, round, err, got, want)
			}
		}
	}
}
