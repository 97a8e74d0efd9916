package typeplan

import (
	"errors"
	"reflect"
)

// Walk calls visit once for each type that t contains, including t itself,
// which is first and has an empty path. It visits the types inside a type only
// if visit returns true. If visit returns an error, Walk stops and returns it.
// A type that contains itself is visited once. Types with shorter paths are
// visited first, and types with paths of the same length in order of
// declaration.
//
// Paths are in Go notation and relative to t: "Name" for a struct field,
// "Base.Name" for a field of an embedded struct, "Users[]" for the elements of
// a slice or array, "M[key]" and "M[]" for the keys and elements of a map. A
// pointer and its target have the same path and are both visited. Interfaces,
// channels and functions contain no other types.
//
// Walk follows every field of a struct, including unexported and blank fields.
// See [Config.Walk] for a walk that considers tags and promotion.
func Walk(t reflect.Type, visit func(path string, t reflect.Type) (descend bool, err error)) error {
	return walk(t, visit, func(at step) (fields []step, err error) {
		for i := range at.typ.NumField() {
			f := at.typ.Field(i)
			fields = append(fields, step{f.Name, f.Type})
		}
		return fields, nil
	})
}

// Walk is like the function [Walk], but follows only the fields that [Fields]
// returns. It does not follow a field tagged "-", and the path of a promoted
// field is the one in Go code. The path of an error of Fields is relative to t.
func (c Config) Walk(t reflect.Type, visit func(path string, t reflect.Type) (descend bool, err error)) error {
	return walk(t, visit, func(at step) (fields []step, err error) {
		s, err := Fields(at.typ, c)
		if e, ok := errors.AsType[*Error](err); ok {
			return nil, &Error{Type: t, Path: join(at.path, e.Path), Reason: e.Reason}
		}
		for _, f := range s.Fields {
			fields = append(fields, step{f.GoName, f.Type})
		}
		if s.Rest != nil {
			fields = append(fields, step{s.Rest.GoName, s.Rest.Type})
		}
		return fields, err
	})
}

// step is a type and its path.
type step struct {
	path string
	typ  reflect.Type
}

// walk visits the types in breadth-first order, so that the first path to each
// type is the shortest.
func walk(t reflect.Type, visit func(string, reflect.Type) (bool, error), fields func(at step) ([]step, error)) error {
	if t == nil {
		return nil
	}
	seen := map[reflect.Type]bool{t: true}
	queue := []step{{"", t}}
	enter := func(path string, t reflect.Type) {
		if !seen[t] {
			seen[t] = true
			queue = append(queue, step{path, t})
		}
	}
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		descend, err := visit(at.path, at.typ)
		if err != nil {
			return err
		}
		if !descend {
			continue
		}
		switch at.typ.Kind() {
		case reflect.Pointer:
			enter(at.path, at.typ.Elem())
		case reflect.Slice, reflect.Array:
			enter(at.path+"[]", at.typ.Elem())
		case reflect.Map:
			enter(at.path+"[key]", at.typ.Key())
			enter(at.path+"[]", at.typ.Elem())
		case reflect.Struct:
			below, err := fields(at)
			if err != nil {
				return err
			}
			for _, f := range below {
				enter(join(at.path, f.path), f.typ)
			}
		}
	}
	return nil
}
