package msgpack

import (
	"math/bits"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
)

// decodeOver decodes into the variable at v as if it were zero, but may keep the memory
// that it refers to: the elements of slices, the variables of pointers, and small maps.
// The elements of slices and arrays are decoded so. A type without a function for this,
// such as one with methods, is cleared.
func (p *plan) decodeOver(d *decoder, v mem.Ptr) error {
	switch {
	case p.reuse != nil:
		return p.reuse(d, v)
	case !p.get.isScalar():
		mem.Value(p.typ, v).SetZero()
	}
	return p.decode(d, v)
}

// setsAll reports whether decoding sets all of a variable, whatever is in it.
func (p *plan) setsAll() bool {
	return p.get.isScalar() || p.typ.Kind() == reflect.Pointer && p.reuse != nil && p.elem.get.isScalar()
}

// keepsMemory reports whether a variable of type t can refer to memory that decodeOver
// keeps. All others are cleared.
func keepsMemory(t reflect.Type) bool {
	return !allParts(t, func(k reflect.Kind) bool { return k != reflect.Slice && k != reflect.Map && k != reflect.Pointer })
}

// keptGroups limits the size of a map that is kept, because the time for clearing a map
// depends on its largest size so far, which the input does not pay for.
const keptGroups = 8

// reuseMap returns the function for decodeOver of a map type.
//
//go:noinline
func reuseMap(pointer mem.TypeWord, decode decodeFunc) decodeFunc {
	return func(d *decoder, p mem.Ptr) error {
		if m := p.Deref(); !m.IsNil() && mem.MapLen(m) > 0 {
			groups := keptGroups + 1
			if mem.MapTables(m) == 1 {
				_, groups = mem.MapGroups(m, 0)
			}
			if groups <= keptGroups {
				mem.Variable(pointer, p).Clear()
			} else {
				p.SetPtr(mem.Ptr{})
			}
		}
		return decode(d, p)
	}
}

// reuse is decodeOver for the struct. It records which fields occur, so that the
// others can be cleared.
func (s *structDecoder) reuse(d *decoder, p mem.Ptr) error {
	o := s.over.Load()
	if o == nil { // made on first use, because most types need none
		o = s.makeOver()
		s.over.Store(o)
	}
	for i := range o.hidden {
		o.hidden[i].clear(p)
	}
	return o.decode(d, p)
}

// makeOver returns the decoder that decodes into a used struct.
func (s *structDecoder) makeOver() *structDecoder {
	o := &structDecoder{
		typ: s.typ, want: s.want, fields: s.fields, required: s.required, reject: s.reject, exact: s.exact, numbers: s.numbers, used: true,
		aliases: s.aliases, integers: s.integers,
	}
	o.makeSets()
	declared := make(map[uintptr]reflect.Type, len(s.fields))
	for i := range s.fields {
		f := &s.fields[i]
		declared[f.offset] = f.plan.typ
		decode := f.plan.decodeOver
		o.byIndex.decoders[i] = decode // elements of an array cannot occur twice
		if f.plan.setsAll() {
			o.byKey.decoders[i] = decode
			continue
		}
		o.byKey.decoders[i] = func(d *decoder, v mem.Ptr) error {
			// The value of a key that occurs again is decoded into the first one, as in a
			// new variable.
			if d.again {
				return f.decode(d, v)
			}
			return decode(d, v)
		}
	}
	o.copyToAliases()
	o.addHidden(s.typ, 0, declared)
	return o
}

// addHidden adds those fields of t, a struct at an offset, that are not declared. They
// are not decoded.
func (s *structDecoder) addHidden(t reflect.Type, offset uintptr, declared map[uintptr]reflect.Type) {
	for i := range t.NumField() {
		switch f := t.Field(i); {
		case declared[offset+f.Offset] == f.Type:
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			s.addHidden(f.Type, offset+f.Offset, declared)
		default:
			s.hidden = append(s.hidden, structField{offset: offset + f.Offset, plan: &plan{typ: f.Type, size: int(f.Type.Size())}})
		}
	}
}

// clearOthers clears the fields that have not occurred. seen has a bit for each field.
func (s *structDecoder) clearOthers(seen []uint64, p mem.Ptr) {
	for i := 0; i < len(s.fields); i += 64 {
		missing := ^seen[i/64]
		if left := len(s.fields) - i; left < 64 {
			missing &= 1<<left - 1
		}
		for ; missing != 0; missing &= missing - 1 {
			s.fields[i+bits.TrailingZeros64(missing)].clear(p)
		}
	}
}

// clear sets the field of the struct at p to zero.
func (f *structField) clear(p mem.Ptr) {
	switch at := p.Add(f.offset); {
	case f.get == getString, f.get == getAlias:
		*mem.At[string](at) = ""
	case f.get == getNil:
		at.SetPtr(mem.Ptr{})
	case f.get == getList:
		*mem.At[mem.SliceHeader](at) = mem.SliceHeader{}
	case f.get.isNumber():
		mem.Clear(at, f.plan.size)
	default:
		mem.Value(f.plan.typ, at).SetZero()
	}
}
