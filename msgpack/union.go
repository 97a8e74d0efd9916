package msgpack

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
)

// A UnionCoder says which types the variables of an interface type may hold, see
// [Union].
type UnionCoder struct {
	typ           reflect.Type
	discriminator string
	variants      []Variant
}

// A Variant is one type of a union and its tag, see [VariantOf].
type Variant struct {
	typ reflect.Type
	// The tag is name if named, else number.
	name   string
	number int64
	named  bool
}

// A Tag tells the variants of a union apart: any string or integer, constants of
// a named type included. It is written as a str or int.
type Tag interface {
	~string | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32
}

// VariantOf says that a union holds values of exactly type T under a tag: as in
// VariantOf[Circle]("circle").
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
// [Config].Unions. Fields, elements, keys, and what pointers point at are such
// variables; a value that is given to Marshal in an interface is not, since that
// does not say which one it was: give it a pointer to the variable.
//
// With an empty discriminator, a value is an array of two, the tag and the value
// in its own form: ["circle", {"radius": 1}].
//
// With a discriminator, it is a map with the tag as its first entry, and behind
// it the fields of the variant: {"type": "circle", "radius": 1}. All variants
// are then structs, or pointers to structs, in map form, without methods of
// their own, and without a field of that name. The entry comes first also where
// keys are sorted. When decoding, it may stand anywhere. Where it is not the
// first, the value is looked through once more to find it, together with the
// unions inside, so that time remains linear.
//
// A nil interface is nil, and so is a nil pointer in the form with a
// discriminator. A decoded value is new, whatever the variable held before. A
// tag that no variant has, and a value of a type that is none of the variants,
// are [ErrVariant].
func Union[I any](discriminator string, variants ...Variant) UnionCoder {
	return UnionCoder{reflect.TypeFor[I](), discriminator, slices.Clone(variants)}
}

func (v *Variant) tag() string {
	if v.named {
		return strconv.Quote(v.name)
	}
	return strconv.FormatInt(v.number, 10)
}

// addUnion checks what can be checked before types are compiled.
func (r *registrar) addUnion(field string, u UnionCoder) error {
	refuse := func(format string, a ...any) error {
		return fmt.Errorf("msgpack: "+field+" "+format, a...)
	}
	switch {
	case u.typ == nil:
		return refuse("is not made by Union")
	case u.typ.Kind() != reflect.Interface:
		return refuse("is for %v, not an interface", u.typ)
	case u.typ == anyType:
		return refuse("is for any: name an interface of your own")
	case len(u.variants) == 0:
		return refuse("has no variants")
	}
	types, tags := map[reflect.Type]bool{}, map[string]bool{}
	for i := range u.variants {
		switch v := &u.variants[i]; {
		case v.typ == nil:
			return refuse("has a variant that is not made by VariantOf")
		case v.typ.Kind() == reflect.Interface:
			return refuse("has the variant %v, an interface", v.typ)
		case !v.typ.Implements(u.typ):
			return refuse("has the variant %v, which is no %v", v.typ, u.typ)
		case types[v.typ]:
			return refuse("has the variant %v twice", v.typ)
		case tags[v.tag()]:
			return refuse("has the tag %s twice", v.tag())
		default:
			types[v.typ], tags[v.tag()] = true, true
		}
	}
	r.unions = append(r.unions, u.typ)
	d := r.discriminator(u.discriminator)
	return r.add(field, u.typ, func(k *compiler, p *plan) codec { return k.makeUnionCodec(&u, d, p) })
}

// checkUnions compiles the unions, which may find more.
func (c *plans) checkUnions() error {
	for _, t := range c.unions {
		if e := c.ofType(t).unsupported; e != nil {
			return fmt.Errorf("msgpack: Config.Unions: %v: %s", t, e.Found)
		}
	}
	return nil
}
