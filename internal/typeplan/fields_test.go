package typeplan_test

import (
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/typeplan"
)

var config = typeplan.Config{Keys: []string{"plan"}, Options: []string{"omitempty", "omitzero", "inline", "as_array", "set"}}

type (
	point   struct{ X, Y int8 }
	Address struct {
		Street string
		point
	}
	Named    struct{ X, Y int8 }
	Inlining struct {
		Home Named `plan:",inline"`
	}
	Inlined struct {
		X    int
		Next *Inlined `plan:",inline"`
	}
	Chain struct {
		Name string
		Head *Link `plan:",inline"`
	}
	Link struct {
		Value int
		Back  *Chain `plan:",inline"`
	}
	opaque struct{ a int }
)

// TestFieldsPlacesPromotedFields checks the index, offset and hops of fields of
// embedded and inlined structs.
func TestFieldsPlacesPromotedFields(t *testing.T) {
	type user struct {
		ID byte `plan:"id,omitempty"`
		*Address
		Home Named `plan:",inline"`
	}
	typ := reflect.TypeFor[user]()
	hops := []typeplan.Hop{{Offset: typ.Field(1).Offset, Type: reflect.TypeFor[Address](), Exported: true}}
	inAddress, inUser := reflect.TypeFor[Address]().Field(1).Offset, typ.Field(2).Offset
	want := []typeplan.Field{
		{Name: "id", GoName: "ID", Type: reflect.TypeFor[byte](), Index: []int{0}, Options: typeplan.Options{"omitempty"}, Tagged: true},
		{Name: "Street", GoName: "Street", Type: reflect.TypeFor[string](), Index: []int{1, 0}, Hops: hops},
		{Name: "X", GoName: "Home.X", Type: reflect.TypeFor[int8](), Index: []int{2, 0}, Offset: inUser},
		{Name: "Y", GoName: "Home.Y", Type: reflect.TypeFor[int8](), Index: []int{2, 1}, Offset: inUser + 1},
	}
	if got := fieldsOf(t, typ); !reflect.DeepEqual(got.Fields, want) {
		t.Errorf("got %+v\nwant %+v", got.Fields, want)
	}

	type pointers struct{ *user }
	got := fieldsOf(t, reflect.TypeFor[pointers]()).Fields[1]
	want[1].Index = []int{0, 1, 0}
	want[1].Hops = []typeplan.Hop{{Type: typ}, hops[0]}
	if !reflect.DeepEqual(got, want[1]) {
		t.Errorf("through two pointers: got %+v\nwant %+v", got, want[1])
	}

	type value struct {
		_ int32
		Address
	}
	got = fieldsOf(t, reflect.TypeFor[value]()).Fields[2]
	if want := reflect.TypeFor[value]().Field(1).Offset + inAddress + 1; got.GoName != "Y" || got.Offset != want || got.Hops != nil {
		t.Errorf("through two values: got %+v, want Y at offset %d", got, want)
	}
}

func TestFieldsNames(t *testing.T) {
	tests := []struct {
		name          string
		value         any
		names, goName []string
	}{
		{"inline", struct {
			A Named `plan:",inline"`
		}{}, []string{"X", "Y"}, []string{"A.X", "A.Y"}},
		{"inline of a struct with some unexported", struct {
			A struct{ X, y int } `plan:",inline"`
		}{}, []string{"X"}, []string{"A.X"}},
		{"inline of embedded", struct {
			Address `plan:",inline"`
		}{}, []string{"Street", "X", "Y"}, []string{"Street", "X", "Y"}},
		{"inline of unexported embedded", struct {
			point `plan:",inline"`
		}{}, []string{"X", "Y"}, []string{"X", "Y"}},
		{"inline in embedded", struct{ Inlining }{}, []string{"X", "Y"}, []string{"Inlining.Home.X", "Inlining.Home.Y"}},
		{"inline is as deep as embedding", struct {
			A Named `plan:",inline"`
			X int
		}{}, []string{"Y", "X"}, []string{"A.Y", "X"}},
		{"inline of itself", Inlined{}, []string{"X"}, []string{"X"}},
		{"mutual inline", Link{}, []string{"Value", "Name"}, []string{"Value", "Back.Name"}},
		{"inline of a type twice", struct {
			A, B Named `plan:",inline"`
		}{}, nil, nil},
		{"Go name shadowed, tag name not", struct {
			Named2
			X int `plan:"x"`
		}{}, []string{"X2", "x"}, []string{"Named2.X", "X"}},
		{"names that JSON does not allow", struct {
			A int `plan:"a b\"\\"`
			B int `plan:"\xff"`
			C int `plan:" "`
			D int `plan:"-,omitempty"`
			E int `plan:"-x"`
		}{}, []string{"a b\"\\", "\xff", " ", "-", "-x"}, []string{"A", "B", "C", "D", "E"}},
		{"unexported fields", struct {
			X int
			y int
			z int `plan:"-"`
		}{}, []string{"X"}, []string{"X"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var names, goNames []string
			for _, f := range fieldsOf(t, reflect.TypeOf(test.value)).Fields {
				names, goNames = append(names, f.Name), append(goNames, f.GoName)
			}
			if !slices.Equal(names, test.names) || !slices.Equal(goNames, test.goName) {
				t.Errorf("got %q as %q, want %q as %q", goNames, names, test.goName, test.names)
			}
		})
	}
}

