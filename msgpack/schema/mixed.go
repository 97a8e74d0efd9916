package schema

import (
	"slices"

	"github.com/octet-go/octet/msgpack"
)

// mixed notes the effect on a reader of r that reads messages of w. The kinds differ, or
// the types have no parts. It follows the table of package msgpack that says into which
// Go types each value can be decoded.
func (c *comparer) mixed(w, r *Type) {
	if w.Kind == msgpack.FormOwn || r.Kind == msgpack.FormOwn {
		if r.Kind != msgpack.FormAny && r.Kind != msgpack.FormRaw && !(w.Kind == r.Kind && w.Name == r.Name) {
			c.note(Fails)
		}
		return
	}
	ok := false
	switch r.Kind {
	case msgpack.FormRaw:
		ok = true
	case msgpack.FormAny:
		c.intoAny(w, r)
		return
	case msgpack.FormBool:
		ok = w.Kind == msgpack.FormBool
	case msgpack.FormInt, msgpack.FormUint:
		ok = fitsInt(w.asNumber(), r)
	case msgpack.FormFloat:
		ok = fitsFloat(w.asNumber(), r)
	case msgpack.FormNumber:
		k := w.asNumber().Kind
		ok = k == msgpack.FormInt || k == msgpack.FormUint || k == msgpack.FormFloat || k == msgpack.FormNumber
	case msgpack.FormTime:
		c.intoTime(w, r)
		return
	case msgpack.FormExt:
		ok = w.Kind == msgpack.FormExt && (r.AnyExt || !w.AnyExt && w.Ext == r.Ext) ||
			w.Kind == msgpack.FormTime && w.Time == msgpack.TimeExt && r.AnyExt
	case msgpack.FormStr, msgpack.FormBin:
		c.intoBytes(w, r)
		return
	case msgpack.FormArray:
		c.intoArray(w, r)
		return
	case msgpack.FormMap:
		c.intoMap(w, r)
		return
	case msgpack.FormStruct:
		c.intoStruct(w, r)
		return
	}
	c.note(failsIf(!ok))
}

// asNumber returns the type of the integers that a time is written as, or t.
func (t *Type) asNumber() *Type {
	if t.Kind == msgpack.FormTime && t.Time > msgpack.TimeRFC3339 {
		return &Type{Kind: msgpack.FormInt, Bits: 64}
	}
	return t
}

// fitsInt reports whether all numbers of w fit the integer type r.
func fitsInt(w, r *Type) bool {
	switch {
	case w.Kind == r.Kind:
		return w.Bits <= r.Bits
	case w.Kind == msgpack.FormUint:
		return w.Bits < r.Bits
	}
	return false // a float may have a fraction
}

// fitsFloat reports whether all numbers of w are exact in the float type r.
func fitsFloat(w, r *Type) bool {
	mantissa := 53
	if r.Bits == 32 {
		mantissa = 24
	}
	switch w.Kind {
	case msgpack.FormFloat:
		return w.Bits <= r.Bits
	case msgpack.FormInt:
		return w.Bits-1 <= mantissa
	case msgpack.FormUint:
		return w.Bits <= mantissa
	}
	return false
}

// intoAny notes the effect on a variable of type any, which r describes. It decodes
// everything but maps with keys that Go maps cannot have.
func (c *comparer) intoAny(w, r *Type) {
	any := Value{r, true}
	if w.Kind == msgpack.FormMap && (w.Pairs || !w.Key.Type.hashable()) {
		c.note(Fails)
	}
	for _, part := range w.parts() {
		if w.Kind != msgpack.FormMap || part != w.Key {
			c.value("", part, any, newReader)
		}
	}
}

// intoTime notes the effect on a time.
func (c *comparer) intoTime(w, r *Type) {
	switch {
	case w.Kind == msgpack.FormTime && (w.Time == msgpack.TimeExt || w.Time == r.Time):
	case r.Time <= msgpack.TimeRFC3339 || !fitsInt(w.asNumber(), &Type{Kind: msgpack.FormInt, Bits: 64}):
		c.note(Fails)
	case w.Kind == msgpack.FormTime:
		c.note(Loses) // in another unit
	}
}

