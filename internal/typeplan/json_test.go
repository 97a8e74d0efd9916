package typeplan_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/octet-go/octet/internal/typeplan"
)

// likeJSON applies the tags of encoding/json. These tests compare the fields that
// Fields finds with those that encoding/json writes, because Octet has the same
// rules for names and embedded structs.
var likeJSON = typeplan.Config{Keys: []string{"json"}, Options: []string{"omitempty", "omitzero"}}

type (
	A  struct{ X, OnlyA int }
	B  struct{ X, OnlyB int }
	AX struct {
		P int `json:"X"`
	}
	BX struct {
		Q int `json:"X"`
	}
	Deep    struct{ Deeper }
	Deeper  struct{ Deepest }
	Deepest struct{ X, OnlyDeepest int }
	Left    struct{ Middle }
	Right   struct{ Middle }
	Middle  struct{ A }
	LeftA   struct{ A }
	RightA  struct{ A }

	Way1 struct{ *Way2 }
	Way2 struct{ *Way3 }
	Way3 struct {
		*A
		*B
	}

	Number    int
	Count     int
	Numbers   map[string]int
	Printer   interface{ Print() }
	number    int
	hidden    struct{ X, fromHidden int }
	hiddenPtr struct {
		OnlyHiddenPtr int
		secret        int
	}
	Generic[T any] struct{ Value T }
	Alias          = Generic[int]

	Self struct {
		*Self
		X int
	}
	Ping struct {
		X int
		*Pong
	}
	Pong struct {
		*Ping
		X, Y int
	}
	Both struct {
		*BothB
		A
	}
	BothB struct {
		A
		Y int
	}
)

var hostileTypes = []struct {
	name  string
	value any // pointer to struct; nil embedded pointers are set where Go permits
}{
	{"empty", &struct{}{}},
	{"plain", &struct{ A, B, c int }{}},
	{"names", &struct {
		A int `json:"a"`
		B int `json:",omitempty"`
		C int `json:"-"`
		E int `json:"é.x-y"`
		F int `xml:"f"`
		G int `json:""`
	}{}},
	{"named -", newStruct(reflect.StructField{Name: "X", Type: reflect.TypeFor[int](), Tag: `json:"-,"`})},
	{"non-ASCII", &struct {
		Ünï, Ω, ß int
		Ж         int `json:"ключ"`
	}{}},
	{"blank", &struct {
		_ struct{}
		_ int
		X int
	}{}},
	{"promoted", &struct{ A }{}},
	{"promoted by pointer", &struct{ *A }{}},
	{"shadowed by outer", &struct {
		A
		X int
	}{}},
	{"outer tag takes promoted name", &struct {
		A
		Y int `json:"X"`
	}{}},
	{"tie", &struct {
		A
		B
	}{}},
	{"tie between pointers", &struct {
		*A
		*B
	}{}},
	{"tie hides deeper", &struct {
		A
		B
		Deep
	}{}},
	{"tag breaks tie", &struct {
		A
		B
		AX
	}{}},
	{"tags tie", newStruct(embed[A](), embed[AX](), embed[BX]())},
	{"tag does not beat depth", &struct {
		LeftAX struct{ AX } `json:"left"`
		Deeper
		AX
	}{}},
	{"tag and Go name equal in one struct", &struct {
		X int
		Y int `json:"X"`
	}{}},
	{"swapped names", &struct {
		X int `json:"Y"`
		Y int `json:"X"`
	}{}},
	{"diamond", &struct {
		LeftA
		RightA
	}{}},
	{"diamond with a stem", &struct {
		Left
		Right
	}{}},
	{"diamond with a direct path", &struct {
		LeftA
		A
	}{}},
	{"type at two depths", &Both{}},
	{"embedded non-structs", &struct {
		Number
		Numbers
		Printer
		*Count
	}{}},
	{"embedded unexported non-structs", &struct {
		number
		X int
	}{}},
	{"embedded unexported pointer to non-struct", &struct {
		*number
		X int
	}{}},
	{"embedded with name", &struct {
		A      `json:"a"`
		*B     `json:"b,omitempty"`
		Number `json:"n"`
	}{}},
	{"embedded left out", &struct {
		A  `json:"-"`
		*B `json:"-"`
		Y  int
	}{}},
	{"embedded unexported", &struct {
		hidden
		Y int
	}{hidden: hidden{fromHidden: 7}}},
	{"embedded unexported pointer", &struct {
		*hiddenPtr
		Y int
	}{hiddenPtr: &hiddenPtr{OnlyHiddenPtr: 7, secret: 8}}},
	{"embedded unexported nil pointer", &struct {
		*hiddenPtr
		Y int
	}{}},
	{"embedded unexported with name", &struct {
		hidden     `json:"h"`
		*hiddenPtr `json:"p"`
	}{hiddenPtr: &hiddenPtr{}}},
	{"embedded generic and alias", &struct {
		Generic[string]
		A struct{ Alias }
	}{}},
	{"recursive", &Self{}},
	{"mutually recursive", &Ping{}},
	{"mutually recursive, other end", &Pong{}},
	{"many pointers, then two paths", &struct {
		*Way1
	}{}},
	{"array of structs in between", &struct {
		A [2]struct{ A }
		B []B
	}{}},
}

