package randtype

import (
	"bytes"
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
	return diff(nil, reflect.ValueOf(want), reflect.ValueOf(got))
}

func diff(at *place, a, b reflect.Value) string {
	if !a.IsValid() || !b.IsValid() {
		if a.IsValid() != b.IsValid() {
			return differ(at, a, b)
		}
		return ""
	}
	if a.Type() != b.Type() {
		return fmt.Sprintf("%s: want type %v, got %v", at, a.Type(), b.Type())
	}
	if a.Type() == reflect.TypeFor[time.Time]() && a.CanInterface() && b.CanInterface() {
		return unless(a.Interface().(time.Time).Equal(b.Interface().(time.Time)), at, a, b)
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		return unless(sameFloat(a.Float(), b.Float()), at, a, b)
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		return unless(sameFloat(real(x), real(y)) && sameFloat(imag(x), imag(y)), at, a, b)
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return unless(a.IsNil() == b.IsNil(), at, a, b)
		}
		return diff(&place{up: at, kind: pointed}, a.Elem(), b.Elem())
	case reflect.Interface:
		return diff(at, a.Elem(), b.Elem())
	case reflect.Slice:
		if a.IsNil() != b.IsNil() {
			return differ(at, a, b)
		}
		return diffElements(at, a, b)
	case reflect.Array:
		return diffElements(at, a, b)
	case reflect.Map:
		return diffMap(at, a, b)
	case reflect.Struct:
		for i := range a.NumField() {
			if d := diff(&place{up: at, kind: field, in: a, index: i}, a.Field(i), b.Field(i)); d != "" {
				return d
			}
		}
		return ""
	}
	return unless(a.Equal(b), at, a, b)
}

func sameFloat(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Float64bits(a) == math.Float64bits(b)
}

func diffElements(at *place, a, b reflect.Value) string {
	if a.Len() != b.Len() {
		return fmt.Sprintf("%s: want %d elements, got %d", at, a.Len(), b.Len())
	}
	if a.Kind() == reflect.Slice && a.Type().Elem().Kind() == reflect.Uint8 && bytes.Equal(a.Bytes(), b.Bytes()) {
		return ""
	}
	for i := range a.Len() {
		if d := diff(&place{up: at, kind: element, index: i}, a.Index(i), b.Index(i)); d != "" {
			return d
		}
	}
	return ""
}

func diffMap(at *place, a, b reflect.Value) string {
	if a.IsNil() != b.IsNil() {
		return differ(at, a, b)
	}
	if a.Len() != b.Len() {
		return fmt.Sprintf("%s: want %d entries, got %d", at, a.Len(), b.Len())
	}
	for key, elem := range a.Seq2() {
		if found := b.MapIndex(key); found.IsValid() {
			if d := diff(&place{up: at, kind: entryOf, in: key}, elem, found); d != "" {
				return d
			}
		}
	}
	// The remaining keys are those that == does not find: NaN, pointers and
	// values that contain them.
	rest := entriesWithout(b, a)
	for _, e := range entriesWithout(a, b) {
		same := func(o entry) bool { return diff(nil, e.key, o.key) == "" && diff(nil, e.elem, o.elem) == "" }
		i := slices.IndexFunc(rest, same)
		if i < 0 {
			return fmt.Sprintf("%s: want %s, got no such entry", &place{up: at, kind: entryOf, in: e.key}, show(e.elem))
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

// A place is where a value is in another one. Its text is made for differences
// only, because most values are equal.
type place struct {
	up    *place
	kind  placeKind
	index int
	in    reflect.Value // the struct, or the key
}

type placeKind uint8

const (
	field placeKind = iota
	element
	entryOf
	pointed
)

func (p *place) String() string {
	if p == nil {
		return ""
	}
	switch p.kind {
	case field:
		return p.up.String() + "." + p.in.Type().Field(p.index).Name
	case element:
		return fmt.Sprintf("%v[%d]", p.up, p.index)
	case entryOf:
		return p.up.String() + "[" + show(p.in) + "]"
	}
	return "(*" + p.up.String() + ")"
}

func unless(equal bool, at *place, a, b reflect.Value) string {
	if equal {
		return ""
	}
	return differ(at, a, b)
}

func differ(at *place, a, b reflect.Value) string {
	return fmt.Sprintf("%s: want %s, got %s", at, show(a), show(b))
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
