package typeplan_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/typeplan"
)

// Of several tag keys the first that a field has counts, and what only other
// packages know is no error in tags of theirs.
func TestFieldsOfSeveralKeys(t *testing.T) {
	c := config
	c.Keys = []string{"plan", "json"}
	c.Foreign = []string{"json"}
	type good struct {
		Own     int   `plan:"own" json:"other"`
		Theirs  int   `json:"theirs,string,omitempty"`
		Neither int   `yaml:"third"`
		Left    int   `json:"-"`
		Kept    int   `plan:"" json:"-"`
		Array   []int `json:",as_array"` //lint:ignore SA5008 an option of ours does not count in the tag of others
	}
	s, err := typeplan.Fields(reflect.TypeFor[good](), c)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range s.Fields {
		names = append(names, f.Name)
	}
	if want := []string{"own", "theirs", "Neither", "Kept", "Array"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
	if o := s.Fields[1].Options; !reflect.DeepEqual(o, typeplan.Options{"omitempty"}) {
		t.Errorf("options of a foreign tag: got %q, want omitempty alone", o)
	}
	if o := s.Fields[4].Options; len(o) > 0 {
		t.Errorf("a misplaced option of a foreign tag counts: %q", o)
	}
	c.Foreign = nil
	if _, err := typeplan.Fields(reflect.TypeFor[good](), c); err == nil {
		t.Error("the option string is taken in a tag that is not foreign")
	}
}

func TestFieldsNaming(t *testing.T) {
	c := config
	c.Naming = strings.ToLower
	type inner struct{ DeepName int }
	type outer struct {
		inner
		FullName int
		Tagged   int `plan:"Tagged"`
		Option   int `plan:",omitempty"`
	}
	s, err := typeplan.Fields(reflect.TypeFor[outer](), c)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range s.Fields {
		names = append(names, f.Name+"="+f.GoName)
	}
	if first := s.ByName()[0].Name; first != "Tagged" || s.Fields[0].Name == first {
		t.Errorf("ByName begins with %s, and the fields are now %v", first, s.Fields)
	}
	if want := []string{"deepname=DeepName", "fullname=FullName", "Tagged=Tagged", "option=Option"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

func TestFieldsNamingTwice(t *testing.T) {
	c := config
	c.Naming = strings.ToLower
	typ := reflect.TypeOf(struct{ AbC, ABc int }{})
	_, err := typeplan.Fields(typ, c)
	want := typeplan.Error{Type: typ, Path: "ABc", Reason: `name "abc" is that of field AbC too`}
	if e, ok := errors.AsType[*typeplan.Error](err); !ok || *e != want {
		t.Errorf("got %v, want %v", err, &want)
	}
	// A tag beats a name that was made, and depth decides as ever.
	type inner struct{ ABC int }
	type outer struct {
		inner
		AbC int
		Own int `plan:"abc"`
	}
	s, err := typeplan.Fields(reflect.TypeFor[outer](), c)
	if err != nil || len(s.Fields) != 1 || s.Fields[0].GoName != "Own" {
		t.Errorf("got %+v, %v, want the field Own alone", s.Fields, err)
	}
}

func TestFieldsRest(t *testing.T) {
	type name string
	type inner struct {
		A    int
		More map[name]any `plan:",inline"`
	}
	type outer struct {
		B int
		*inner
	}
	s := fieldsOf(t, reflect.TypeFor[outer]())
	if len(s.Fields) != 2 {
		t.Errorf("got %d fields, want A and B", len(s.Fields))
	}
	offset := reflect.TypeFor[inner]().Field(1).Offset
	if r := s.Rest; r == nil || r.GoName != "More" || r.Offset != offset || len(r.Hops) != 1 || r.Type != reflect.TypeFor[map[name]any]() {
		t.Errorf("got %+v", s.Rest)
	}
	if s := fieldsOf(t, reflect.TypeFor[Named]()); s.Rest != nil {
		t.Errorf("got %+v where nothing is inline", s.Rest)
	}
	found := false
	err := config.Walk(reflect.TypeFor[outer](), func(path string, _ reflect.Type) (bool, error) {
		found = found || path == "More"
		return true, nil
	})
	if err != nil || !found {
		t.Errorf("Walk: found %v, %v", found, err)
	}
}
