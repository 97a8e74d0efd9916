package typeplan

import (
	"reflect"
	"testing"
)

var config = Config{Key: "plan", Options: []string{"omitempty", "omitzero", "inline", "as_array", "extra"}}

type point struct{ X, Y int8 }

type Address struct {
	Street string
	point
}

func TestFieldsPlacesPromotedFields(t *testing.T) {
	type user struct {
		ID byte `plan:"id,omitempty"`
		*Address
		Home point `plan:",inline"`
	}
	s, err := Fields(reflect.TypeFor[user](), config)
	if err != nil {
		t.Fatal(err)
	}
	hop := []Hop{{Offset: reflect.TypeFor[user]().Field(1).Offset, Type: reflect.TypeFor[Address](), Exported: true}}
	home := reflect.TypeFor[user]().Field(2).Offset
	want := []Field{
		{Name: "id", GoName: "ID", Type: reflect.TypeFor[byte](), Index: []int{0}, Options: Options{"omitempty"}, Tagged: true},
		{Name: "Street", GoName: "Street", Type: reflect.TypeFor[string](), Index: []int{1, 0}, Hops: hop},
		{Name: "X", GoName: "Home.X", Type: reflect.TypeFor[int8](), Index: []int{2, 0}, Offset: home},
		{Name: "Y", GoName: "Home.Y", Type: reflect.TypeFor[int8](), Index: []int{2, 1}, Offset: home + 1},
	}
	if !reflect.DeepEqual(s.Fields, want) {
		t.Errorf("Fields(user) = %+v\nwant %+v", s.Fields, want)
	}
}
