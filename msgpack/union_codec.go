package msgpack

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/syntax"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/wire"
)

// A unionCodec encodes and decodes variables of one interface type.
type unionCodec struct {
	typ           reflect.Type
	want          string
	discriminator *discriminator // nil for the array form
	byType        map[mem.TypeWord]*variant
	byName        map[string]*variant
	byNumber      map[int64]*variant
}

// A variant is one of the types of a union.
type variant struct {
	plan    *plan
	word    mem.TypeWord // the first word of an interface that holds the type
	tag     []byte       // encoded
	lead    []byte       // the bytes before the value, without the header of a map
	pointer bool         // the type is a pointer type

	encode encodeFunc   // encodes a struct as a map
	target reflect.Type // the type that is decoded: the type itself or its element
	decode decodeFunc   // decodes into a target
	inWord bool         // the interface holds the target itself, not a pointer to it
}

func (k *compiler) makeUnionCodec(u *unionType, d *discriminator, p *plan) codec {
	c := &unionCodec{
		typ: u.typ, want: u.typ.String(), discriminator: d,
		byType: map[mem.TypeWord]*variant{}, byName: map[string]*variant{}, byNumber: map[int64]*variant{},
	}
	for i := range u.variants {
		from := &u.variants[i]
		v := k.makeVariant(u, from)
		c.byType[v.plan.word] = v
		if from.named {
			c.byName[from.name] = v
		} else {
			c.byNumber[from.number] = v
		}
		// The header of the array is constant, so it is stored together with the
		// tag.
		if d == nil {
			v.lead = append(wire.AppendArrayHeader(nil, 2), v.tag...)
			continue
		}
		v.lead = append(slices.Clone(d.key), v.tag...)
		// One variant that cannot have a tag makes the whole union an error,
		// because the value in an interface is known only when it is encoded.
		if err := k.mergeTag(c, v); err != nil {
			return p.makeUnsupportedCodec(err)
		}
	}
	if d == nil {
		return codec{c.encodeArray, zeroForNil(c.typ, c.decodeArray)}
	}
	return codec{c.encodeMap, zeroForNil(c.typ, c.decodeMap)}
}

func (k *compiler) makeVariant(u *unionType, from *Variant) *variant {
	v := &variant{
		plan: k.plan(planKey{typ: from.typ}), target: from.typ,
		word: mem.InterfaceWord(u.typ, from.typ), pointer: from.typ.Kind() == reflect.Pointer, inWord: mem.IsDirect(from.typ),
	}
	k.atLink(func() { k.root(v.plan) })
	// Tags are encoded once, in the formats that the Options select for strings.
	v.tag = wire.AppendInt(nil, from.number)
	if from.named {
		v.tag = append(k.plans.stringHeader(nil, uint32(len(from.name))), from.name...)
	}
	v.decode = v.plan.linked().decode
	if v.pointer && k.plans.types[from.typ] == nil {
		// Avoids a variable for the pointer. For pointers to pointers and to
		// interfaces, the plan counts the levels.
		if elem := from.typ.Elem(); elem.Kind() != reflect.Pointer && elem.Kind() != reflect.Interface {
			v.target, v.inWord = elem, false
			v.decode = k.plan(planKey{typ: elem}).linked().decode
		}
	}
	return v
}

// mergeTag makes v encode and decode structs whose map has the discriminator as an
// additional entry.
func (k *compiler) mergeTag(c *unionCodec, v *variant) *Error {
	refuse := func(why string) *Error {
		return &Error{Found: "variant " + v.plan.typ.String() + " of " + c.want + " " + why, Err: ErrUnsupported}
	}
	// A type with methods of another library is refused with the same reason as
	// elsewhere.
	if why := k.methodCodec(v.target).refused; why != nil && k.plans.types[v.target] == nil {
		return why
	}
	if !k.isPlainStruct(v.target) {
		return refuse("is not a struct that is encoded as a map")
	}
	s, err := typeplan.Fields(v.target, k.plans.tags)
	if err != nil {
		return fieldError(err)
	}
	if why := k.refusedPart(&s); why != nil {
		return why
	}
	switch {
	case s.Options.Has(optionAsArray):
		return refuse("is encoded as an array")
	case s.IntegerKeys():
		return refuse("has integers as keys")
	case len(s.Fields) == 0 && s.Rest == nil && s.Hidden:
		return refuse("has no exported fields")
	}
	name := c.discriminator.name
	for i := range s.Fields {
		// The key would be in the map twice.
		if s.Fields[i].Name == name || slices.Contains(s.Fields[i].Aliases, name) {
			return refuse("has a field named " + strconv.Quote(name))
		}
	}
	inOrder := s
	// Only the order of encoding changes. Keys are decoded in any order.
	if k.plans.Canonical {
		inOrder.Fields = s.ByName()
	}
	e := k.makeStructProgram(&inOrder, false)
	// An entry of the inline map must not repeat the tag.
	if e.inline != nil {
		e.inline.names[name] = true
	}
	k.atLink(func() {
		m := newRoot(v.plan, e, e.encode)
		v.encode = m.append
	})

	tag := structField{name: name, path: name, decode: func(d *decoder, _ mem.Ptr) error { return c.skipTag(d, v) }}
	v.decode = k.makeStructDecoder(&s, tag).decode // the map form only
	return nil
}

// isPlainStruct reports whether t is a struct that is encoded by its fields.
func (k *compiler) isPlainStruct(t reflect.Type) bool {
	if t.Kind() != reflect.Struct || t == timeType || t == extType || k.plans.types[t] != nil {
		return false
	}
	own := k.ownCodec(t)
	return own.encode == nil && own.decode == nil
}