// newStruct returns a pointer to a new struct of a type that linters would
// reject in source code.
func newStruct(fields ...reflect.StructField) any {
	return reflect.New(reflect.StructOf(fields)).Interface()
}

func embed[T any]() reflect.StructField {
	return reflect.StructField{Name: reflect.TypeFor[T]().Name(), Type: reflect.TypeFor[T](), Anonymous: true}
}

func TestFieldsLikeJSON(t *testing.T) {
	for _, test := range hostileTypes {
		t.Run(test.name, func(t *testing.T) {
			v := reflect.ValueOf(test.value).Elem()
			fill(v, new(int), map[reflect.Type]bool{})
			checkLikeJSON(t, v)
			checkPlaces(t, v)
		})
	}
}

// checkLikeJSON compares the fields of v, a filled struct, with the members
// that encoding/json writes: their names, order and values.
func checkLikeJSON(t *testing.T, v reflect.Value) {
	t.Helper()
	s, err := typeplan.Fields(v.Type(), likeJSON)
	if err != nil {
		t.Error(err)
		return
	}
	type member struct{ name, value string }
	var got, want []member
	for _, f := range s.Fields {
		at, err := v.FieldByIndexErr(f.Index)
		if err != nil || f.Options.Has("omitempty") && at.IsZero() {
			continue // encoding/json omits this field too
		}
		got = append(got, member{f.Name, valueJSON(t, at)})
	}
	text, err := json.Marshal(v.Addr().Interface())
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	for d.Token(); d.More(); {
		name, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		want = append(want, member{name.(string), string(value)})
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v:\n got %v\nwant %v", v.Type(), got, want)
	}
}

func valueJSON(t *testing.T, v reflect.Value) string {
	t.Helper()
	if !v.CanInterface() { // a named field of unexported embedded type: access it through its own fields
		v = reflect.Indirect(v)
		text := "{"
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				text += fmt.Sprintf("%q:%d,", f.Name, v.Field(i).Int())
			}
		}
		return text[:len(text)-1] + "}"
	}
	text, err := json.Marshal(v.Interface())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// checkPlaces compares offsets and hops with the addresses that package reflect
// returns.
func checkPlaces(t *testing.T, v reflect.Value) {
	t.Helper()
	s, err := typeplan.Fields(v.Type(), likeJSON)
	if err != nil {
		t.Error(err)
		return
	}
	for _, f := range s.Fields {
		if _, err := v.FieldByIndexErr(f.Index); err != nil {
			continue
		}
		at, base, hops := v, v.UnsafeAddr(), 0
		for _, i := range f.Index {
			if at.Kind() == reflect.Pointer {
				want := typeplan.Hop{Offset: at.UnsafeAddr() - base, Type: at.Type().Elem(), Exported: at.CanSet()}
				if hops >= len(f.Hops) || f.Hops[hops] != want {
					t.Errorf("%v: field %s: hops %v, want %v at %d", v.Type(), f.Name, f.Hops, want, hops)
					return
				}
				hops++
				base = at.Pointer()
				at = at.Elem()
			}
			at = at.Field(i)
		}
		if hops != len(f.Hops) || at.UnsafeAddr()-base != f.Offset || at.Type() != f.Type {
			t.Errorf("%v: field %s: %d hops, offset %d, type %v; want %d, %d, %v",
				v.Type(), f.Name, len(f.Hops), f.Offset, f.Type, hops, at.UnsafeAddr()-base, at.Type())
		}
	}
}

// fill sets every int in v to a different value and sets embedded pointers, so
// that the fields can be distinguished. Pointers to types that contain
// themselves stay nil.
func fill(v reflect.Value, n *int, within map[reflect.Type]bool) {
	within[v.Type()] = true
	defer delete(within, v.Type())
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() == reflect.Pointer && f.CanSet() && f.Type().Elem().Kind() == reflect.Struct && !within[f.Type().Elem()] {
			f.Set(reflect.New(f.Type().Elem()))
			f = f.Elem()
		}
		switch {
		case f.Kind() == reflect.Struct:
			fill(f, n, within)
		case f.CanInt() && f.CanSet():
			*n++
			f.SetInt(int64(*n))
		}
	}
}
