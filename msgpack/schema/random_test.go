package schema_test

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
)

// A shape is a random interface type with its union, which reflection cannot make.
type (
	shape  interface{ area() }
	circle struct {
		Radius float64 `msgpack:"radius"`
	}
	square struct {
		Side int32 `msgpack:"side"`
	}
	figure   interface{ outline() }
	polygon  struct{ Points []int16 }
	triangle struct{ A, B, C uint8 }
)

func (circle) area()      {}
func (square) area()      {}
func (polygon) outline()  {}
func (triangle) outline() {}

// unions are the Options of both readers.
var unions = []msgpack.TypeCoder{
	msgpack.Union[shape]("type", msgpack.VariantOf[circle]("circle"), msgpack.VariantOf[square](2)),
	msgpack.Union[figure]("", msgpack.VariantOf[polygon]("polygon"), msgpack.VariantOf[triangle](-1)),
}

// leafOf is randtype.LeafOf for values that can be nil.
func leafOf[T any](value func(r *randtype.Rand) T) randtype.Leaf {
	return randtype.Leaf{Type: reflect.TypeFor[T](), Value: func(r *randtype.Rand) reflect.Value {
		v := value(r)
		return reflect.ValueOf(&v).Elem()
	}}
}

// leaves are types that randtype has no values for.
var leaves = []randtype.Leaf{
	randtype.LeafOf(func(r *randtype.Rand) msgpack.Number {
		return []msgpack.Number{"", "\x01", "\xff", "\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00", "\xcf\xff\xff\xff\xff\xff\xff\xff\xff"}[r.Below(5)]
	}),
	randtype.LeafOf(func(r *randtype.Rand) msgpack.Raw {
		return []msgpack.Raw{nil, {1}, {0x90}, {0xa1, 'x'}, {0xc0}}[r.Below(5)]
	}),
	randtype.LeafOf(func(r *randtype.Rand) msgpack.Ext {
		return msgpack.Ext{Type: int8(r.Below(100)), Data: r.Bytes()}
	}),
	leafOf(func(r *randtype.Rand) shape {
		return []shape{nil, circle{1.5}, circle{1e300}, square{-3}, square{1 << 20}}[r.Below(5)]
	}),
	leafOf(func(r *randtype.Rand) figure {
		return []figure{nil, polygon{}, polygon{[]int16{-1, 300}}, triangle{1, 2, 200}}[r.Below(4)]
	}),
}

var scalars = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), wholeInt(),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[[]byte](), reflect.TypeFor[[3]byte](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[any](), reflect.TypeFor[complex64](),
	reflect.TypeFor[msgpack.Number](), reflect.TypeFor[msgpack.Raw](), reflect.TypeFor[msgpack.Ext](), reflect.TypeFor[shape](), reflect.TypeFor[figure](),
}

// wholeInt returns int if it has the 64 bits that a schema says on every machine.
func wholeInt() reflect.Type {
	if strconv.IntSize == 64 {
		return reflect.TypeFor[int]()
	}
	return reflect.TypeFor[int64]()
}

var keyTypes = []reflect.Type{
	reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[int8](), reflect.TypeFor[int64](), reflect.TypeFor[uint16](),
	reflect.TypeFor[bool](), reflect.TypeFor[[2]byte](),
}

// A generator makes random types, and changes them as programs do.
type generator struct{ *randtype.Rand }

func pick[T any](g generator, list []T) T { return list[g.Below(len(list))] }

func (g generator) typ(depth int) reflect.Type {
	if depth == 0 {
		return pick(g, scalars)
	}
	switch g.Below(8) {
	case 0:
		return reflect.SliceOf(g.typ(depth - 1))
	case 1:
		return reflect.MapOf(pick(g, keyTypes), g.typ(depth-1))
	case 2:
		return reflect.PointerTo(g.typ(depth - 1))
	case 3:
		return reflect.ArrayOf(1+g.Below(3), g.typ(depth-1))
	case 4, 5:
		return g.structure(depth - 1)
	}
	return pick(g, scalars)
}

// A field is a field of a struct under construction.
type field struct {
	name, options string
	typ           reflect.Type
}

