package msgpack

import (
	"encoding"
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"strconv"

	"github.com/octet-go/octet/internal/typeplan"
)

// formMap is the form of a planKey for a struct that is a variant of a union with a
// discriminator, and therefore a map. Only [Form.Describe] uses it.
const formMap = "map"

// maxPointers limits the pointers of a type that Describe follows. Only a type that
// consists of nothing but pointers to itself has more.
const maxPointers = 100

// Describe returns the Description of f. The error, of type *[Error], is
// [ErrUnsupported] if the type itself has no MessagePack form, or if f is the zero Form
// or that of the type nil. The parts of the type are not tested.
func (f Form) Describe() (Description, error) {
	if f.key.typ == nil {
		return Description{Length: -1}, &Error{Op: opMarshal, Found: "no type", Err: ErrUnsupported}
	}
	f.plans.ofType(f.key.typ) // compiles the type and all its parts
	f.plans.mu.Lock()
	defer f.plans.mu.Unlock()
	k := compiler{plans: f.plans, begun: map[planKey]*plan{}}
	return k.describe(f)
}

// describe is Describe for a type whose parts have been compiled.
func (k *compiler) describe(f Form) (Description, error) {
	c, d := k.plans, Description{Length: -1}
	for i := 0; f.key.typ.Kind() == reflect.Pointer; i++ {
		// Functions for a pointer type are also registered for its element.
		f.key.typ, d.Nil = f.key.typ.Elem(), true
		if i == maxPointers { // f is the Form of a pointer again
			d.Base = f
			return d, &Error{Op: opMarshal, Found: f.key.typ.String(), Err: ErrUnsupported, Type: f.key.typ}
		}
	}
	d.Base = f
	t, key := f.key.typ, f.key
	if key.form == formMap {
		key.form = ""
	}
	if why := k.plan(key).unsupported; why != nil {
		return d, &Error{Op: opMarshal, Path: why.Path, Found: why.Found, Err: why.Err, Type: t}
	}
	switch r := c.types[t]; {
	case r != nil:
		r.describe(&d)
	case t == timeType:
		d.Kind, d.Time = FormTime, c.Time
	case t == rawType:
		d.Kind, d.Nil = FormRaw, true
	case t == extType:
		d.Kind, d.AnyExt = FormExt, true
	case t == numberType:
		d.Kind, d.Nil = FormNumber, true
	case t == pairsType:
		d.Kind, d.Pairs, d.Nil = FormMap, true, d.Nil || !c.NilMapAsEmpty
		d.Key, d.Elem = Form{c, planKey{typ: anyType}}, Form{c, planKey{typ: anyType}}
	default:
		if value := atomicValue(t); value != nil {
			t = value
		}
		if t.Kind() == reflect.Interface || !k.describeMethods(t, &d) {
			k.describeKind(t, f.key.form, &d)
		}
	}
	return d, nil
}

// Fingerprint returns a text that changes with everything that code which [Generated]
// holds depends on: the types, their forms, the names of fields, and their options. The
// error is that of [Form.Describe].
func (f Form) Fingerprint() (string, error) {
	if _, err := f.Describe(); err != nil {
		return "", err
	}
	f.plans.mu.Lock()
	defer f.plans.mu.Unlock()
	k := compiler{plans: f.plans, begun: map[planKey]*plan{}}
	return k.fingerprint(f), nil
}

func (k *compiler) fingerprint(f Form) string {
	hash, done := fnv.New64a(), map[Form]int{}
	var add func(f Form)
	add = func(f Form) {
		i, ok := done[f]
		if fmt.Fprintf(hash, "#%d", i); ok {
			return
		}
		done[f] = len(done) + 1
		t := f.key.typ
		d, err := k.describe(f)
		fmt.Fprintf(hash, "%q %q %q %d %t %t %t %t %v", t.PkgPath(), t.String(), f.key.form, d.Kind, d.Checked, d.AsArray, d.IntegerKeys, d.Rest, err)
		switch {
		case d.Base != f:
			add(d.Base)
		case d.Kind == FormArray && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array):
			add(d.Elem)
		case d.Kind == FormStruct:
			for i := range t.NumField() {
				fmt.Fprintf(hash, "%q %q", t.Field(i).Name, t.Field(i).Type)
			}
		}
		for i := range d.Fields {
			g := &d.Fields[i]
			fmt.Fprintf(hash, "%q %q %q %t %t %t %t %t", g.Name, g.Aliases, g.GoName, g.Nil, g.Required, g.OmitEmpty, g.OmitZero, g.OmitNil)
			add(g.Form)
		}
	}
	add(f)
	return strconv.FormatUint(hash.Sum64(), 16)
}

// describeMethods describes a type that is not encoded or decoded by its kind. If the two
// directions differ, the result is FormOwn.
func (k *compiler) describeMethods(t reflect.Type, d *Description) bool {
	own, o := k.ownCodec(t), &k.plans.Compat
	if own.encode == nil && own.decode == nil {
		return false
	}
	d.Nil = d.Nil || k.nilMethods(t)
	d.Checked = true
	switch {
	case own.encoded == resultValue || own.decoded == resultValue:
		d.Kind = FormOwn
	case o.OldFormats || own.encoded == resultText && !o.TextAsBin:
		d.Kind = FormStr
	default:
		d.Kind = FormBin
	}
	return true
}

