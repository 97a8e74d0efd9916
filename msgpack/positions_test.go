package msgpack_test

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// unhex decodes hexadecimal digits with spaces.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// inHex returns a string in hexadecimal.
func inHex(s string) string { return hex.EncodeToString([]byte(s)) }

// A place is a position of a value inside another one. Each place uses another part
// of the encoder and decoder, so tests of a value try all of them.
type place struct {
	name string
	typ  func(t reflect.Type) reflect.Type // returns the type of the outer value for an inner value of type t
	put  func(outer, v reflect.Value)      // stores v in outer, a zero variable of that type

	// The message consists of before, the copies of the value with between between
	// them, and after.
	before, between, after string
	copies                 int
	path                   string // to the first copy

	elements bool // the values are elements of a slice or array, which makes bytes a bin
	key      bool // the value is a map key
	encode   bool // the place is for encoding only, because decoding would return another type
	absent   bool // a nil is decoded to the outer value without an inner one, such as a nil pointer
}

// message returns the message of the place, in hexadecimal, for the bytes of a
// value.
func (p place) message(value string) string {
	return p.before + value + strings.Repeat(p.between+value, p.copies-1) + p.after
}

// around returns a variable of the type of the place that contains v.
func (p place) around(v reflect.Value) reflect.Value {
	outer := reflect.New(p.typ(v.Type())).Elem()
	p.put(outer, v)
	return outer
}

// takes reports whether a value of type t can be in the place.
func (p place) takes(t reflect.Type) bool {
	return !(p.elements && isByte(t)) && !(p.key && !t.Comparable())
}

// decodes reports whether the bytes, in the place, can be decoded into a value of
// type t.
func (p place) decodes(t reflect.Type, bytes string) bool {
	return p.takes(t) && !p.encode && !(p.absent && bytes == "c0")
}

// isByte reports whether slices of t are encoded as bin.
func isByte(t reflect.Type) bool {
	return t.Kind() == reflect.Uint8 && reflect.PointerTo(t).NumMethod() == 0
}

// inStruct returns a place in a struct with the given fields. A nil type is that of
// the value. Other fields hold "x".
func inStruct(p place, fields ...reflect.StructField) place {
	p.typ = func(t reflect.Type) reflect.Type {
		own := make([]reflect.StructField, len(fields))
		for i, f := range fields {
			if f.Type == nil {
				f.Type = t
			}
			own[i] = f
		}
		return reflect.StructOf(own)
	}
	p.put = func(outer, v reflect.Value) {
		for i, f := range fields {
			switch {
			case f.Type == nil:
				outer.Field(i).Set(v)
			case f.Type.Kind() == reflect.String:
				outer.Field(i).SetString("x")
			}
		}
	}
	p.copies = max(p.copies, 1)
	return p
}

func named(name, tag string) reflect.StructField {
	return reflect.StructField{Name: name, Tag: reflect.StructTag(`msgpack:"` + tag + `"`)}
}

func text(name, tag string) reflect.StructField {
	f := named(name, tag)
	f.Type = reflect.TypeFor[string]()
	return f
}

var inArrayForm = reflect.StructField{
	Name: "_", PkgPath: "github.com/octet-go/octet/msgpack_test", Type: reflect.TypeFor[struct{}](), Tag: `msgpack:",as_array"`,
}

// structOfV returns a struct type with the single field V.
func structOfV(t reflect.Type) reflect.Type {
	return reflect.StructOf([]reflect.StructField{{Name: "V", Type: t}})
}

const (
	longName   = "SixteenBytesName" // longer, with its header, than the words that keys are compared by
	longerName = "NameOfThirtyTwoBytesWhichIsStr8_"
)