// intoBytes notes the effect on a str or bin.
func (c *comparer) intoBytes(w, r *Type) {
	switch {
	case r.Checked:
		c.note(failsIf(!w.Checked || w.Name != r.Name))
	case w.Kind == msgpack.FormStr || w.Kind == msgpack.FormBin:
		c.note(failsIf(r.Length >= 0 && r.Length != w.Length))
	case w.Kind == msgpack.FormTime && w.Time == msgpack.TimeRFC3339:
		c.note(failsIf(r.Length >= 0))
	case r.Kind == msgpack.FormBin && c.elementsOf(w, r.Length, Value{Type: &Type{Kind: msgpack.FormUint, Bits: 8}}):
	default:
		c.note(Fails)
	}
}

// elementsOf notes the effect on a reader of an array with elements of type elem and, if
// it is not negative, exactly that length. It returns false if w is not an array.
func (c *comparer) elementsOf(w *Type, length int, elem Value) bool {
	switch {
	case w.Kind == msgpack.FormArray:
		c.note(failsIf(length >= 0 && length != w.Length))
		c.value("", w.Elem, elem, newReader)
	case w.Kind == msgpack.FormStruct && w.AsArray:
		c.note(failsIf(length >= 0 && length != len(w.Fields)))
		for i := range w.Fields {
			c.value("", w.Fields[i].Value, elem, newReader)
		}
	case w.Kind == msgpack.FormUnion && w.Discriminator == "":
		for i := range w.Variants {
			c.elementsOf(w.Variants[i].asArray(), length, elem)
		}
	default:
		return false
	}
	return true
}

// elements returns the number of elements of a type that is written as an array, or -1 if
// it is not known.
func (t *Type) elements() int {
	switch t.Kind {
	case msgpack.FormArray:
		return t.Length
	case msgpack.FormStruct:
		return len(t.Fields)
	}
	return 2 // a union: the tag and the value
}

// asArray returns the array of tag and value that a variant is written as.
func (v *Variant) asArray() *Type {
	return &Type{Kind: msgpack.FormStruct, AsArray: true, Fields: []Field{{Value: tagValue(v.Tag)}, {Value: v.Value}}}
}

// intoArray notes the effect on an array or set. A set also decodes maps: it takes their
// keys.
func (c *comparer) intoArray(w, r *Type) {
	if c.elementsOf(w, r.Length, r.Elem) {
		if n := w.elements(); r.Set && n != 0 {
			c.note(asSet(n))
			c.note(failsIf(r.Elem.Type.Kind == msgpack.FormAny))
		}
		return
	}
	if !r.Set {
		c.note(Fails)
		return
	}
	c.entriesOf(w, r.Elem, Value{Type: &Type{Kind: msgpack.FormStruct, RejectUnknown: r.RejectUnknown, ExactArrays: r.ExactArrays}})
}

// intoMap notes the effect on a map.
func (c *comparer) intoMap(w, r *Type) { c.entriesOf(w, r.Key, r.Elem) }

// entriesOf notes the effect on a reader of a map of something that is no Go map, and on
// one of a set.
func (c *comparer) entriesOf(w *Type, key, elem Value) {
	switch {
	case w.Kind == msgpack.FormMap:
		c.keys("", w.Key, key, newReader)
		c.value("", w.Key, key, newReader)
		c.value("", w.Elem, elem, newReader)
	case w.Kind == msgpack.FormStruct && !w.AsArray:
		if len(w.Fields) > 0 || w.Rest {
			c.value("", w.keyValue(key.Type.Kind == msgpack.FormFloat), key, newReader)
		}
		for i := range w.Fields {
			c.value("", w.Fields[i].written(), elem, newReader)
		}
		if w.Rest {
			c.value("", w.Elem, elem, newReader)
		}
	case w.Kind == msgpack.FormUnion && w.Discriminator != "":
		c.value("", textValue, key, newReader)
		for i := range w.Variants {
			c.value("", tagValue(w.Variants[i].Tag), elem, newReader)
			c.entriesOf(w.Variants[i].Type, key, elem)
		}
	default:
		c.note(Fails)
	}
}

