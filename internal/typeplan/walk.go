package typeplan

import (
	"errors"
	"reflect"
)

// Walk calls visit once for each type that t is made of, t itself first with an
// empty path, and goes below a type only if visit says descend. It ends with
// the first error of visit and returns that. A recursive type ends where it
// meets itself. The shorter path to a type comes first, then the one declared
// first.
//
// A path is Go-like and relative to t: "Name" for a struct field, "Base.Name"
// through an embedded one, "Users[]" for the elements of a slice or an array,
// "M[key]" and "M[]" for the keys and the values of a map. A pointer and what it
// points at have the same path and are both visited. Interfaces, channels and
// functions have nothing below them.
//
// Every Go field of a struct is followed, unexported and blank ones too. See
// [Config.Walk] for those that tags and promotion leave.
func Walk(t reflect.Type, visit func(path string, t reflect.Type) (descend bool, err error)) error {
	return walk(t, visit, func(at step) (fields []step, err error) {
		for i := range at.typ.NumField() {
			f := at.typ.Field(i)
			fields = append(fields, step{f.Name, f.Type})
		}
		return fields, nil
	})
}

// Walk is [Walk] along the fields that [Fields] finds, so that a field tagged "-"
// is not followed and a promoted one has the path that Go code would write. An
// error of Fields has its path from t.
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

// step is a type with the path that leads to it.
type step struct {
	path string
	typ  reflect.Type
}

// walk visits breadth first, so that each type is met by its shortest path.
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
