package randtype

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

const (
	maxNodes  = 20 // maximum number of types in one type
	maxFields = 6
	maxArray  = 1 << 10 // maximum size of an element in an array of several, in bytes
)

// Type returns a random type.
func (r *Rand) Type() reflect.Type {
	r.room = 1 + r.Below(maxNodes)
	return r.typ()
}

// typ returns a type within the remaining room.
func (r *Rand) typ() reflect.Type {
	r.room--
	if r.room <= 0 {
		return r.simple()
	}
	switch r.Below(10) {
	default:
		return r.simple()
	case 3, 4, 5:
		return r.structure()
	case 6:
		return reflect.SliceOf(r.typ())
	case 7:
		elem, n := r.typ(), r.Below(4)
		if elem.Size() > maxArray {
			n = min(n, 1) // the sizes of nested arrays multiply
		}
		return reflect.ArrayOf(n, elem)
	case 8:
		return reflect.MapOf(r.key(), r.typ())
	case 9:
		return reflect.PointerTo(r.typ())
	}
}

var simpleTypes = []reflect.Type{
	reflect.TypeFor[bool](),
	reflect.TypeFor[int](),
	reflect.TypeFor[int8](),
	reflect.TypeFor[int16](),
	reflect.TypeFor[int32](),
	reflect.TypeFor[int64](),
	reflect.TypeFor[uint](),
	reflect.TypeFor[uint8](),
	reflect.TypeFor[uint16](),
	reflect.TypeFor[uint32](),
	reflect.TypeFor[uint64](),
	reflect.TypeFor[float32](),
	reflect.TypeFor[float64](),
	reflect.TypeFor[complex64](),
	reflect.TypeFor[complex128](),
	reflect.TypeFor[string](),
	reflect.TypeFor[any](),
	reflect.TypeFor[[]byte](),
	reflect.TypeFor[[4]byte](),
	reflect.TypeFor[time.Time](),
	reflect.TypeFor[time.Duration](),
	// Types for which encoders are likely to have special code.
	reflect.TypeFor[[]any](),
	reflect.TypeFor[[]string](),
	reflect.TypeFor[[]float64](),
	reflect.TypeFor[map[string]any](),
	reflect.TypeFor[map[string]string](),
	reflect.TypeFor[map[any]any](),
}

// simple returns a type without elements.
func (r *Rand) simple() reflect.Type {
	i := r.Below(len(simpleTypes) + len(gallery) + len(r.leaves))
	if i < len(simpleTypes) {
		return simpleTypes[i]
	}
	i -= len(simpleTypes)
	if i < len(gallery) {
		return gallery[i]
	}
	return r.leaves[i-len(gallery)].Type
}

// key returns a type for the keys of a map.
func (r *Rand) key() reflect.Type {
	if r.one(2) {
		return reflect.TypeFor[string]()
	}
	if t := r.typ(); t.Comparable() {
		return t
	}
	return reflect.TypeFor[int]()
}

// fieldNames has few names, so that embedded structs shadow each other.
var fieldNames = []string{"A", "B", "C", "D", "Élan", "Identification", "AtLeastSixteenBytesLong", "SoLongThatItDoesNotFitAFixStrAnyMore"}

// tagNames has short, long and non-ASCII names, and names of other fields.
var tagNames = []string{"a", "b", "A", "B", "é", "with spaces", "id", "fifteen bytes !", "exactly thirty-one bytes long !", "exactly thirty-two bytes long !!", strings.Repeat("256", 86)[:256]}

const packagePath = "github.com/octet-go/octet/internal/reference/randtype"

// structure returns a struct type.
func (r *Rand) structure() reflect.Type {
	var fields []reflect.StructField
	if r.one(8) {
		fields = append(fields, reflect.StructField{
			Name: "_", PkgPath: packagePath, Type: reflect.TypeFor[struct{}](), Tag: `msgpack:",as_array"`,
		})
	}
	if r.one(12) {
		fields = append(fields, reflect.StructField{Name: "unexported", PkgPath: packagePath, Type: r.simple()})
	}
	first := r.Below(len(fieldNames))
	integers := r.one(10)
	usedTags := map[string]bool{}
	for i := range r.Below(maxFields + 1) {
		f := reflect.StructField{Name: fieldNames[(first+i)%len(fieldNames)], Type: r.typ()}
		if integers {
			r.integerTag(&f, usedTags)
		} else {
			r.tag(&f, usedTags)
		}
		fields = append(fields, f)
	}
	return reflect.StructOf(fields)
}

// tag gives a field a tag or embeds it.
func (r *Rand) tag(f *reflect.StructField, used map[string]bool) {
	if !r.one(2) {
		return
	}
	below := structBelow(f.Type)
	if below != nil && r.one(3) && !ownKeys(below) {
		// Reflection cannot embed types with methods.
		if r.one(2) && reflect.PointerTo(below).NumMethod() == 0 {
			f.Anonymous = true
		} else {
			f.Tag = `msgpack:",inline"`
		}
		return
	}
	if r.one(8) {
		f.Tag = `msgpack:"-"`
		return
	}
	name := ""
	if r.one(2) {
		name = pick(r, tagNames...)
		if used[name] {
			name = ""
		}
		used[name] = true
	}
	if r.one(16) && !used["-"] {
		used["-"] = true
		f.Tag = `msgpack:"-,"`
		return
	}
	options := pick(r, "", ",omitempty", ",omitzero", ",omitempty,omitzero")
	for range 2 {
		if alias := pick(r, "old", "older", strings.Repeat("alias", 10)); r.one(8) && !used[alias] {
			used[alias] = true
			options += ",alias=" + alias
		}
	}
	if below != nil && r.one(2) {
		options += ",as_array"
	}
	f.Tag = reflect.StructTag(fmt.Sprintf("msgpack:%q", name+options))
}

// ownKeys reports whether a struct has keys that can clash with those of a struct that
// it is promoted into, which is an error.
func ownKeys(t reflect.Type) bool {
	for i := range t.NumField() {
		if tag := string(t.Field(i).Tag); strings.Contains(tag, "keyasint") || strings.Contains(tag, "alias=") {
			return true
		}
	}
	return false
}

// integerNames are keys of every width.
var integerNames = []string{"0", "1", "2", "+3", "-1", "-32", "-33", "127", "128", "-200", "300", "70000", "-70000", "5000000000", "-9223372036854775808", "18446744073709551615"}

// integerTag gives a field the tag of an integer key.
func (r *Rand) integerTag(f *reflect.StructField, used map[string]bool) {
	name := func() string {
		n := pick(r, integerNames...)
		if used[n] { // few fields have more names than there are
			n = fmt.Sprint(1000 + len(used))
		}
		used[n] = true
		return n
	}
	options := ",keyasint"
	for range 2 {
		if r.one(8) {
			options += ",alias=" + name()
		}
	}
	f.Tag = reflect.StructTag(fmt.Sprintf("msgpack:%q", name()+options+pick(r, "", ",omitempty", ",omitzero")))
}

// structBelow returns t or the target type of the pointer t, if that is a
// struct.
func structBelow(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	return t
}