var textValue = Value{Type: &Type{Kind: msgpack.FormStr, Length: -1}}

// tagValue returns the type of a tag.
func tagValue(tag any) Value {
	if _, ok := tag.(string); ok {
		return textValue
	}
	return Value{Type: &Type{Kind: msgpack.FormInt, Bits: 64}}
}

// intoStruct notes the effect on a struct.
func (c *comparer) intoStruct(w, r *Type) {
	switch {
	case w.Kind == msgpack.FormMap:
		c.mapIntoStruct(w, r)
	case w.Kind == msgpack.FormArray:
		c.arrayIntoStruct(w, r)
	case w.Kind == msgpack.FormUnion && w.Discriminator == "":
		for i := range w.Variants {
			c.positions("", w.Variants[i].asArray(), r, newReader)
		}
	case w.Kind == msgpack.FormUnion:
		for i := range w.Variants {
			v := w.Variants[i].Type
			// The tag is one more field.
			tagged := *v
			tagged.Fields = append([]Field{{Value: tagValue(w.Variants[i].Tag), Name: w.Discriminator}}, v.Fields...)
			c.structs("", &tagged, r, newReader)
		}
	default:
		c.note(Fails)
	}
}

// mapIntoStruct notes the effect on a struct that reads a map with any keys.
func (c *comparer) mapIntoStruct(w, r *Type) {
	c.note(r.unknown(w, Loses))
	keys := w.Key.Type.Kind
	if r.Rest {
		c.value("", w.Key, textValue, newReader)
		c.value("", w.Elem, r.Elem, newReader)
	}
	// Keys of another type are those of no field.
	matches := keys == msgpack.FormAny || keys == msgpack.FormRaw || keys == msgpack.FormOwn ||
		!r.IntegerKeys && (keys == msgpack.FormStr || keys == msgpack.FormBin || keys == msgpack.FormTime && w.Key.Type.Time == msgpack.TimeRFC3339) ||
		r.IntegerKeys && (keys == msgpack.FormInt || keys == msgpack.FormUint || keys == msgpack.FormNumber || keys == msgpack.FormTime && w.Key.Type.Time > msgpack.TimeRFC3339)
	for i := range r.Fields {
		f := &r.Fields[i]
		c.note(failsIf(f.Required))
		if matches && f.hasKeyOf(w.Key.Type) {
			c.value("", w.Elem, f.Value, newReader)
			c.note(failsIf(f.EncodeOnly))
			if len(f.Aliases) > 0 { // both keys may be in the map
				c.note(Loses)
			}
		}
	}
}

// hasKeyOf reports whether one of the keys of f can be among those of type t, as far as
// their length or width decides it.
func (f *Field) hasKeyOf(t *Type) bool {
	fits := func(name string) bool {
		switch t.Kind {
		case msgpack.FormStr, msgpack.FormBin:
			return t.Length < 0 || t.Length == len(name)
		case msgpack.FormInt, msgpack.FormUint:
			key := Type{IntegerKeys: true, Fields: []Field{{Name: name}}}
			return fitsInt(key.integerKey(false), t)
		}
		return true
	}
	return fits(f.Name) || slices.ContainsFunc(f.Aliases, fits)
}

// arrayIntoStruct notes the effect on a struct that reads an array.
func (c *comparer) arrayIntoStruct(w, r *Type) {
	if w.Length < 0 || w.Length != len(r.Fields) {
		c.note(failsIf(r.ExactArrays))
	}
	if w.Length < 0 || w.Length > len(r.Fields) {
		c.note(Loses)
	}
	for i := range r.Fields {
		f := &r.Fields[i]
		if w.Length >= 0 && i >= w.Length {
			c.note(failsIf(f.Required))
			continue
		}
		c.note(failsIf(f.Required && w.Length < 0 || f.EncodeOnly))
		c.value("", w.Elem, f.Value, newReader)
	}
}
