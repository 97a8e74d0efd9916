package randtype

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

const drawn = 2000 // number of types that each test generates

// TestTheSameSeedGivesTheSame checks that a seed, which a failing test prints, always
// generates the same type and value.
func TestTheSameSeedGivesTheSame(t *testing.T) {
	for seed := range uint64(200) {
		a, b := FromSeed(seed), FromSeed(seed)
		ta, tb := a.Type(), b.Type()
		if ta != tb {
			t.Fatalf("seed %d: %v and %v", seed, ta, tb)
		}
		if d := Diff(a.Value(ta).Interface(), b.Value(tb).Interface()); d != "" {
			t.Errorf("seed %d: %s", seed, d)
		}
	}
	if FromSeed(1).Bits() == FromSeed(2).Bits() {
		t.Error("two seeds gave the same bits")
	}
}

// TestBytesDecide checks that the bytes of a fuzzer select the type and the value,
// and that generation ends when they are used up.
func TestBytesDecide(t *testing.T) {
	for _, data := range [][]byte{nil, {0}, {0, 0, 0, 0}} {
		r := FromBytes(data)
		typ := r.Type()
		if v := r.Value(typ); typ.Kind() != reflect.Bool || v.Bool() {
			t.Errorf("% x: got %v %v, want the simplest", data, typ, v)
		}
	}
	// A struct type with several fields.
	data := []byte{9, 4}
	if got := FromBytes(data).Type(); got.Kind() != reflect.Struct {
		t.Errorf("got %v, want a struct", got)
	}
	if data[0] != 9 {
		t.Error("the input was changed")
	}
	// Generation ends for every prefix of every input.
	r := FromSeed(3)
	long := make([]byte, 400)
	for i := range long {
		long[i] = byte(r.Bits())
	}
	for n := range long {
		r := FromBytes(long[:n])
		r.Value(r.Type())
	}
}

// A feature is a property that some generated types must have.
type feature struct {
	name string
	has  func(t reflect.Type) bool
}

func kindOf(k reflect.Kind) feature {
	return feature{k.String(), func(t reflect.Type) bool { return t.Kind() == k }}
}

func tagWith(part string) feature {
	return feature{"tag with " + part, func(t reflect.Type) bool {
		return anyField(t, func(f reflect.StructField) bool { return strings.Contains(f.Tag.Get("msgpack"), part) })
	}}
}

func anyField(t reflect.Type, is func(reflect.StructField) bool) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		if is(t.Field(i)) {
			return true
		}
	}
	return false
}

// TestTypesOfEverySort checks that random types have every feature that tests rely
// on.
func TestTypesOfEverySort(t *testing.T) {
	features := []feature{
		{"embedded struct", func(t reflect.Type) bool {
			return t.Name() == "" && anyField(t, func(f reflect.StructField) bool { return f.Anonymous && f.Type.Kind() == reflect.Struct })
		}},
		{"embedded pointer", func(t reflect.Type) bool {
			return t.Name() == "" && anyField(t, func(f reflect.StructField) bool { return f.Anonymous && f.Type.Kind() == reflect.Pointer })
		}},
		{"struct as array", func(t reflect.Type) bool {
			return anyField(t, func(f reflect.StructField) bool { return f.Name == "_" })
		}},
		{"unexported field", func(t reflect.Type) bool {
			return anyField(t, func(f reflect.StructField) bool { return f.Name == "unexported" })
		}},
		{"empty struct", func(t reflect.Type) bool { return t.Kind() == reflect.Struct && t.NumField() == 0 }},
		{"map with struct keys", func(t reflect.Type) bool { return t.Kind() == reflect.Map && t.Key().Kind() == reflect.Struct }},
		{"map with array keys", func(t reflect.Type) bool { return t.Kind() == reflect.Map && t.Key().Kind() == reflect.Array }},
		{"map with any keys", func(t reflect.Type) bool { return t.Kind() == reflect.Map && t.Key().Kind() == reflect.Interface }},
		{"map with float keys", func(t reflect.Type) bool { return t.Kind() == reflect.Map && t.Key().Kind() == reflect.Float64 }},
		{"pointer to pointer", func(t reflect.Type) bool { return t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Pointer }},
		tagWith("omitempty"), tagWith("omitzero"), tagWith("inline"), tagWith("as_array"), tagWith("-"), tagWith("é"), tagWith("alias="), tagWith("keyasint"),
	}
	for k := reflect.Bool; k <= reflect.Struct; k++ {
		switch k {
		case reflect.Uintptr, reflect.Chan, reflect.Func:
		default:
			features = append(features, kindOf(k))
		}
	}
	for _, g := range slices.Concat(gallery, simpleTypes) {
		features = append(features, feature{g.String(), func(t reflect.Type) bool { return t == g }})
	}
	seen := map[reflect.Type]bool{}
	for seed := range uint64(drawn) {
		collect(FromSeed(seed).Type(), seen)
	}
	for _, f := range features {
		found := false
		for typ := range seen {
			found = found || f.has(typ)
		}
		if !found {
			t.Errorf("no %s in %d types", f.name, drawn)
		}
	}
	for typ := range seen {
		switch typ.Kind() {
		case reflect.Uintptr, reflect.Chan, reflect.Func, reflect.UnsafePointer:
			t.Errorf("%v cannot be encoded", typ)
		}
	}
}

