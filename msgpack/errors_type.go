package msgpack

import (
	"reflect"
	"strconv"
	"strings"
)

// withType sets the Go type of err, which occurred at its path in a value of type
// root.
func (c *plans) withType(err error, root reflect.Type) error {
	if e, ok := err.(*Error); ok {
		e.Type = c.typeAt(root, e.Path)
	}
	return err
}

// typeAt returns the type that path leads to from type t, or nil if that is not
// known.
func (c *plans) typeAt(t reflect.Type, path string) reflect.Type {
	for path != "" {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
			continue
		}
		if c.makers[t] != nil || t == pairsType {
			return nil // the path is not one of Go fields and elements
		}
		step, rest := cutStep(path)
		path = rest
		index := len(step) > 2 && step[0] == '[' && (step[1] >= '0' && step[1] <= '9')
		switch kind := t.Kind(); {
		case kind == reflect.Struct:
			f, ok := t.FieldByName(step)
			if !ok {
				return nil
			}
			t = f.Type
		case kind == reflect.Map && step == "[key]":
			if k := t.Key().Kind(); k != reflect.String && (k < reflect.Int || k > reflect.Uintptr) {
				return nil // "[key]" stands for the key and for the element of such a map
			}
			t = t.Key()
		case kind == reflect.Map, index && (kind == reflect.Slice || kind == reflect.Array):
			t = t.Elem()
		default:
			return nil
		}
	}
	return t
}

// cutStep cuts the first step from a path: the name of a field, or brackets with
// an index or a quoted key.
func cutStep(path string) (step, rest string) {
	path = strings.TrimPrefix(path, ".")
	end := strings.IndexAny(path, ".[")
	if end == 0 {
		quoted, _ := strconv.QuotedPrefix(path[1:]) // none for an index
		end = len(quoted) + strings.IndexByte(path[len(quoted):], ']') + 1
	}
	if end <= 0 {
		end = len(path)
	}
	return path[:end], path[end:]
}