var places = []place{
	{name: "alone", copies: 1,
		typ: func(t reflect.Type) reflect.Type { return t },
		put: func(outer, v reflect.Value) { outer.Set(v) }},
	{name: "pointer", absent: true, copies: 1,
		typ: reflect.PointerTo,
		put: setPointer},
	{name: "pointer to pointer", absent: true, copies: 1,
		typ: func(t reflect.Type) reflect.Type { return reflect.PointerTo(reflect.PointerTo(t)) },
		put: func(outer, v reflect.Value) {
			outer.Set(reflect.New(reflect.PointerTo(v.Type())))
			setPointer(outer.Elem(), v)
		}},
	{name: "interface", copies: 1, encode: true,
		typ: func(reflect.Type) reflect.Type { return reflect.TypeFor[any]() },
		put: func(outer, v reflect.Value) { outer.Set(v) }},
	{name: "interfaces in a slice", copies: 2, encode: true, before: "92", path: "[0]",
		typ: func(reflect.Type) reflect.Type { return reflect.TypeFor[[]any]() },
		put: func(outer, v reflect.Value) { outer.Set(reflect.Append(outer, v, v)) }},
	{name: "slice", copies: 3, before: "93", path: "[0]", elements: true,
		typ: reflect.SliceOf,
		put: func(outer, v reflect.Value) { outer.Set(reflect.Append(outer, v, v, v)) }},
	{name: "long slice", copies: 17, before: "dc 0011", path: "[0]", elements: true,
		typ: reflect.SliceOf,
		put: func(outer, v reflect.Value) {
			for range 17 {
				outer.Set(reflect.Append(outer, v))
			}
		}},
	{name: "array", copies: 2, before: "92", path: "[0]", elements: true,
		typ: func(t reflect.Type) reflect.Type { return reflect.ArrayOf(2, t) },
		put: func(outer, v reflect.Value) { outer.Index(0).Set(v); outer.Index(1).Set(v) }},
	{name: "map by string", copies: 1, before: "81 a1" + inHex("k"), path: `["k"]`,
		typ: func(t reflect.Type) reflect.Type { return reflect.MapOf(reflect.TypeFor[string](), t) },
		put: setEntry("k")},
	{name: "map by int", copies: 1, before: "81 d0 80", path: "[-128]",
		typ: func(t reflect.Type) reflect.Type { return reflect.MapOf(reflect.TypeFor[int](), t) },
		put: setEntry(-128)},
	{name: "map by bool", copies: 1, before: "81 c3", path: "[key]",
		typ: func(t reflect.Type) reflect.Type { return reflect.MapOf(reflect.TypeFor[bool](), t) },
		put: setEntry(true)},
	{name: "map key", copies: 1, before: "81", after: "a1" + inHex("e"), path: "[key]", key: true,
		typ: func(t reflect.Type) reflect.Type { return reflect.MapOf(t, reflect.TypeFor[string]()) },
		put: func(outer, v reflect.Value) {
			outer.Set(reflect.MakeMap(outer.Type()))
			outer.SetMapIndex(v, reflect.ValueOf("e"))
		}},
	inStruct(place{name: "first field", before: "82 a1" + inHex("A"), after: "a1" + inHex("B") + "a1" + inHex("x"), path: "A"},
		named("A", ""), text("B", "")),
	inStruct(place{name: "last field", before: "82 a1" + inHex("A") + "a1" + inHex("x") + "a1" + inHex("B"), path: "B"},
		text("A", ""), named("B", "")),
	inStruct(place{name: "two fields", copies: 2, before: "82 a2" + inHex("AA"), between: "a9" + inHex("NineBytes"), path: "AA"},
		named("AA", ""), named("NineBytes", "")),
	inStruct(place{name: "long names", copies: 2, before: "82 b0" + inHex(longName), between: "d920" + inHex(longerName), path: "A"},
		named("A", longName), named("B", longerName)),
	inStruct(place{name: "optional fields", copies: 2, before: "82 a1" + inHex("A"), between: "a1" + inHex("B"), path: "A"},
		named("A", ""), reflect.StructField{Name: "N", Type: reflect.TypeFor[int](), Tag: `msgpack:",omitempty"`}, named("B", "")),
	inStruct(place{name: "array form", copies: 2, before: "93 a1" + inHex("x"), path: "A"},
		inArrayForm, text("T", ""), named("A", ""), named("B", "")),
	{name: "nested struct", copies: 1, before: "82 a1" + inHex("S") + "81 a1" + inHex("V"), after: "a1" + inHex("T") + "a0", path: "S.V",
		typ: func(t reflect.Type) reflect.Type {
			return reflect.StructOf([]reflect.StructField{{Name: "S", Type: structOfV(t)}, text("T", "")})
		},
		put: func(outer, v reflect.Value) { outer.Field(0).Field(0).Set(v) }},
	{name: "nested array form", copies: 1, before: "81 a1" + inHex("S") + "91", path: "S.V",
		typ: func(t reflect.Type) reflect.Type {
			return reflect.StructOf([]reflect.StructField{{Name: "S", Type: structOfV(t), Tag: `msgpack:",as_array"`}})
		},
		put: func(outer, v reflect.Value) { outer.Field(0).Field(0).Set(v) }},
	{name: "inlined pointer", absent: true, copies: 1, before: "82 a1" + inHex("T") + "a0 a1" + inHex("V"), path: "P.V",
		typ: func(t reflect.Type) reflect.Type {
			return reflect.StructOf([]reflect.StructField{text("T", ""), {Name: "P", Type: reflect.PointerTo(structOfV(t)), Tag: `msgpack:",inline"`}})
		},
		put: func(outer, v reflect.Value) {
			p := reflect.New(structOfV(v.Type()))
			p.Elem().Field(0).Set(v)
			outer.Field(1).Set(p)
		}},
}