// collect adds t and all types that it contains.
func collect(t reflect.Type, seen map[reflect.Type]bool) {
	if seen[t] || t == reflect.TypeFor[time.Time]() {
		seen[t] = true
		return
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Map:
		collect(t.Key(), seen)
		collect(t.Elem(), seen)
	case reflect.Slice, reflect.Array, reflect.Pointer:
		collect(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			collect(t.Field(i).Type, seen)
		}
	}
}

// TestTypesAreBounded checks that no random type is so large that its values take
// too much memory or time.
func TestTypesAreBounded(t *testing.T) {
	for seed := range uint64(drawn) {
		typ := FromSeed(seed).Type()
		seen := map[reflect.Type]bool{}
		collect(typ, seen)
		// The types in the gallery contain further types.
		if most := maxNodes*(maxFields+1) + 30; len(seen) > most || typ.Size() > 1<<20 {
			t.Errorf("seed %d: %d types, %d bytes", seed, len(seen), typ.Size())
		}
	}
}

// TestArraysOfArraysAreBounded checks that the size of nested arrays is limited.
// Eighteen nested arrays of three elements each would take too much memory.
func TestArraysOfArraysAreBounded(t *testing.T) {
	var decisions []byte
	decisions = append(decisions, maxNodes-1)
	decisions = append(decisions, bytes.Repeat([]byte{7}, maxNodes-1)...) // arrays
	decisions = append(decisions, 0)                                      // of bools
	decisions = append(decisions, bytes.Repeat([]byte{3}, maxNodes-1)...) // of three
	typ := FromBytes(decisions).Type()
	if typ.Kind() != reflect.Array || typ.Size() < maxArray || typ.Size() > 4*maxArray {
		t.Errorf("got %v of %d bytes", typ, typ.Size())
	}
}

