package msgpack

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
)

// A unionType holds the arguments of [Union].
type unionType struct {
	typ      reflect.Type
	variants []Variant
}

// A Variant is one type of a union and its tag. [VariantOf] returns one.
type Variant struct {
	typ reflect.Type
	// The tag is name if named, else number.
	name   string
	number int64
	named  bool
}

// A Tag identifies a variant of a union. It is a string or an integer, and is
// encoded as str or int.
type Tag interface {
	~string | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32
}

// VariantOf returns the variant of a union for values of exactly type T, identified
// by tag. An example is VariantOf[Circle]("circle").
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

// Union encodes variables of interface type I, which hold one of the variants, for
// [Config].Types. It applies to fields, elements, keys, and variables that pointers
// point to. It does not apply to the argument of Marshal, whose type is any: pass a
// pointer to the variable instead.
//
// With an empty discriminator, a value is encoded as an array of two elements, the
// tag and the value: ["circle", {"radius": 1}].
//
// With a discriminator, a value is encoded as a map whose first entry is the tag,
// followed by the fields of the variant: {"type": "circle", "radius": 1}. All
// variants must then be structs, or pointers to structs, that are encoded as maps,
// without encoding methods and without a field of that name. The tag comes first
// even if keys are sorted. In the input, the tag may be any entry of the map. If it
// is not the first, one additional pass finds the tags of this value and of all
// unions inside it, so that the total time is linear.
//
// A nil interface is encoded as nil. With a discriminator, so is a nil pointer. A
// decoded value is always new, whatever the variable held before. An unknown tag,
// or a value whose type is not a variant, is [ErrVariant].
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

// A registeredUnion is an interface type and the element of Config.Types that
// registers it.
type registeredUnion struct {
	typ   reflect.Type
	field string
}

// addUnion checks what can be checked before types are compiled.
func (r *registrar) addUnion(u *unionType, discriminator string) error {
	switch {
	case u.typ.Kind() != reflect.Interface:
		return r.refuse("type %v of Union is not an interface", u.typ)
	case u.typ == anyType:
		return r.refuse("Union cannot have type any; define an interface type")
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

// checkUnions compiles the unions. Some faults are found only then.
func (c *plans) checkUnions() error {
	for _, u := range c.unions {
		if e := c.ofType(u.typ).unsupported; e != nil {
			return fmt.Errorf("msgpack: %s: %s", u.field, e.Found)
		}
	}
	return nil
}