type Named2 struct {
	X int `plan:"X2"`
}

// TestFieldsOptions checks that options belong to the field or struct whose tag
// has them, and not to the struct around it.
func TestFieldsOptions(t *testing.T) {
	type inner struct {
		_ struct{} `plan:",as_array"`
		X int
	}
	type outer struct {
		inner
		A  int    `plan:",omitempty,omitzero"`
		B  inner  `plan:"b,as_array"`
		C  *inner `plan:",as_array,omitempty"`
		*E `plan:"e,as_array"`
	}
	s := fieldsOf(t, reflect.TypeFor[outer]())
	if len(s.Options) > 0 {
		t.Errorf("the outer struct has the options of an embedded struct: %q", s.Options)
	}
	var got [][]string
	for _, f := range s.Fields {
		got = append(got, f.Options)
	}
	want := [][]string{nil, {"omitempty", "omitzero"}, {"as_array"}, {"as_array", "omitempty"}, {"as_array"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if s := fieldsOf(t, reflect.TypeFor[inner]()); !s.Options.Has("as_array") || s.Options.Has("omitempty") {
		t.Errorf("blank field: got %q", s.Options)
	}
}

type E struct{ X int }

// TestFieldsHidden checks for which types Fields reports that unexported fields are
// left out, so that a caller can refuse a type of which nothing would be encoded.
func TestFieldsHidden(t *testing.T) {
	tests := []struct {
		name  string
		value any
		want  bool
	}{
		{"empty", struct{}{}, false},
		{"time.Time", time.Time{}, true},
		{"exported only", Named{}, false},
		{"some unexported", struct {
			X int
			y int
		}{}, true},
		{"size zero", struct {
			X int
			y struct{}
			z [0]int
		}{}, false},
		{"size zero after another", struct {
			y int
			z struct{}
		}{}, true},
		{"blank", struct {
			X int
			_ int
		}{}, false},
		{"unexported embedded struct", struct{ point }{}, false},
		{"unexported within embedded", struct{ opaque }{opaque{a: 1}}, true},
		{"unexported embedded pointer", struct{ *opaque }{}, true},
		{"unexported embedded non-struct", struct{ number }{}, true},
		{"left out by tag", struct {
			y int `plan:"-"`
		}{}, false},
		{"another left out by tag", struct {
			x int
			Y int `plan:"-"`
		}{}, false},
		{"tag of another struct", struct {
			opaque
			Y int `plan:"-"`
		}{}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := fieldsOf(t, reflect.TypeOf(test.value)).Hidden; got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// TestFieldsFromManyGoroutines calls Fields on many goroutines at once, with
// recursive types in different orders. Every call must return the same result.
func TestFieldsFromManyGoroutines(t *testing.T) {
	types := []reflect.Type{reflect.TypeFor[Chain](), reflect.TypeFor[Link](), reflect.TypeFor[Ping](), reflect.TypeFor[Pong]()}
	got := make([][]typeplan.Struct, 64)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() {
			<-start
			for j := range types {
				s, err := typeplan.Fields(types[(i+j)%len(types)], config)
				if err != nil {
					t.Error(err)
				}
				got[i] = append(got[i], s)
			}
		})
	}
	close(start)
	all.Wait()
	for i := range got {
		for j := range types {
			if want := got[0][(i+j)%len(types)]; !reflect.DeepEqual(got[i][j], want) {
				t.Errorf("goroutine %d: got %+v, want %+v", i, got[i][j], want)
			}
		}
	}
}

func fieldsOf(t *testing.T, typ reflect.Type) typeplan.Struct {
	t.Helper()
	s, err := typeplan.Fields(typ, config)
	if err != nil {
		t.Fatal(err)
	}
	if s.Type != typ {
		t.Errorf("got type %v, want %v", s.Type, typ)
	}
	return s
}
