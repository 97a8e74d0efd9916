package typeplan_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/octet-go/octet/internal/typeplan"
)

type (
	Tree struct {
		Left, Right *Tree
		Leaf        *string
	}
	Group struct {
		Users  []User
		Lookup map[[2]rune]chan int
	}
	User struct {
		Address
		Boss  *User
		Group *Group
		Skip  func() `plan:"-"`
		Any   any    `plan:"any"`
	}
	Nest [][]Nest
)

// TestWalk checks the order and the paths in which Walk visits the parts of a
// type.
func TestWalk(t *testing.T) {
	tests := []struct {
		name string
		walk func(reflect.Type, func(string, reflect.Type) (bool, error)) error
		typ  reflect.Type
		want []string
	}{
		{"nil", typeplan.Walk, nil, nil},
		{"basic", typeplan.Walk, reflect.TypeFor[int](), []string{" int"}},
		{"pointers", typeplan.Walk, reflect.TypeFor[**int](), []string{" **int", " *int", " int"}},
		{"leaves", typeplan.Walk, reflect.TypeFor[[]chan []int](), []string{" []chan []int", "[] chan []int"}},
		{"recursive struct", typeplan.Walk, reflect.TypeFor[Tree](), []string{
			" typeplan_test.Tree", "Left *typeplan_test.Tree", "Leaf *string", "Leaf string"}},
		{"recursive slice", typeplan.Walk, reflect.TypeFor[Nest](), []string{" typeplan_test.Nest", "[] []typeplan_test.Nest"}},
		{"map in map", typeplan.Walk, reflect.TypeFor[map[string]map[bool]int8](), []string{
			" map[string]map[bool]int8", "[key] string", "[] map[bool]int8", "[][key] bool", "[][] int8"}},
		{"every field", typeplan.Walk, reflect.TypeFor[Group](), []string{
			" typeplan_test.Group",
			"Users []typeplan_test.User", "Lookup map[[2]int32]chan int",
			"Users[] typeplan_test.User",
			"Lookup[key] [2]int32", "Lookup[] chan int",
			"Users[].Address typeplan_test.Address", "Users[].Boss *typeplan_test.User", "Users[].Group *typeplan_test.Group",
			"Users[].Skip func()", "Users[].Any interface {}",
			"Lookup[key][] int32",
			"Users[].Address.Street string", "Users[].Address.point typeplan_test.point",
			"Users[].Address.point.X int8"}},
		{"fields that count", config.Walk, reflect.TypeFor[Group](), []string{
			" typeplan_test.Group",
			"Users []typeplan_test.User", "Lookup map[[2]int32]chan int",
			"Users[] typeplan_test.User",
			"Lookup[key] [2]int32", "Lookup[] chan int",
			"Users[].Street string", "Users[].X int8", "Users[].Boss *typeplan_test.User", "Users[].Group *typeplan_test.Group",
			"Users[].Any interface {}",
			"Lookup[key][] int32"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			err := test.walk(test.typ, func(path string, t reflect.Type) (bool, error) {
				got = append(got, path+" "+t.String())
				return true, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// TestWalkDescendsOnlyWhereTold checks that Walk does not visit the parts of a type
// for which visit returns false.
func TestWalkDescendsOnlyWhereTold(t *testing.T) {
	var got []string
	err := typeplan.Walk(reflect.TypeFor[Group](), func(path string, t reflect.Type) (bool, error) {
		got = append(got, path)
		return t.Kind() != reflect.Slice && t.Kind() != reflect.Array, nil
	})
	if want := []string{"", "Users", "Lookup", "Lookup[key]", "Lookup[]"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestWalkEndsWithTheErrorOfVisit(t *testing.T) {
	stop := errors.New("stop")
	last := ""
	err := config.Walk(reflect.TypeFor[Group](), func(path string, t reflect.Type) (bool, error) {
		last = path
		if t.Kind() == reflect.Chan {
			return true, stop
		}
		return true, nil
	})
	if err != stop || last != "Lookup[]" {
		t.Errorf("got %v after %q", err, last)
	}
}

func TestWalkReportsTagsFromItsRoot(t *testing.T) {
	type root struct{ All map[string][]*BadInlined }
	err := config.Walk(reflect.TypeFor[root](), func(string, reflect.Type) (bool, error) { return true, nil })
	const want = `typeplan: type typeplan_test.root, field All[][].Deep.Bad.Name: unknown option "omitemtpy"`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