// TestValuesOfEverySort checks that random values include every extreme value that
// tests rely on.
func TestValuesOfEverySort(t *testing.T) {
	r := FromSeed(1)
	draw := func(want string, typ reflect.Type, has func(v reflect.Value) bool) {
		t.Helper()
		for range drawn {
			if has(r.Value(typ)) {
				return
			}
		}
		t.Errorf("no %s in %d values of %v", want, drawn, typ)
	}
	isInt := func(i int64) func(reflect.Value) bool {
		return func(v reflect.Value) bool { return v.Int() == i }
	}
	ofLen := func(n int) func(reflect.Value) bool {
		return func(v reflect.Value) bool { return v.Len() == n }
	}
	nonNilOfLen := func(n int) func(reflect.Value) bool {
		return func(v reflect.Value) bool { return !v.IsNil() && v.Len() == n }
	}
	for _, i := range []int64{0, 127, 128, -32, -33, 255, 256, -129, 1<<32 - 1, 1 << 32, math.MaxInt64, math.MinInt64} {
		draw(fmt.Sprint(i), reflect.TypeFor[int64](), isInt(i))
	}
	for _, i := range []int64{math.MinInt8, math.MaxInt8} {
		draw(fmt.Sprint(i), reflect.TypeFor[int8](), isInt(i))
	}
	draw("greatest", reflect.TypeFor[uint64](), func(v reflect.Value) bool { return v.Uint() > 1<<63 })
	for _, typ := range []reflect.Type{reflect.TypeFor[float64](), reflect.TypeFor[float32]()} {
		draw("NaN", typ, func(v reflect.Value) bool { return math.IsNaN(v.Float()) })
		draw("infinity", typ, func(v reflect.Value) bool { return math.IsInf(v.Float(), -1) })
		draw("negative zero", typ, func(v reflect.Value) bool { return v.Float() == 0 && math.Signbit(v.Float()) })
		draw("fraction", typ, func(v reflect.Value) bool { return v.Float() == -1.5 })
	}
	for _, n := range []int{0, 15, 16, 31, 32, 255, 256, 65536} {
		draw(fmt.Sprint("length ", n), reflect.TypeFor[string](), ofLen(n))
		draw(fmt.Sprint("length ", n), reflect.TypeFor[[]byte](), nonNilOfLen(n))
	}
	draw("text", reflect.TypeFor[string](), func(v reflect.Value) bool { return v.Len() > 3 && utf8.ValidString(v.String()) })
	draw("malformed text", reflect.TypeFor[string](), func(v reflect.Value) bool { return !utf8.ValidString(v.String()) })
	for _, typ := range []reflect.Type{reflect.TypeFor[[]int](), reflect.TypeFor[map[int64]bool]()} {
		draw("nil", typ, reflect.Value.IsNil)
		for _, n := range []int{0, 1, 15, 16, 17} {
			draw(fmt.Sprint("length ", n), typ, nonNilOfLen(n))
		}
	}
	draw("256 elements", reflect.TypeFor[[]int](), ofLen(256))
	draw("nil", reflect.TypeFor[*int](), reflect.Value.IsNil)
	draw("pointer", reflect.TypeFor[*int](), func(v reflect.Value) bool { return !v.IsNil() })
	for _, sort := range []reflect.Kind{reflect.Bool, reflect.Int64, reflect.String, reflect.Slice, reflect.Map, reflect.Struct, reflect.Uint8} {
		draw(sort.String(), reflect.TypeFor[any](), func(v reflect.Value) bool { return v.Elem().Kind() == sort })
	}
	draw("nil", reflect.TypeFor[any](), reflect.Value.IsNil)
	for name, has := range map[string]func(t time.Time) bool{
		"zero time":               time.Time.IsZero,
		"time before 1970":        func(t time.Time) bool { return t.Unix() == -1 },
		"time for 32 bits":        func(t time.Time) bool { return t.Unix() == 1<<32-1 && t.Nanosecond() == 0 },
		"time for 64 bits":        func(t time.Time) bool { return t.Unix() == 1<<34-1 },
		"time for 96 bits":        func(t time.Time) bool { return t.Unix() == 1<<34 },
		"time in a zone":          func(t time.Time) bool { _, offset := t.Zone(); return offset != 0 },
		"time with nanoseconds":   func(t time.Time) bool { return t.Nanosecond() == 999_999_999 },
		"time between the limits": func(t time.Time) bool { return t.Unix() > 1<<34+1<<30 },
	} {
		draw(name, reflect.TypeFor[time.Time](), func(v reflect.Value) bool { return has(v.Interface().(time.Time)) })
	}
	draw("promoted content", reflect.TypeFor[Person](), func(v reflect.Value) bool { return v.FieldByName("First").Len() > 0 })
	draw("deep tree", reflect.TypeFor[Tree](), func(v reflect.Value) bool {
		tree := v.Interface().(Tree)
		return tree.Left != nil && tree.Left.Right != nil && tree.Left.Right.Left != nil
	})
}

// TestLeaves checks that random types contain the types that a test adds, with the
// values of their function.
func TestLeaves(t *testing.T) {
	type own struct{ A int }
	leaf := LeafOf(func(r *Rand) own { return own{1000 + r.Below(300)} })
	found := false
	for seed := range uint64(drawn) {
		r := FromSeed(seed, leaf)
		seen := map[reflect.Type]bool{}
		collect(r.Type(), seen)
		found = found || seen[reflect.TypeFor[own]()]
	}
	if !found {
		t.Errorf("no leaf in %d types", drawn)
	}
	for range 100 {
		if v := FromSeed(1, leaf).Value(reflect.TypeFor[[3]own]()); v.Index(2).Field(0).Int() < 1000 {
			t.Errorf("got %v, want the value of the leaf", v)
		}
	}
}

// FuzzFromBytes checks that equal input generates equal types and values.
func FuzzFromBytes(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{19, 3, 6, 4, 4, 4, 8, 7, 9, 4, 4})
	f.Fuzz(func(t *testing.T, data []byte) {
		a, b := FromBytes(data), FromBytes(data)
		typ := a.Type()
		if again := b.Type(); again != typ {
			t.Fatalf("%v and %v", typ, again)
		}
		if d := Diff(a.Value(typ).Interface(), b.Value(typ).Interface()); d != "" {
			t.Errorf("%v: %s", typ, d)
		}
	})
}
