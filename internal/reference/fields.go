package reference

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
)

// A structure describes a struct type for encoding and decoding.
type structure struct {
	fields  []field // in the order of their index
	asArray bool    // a blank field has the option as_array
}

// A field is one field of a struct, or of a struct embedded in it.
type field struct {
	name   string
	index  []int
	tagged bool // whether the name is from the tag
	options
	aliases []string // further names
}

type options struct {
	omitEmpty, omitZero, inline, asArray, keyAsInt bool
}

// matches reports whether key is that of f.
func (f field) matches(key value) bool {
	for _, name := range append([]string{f.name}, f.aliases...) {
		switch {
		case key.kind == intKind && f.keyAsInt && key.integer.String() == name:
			return true
		case (key.kind == strKind || key.kind == binKind) && !f.keyAsInt && string(key.content) == name:
			return true
		}
	}
	return false
}

// in returns the field of the struct v. ok is false if an embedded pointer on
// the path is nil.
func (f field) in(v reflect.Value) (x reflect.Value, ok bool) {
	for _, i := range f.index {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}, false
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v, true
}

// allocate returns the field of the struct v. It allocates the embedded
// pointers on the path that are nil.
func (f field) allocate(v reflect.Value) (reflect.Value, error) {
	for _, i := range f.index {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				if !v.CanSet() {
					return v, fmt.Errorf("%w: reflection cannot allocate unexported type %v for a nil pointer", ErrUnsupported, v.Type().Elem())
				}
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v, nil
}

// fieldsOf returns the fields of t according to encoding/json: level by level,
// first those of the struct itself, then those of its embedded structs, then
// those of the structs embedded in these.
func fieldsOf(t reflect.Type) (s structure, err error) {
	var candidates []field
	var hidden bool
	scanned := map[reflect.Type]bool{}
	for level := []embedded{{typ: t}}; len(level) > 0; {
		var next []embedded
		for i, e := range level {
			if scanned[e.typ] {
				continue // its fields are shadowed or already present
			}
			scanned[e.typ] = true
			found, err := scan(e)
			if err != nil {
				return s, fmt.Errorf("%w: %v: %w", ErrUnsupported, t, err)
			}
			candidates = append(candidates, found.fields...)
			if slices.ContainsFunc(level[i+1:], func(o embedded) bool { return o.typ == e.typ }) {
				candidates = append(candidates, found.fields...) // twice, so that all its names tie
			}
			next = append(next, found.embedded...)
			hidden = hidden || found.hidden
			s.asArray = s.asArray || found.asArray && len(e.index) == 0
		}
		level = next
	}
	for _, c := range candidates {
		if wins(c, candidates) {
			s.fields = append(s.fields, c)
		}
	}
	if err := distinct(s.fields); err != nil {
		return s, fmt.Errorf("%w: %v: %w", ErrUnsupported, t, err)
	}
	if len(s.fields) == 0 && hidden {
		return s, fmt.Errorf("%w: %v has only unexported fields", ErrUnsupported, t)
	}
	slices.SortFunc(s.fields, func(a, b field) int { return slices.Compare(a.index, b.index) })
	return s, nil
}

// distinct returns an error if an alias has two meanings, or if some keys are integers
// and others strings.
func distinct(fields []field) error {
	used := map[string]int{}
	for _, f := range fields {
		if f.keyAsInt != fields[0].keyAsInt {
			return fmt.Errorf("integers and strings as keys")
		}
		for _, name := range append([]string{f.name}, f.aliases...) {
			used[name]++
		}
	}
	for name, n := range used {
		if n > 1 {
			return fmt.Errorf("alias %q has two meanings", name)
		}
	}
	return nil
}

// wins reports whether c has precedence for its name: it is the only candidate
// of the least depth, or the only one there with a name from its tag.
func wins(c field, candidates []field) bool {
	var rivals, tagged int // both count c
	for _, o := range candidates {
		if o.name != c.name {
			continue
		}
		if len(o.index) < len(c.index) {
			return false
		}
		if len(o.index) == len(c.index) {
			rivals++
			if o.tagged {
				tagged++
			}
		}
	}
	return rivals == 1 || c.tagged && tagged == 1
}

// An embedded struct is a struct whose fields are promoted, or the outermost
// one.
type embedded struct {
	typ    reflect.Type
	index  []int
	inline bool // its tag has the option inline
}

// A scannedStruct is the result for one struct, without its embedded structs.
type scannedStruct struct {
	fields   []field
	embedded []embedded
	asArray  bool
	hidden   bool // it has unexported contents and no tag that omits a field on purpose
}

func scan(e embedded) (s scannedStruct, err error) {
	var skipped bool
	for i := range e.typ.NumField() {
		sf := e.typ.Field(i)
		index := append(slices.Clone(e.index), i)
		text := sf.Tag.Get("msgpack")
		if text == "-" {
			skipped = true
			continue
		}
		name, aliases, o, err := parseTag(text)
		if err == nil {
			err = misplaced(sf, name, aliases, o)
		}
		if err != nil {
			return s, fmt.Errorf("%s: %w", sf.Name, err)
		}
		switch {
		case sf.Name == "_":
			s.asArray = s.asArray || o.asArray
		case !visible(sf):
			s.hidden = s.hidden || sf.Type.Size() > 0
		case promotes(sf, name, o):
			s.embedded = append(s.embedded, embedded{structOf(sf.Type), index, o.inline})
		default:
			f := field{name: name, index: index, tagged: name != "", options: o, aliases: aliases}
			if name == "" {
				f.name = sf.Name
			}
			twin := func(g field) bool { return g.tagged && f.tagged && g.name == f.name }
			if slices.ContainsFunc(s.fields, twin) {
				return s, fmt.Errorf("%s: another field has the name %q", sf.Name, name)
			}
			s.fields = append(s.fields, f)
		}
	}
	s.hidden = s.hidden && !skipped
	if e.inline && s.hidden && len(s.fields) == 0 && len(s.embedded) == 0 {
		return s, fmt.Errorf("inline %v has only unexported fields", e.typ)
	}
	return s, nil
}

// parseTag parses a tag other than "-".
func parseTag(text string) (name string, aliases []string, o options, err error) {
	if text == "-," {
		return "-", nil, o, nil
	}
	words := strings.Split(text, ",")
	for _, word := range words[1:] {
		alias, isAlias := strings.CutPrefix(word, "alias=")
		switch {
		case isAlias && alias != "":
			aliases = append(aliases, alias)
		case word == "omitempty":
			o.omitEmpty = true
		case word == "omitzero":
			o.omitZero = true
		case word == "inline":
			o.inline = true
		case word == "as_array":
			o.asArray = true
		case word == "keyasint":
			o.keyAsInt = true
		default:
			return "", nil, o, fmt.Errorf("unknown option %q", word)
		}
	}
	name = words[0]
	if o.keyAsInt {
		for i, text := range append([]string{name}, aliases...) {
			n, ok := new(big.Int).SetString(text, 10)
			if !ok || !n.IsInt64() && !n.IsUint64() {
				return "", nil, o, fmt.Errorf("name %q is not an integer", text)
			}
			if i == 0 {
				name = n.String()
			} else {
				aliases[i-1] = n.String()
			}
		}
	}
	return name, aliases, o, nil
}

// misplaced returns an error if the tag is not valid on its field.
func misplaced(sf reflect.StructField, name string, aliases []string, o options) error {
	isStruct := structOf(sf.Type) != nil
	switch {
	case sf.Name == "_":
		if name != "" || len(aliases) > 0 || o.omitEmpty || o.omitZero || o.inline || o.keyAsInt || o.asArray && sf.Type.Size() > 0 {
			return fmt.Errorf("tag on a blank field")
		}
	case !visible(sf):
		if _, ok := sf.Tag.Lookup("msgpack"); ok { // "-" was handled before
			return fmt.Errorf("tag on an unexported field")
		}
	case o == options{} && len(aliases) == 0:
		return nil
	case o.inline && (name != "" || !isStruct):
		return fmt.Errorf("inline on a field that has a name or is not a struct")
	case o.asArray && !isStruct:
		return fmt.Errorf("as_array on a field that is not a struct")
	case promotes(sf, name, o) && (o.omitEmpty || o.omitZero || o.asArray || o.keyAsInt || len(aliases) > 0):
		return fmt.Errorf("options on a struct whose fields are promoted")
	}
	return nil
}

// promotes reports whether the fields of sf are promoted.
func promotes(sf reflect.StructField, name string, o options) bool {
	return structOf(sf.Type) != nil && (o.inline || sf.Anonymous && name == "")
}

// visible reports whether sf can be encoded or may contain fields that can be.
func visible(sf reflect.StructField) bool {
	return sf.IsExported() || sf.Anonymous && structOf(sf.Type) != nil
}

// structOf returns t or the target type of the pointer t, if that is a struct.
// Otherwise it returns nil.
func structOf(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct {
		return t
	}
	return nil
}
