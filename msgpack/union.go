package msgpack

import (
	"bytes"
	"reflect"
	"slices"
	"strconv"

	"github.com/octet-go/octet/msgpack/wire"
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
// [Options].Types. It applies to fields, elements, keys, and variables that pointers
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
	r.unions = append(r.unions, u.typ)
	d := r.discriminator(discriminator)
	describe := func(d *Description) { u.describe(discriminator, d) }
	return r.add(u.typ, describe, func(k *compiler, p *plan) codec { return k.makeUnionCodec(u, d, p) })
}

// checkUnions compiles the unions. Some faults are found only then.
func (c *plans) checkUnions() error {
	for _, t := range c.unions {
		if e := c.ofType(t).unsupported; e != nil {
			return invalid("%s: %s", c.types[t].field, e.Found)
		}
	}
	return nil
}

// A discriminator is the key of the map entry that holds the tag of a union.
type discriminator struct {
	name string
	key  []byte // name, encoded
}

// discriminator returns the discriminator with the given name, or nil if the name is
// empty.
func (r *registrar) discriminator(name string) *discriminator {
	if name == "" {
		return nil
	}
	for _, k := range r.discriminators {
		if k.name == name {
			return k
		}
	}
	k := &discriminator{name, wire.AppendString(nil, name)}
	r.discriminators = append(r.discriminators, k)
	return k
}

// find returns the offset of the tag in the map at the position of d.
func (k *discriminator) find(d *decoder, h wire.Header, want string) (tag int, err error) {
	first := d.pos + int(h.Size)
	// Union writes the tag first, so most messages need no scan.
	if h.Count > 0 && bytes.HasPrefix(d.data[first:], k.key) {
		return first + len(k.key), nil
	}
	d.borrow()
	l := &d.extras.ahead
	// The last scan covers all maps up to l.end, including those inside this one.
	if d.pos >= l.end {
		if err := l.look(d); err != nil {
			return 0, err
		}
	}
	tag, ok := l.tags[place{d.pos, k}]
	if !ok {
		found := "map without the key " + strconv.Quote(k.name)
		return 0, &Error{Op: opUnmarshal, Offset: int64(d.pos), Found: found, Want: want, Err: ErrVariant}
	}
	return tag, nil
}

// A lookAhead holds the offsets of the tags in the part of the input before end. It
// finds the tags of nested unions in one scan. If each union searched for its own
// tag, a nested union would be scanned once for each union around it, which is not
// linear.
type lookAhead struct {
	data []byte
	keys []*discriminator
	end  int
	tags map[place]int
	most int // the largest size of tags so far
}

// A place is a key of a map in the input. at is the offset of the map.
type place struct {
	at  int
	key *discriminator
}

// look scans the value at d's position. Earlier tags are not needed again, because
// values are decoded in order.
func (l *lookAhead) look(d *decoder) error {
	if l.tags == nil || l.most > maxTags { // clearing it would be slow and free no memory
		l.tags, l.most = make(map[place]int), 0
	}
	clear(l.tags)
	l.data, l.keys = d.data, d.plans.discriminators
	end, err := l.value(d.pos, d.depth, d.owed)
	l.most = max(l.most, len(l.tags))
	if err != nil {
		d.pos = end
		return d.fail(err, "")
	}
	l.end = end
	return nil
}

// value scans the value at n, with the checks of wire.Skip, and returns its end. On
// error, it returns the offset of the value at fault.
func (l *lookAhead) value(n, depth int, owed uint64) (int, error) {
	h, size, err := wire.ConsumeHeader(l.data[n:])
	if err != nil {
		return n, err
	}
	kind := h.Format.Kind()
	if kind != wire.KindArray && kind != wire.KindMap {
		// A scalar, string or ext has no tags inside.
		size, err = wire.Skip(l.data[n:], 0)
		return n + size, err
	}
	switch count := h.Values(); {
	case !wire.Fits(count, owed, len(l.data)-n-size):
		return n, wire.ErrTruncated
	case depth == 0:
		return n, wire.ErrDepth
	default:
		at := n
		n += size
		for i := range count {
			if kind == wire.KindMap && i%2 == 0 {
				l.note(at, n, i == 0)
			}
			if n, err = l.value(n, depth-1, owed+count-i-1); err != nil {
				return n, err
			}
		}
		return n, nil
	}
}

// note records the key at n of the map at offset at, if it is a discriminator. It
// need not record a first key, which find recognizes itself.
func (l *lookAhead) note(at, n int, first bool) {
	h, size, err := wire.ConsumeHeader(l.data[n:])
	if err != nil || h.Format.Kind() != wire.KindStr && h.Format.Kind() != wire.KindBin ||
		uint64(h.Payload) > uint64(len(l.data)-n-size) {
		return
	}
	end := n + size + int(h.Payload)
	for _, k := range l.keys {
		if string(l.data[n+size:end]) != k.name || first && bytes.HasPrefix(l.data[n:], k.key) {
			continue
		}
		// If the key appears more than once, the first tag selects the variant, and
		// skipTag compares the others.
		if _, ok := l.tags[place{at, k}]; !ok {
			l.tags[place{at, k}] = end
		}
	}
}

// maxTags is the largest number of tags of a map that is reused.
const maxTags = 256

// release drops references to the input.
func (l *lookAhead) release() {
	l.data, l.keys, l.end = nil, nil, 0
	if l.most > maxTags {
		l.tags, l.most = nil, 0
	}
}
