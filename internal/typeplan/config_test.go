package typeplan_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/typeplan"
)

// TestFieldsOfSeveralKeys checks that the first tag key that a field has is
// used, and that unknown options in tags of other packages are not errors.
func TestFieldsOfSeveralKeys(t *testing.T) {
	c := config
	c.Keys = []string{"plan", "json", "other"}
	c.Foreign = []string{"json", "other"}
	type good struct {
		Own     int   `plan:"own" json:"other"`
		Theirs  int   `json:"theirs,string,omitempty"`
		Neither int   `yaml:"third"`
		Left    int   `json:"-"`
		Kept    int   `plan:"" json:"-"`
		Array   []int `json:",as_array"`   //lint:ignore SA5008 as_array has no effect in a tag of another package
		hidden  int   `other:"hidden"`     //lint:ignore U1000 tags of other packages are ignored
		also    int   `other:",omitempty"` //lint:ignore U1000 as above
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
		t.Errorf("options of a foreign tag: got %q, want only omitempty", o)
	}
	if o := s.Fields[4].Options; len(o) > 0 {
		t.Errorf("a misplaced option of a foreign tag was used: %q", o)
	}
	c.Foreign = nil
	if _, err := typeplan.Fields(reflect.TypeFor[good](), c); err == nil {
		t.Error("the option string was accepted in a tag that is not foreign")
	}
}

// TestFieldsNaming checks that Naming names the fields without a name in their
// tag, and that ByName returns a copy in order of these names.
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
		t.Errorf("ByName begins with %s, and Fields changed to %v", first, s.Fields)
	}
	if want := []string{"deepname=DeepName", "fullname=FullName", "Tagged=Tagged", "option=Option"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

// TestFieldsNamingTwice checks the error if Naming gives two fields the same name.
func TestFieldsNamingTwice(t *testing.T) {
	c := config
	c.Naming = strings.ToLower
	typ := reflect.TypeOf(struct{ AbC, ABc int }{})
	_, err := typeplan.Fields(typ, c)
	want := typeplan.Error{Type: typ, Path: "ABc", Reason: `name "abc" is also the name of field AbC`}
	if e, ok := errors.AsType[*typeplan.Error](err); !ok || *e != want {
		t.Errorf("got %v, want %v", err, &want)
	}
	// A name from a tag has precedence over a name from Naming, and the depth
	// has precedence over both.
	type inner struct{ ABC int }
	type outer struct {
		inner
		AbC int
		Own int `plan:"abc"`
	}
	s, err := typeplan.Fields(reflect.TypeFor[outer](), c)
	if err != nil || len(s.Fields) != 1 || s.Fields[0].GoName != "Own" {
		t.Errorf("got %+v, %v, want only the field Own", s.Fields, err)
	}
}

// TestFieldsRest checks that an inline map is not a field, and that its place is
// found through embedded pointers.
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
		t.Errorf("got %+v, want nil because nothing is inline", s.Rest)
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

// TestFieldsEmbedding checks the options for embedded structs.
func TestFieldsEmbedding(t *testing.T) {
	type Deepest struct{ E int }
	type Deep struct {
		Deepest
		D int
	}
	type hidden struct{ H int }
	type Inlined struct{ I int }
	type outer struct {
		A int
		Deep
		B        int
		*Inlined `plan:",inline"`
		hidden
		C int
	}
	for _, test := range []struct {
		name         string
		nested, last bool
		want         []string
	}{
		{"default", false, false, []string{"A", "E", "D", "B", "I", "H", "C"}},
		{"last", false, true, []string{"A", "B", "C", "D", "E", "I", "H"}},
		{"nested", true, false, []string{"A", "Deep", "B", "I", "C"}},
		{"nested and last", true, true, []string{"A", "Deep", "B", "C", "I"}},
	} {
		c := config
		c.NestEmbedded, c.EmbeddedLast = test.nested, test.last
		s, err := typeplan.Fields(reflect.TypeFor[outer](), c)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range s.Fields {
			names = append(names, f.Name)
			if got := reflect.TypeFor[outer]().FieldByIndex(f.Index); got.Name != f.GoName {
				t.Errorf("%s: the index of %s is that of %s", test.name, f.GoName, got.Name)
			}
		}
		if !slices.Equal(names, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, names, test.want)
		}
		if s.Hidden != test.nested { // the unexported type hidden is a field if structs are nested, and is then left out
			t.Errorf("%s: Hidden is %v, want %v", test.name, s.Hidden, test.nested)
		}
	}
}
