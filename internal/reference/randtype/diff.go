package randtype

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"
)

// Diff returns the path and both values of the first difference between two
// values, or "" if they are equal. Two values are equal if decoding does not
// distinguish them:
//
//   - Types must be equal, including the dynamic types of interfaces.
//   - A nil slice or map differs from an empty one, because one is encoded as
//     nil and the other as an empty container.
//   - NaN equals NaN with any payload, but 0 differs from -0.
//   - Times are equal if they are the same instant, in any time zone.
//   - Pointers are equal if their targets are. Maps are equal if their entries
//     are; keys that contain NaN or pointers are compared with the same rules.
//   - Unexported fields are compared too.
//
// The values must not contain themselves.
func Diff(want, got any) string {
	return diff("", reflect.ValueOf(want), reflect.ValueOf(got))
}

func diff(path string, a, b reflect.Value) string {
	if !a.IsValid() || !b.IsValid() {
		if a.IsValid() != b.IsValid() {
			return differ(path, a, b)
		}
		return ""
	}
	if a.Type() != b.Type() {
		return fmt.Sprintf("%s: want type %v, got %v", path, a.Type(), b.Type())
	}
	if a.Type() == reflect.TypeFor[time.Time]() && a.CanInterface() && b.CanInterface() {
		return unless(a.Interface().(time.Time).Equal(b.Interface().(time.Time)), path, a, b)
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return unless(sameFloat(a.Float(), b.Float()), path, a, b)
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		return unless(sameFloat(real(x), real(y)) && sameFloat(imag(x), imag(y)), path, a, b)
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return unless(a.IsNil() == b.IsNil(), path, a, b)
		}
		return diff("(*"+path+")", a.Elem(), b.Elem())
	case reflect.Interface:
		return diff(path, a.Elem(), b.Elem())
	case reflect.Slice:
		if a.IsNil() != b.IsNil() {
			return differ(path, a, b)
		}
		return diffElements(path, a, b)
	case reflect.Array:
		return diffElements(path, a, b)
	case reflect.Map:
		return diffMap(path, a, b)
	case reflect.Struct:
		for i := range a.NumField() {
			if d := diff(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i)); d != "" {
				return d
			}
		}
		return ""
	}
	return unless(a.Equal(b), path, a, b)
}

func sameFloat(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Float64bits(a) == math.Float64bits(b)
}

func diffElements(path string, a, b reflect.Value) string {
	if a.Len() != b.Len() {
		return fmt.Sprintf("%s: want %d elements, got %d", path, a.Len(), b.Len())
	}
	for i := range a.Len() {
		if d := diff(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i)); d != "" {
			return d
		}
	}
	return ""
}

func diffMap(path string, a, b reflect.Value) string {
	if a.IsNil() != b.IsNil() {
		return differ(path, a, b)
	}
	if a.Len() != b.Len() {
		return fmt.Sprintf("%s: want %d entries, got %d", path, a.Len(), b.Len())
	}
	for key, elem := range a.Seq2() {
		if found := b.MapIndex(key); found.IsValid() {
			if d := diff(pathToKey(path, key), elem, found); d != "" {
				return d
			}
		}
	}
	// The remaining keys are those that == does not find: NaN, pointers and
	// values that contain them.
	rest := entriesWithout(b, a)
	for _, e := range entriesWithout(a, b) {
		same := func(o entry) bool { return diff("", e.key, o.key) == "" && diff("", e.elem, o.elem) == "" }
		i := slices.IndexFunc(rest, same)
		if i < 0 {
			return fmt.Sprintf("%s: want %s, got no such entry", pathToKey(path, e.key), show(e.elem))
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return ""
}

type entry struct{ key, elem reflect.Value }

// entriesWithout returns the entries of a whose keys are not in b.
func entriesWithout(a, b reflect.Value) (entries []entry) {
	for key, elem := range a.Seq2() {
		if !b.MapIndex(key).IsValid() {
			entries = append(entries, entry{key, elem})
		}
	}
	return entries
}

func pathToKey(path string, key reflect.Value) string { return path + "[" + show(key) + "]" }

func unless(equal bool, path string, a, b reflect.Value) string {
	if equal {
		return ""
	}
	return differ(path, a, b)
}

func differ(path string, a, b reflect.Value) string {
	return fmt.Sprintf("%s: want %s, got %s", path, show(a), show(b))
}

// show formats a value and shortens it to a readable length.
func show(v reflect.Value) string {
	const longest = 100
	s := fmt.Sprintf("%#v", v)
	if len(s) > longest {
		s = s[:longest] + "…"
	}
	return s
}