// nilMethods reports whether a nil of type t, which has methods, is written as nil.
func (k *compiler) nilMethods(t reflect.Type) bool {
	if t.Kind() != reflect.Slice && t.Kind() != reflect.Map {
		ptr := reflect.PointerTo(t)
		ignoreText, ignoreBinary := k.ignoredMethods(t)
		standard, _ := k.makeStandardCodec(t)
		return k.plans.Compat.NilMethods != NilCalled && standard.encode == nil && // its methods can return nil
			(ptr.Implements(reflect.TypeFor[encoding.BinaryMarshaler]()) && !ignoreBinary || ptr.Implements(reflect.TypeFor[encoding.TextMarshaler]()) && !ignoreText)
	}
	if t.PkgPath() == "net" && t.Name() == "IP" && !k.plans.Compat.TextAsBin {
		return !k.plans.NilSliceAsEmpty
	}
	return k.plans.Compat.NilMethods != NilCalled
}

// describeKind describes a type that is encoded by its kind.
func (k *compiler) describeKind(t reflect.Type, form string, d *Description) {
	c := k.plans
	part := func(t reflect.Type) Form { return Form{c, planKey{typ: t}} }
	d.Nil = d.Nil || c.nilable(t.Kind())
	switch t.Kind() {
	case reflect.Bool:
		d.Kind = FormBool
	case reflect.Int:
		d.Kind, d.Bits = FormInt, 64
	case reflect.Uint:
		d.Kind, d.Bits = FormUint, 64
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		d.Kind, d.Bits = FormInt, t.Bits()
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		d.Kind, d.Bits = FormUint, t.Bits()
	case reflect.Float32, reflect.Float64:
		d.Kind, d.Bits = FormFloat, t.Bits()
	case reflect.Complex64:
		d.Kind, d.Length, d.Elem = FormArray, 2, part(reflect.TypeFor[float32]())
	case reflect.Complex128:
		d.Kind, d.Length, d.Elem = FormArray, 2, part(reflect.TypeFor[float64]())
	case reflect.String:
		d.Kind = FormStr
	case reflect.Slice, reflect.Array:
		if t.Kind() == reflect.Array {
			d.Length = t.Len()
		}
		switch {
		case !k.isBytes(t):
			d.Kind, d.Elem = FormArray, part(t.Elem())
		case k.bytesAsText():
			d.Kind = FormStr
		default:
			d.Kind = FormBin
		}
	case reflect.Map:
		d.Kind, d.Key, d.Elem = FormMap, part(t.Key()), part(t.Elem())
		if form == optionSet {
			d.Kind, d.Set, d.Key, d.Elem = FormArray, true, Form{}, d.Key
			d.RejectUnknown, d.ExactArrays = k.plans.RejectUnknown, k.plans.ExactArrays
		}
	case reflect.Interface:
		// The input does not say which type a non-empty interface needs.
		if t.NumMethod() > 0 {
			d.Kind = FormOwn
		}
	case reflect.Struct:
		k.describeStruct(t, form, d)
	}
}

// describeStruct describes a struct type, which has been compiled without an error.
func (k *compiler) describeStruct(t reflect.Type, form string, d *Description) {
	c := k.plans
	s, err := typeplan.Fields(t, c.tags)
	if err != nil {
		return
	}
	d.Kind, d.IntegerKeys, d.RejectUnknown, d.ExactArrays = FormStruct, s.IntegerKeys(), c.RejectUnknown && s.Rest == nil, c.ExactArrays
	d.AsArray = form != formMap && (form == optionAsArray || s.Options.Has(optionAsArray) || c.StructAsArray)
	if s.Rest != nil {
		d.Rest, d.Elem = true, Form{c, planKey{typ: s.Rest.Type.Elem()}}
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		g := FieldForm{
			Name: f.Name, Aliases: slices.Clone(f.Aliases), GoName: f.GoName,
			Form:       Form{c, planKey{f.Type, fieldForm(f.Options)}},
			Required:   f.Options.Has(optionRequired),
			EncodeOnly: slices.ContainsFunc(f.Hops, func(h typeplan.Hop) bool { return !h.Exported }),
		}
		behind := len(f.Hops) > 0
		if d.AsArray {
			g.Nil = behind
		} else {
			empty, zero := c.omits(f)
			g.OmitEmpty, g.OmitZero = empty && c.canBeEmpty(f.Type), zero
			g.Nil = behind && c.nilEmbedded(&s, f) && !g.OmitEmpty && !g.OmitZero
			g.OmitNil = behind && !g.Nil
		}
		d.Fields = append(d.Fields, g)
	}
}

// canBeEmpty reports whether omitempty ever omits a field of type t.
func (o *policy) canBeEmpty(t reflect.Type) bool {
	if atomicValue(t) != nil || o.Compat.Empty != EmptyByLength {
		return true
	}
	switch t.Kind() {
	case reflect.Struct:
		return false
	case reflect.Array:
		return t.Len() == 0
	}
	return true
}

// describeOwn describes a type with functions for whole values.
func (f *functions) describeOwn(d *Description) {
	d.Kind = FormOwn
	d.Nil = d.Nil || f.nilable()
}

// describe describes a union.
func (u *unionType) describe(discriminator string, d *Description) {
	c := d.Base.plans
	d.Kind, d.Nil, d.Discriminator = FormUnion, true, discriminator
	for i := range u.variants {
		v, form := &u.variants[i], ""
		if discriminator != "" {
			form = formMap
		}
		d.Variants = append(d.Variants, VariantForm{v.name, v.number, v.named, Form{c, planKey{v.typ, form}}})
	}
}