// A structure is a struct under construction.
type structure struct {
	fields            []field
	asArray, integers bool
}

func (s structure) typ() reflect.Type {
	var list []reflect.StructField
	if s.asArray {
		list = append(list, reflect.StructField{Name: "_", PkgPath: "p", Type: reflect.TypeFor[struct{}](), Tag: `msgpack:",as_array"`})
	}
	for _, f := range s.fields {
		name, options := f.name, f.options
		if options == ",inline" {
			name = ""
		}
		if f.typ.Size() == 0 { // it would never be written
			options = strings.NewReplacer(",omitempty", "", ",omitzero", "").Replace(options)
		}
		if s.integers {
			name, options = fmt.Sprint(integerName(name)), options+",keyasint"
			options = strings.ReplaceAll(options, "alias=", "alias=9")
		}
		list = append(list, reflect.StructField{Name: strings.ToUpper(f.name), Type: f.typ, Tag: reflect.StructTag(fmt.Sprintf("msgpack:%q", name+options))})
	}
	return reflect.StructOf(list)
}

// integerName returns the key of a field of a struct whose keys are integers.
func integerName(name string) int { return int(name[0])*40 - 4000 }

// parse is the opposite of typ. ok is false for a type that typ has not made.
func parse(t reflect.Type) (s structure, ok bool) {
	if t.Kind() != reflect.Struct || t.Name() != "" {
		return s, false
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" {
			s.asArray = true
			continue
		}
		_, options, _ := strings.Cut(f.Tag.Get("msgpack"), ",")
		if options != "" {
			options = "," + options
		}
		if strings.Contains(options, ",keyasint") {
			s.integers = true
			options = strings.ReplaceAll(strings.ReplaceAll(options, ",keyasint", ""), "alias=9", "alias=")
		}
		s.fields = append(s.fields, field{strings.ToLower(f.Name), options, f.Type})
	}
	return s, true
}

var fieldNames = strings.Fields("a b c d e f g")

func (g generator) structure(depth int) reflect.Type {
	s := structure{asArray: g.Below(5) == 0, integers: g.Below(6) == 0}
	first := g.Below(len(fieldNames))
	for i := range g.Below(4) {
		s.fields = append(s.fields, g.field(fieldNames[(first+i)%len(fieldNames)], depth))
	}
	if !s.asArray && !s.integers && g.Below(8) == 0 {
		s.fields = append(s.fields, field{"rest", ",inline", reflect.MapOf(reflect.TypeFor[string](), g.typ(depth))})
	}
	return s.typ()
}

func (g generator) field(name string, depth int) field {
	f := field{name, "", g.typ(depth)}
	switch g.Below(8) {
	case 0:
		f.options = ",omitempty"
	case 1:
		f.options = ",omitzero"
	case 2:
		f.options = ",required"
	case 3:
		f.typ, f.options = reflect.MapOf(reflect.TypeFor[string](), reflect.TypeFor[struct{}]()), ",set"
	}
	return f
}

// change returns a type that differs from t, as after an edit.
func (g generator) change(t reflect.Type, depth int) reflect.Type {
	if g.Below(6) == 0 {
		return pick(g, []reflect.Type{g.typ(1), pick(g, scalars), reflect.PointerTo(t)})
	}
	switch t.Kind() {
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 {
			if g.Below(4) == 0 {
				return reflect.ArrayOf(2, t.Elem())
			}
			return reflect.SliceOf(g.change(t.Elem(), depth))
		}
	case reflect.Array:
		if t.Elem().Kind() != reflect.Uint8 {
			return pick(g, []reflect.Type{reflect.SliceOf(t.Elem()), reflect.ArrayOf(1+g.Below(3), t.Elem()), reflect.ArrayOf(t.Len(), g.change(t.Elem(), depth))})
		}
	case reflect.Pointer:
		return pick(g, []reflect.Type{t.Elem(), reflect.PointerTo(g.change(t.Elem(), depth))})
	case reflect.Map:
		if g.Below(3) == 0 {
			return reflect.MapOf(pick(g, keyTypes), t.Elem())
		}
		return reflect.MapOf(t.Key(), g.change(t.Elem(), depth))
	case reflect.Struct:
		if s, ok := parse(t); ok {
			return g.edit(s, depth)
		}
	}
	return pick(g, scalars)
}

