package msgpack

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
)

// A unionType is what [Union] was given.
type unionType struct {
	typ      reflect.Type
	variants []Variant
}

// A Variant is one type of a union and its tag, see [VariantOf].
type Variant struct {
	typ reflect.Type
	// The tag is name if named, else number.
	name   string
	number int64
	named  bool
}

// A Tag tells the variants of a union apart. It is a string or an integer, and
// is encoded as str or int.
type Tag interface {
	~string | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32
}

// VariantOf makes T a variant of a union, with a tag, as in
// VariantOf[Circle]("circle"). The variant holds values of exactly type T.
func VariantOf[T any, G Tag](tag G) Variant {
	t, v := reflect.TypeFor[T](), reflect.ValueOf(tag)
	switch {
	case v.Kind() == reflect.String:
		return Variant{typ: t, name: v.String(), named: true}
	case v.CanInt():
		return Variant{typ: t, number: v.Int()}
	}
	return Variant{typ: t, number: int64(v.Uint())}
}

// Union makes variables of interface type I hold one of the variants, for
// [Config].Types. Fields, elements, keys, and what pointers point at are such
// variables. The argument of Marshal is not, because its type is any: pass a
// pointer to the variable.
//
// With an empty discriminator, a value is an array of two, the tag and the value
// in its own form: ["circle", {"radius": 1}].
//
// With a discriminator, it is a map whose first entry is the tag, followed by the
// fields of the variant: {"type": "circle", "radius": 1}. All variants must then
// be structs, or pointers to structs, in map form, without methods of their own,
// and without a field of that name. The tag comes first even if keys are sorted.
// In the input it may be any entry. If it is not the first, the value is scanned
// once more to find it, together with the unions inside, so that time remains
// linear.
//
// A nil interface is nil, and so is a nil pointer in the form with a
// discriminator. A decoded value is new, whatever the variable held before. A
// tag that no variant has, and a value whose type is none of the variants, are
// [ErrVariant].
func Union[I any](discriminator string, variants ...Variant) TypeCoder {
	u := &unionType{reflect.TypeFor[I](), slices.Clone(variants)}
	return TypeCoder{func(r *registrar) error { return r.addUnion(u, discriminator) }}
}

func (v *Variant) tag() string {
	if v.named {
		return strconv.Quote(v.name)
	}
	return strconv.FormatInt(v.number, 10)
}

// A registeredUnion is an interface type, and the field that registers it.
type registeredUnion struct {
	typ   reflect.Type
	field string
}

// addUnion checks what can be checked before types are compiled.
func (r *registrar) addUnion(u *unionType, discriminator string) error {
	switch {
	case u.typ.Kind() != reflect.Interface:
		return r.refuse("Union of %v, not an interface", u.typ)
	case u.typ == anyType:
		return r.refuse("Union of any; define an interface type")
	case len(u.variants) == 0:
		return r.refuse("Union of %v has no variants", u.typ)
	}
	types, tags := map[reflect.Type]bool{}, map[string]bool{}
	for i := range u.variants {
		switch v := &u.variants[i]; {
		case v.typ == nil:
			return r.refuse("zero Variant; use VariantOf")
		case v.typ.Kind() == reflect.Interface:
			return r.refuse("variant %v is an interface", v.typ)
		case !v.typ.Implements(u.typ):
			return r.refuse("variant %v does not implement %v", v.typ, u.typ)
		case types[v.typ]:
			return r.refuse("variant %v appears twice", v.typ)
		case tags[v.tag()]:
			return r.refuse("tag %s appears twice", v.tag())
		default:
			types[v.typ], tags[v.tag()] = true, true
		}
	}
	r.unions = append(r.unions, registeredUnion{u.typ, r.field})
	d := r.discriminator(discriminator)
	return r.add(u.typ, func(k *compiler, p *plan) codec { return k.makeUnionCodec(u, d, p) })
}

// checkUnions compiles the unions, which may find more faults.
func (c *plans) checkUnions() error {
	for _, u := range c.unions {
		if e := c.ofType(u.typ).unsupported; e != nil {
			return fmt.Errorf("msgpack: %s: %s", u.field, e.Found)
		}
	}
	return nil
}