func setPointer(outer, v reflect.Value) {
	outer.Set(reflect.New(v.Type()))
	outer.Elem().Set(v)
}

func setEntry(key any) func(outer, v reflect.Value) {
	return func(outer, v reflect.Value) {
		outer.Set(reflect.MakeMap(outer.Type()))
		outer.SetMapIndex(reflect.ValueOf(key), v)
	}
}

// checkEncode encodes v with every function.
func checkEncode(t *testing.T, v any, want []byte) {
	t.Helper()
	got, err := msgpack.Marshal(v)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("Marshal:\ngot  % x, %v\nwant % x", got, err, want)
		return
	}
	// Which values are stored directly and which are appended depends on the room.
	rooms := []int{0, len(want), len(want) + 1, len(want) + 16, len(want) + 1000}
	for n := range min(len(want), 40) {
		rooms = append(rooms, n)
	}
	for _, room := range rooms {
		dst := append(make([]byte, 0, 3+room), "abc"...)
		got, err := msgpack.MarshalAppend(dst, v)
		if err != nil || string(got[:3]) != "abc" || !bytes.Equal(got[3:], want) {
			t.Errorf("MarshalAppend with room for %d bytes:\ngot  % x, %v\nwant 61 62 63 % x", room, got, err, want)
			return
		}
		if room >= len(want) && &got[0] != &dst[0] {
			t.Errorf("MarshalAppend with room for %d bytes took more than the %d it needs", room, len(want))
		}
	}
}

// checkDecode decodes data into a zero variable of the type of want.
func checkDecode(t *testing.T, data []byte, want any) {
	t.Helper()
	got := reflect.New(reflect.TypeOf(want))
	if err := msgpack.Unmarshal(data, got.Interface()); err != nil {
		t.Errorf("% x: %v", data, err)
	} else if !reflect.DeepEqual(got.Elem().Interface(), want) {
		t.Errorf("% x:\ngot  %#v\nwant %#v", data, got.Elem().Interface(), want)
	}
	// Decode again with bytes after the value, which must not be read.
	got = reflect.New(reflect.TypeOf(want))
	n, err := msgpack.UnmarshalPrefix(append(bytes.Clone(data), "\xa9 and more"...), got.Interface())
	if err != nil || n != len(data) {
		t.Errorf("prefix of % x: %d bytes, %v, want %d", data, n, err, len(data))
	} else if !reflect.DeepEqual(got.Elem().Interface(), want) {
		t.Errorf("prefix of % x:\ngot  %#v\nwant %#v", data, got.Elem().Interface(), want)
	}
}