// find returns the variant that the interface at p holds and the data word of the
// interface. The variant is nil, without an error, if the interface is nil.
func (c *unionCodec) find(p mem.Ptr) (*variant, mem.Ptr, error) {
	x := mem.Value(c.typ, p).Interface()
	if x == nil {
		return nil, mem.Ptr{}, nil
	}
	// The type word identifies the exact type, as in the table of plans.
	w, data := mem.HideAny(x)
	v := c.byType[w]
	if v == nil {
		return nil, data, failed(ErrVariant, reflect.TypeOf(x).String()+" in "+c.want)
	}
	return v, data, nil
}

func (c *unionCodec) encodeArray(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	v, data, err := c.find(p)
	switch {
	case err != nil:
		return dst, err
	case v == nil:
		return wire.AppendNil(dst), nil
	case depth == 0:
		return dst, failed(ErrDepth, c.want)
	}
	return v.plan.encodeValue(append(dst, v.lead...), data, depth-1)
}

// encodeMap appends the tag and then the struct. After that, it moves the header of
// the map before the tag, with the number of entries increased by one.
func (c *unionCodec) encodeMap(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	v, data, err := c.find(p)
	switch {
	case err != nil:
		return dst, err
	// A nil pointer has no fields beside which the tag could be. It is encoded as
	// nil.
	case v == nil || v.pointer && data.IsNil():
		return wire.AppendNil(dst), nil
	}
	// The encoder needs the address of the struct. The data word is that address,
	// unless the word holds the struct itself.
	at := data
	if v.plan.direct && !v.pointer {
		at = mem.Hide(mem.PtrTo(&data))
	}
	start := len(dst)
	header := start + len(v.lead)
	if dst, err = v.encode(append(dst, v.lead...), at, depth); err != nil {
		return dst, err
	}
	// The header was written by the encoder of the struct, which knows the number
	// of entries only at the end if fields can be omitted.
	h, size, err := wire.ConsumeHeader(dst[header:])
	if err != nil || h.Count == math.MaxUint32 {
		return dst[:start], failed(ErrLimit, v.plan.typ.String())
	}
	var room [5]byte
	longer := wire.AppendMapHeader(room[:0], h.Count+1)
	if more := len(longer) - size; more > 0 { // 16 or 65536 entries need a longer header
		end := len(dst)
		dst = append(dst, longer[:more]...)
		copy(dst[header+size+more:], dst[header+size:end])
	}
	copy(dst[start+copy(dst[start:], longer):], v.lead)
	return dst, nil
}

func (c *unionCodec) decodeArray(d *decoder, p mem.Ptr) error {
	owed, err := d.arrayOf(2, c.want)
	if err != nil {
		return err
	}
	v, err := c.readTag(d)
	if err != nil {
		return err
	}
	// In array form, the tag tells the type of a nil pointer.
	if v.pointer && d.isNil() {
		mem.SetInterface(p, v.word, mem.Ptr{})
	} else if err := v.decodeNew(d, p); err != nil {
		return err
	}
	d.close(owed)
	return nil
}

func (c *unionCodec) decodeMap(d *decoder, p mem.Ptr) error {
	start := d.pos
	h, err := d.header(c.want)
	if err != nil {
		return err
	}
	if h.Format.Kind() != wire.KindMap {
		return d.mismatch(c.want)
	}
	// The tag selects the type and can be any entry of the map, so it is looked up
	// first. Then the whole map is decoded from its start, and skipTag skips the
	// tag.
	if d.pos, err = c.discriminator.find(d, h, c.want); err != nil {
		return err
	}
	v, err := c.readTag(d)
	if err != nil {
		return err
	}
	d.pos = start
	return v.decodeNew(d, p)
}

// decodeNew decodes a new value of the variant into the interface at p.
func (v *variant) decodeNew(d *decoder, p mem.Ptr) error {
	to := mem.New(v.target)
	if err := v.decode(d, to); err != nil {
		return err
	}
	// An interface holds a direct value in its word, not a pointer to it.
	if v.inWord {
		to = to.Deref()
	}
	mem.SetInterface(p, v.word, to)
	return nil
}

// readTag reads a tag and returns the variant that has it.
func (c *unionCodec) readTag(d *decoder) (*variant, error) {
	h, err := d.header("tag")
	if err != nil {
		return nil, err
	}
	start := d.pos
	var v *variant
	var found string
	switch h.Format.Kind() {
	case wire.KindStr, wire.KindBin:
		name, err := d.payload(h, "tag")
		if err != nil {
			return nil, err
		}
		if v = c.byName[string(name)]; v == nil {
			found = strconv.Quote(string(name[:min(len(name), syntax.MaxKey)]))
		}
	case wire.KindInt:
		n, negative, err := d.integer("tag")
		if err != nil {
			return nil, err
		}
		// A number outside the range of int64 cannot be the tag of a variant.
		if negative == (int64(n) < 0) {
			v = c.byNumber[int64(n)]
		}
		if found = strconv.FormatUint(n, 10); negative {
			found = strconv.FormatInt(int64(n), 10)
		}
	default:
		return nil, d.mismatch("tag")
	}
	if v == nil {
		return nil, &Error{Op: opUnmarshal, Offset: int64(start), Found: "tag " + found, Want: c.want, Err: ErrVariant}
	}
	return v, nil
}

// skipTag skips an entry with the key of the tag. The first such entry has selected
// v, and all others must have the same tag.
func (c *unionCodec) skipTag(d *decoder, v *variant) error {
	// The usual case: the tag has the bytes that this package writes.
	if bytes.HasPrefix(d.data[d.pos:], v.tag) {
		d.pos += len(v.tag)
		return nil
	}
	start := d.pos
	other, err := c.readTag(d)
	if err == nil && other != v {
		d.pos = start
		err = d.fail(ErrVariant, "the tag of "+v.plan.typ.String())
	}
	return err
}