// edit changes a struct.
func (g generator) edit(s structure, depth int) reflect.Type {
	used := map[string]bool{}
	for _, f := range s.fields {
		used[f.name] = true
		for _, option := range strings.Split(f.options, ",") {
			used[strings.TrimPrefix(option, "alias=")] = true
		}
	}
	fresh := ""
	for _, name := range fieldNames {
		if !used[name] {
			fresh = name
		}
	}
	last := len(s.fields) - 1
	if i := slices.IndexFunc(s.fields, func(f field) bool { return f.options == ",inline" }); i >= 0 {
		last = i - 1
	}
	if last < 0 || g.Below(4) == 0 && fresh != "" {
		if fresh != "" {
			s.fields = append([]field{}, append(s.fields, g.field(fresh, 1))...)
		}
		return s.typ()
	}
	i := g.Below(last + 1)
	f := &s.fields[i]
	isSet := strings.Contains(f.options, ",set")
	switch g.Below(7) {
	case 0:
		s.fields = append(s.fields[:i:i], s.fields[i+1:]...)
	case 1:
		if fresh != "" && !isSet {
			f.name, f.options = fresh, ""
		}
	case 2:
		if fresh != "" && !strings.Contains(f.options, "alias") {
			f.options += ",alias=" + f.name
			if s.integers { // a number, as typ makes it of the name
				f.options = ""
			}
			f.name = fresh
		}
	case 3:
		if !isSet {
			f.options = pick(g, []string{"", ",omitempty", ",omitzero", ",required"})
		}
	case 4:
		if !slices.ContainsFunc(s.fields, func(f field) bool { return f.options == ",inline" }) {
			s.asArray = !s.asArray
		}
	default:
		if isSet {
			f.typ, f.options = pick(g, []reflect.Type{reflect.TypeFor[[]string](), reflect.TypeFor[map[string]bool]()}), ""
		} else {
			f.typ = g.change(f.typ, depth)
			if f.typ.Kind() != reflect.Struct {
				f.options = strings.ReplaceAll(f.options, ",as_array", "")
			}
		}
	}
	return s.typ()
}

// written returns t without the options that omit fields.
func written(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Slice:
		if t.Name() == "" {
			return reflect.SliceOf(written(t.Elem()))
		}
	case reflect.Array:
		return reflect.ArrayOf(t.Len(), written(t.Elem()))
	case reflect.Pointer:
		return reflect.PointerTo(written(t.Elem()))
	case reflect.Map:
		if t.Name() == "" {
			return reflect.MapOf(t.Key(), written(t.Elem()))
		}
	case reflect.Struct:
		if s, ok := parse(t); ok {
			for i := range s.fields {
				f := &s.fields[i]
				f.options = strings.NewReplacer(",omitempty", "", ",omitzero", "").Replace(f.options)
				f.typ = written(f.typ)
			}
			return s.typ()
		}
	}
	return t
}

// value returns a random value in which more parts are zero than in those of randtype.
func (g generator) value(t reflect.Type) reflect.Value {
	v := g.Value(t)
	g.clear(v)
	return v
}

func (g generator) clear(v reflect.Value) {
	if v.CanSet() && g.Below(8) == 0 {
		v.SetZero()
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			g.clear(v.Field(i))
		}
	case reflect.Pointer:
		g.clear(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			g.clear(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			return
		}
		for range g.Below(3) { // keys that are those of fields
			key := reflect.New(v.Type().Key()).Elem()
			name := pick(g, fieldNames)
			switch key.Kind() {
			case reflect.String:
				key.SetString(name)
			case reflect.Int8, reflect.Int64:
				key.SetInt(int64(integerName(name)))
			case reflect.Uint16:
				key.SetUint(uint64(max(integerName(name), 0)))
			}
			v.SetMapIndex(key, g.value(v.Type().Elem()))
		}
	}
}
