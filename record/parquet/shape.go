package parquet

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/msgpack/wire"
)

// maxKeys is the number of different keys after which maps are no longer groups.
const maxKeys = 256

// A trait is something that the values at a place of the records have.
type trait uint16

const (
	hasNil trait = 1 << iota
	hasBool
	hasInt
	hasFloat32
	hasFloat64
	hasStr
	hasBinary // bin, or str that is not UTF-8
	hasArray
	hasMap
	hasTime
	hasFarTime // outside of the range of nanoseconds
	hasExt

	hasNegative // ints below 0
	hasLarge    // above the largest int64
	hasInexact  // not exact as float 64
	tooDeep     // parts were not looked at
)

const numbers = hasInt | hasFloat32 | hasFloat64

// A shape is what is known of all values at one place.
type shape struct {
	traits trait
	fields map[string]*shape // of maps that are groups
	order  map[string]int64  // of each field: where it was first
	elem   *shape            // of arrays
	// key and val are the shapes of maps that are not groups; otherwise they are nil.
	key, val *shape

	// For JSON: the fields in the order in which they were first, as long as that is the
	// order of the maps, with their names in quotes; and the number of the last map that
	// has this field.
	usual  []*shape
	quoted string
	stamp  uint64
}

// guess skips the key of the usual field number i, if it comes next, and returns the field.
func (s *shape) guess(i int, t *jsonText) *shape {
	if i < len(s.usual) && s.usual[i].quoted != "" && t.word(s.usual[i].quoted) {
		return s.usual[i]
	}
	return nil
}

// asMap merges the keys and values of a map that is not a group.
func (s *shape) asMap() {
	if s.key != nil {
		return
	}
	s.key, s.val = &shape{}, &shape{}
	for name, f := range s.fields {
		s.key.traits |= traitOf([]byte(name))
		s.val.merge(f)
	}
	s.fields, s.order, s.usual = nil, nil, nil
}

// merge adds what other knows, which must not be used afterwards.
func (s *shape) merge(other *shape) {
	s.traits |= other.traits
	if other.elem != nil {
		if s.elem == nil {
			s.elem = &shape{}
		}
		s.elem.merge(other.elem)
	}
	if other.key != nil || s.key != nil {
		s.asMap()
		other.asMap()
		s.key.merge(other.key)
		s.val.merge(other.val)
		return
	}
	for name, f := range other.fields {
		if mine := s.field(name, other.order[name]); mine != nil {
			mine.merge(f)
			continue
		}
		s.asMap()
		other.asMap()
		s.key.merge(other.key)
		s.val.merge(other.val)
		return
	}
}

// field returns the shape of a field, which was found at place, or nil if there are too
// many.
func (s *shape) field(name string, place int64) *shape {
	f := s.fields[name]
	if f == nil {
		if len(s.fields) == maxKeys {
			return nil
		}
		if s.fields == nil {
			s.fields, s.order = map[string]*shape{}, map[string]int64{}
		}
		f = &shape{quoted: quoted(name)}
		s.usual = append(s.usual, f)
		s.fields[name] = f
		s.order[name] = place
	}
	s.order[name] = min(s.order[name], place)
	return f
}

// A typer makes types from shapes.
type typer struct {
	budget int // columns that are left
	// open are the types of places at which no value says what it is: there are only
	// nils, and empty arrays or maps.
	open map[*schema.Type]bool
}

func newTyper() *typer { return &typer{maxColumns / 2, map[*schema.Type]bool{}} }

// value returns the type that holds all values of s. Each may be nil, as in columns.
func (y *typer) value(s *shape) schema.Value {
	return schema.Value{Nil: true, Type: y.schemaType(s)}
}

func (y *typer) schemaType(s *shape) *schema.Type {
	t := &schema.Type{Kind: msgpack.FormAny, Length: -1}
	kinds := s.traits &^ (hasNil | hasNegative | hasLarge | hasInexact | hasFarTime | tooDeep)
	if s.traits&tooDeep != 0 || y.budget <= 0 {
		return t
	}
	y.budget--
	switch {
	case kinds == hasBool:
		t.Kind = msgpack.FormBool
	case kinds == hasInt && s.traits&hasLarge == 0:
		t.Kind, t.Bits = msgpack.FormInt, 64
	case kinds == hasInt && s.traits&hasNegative == 0:
		t.Kind, t.Bits = msgpack.FormUint, 64
	case kinds == hasFloat32:
		t.Kind, t.Bits = msgpack.FormFloat, 32
	case kinds != 0 && kinds&^numbers == 0 && kinds != hasInt && s.traits&hasInexact == 0:
		t.Kind, t.Bits = msgpack.FormFloat, 64
	case kinds == hasStr:
		t.Kind = msgpack.FormStr
	case kinds == hasBinary || kinds == hasBinary|hasStr:
		t.Kind = msgpack.FormBin
	case kinds == hasTime && s.traits&hasFarTime == 0:
		t.Kind = msgpack.FormTime
	case kinds == hasExt:
		t.Kind, t.AnyExt = msgpack.FormExt, true
	case kinds == hasArray && s.elem != nil && s.elem.traits&^hasNil != 0:
		t.Kind = msgpack.FormArray
		t.Elem = y.value(s.elem)
	case kinds == hasMap && s.key != nil && s.key.traits&hasNil == 0:
		t.Kind = msgpack.FormMap
		t.Key, t.Elem = y.value(s.key), y.value(s.val)
		y.open[t] = y.open[t.Elem.Type]
	case kinds == hasMap && s.key == nil && len(s.fields) > 0:
		t.Kind = msgpack.FormStruct
		names := make([]string, 0, len(s.fields))
		for name := range s.fields {
			names = append(names, name)
		}
		slices.SortFunc(names, func(a, b string) int {
			return cmp.Or(cmp.Compare(s.order[a], s.order[b]), cmp.Compare(a, b))
		})
		for _, name := range names {
			t.Fields = append(t.Fields, schema.Field{Name: name, OmitEmpty: true, Value: y.value(s.fields[name])})
		}
	case kinds == 0 || kinds == hasArray || kinds == hasMap && s.key == nil:
		y.open[t] = true
	}
	return t
}

// traitOf returns hasStr, or hasBinary for a str that is not UTF-8.
func traitOf(text []byte) trait {
	if utf8.Valid(text) {
		return hasStr
	}
	return hasBinary
}

// traitsOfInt returns the traits of an int.
func traitsOfInt(i int64) trait {
	t := hasInt
	if i < 0 {
		t |= hasNegative
	}
	if i > maxExact || i < -maxExact {
		t |= hasInexact
	}
	return t
}

// traitsOf returns the traits of a value without parts.
func traitsOf(h wire.Header, raw []byte) trait {
	switch h.Format.Kind() {
	case wire.KindNil:
		return hasNil
	case wire.KindBool:
		return hasBool
	case wire.KindInt:
		i, _, big := integer(h, raw)
		if big {
			return hasInt | hasLarge | hasInexact
		}
		return traitsOfInt(i)
	case wire.KindFloat:
		if h.Format == wire.Float32 {
			return hasFloat32
		}
		return hasFloat64
	case wire.KindStr:
		return traitOf(raw[h.Size:])
	case wire.KindBin:
		return hasBinary
	case wire.KindExt:
		switch _, reason := nanoseconds(msgpack.TimeExt, h, raw); reason {
		case "":
			return hasTime
		case noTime:
			return hasTime | hasFarTime
		}
		return hasExt
	}
	return 0
}
