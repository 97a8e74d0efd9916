package layout

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/octet-go/octet/internal/mem"
)

// A UnionCoder lists the types that an interface type can hold in a message; see [Union].
type UnionCoder struct{ u *unionType }

// A Variant is one type of a union and its tag. [VariantOf] returns one.
type Variant struct {
	typ     reflect.Type
	tag     constant
	unknown bool
}

// An Unknown is a variant with a tag that the union does not list. See
// [KeepUnknown].
type Unknown struct {
	Tag  uint64 // in two's complement if the field of the tag is signed
	Data []byte
}

// Integer is the constraint of the tags of variants.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// VariantOf returns the variant of a union for values of exactly type T, which is
// identified by tag. An example is VariantOf[*Publish](3).
func VariantOf[T any, G Integer](tag G) Variant {
	return Variant{typ: reflect.TypeFor[T](), tag: constant{value: uint64(tag), negative: tag < 0}}
}

// KeepUnknown returns the variant for all tags that no other variant has. It is the
// type [Unknown], which takes the rest of its frame. Without it, such a tag is
// [ErrVariant].
func KeepUnknown() Variant { return Variant{typ: reflect.TypeFor[Unknown](), unknown: true} }

// Union says which types a field of interface type I with the option switch can
// hold, for [Options].Unions. The tag of the variant is in the field that switch
// names: it is written when the message is encoded, whatever that field holds.
func Union[I any](variants ...Variant) UnionCoder {
	return UnionCoder{&unionType{typ: reflect.TypeFor[I](), variants: slices.Clone(variants)}}
}

// A unionType is a checked union.
type unionType struct {
	typ      reflect.Type
	variants []Variant
	words    []mem.TypeWord // of the variants
	firsts   []mem.TypeWord // first words of interfaces that hold them
	tags     []uint64
	unknown  int // index of the Unknown, or -1
}

// check verifies the arguments of Union, and computes what encoding and decoding need to know
// of each variant.
func (u *unionType) check() error {
	if u.typ.Kind() != reflect.Interface {
		return fmt.Errorf("the type %v of Union is not an interface", u.typ)
	}
	if len(u.variants) == 0 {
		return fmt.Errorf("Union of %v has no variants", u.typ)
	}
	types, tags := map[reflect.Type]bool{}, map[uint64]bool{}
	u.unknown = -1
	u.words, u.firsts, u.tags = nil, nil, nil
	for i, v := range u.variants {
		switch {
		case v.typ == nil:
			return fmt.Errorf("Union of %v has a zero Variant; use VariantOf", u.typ)
		case v.typ.Kind() == reflect.Interface:
			return fmt.Errorf("variant %v of the Union of %v is an interface", v.typ, u.typ)
		case !v.typ.Implements(u.typ):
			return fmt.Errorf("variant %v does not implement %v", v.typ, u.typ)
		case v.typ.Kind() != reflect.Pointer && mem.IsDirect(v.typ):
			return fmt.Errorf("variant %v is stored in an interface like a pointer; use *%v", v.typ, v.typ)
		case types[v.typ]:
			return fmt.Errorf("variant %v appears twice in the Union of %v; declare a type for each tag", v.typ, u.typ)
		case !v.unknown && tags[v.tag.value]:
			return fmt.Errorf("tag %s appears twice in the Union of %v", v.tag.text(v.tag.negative), u.typ)
		case v.unknown:
			u.unknown = i
		default:
			tags[v.tag.value] = true
		}
		types[v.typ] = true
		u.words, u.firsts = append(u.words, mem.WordOf(v.typ)), append(u.firsts, mem.InterfaceWord(u.typ, v.typ))
		u.tags = append(u.tags, v.tag.value)
	}
	return nil
}

// byTag returns the index of the variant with the tag, or -1.
func (u *unionType) byTag(tag uint64) int {
	for i, t := range u.tags {
		if t == tag && i != u.unknown {
			return i
		}
	}
	return u.unknown
}

// shapeUnion makes the nodes of the variants. Each use of a union has its own, because names
// in a variant are looked up in the structs around it.
func (b *builder) shapeUnion(n *node) error {
	n.union = b.unions[n.typ]
	if n.union == nil {
		return wrong(n.path(), "Options.Unions has no Union of %v", n.typ)
	}
	for i := range n.union.variants {
		v := &node{typ: n.union.variants[i].typ, tag: plainTag, scope: n.scope, owner: n, index: n.index}
		v.tag.element = true
		n.variants = append(n.variants, v)
		if n.union.variants[i].unknown {
			v.kind = unknownNode
			continue
		}
		if err := b.shape(v); err != nil {
			return err
		}
	}
	return nil
}

// find returns the variant that the interface at p holds, its tag and its data
// word. The index is -1 if the interface is nil, and -2 if it holds another type.
func (u *unionType) find(p mem.Ptr) (i int, tag uint64, data mem.Ptr) {
	var x any
	if u.typ.NumMethod() == 0 {
		x = *mem.At[any](p)
	} else {
		x = mem.Value(u.typ, p).Interface()
	}
	if x == nil {
		return -1, 0, data
	}
	w, data := mem.HideAny(x)
	for i, word := range u.words {
		if word == w {
			if i == u.unknown {
				return i, mem.At[Unknown](data).Tag, data
			}
			return i, u.variants[i].tag.value, data
		}
	}
	return -2, 0, data
}

// switchesOutward reports whether n is a union in a recursive struct that switches on a number outside of it.
func (n *node) switchesOutward() bool {
	if n.kind == unionNode {
		for s := n.scope; s != n.switchOn.scope; s = s.owner.scope {
			if s.recursive {
				return true
			}
		}
	}
	return false
}

// lastBefore returns the last node that a message can have before n, a union, because n is absent from the
// first elements or structs of a list or recursion, or 0. It does not look at what the number is in, too.
func (n *node) lastBefore(num *node) (last int) {
	absent := false
	for o := n; o != nil && !(o.seq <= num.seq && num.seq <= o.last); o = o.around() {
		if repeated := o.kind == sliceNode || o.kind == arrayNode || o.inner != nil && o.inner.recursive; repeated && absent {
			last = o.last
		}
		absent = absent || len(o.conditions) > 0 || o.kind == sliceNode || o.owner != nil && o.owner.kind == unionNode
	}
	return last
}
