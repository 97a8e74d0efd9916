package typeplan_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/typeplan"
)

type (
	Bad struct {
		Name string `plan:",omitemtpy"`
	}
	BadInlined struct {
		Deep struct{ *Bad } `plan:",inline"`
	}
	// The error is in a struct whose fields are all shadowed.
	BadShadowed struct {
		Bad
		Name string
	}
)

type wrong struct {
	X int
	f int `plan:"f"` //lint:ignore U1000 the error is the subject
}

func TestFieldsErrors(t *testing.T) {
	tests := []struct {
		name   string
		typ    reflect.Type
		path   string
		reason string
	}{
		{"nil", nil, "", "not a struct"},
		{"int", reflect.TypeFor[int](), "", "not a struct"},
		{"pointer to struct", reflect.TypeFor[*Named](), "", "not a struct"},

		{"unknown option", reflect.TypeFor[Bad](), "Name", `unknown option "omitemtpy"`},
		{"in inlined and embedded", reflect.TypeFor[BadInlined](), "Deep.Bad.Name", `unknown option "omitemtpy"`},
		{"in a shadowed field", reflect.TypeFor[BadShadowed](), "Bad.Name", `unknown option "omitemtpy"`},
		{"option with a space", tagged[int](`, omitempty`), "F", `unknown option " omitempty"`},
		{"empty option", tagged[int](`f,`), "F", `empty option in tag "f,"`},
		{"empty option and no name", tagged[int](`,`), "F", `empty option in tag ","`},
		{"empty option first", tagged[int](`f,,omitempty`), "F", `empty option in tag "f,,omitempty"`},
		{"empty option after -", tagged[int](`-,omitempty,`), "F", `empty option in tag "-,omitempty,"`},

		{"inline with a name", tagged[Named](`f,inline`), "F", `option "inline" on a field with the name "f"`},
		{"inline with another", tagged[Named](`,inline,omitempty`), "F", `option "omitempty" on a struct whose fields are promoted`},
		{"inline of a map with numbers as keys", tagged[map[int]int](`,inline`), "F", `option "inline" on map[int]int, which is not a struct or pointer to struct`},
		{"inline of a map with a name", tagged[map[string]int](`f,inline`), "F", `option "inline" on a field with the name "f"`},
		{"inline of a map with another", tagged[map[string]int](`,inline,omitempty`), "F", `option "omitempty" on a map whose entries are promoted`},
		{"inline of two maps", reflect.TypeOf(struct {
			A, B map[string]int `plan:",inline"`
		}{}), "B", `option "inline" on a second map, after A`},
		{"inline of **struct", tagged[**Named](`,inline`), "F", `option "inline" on **typeplan_test.Named, which is not a struct or pointer to struct`},
		{"inline of time.Time", tagged[time.Time](`,inline`), "F", `option "inline" on time.Time, which has only unexported fields`},
		{"inline of unexported", reflect.TypeOf(struct {
			f Named `plan:",inline"`
		}{}), "f", `tag ",inline" on an unexported field`},
		{"as_array on a slice", tagged[[]Named](`,as_array`), "F", `option "as_array" on []typeplan_test.Named, which is not a struct or pointer to struct`},
		{"set on a slice", tagged[[]int](`,set`), "F", `option "set" on []int, which is not a map[T]struct{} or a pointer to one`},
		{"set on a struct", tagged[struct{}](`,set`), "F", `option "set" on struct {}, which is not a map[T]struct{} or a pointer to one`},
		{"set on a map of bools", tagged[map[string]bool](`,set`), "F", `option "set" on map[string]bool, which is not a map[T]struct{} or a pointer to one`},
		{"set in array form", tagged[map[string]struct{}](`,set,as_array`), "F", `option "as_array" on map[string]struct {}, which is not a struct or pointer to struct`},
		{"as_array on embedded", reflect.TypeOf(struct {
			Named `plan:",as_array"`
		}{}), "Named", `option "as_array" on a struct whose fields are promoted`},
		{"as_array on embedded non-struct", reflect.TypeOf(struct {
			Number `plan:",as_array"`
		}{}), "Number", `option "as_array" on typeplan_test.Number, which is not a struct or pointer to struct`},
		{"omitempty on unexported", reflect.TypeOf(struct {
			f int `plan:",omitempty"`
		}{}), "f", `tag ",omitempty" on an unexported field`},
		{"name of an unexported field", reflect.TypeOf(struct {
			X int
			f int `plan:"f"`
		}{}), "f", `tag "f" on an unexported field`},
		{"empty tag of an unexported field", reflect.TypeOf(struct {
			f int `plan:""`
		}{}), "f", `tag "" on an unexported field`},
		{"name - of an unexported field", reflect.TypeOf(struct {
			f int `plan:"-,"`
		}{}), "f", `tag "-," on an unexported field`},
		{"unknown option of an unexported field", reflect.TypeOf(struct {
			f int `plan:",oops"`
		}{}), "f", `unknown option "oops"`},
		{"in an embedded struct", reflect.TypeOf(struct{ wrong }{}), "wrong.f", `tag "f" on an unexported field`},
		{"omitempty on unexported embedded non-struct", reflect.TypeOf(struct {
			number `plan:",omitempty"`
		}{}), "number", `tag ",omitempty" on an unexported field`},
		{"name of an unexported embedded non-struct", reflect.TypeOf(struct {
			number `plan:"n"`
		}{}), "number", `tag "n" on an unexported field`},

		{"blank with a name", reflect.TypeOf(struct {
			_ struct{} `plan:"f"`
		}{}), "_", `name "f" on a blank field`},
		{"blank with an unknown option", reflect.TypeOf(struct {
			_ struct{} `plan:",oops"`
		}{}), "_", `unknown option "oops"`},
		{"blank with an unknown option beside a known one", reflect.TypeOf(struct {
			_ struct{} `plan:",as_array,oops"`
		}{}), "_", `unknown option "oops"`},
		{"blank inline", reflect.TypeOf(struct {
			_ struct{} `plan:",inline"`
		}{}), "_", `option "inline" on a blank field`},
		{"blank omitempty", reflect.TypeOf(struct {
			_ struct{} `plan:",as_array,omitempty"`
		}{}), "_", `option "omitempty" on a blank field`},
		{"blank omitzero", reflect.TypeOf(struct {
			_ struct{} `plan:",omitzero"`
		}{}), "_", `option "omitzero" on a blank field`},
		{"blank with a size", reflect.TypeOf(struct {
			_ int `plan:",as_array"`
		}{}), "_", `option "as_array" on a blank field that is not a struct{}`},

		{"two names", reflect.TypeOf(struct {
			A int `plan:"x"`
			B int `plan:"x,omitempty"`
		}{}), "B", `name "x" is also the name of field A`},
		{"two names, one embedded", reflect.TypeOf(struct {
			Named `plan:"x"`
			B     int `plan:"x"`
		}{}), "B", `name "x" is also the name of field Named`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := typeplan.Fields(test.typ, config)
			e, ok := errors.AsType[*typeplan.Error](err)
			if !ok {
				t.Fatalf("got %v, want *Error", err)
			}
			if want := (typeplan.Error{Type: test.typ, Path: test.path, Reason: test.reason}); *e != want {
				t.Errorf("got  %+v\nwant %+v", *e, want)
			}
		})
	}
}

func TestErrorText(t *testing.T) {
	tests := []struct {
		err  typeplan.Error
		want string
	}{
		{typeplan.Error{Type: reflect.TypeFor[Bad](), Path: "A.B", Reason: "a reason"}, "typeplan: type typeplan_test.Bad, field A.B: a reason"},
		{typeplan.Error{Type: reflect.TypeFor[int](), Reason: "not a struct"}, "typeplan: type int: not a struct"},
		{typeplan.Error{Reason: "not a struct"}, "typeplan: type <nil>: not a struct"},
	}
	for _, test := range tests {
		if got := test.err.Error(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// tagged returns a struct type with one field F.
func tagged[T any](tag string) reflect.Type {
	return reflect.StructOf([]reflect.StructField{
		{Name: "F", Type: reflect.TypeFor[T](), Tag: reflect.StructTag(`plan:"` + tag + `"`)},
	})
}
