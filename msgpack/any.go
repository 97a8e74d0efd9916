package msgpack

import (
	"math"
	"reflect"
	"sync"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// makeAnyCodec returns the codec of the type any. The value in it is encoded by the
// plan of its dynamic type. When decoding, the format of the input selects the Go
// type, unless the variable already holds a pointer to decode into.
//
//go:noinline
func (k *compiler) makeAnyCodec() codec {
	c := k.plans
	return codec{
		func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			return c.encodeAny(dst, *mem.At[any](p), depth)
		},
		func(d *decoder, p mem.Ptr) error {
			v := mem.At[any](p)
			// A nil replaces the pointer, as in encoding/json, instead of setting what
			// it points to.
			if *v != nil && d.left() > 0 && d.data[d.pos] != byte(wire.Nil) {
				if done, err := c.decodeInside(d, *v); done {
					return err
				}
			}
			x, err := d.any()
			if err == nil {
				*v = x
			}
			return err
		},
	}
}

// makeInterfaceCodec returns the codec of an interface type. A value in an interface
// with methods can be encoded. It can be decoded only into a pointer that the
// variable already holds, because the input does not say which type to create.
func (k *compiler) makeInterfaceCodec(t reflect.Type) codec {
	c := k.plans
	if t.NumMethod() == 0 { // a named type such as type T any
		return k.makeAnyCodec()
	}
	want := t.String()
	return codec{
		func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			return c.encodeAny(dst, mem.Value(t, p).Interface(), depth)
		},
		zeroForNil(t, func(d *decoder, p mem.Ptr) error {
			if done, err := c.decodeInside(d, mem.Value(t, p).Interface()); done {
				return err
			}
			return d.mismatch(want)
		}),
	}
}

// decodeInside decodes into the variable that v points to, as encoding/json does. It
// does nothing if v is not a pointer or is nil.
func (c *plans) decodeInside(d *decoder, v any) (done bool, err error) {
	p, target := c.of(v)
	// There is no variable to decode into, so the caller replaces the value.
	if p == nil || p.elem == nil || target.IsNil() {
		return false, nil
	}
	// The interface may be the variable that the pointer points to. The level makes
	// such a cycle end with ErrDepth.
	if d.depth < p.level {
		return true, d.fail(ErrDepth, p.typ.String())
	}
	d.depth -= p.level
	err = p.elem.decode(d, target)
	d.depth += p.level
	return true, err
}

// any decodes the next value into the Go type that its format and the Options select.
func (d *decoder) any() (any, error) {
	if fast && d.plans.any == nil && d.extras == nil && d.left() < minChunk {
		if v, end := d.singleAny(d.pos); end > 0 {
			d.pos = end
			return v, nil
		}
	}
	d.borrow()
	if !fast || d.plans.any != nil {
		return d.generalAny()
	}
	owed := d.owed
	v, end, err := d.fastAny(d.pos, owed)
	if err != nil {
		return nil, err
	}
	d.pos, d.owed = end, owed
	return v, nil
}

// generalAny decodes a value of any format. The decoder must have its extras.
// [decoder.fastAny] calls it for rare formats and for errors. The Options are tested only
// here and in the functions that it calls.
func (d *decoder) generalAny() (any, error) {
	if n := d.shortText(); n >= 0 && d.plans.Compat.AnyText == AnyTextFormat {
		d.pos += 1 + n
		return d.anyString(d.pos-n, n), nil
	}
	h, err := d.header("")
	if err != nil {
		return nil, err
	}
	if d.plans.any != nil {
		if v, chosen, err := d.plans.any(d, h); chosen {
			return v, err
		}
	}
	switch h.Format.Kind() {
	case wire.KindNil:
		d.pos++
		return nil, nil
	case wire.KindBool:
		d.pos++
		return h.Format == wire.True, nil
	case wire.KindInt:
		v, negative, err := d.integer("")
		if err != nil {
			return nil, err
		}
		if v > math.MaxInt64 && !negative {
			return v, nil // a uint64, because an int64 cannot hold it
		}
		if v < 256 {
			return int64(v), nil // the runtime does not allocate for these
		}
		return mem.MakeAny(int64Word, d.number(v)), nil
	case wire.KindFloat:
		f, err := consume(d, wire.ConsumeFloat64, "")
		if err != nil {
			return nil, err
		}
		return mem.MakeAny(float64Word, d.number(math.Float64bits(f))), nil
	case wire.KindStr, wire.KindBin:
		return d.anyText(h)
	case wire.KindArray:
		return d.anySlice(h)
	case wire.KindMap:
		return d.anyMap(h)
	default:
		return d.anyExt(h)
	}
}

// anySlice decodes an array into a []any.
func (d *decoder) anySlice(h wire.Header) (any, error) {
	owed, err := d.open(h.Values(), int(h.Size), "")
	if err != nil {
		return nil, err
	}
	v, s := newAnySlice(int(h.Count))
	return orNil(v, d.anyElements(s, owed))
}

// anyElements decodes the elements of an open array into s and closes it.
func (d *decoder) anyElements(s []any, owed uint64) (err error) {
	for i := range s {
		// An element can be a container, whose header is checked against the values
		// owed.
		d.owed = owed + uint64(len(s)-i-1)
		if s[i], err = d.any(); err != nil {
			return underIndex(i, err)
		}
	}
	d.close(owed)
	return nil
}

// isTextKey reports whether a map key of kind k becomes a string.
func (o *policy) isTextKey(k wire.Kind) bool {
	return k == wire.KindStr || k == wire.KindBin && (o.AnyStringKeys || o.Compat.AnyText == AnyTextString)
}

// anyMap decodes a map into a map[string]any, or into a map[any]any if a key does
// not become a string.
func (d *decoder) anyMap(h wire.Header) (any, error) {
	owed, err := d.open(h.Values(), int(h.Size), "")
	if err != nil {
		return nil, err
	}
	n := int(h.Count)
	// The first key usually tells the type of the map, so that no pairs must be
	// copied.
	if n > 0 && !d.plans.isTextKey(wire.FormatOf(d.data[d.pos]).Kind()) {
		return d.anyKeyMap(nil, n, 0, owed)
	}
	return d.anyPairs(make(map[string]any, n), n, 0, owed)
}

// anyPairs decodes the remaining pairs of an open map. The first i of its n pairs are
// already in m. owed is the ledger around the map.
func (d *decoder) anyPairs(m map[string]any, n, i int, owed uint64) (any, error) {
	for ; i < n; i++ {
		d.owed = owed + 2*uint64(n-i) - 1
		var key string
		if size := d.shortText(); size >= 0 {
			d.pos += 1 + size
			key = d.key(d.pos-size, size)
		} else {
			k, err := d.header("")
			if err != nil {
				return nil, err
			}
			if !d.plans.isTextKey(k.Format.Kind()) {
				return d.anyKeyMap(m, n, i, owed) // which copies the pairs that are in m
			}
			if key, err = d.textKey(k); err != nil {
				return nil, under("[key]", err)
			}
		}
		d.owed--
		v, err := d.any()
		if err != nil {
			return nil, underKey(key, err)
		}
		m[key] = v
	}
	d.close(owed)
	return m, nil
}

// shortText returns the length of the fixstr that is next, or -1 if it is something else
// or must not be copied.
func (d *decoder) shortText() int {
	if d.pos >= len(d.data) || d.data[d.pos]&0xe0 != byte(wire.FixStr) || d.plans.AliasInput {
		return -1
	}
	if n := int(d.data[d.pos] & 31); n < d.left() {
		return n
	}
	return -1
}

// textKey decodes a map key that becomes a string. h is its header.
func (d *decoder) textKey(h wire.Header) (string, error) {
	b, err := d.payload(h, "")
	if err != nil {
		return "", err
	}
	// The cache would return copies.
	if d.plans.AliasInput {
		return mem.String(b), nil
	}
	return d.key(d.pos-len(b), len(b)), nil
}

// anyKeyMap decodes the remaining pairs of an open map into a map[any]any, because
// the next key does not become a string. The first i of its n pairs are in m.
func (d *decoder) anyKeyMap(m map[string]any, n, i int, owed uint64) (any, error) {
	wide := make(map[any]any, n)
	// Pairs decoded so far had text keys. Their type changes, but not their values.
	for k, v := range m {
		wide[k] = v
	}
	return orNil(wide, d.anyKeyPairs(wide, n, i, owed, ""))
}

// anyKeyPairs decodes pairs i to n-1 of an open map into m, and closes the map.
func (d *decoder) anyKeyPairs(m map[any]any, n, i int, owed uint64, want string) error {
	for ; i < n; i++ {
		d.owed = owed + 2*uint64(n-i) - 1
		start := d.pos
		k, err := d.anyKey()
		if err != nil {
			return under("[key]", err)
		}
		if !hashable(k) { // using k as a key would panic
			d.pos = start // the error has the offset of the key
			return d.fail(ErrUnhashable, want)
		}
		d.owed--
		v, err := d.any()
		if err != nil {
			return underKey(k, err)
		}
		m[k] = v
	}
	d.close(owed)
	return nil
}

// anyKey decodes a map key into an any. The Options can make a string of a bin, and a []byte of
// each str that is no key.
func (d *decoder) anyKey() (any, error) {
	if d.plans.any != nil && d.left() > 0 && d.plans.isTextKey(wire.FormatOf(d.data[d.pos]).Kind()) {
		d.borrow()
		h, err := d.header("")
		if err != nil {
			return nil, err
		}
		key, err := d.textKey(h)
		return orNil(key, err)
	}
	return d.any()
}

// anyExt decodes an ext: a timestamp into a time.Time, a registered type into its Go
// type, and all others into an Ext.
func (d *decoder) anyExt(h wire.Header) (any, error) {
	// A timestamp has a meaning by the specification, so no registered type can
	// replace it.
	if h.Ext == wire.TimestampType {
		t, err := d.time("")
		if zone := d.plans.Zone; zone != nil {
			t = inZone(t, zone)
		}
		return orNil(t, err)
	}
	if v, ok, err := d.anyExtType(h); ok {
		return v, err
	}
	b, err := d.payload(h, "")
	if err != nil {
		return nil, err
	}
	return Ext{h.Ext, append([]byte{}, b...)}, nil
}

// chosenAny decodes a number or map for which the Options select another Go type than the
// default. If they select nothing for the value, chosen is false, and d has not advanced.
func (d *decoder) chosenAny(h wire.Header) (v any, chosen bool, err error) {
	c := d.plans
	switch kind := h.Format.Kind(); {
	case (kind == wire.KindInt || kind == wire.KindFloat) && c.AnyNumber != AnyNumberWide:
		v, err = d.anyNumber(h)
	// open accounts for all values of the map before memory is allocated for them.
	case kind == wire.KindMap && c.AnyMap != AnyMapAuto:
		var owed uint64
		if owed, err = d.open(h.Values(), int(h.Size), ""); err != nil {
			return nil, true, err
		}
		if c.AnyMap == AnyMapAny {
			v, err = d.anyKeyMap(nil, int(h.Count), 0, owed)
			break
		}
		s := make(Pairs, h.Count) // open has checked the count
		v, err = orNil(s, d.pairs(s, owed))
	default:
		return nil, false, nil
	}
	return v, true, err
}

// anyText decodes a str or bin into the Go type that the Options select.
func (d *decoder) anyText(h wire.Header) (any, error) {
	c := d.plans
	b, err := d.payload(h, "")
	if err != nil {
		return nil, err
	}
	text := h.Format.Kind() == wire.KindStr
	if c.Compat.AnyText != AnyTextFormat {
		text = c.Compat.AnyText == AnyTextString
	}
	switch {
	case text && c.AliasInput:
		return mem.String(b), nil
	case text:
		return d.anyString(d.pos-len(b), len(b)), nil
	case c.AliasInput:
		return b, nil
	}
	return append([]byte{}, b...), nil // empty is not nil
}

// anyNumber decodes a number into the Go type of its format, or into a Number.
func (d *decoder) anyNumber(h wire.Header) (any, error) {
	rule, f := d.plans.AnyNumber, h.Format
	switch {
	case rule == AnyNumberRaw:
		b, err := d.rawValue()
		if len(b) == 1 { // without an allocation
			return rawFixints()[b[0]], nil
		}
		return orNil(Number(b), err)
	// The type of the format keeps the precision of the sender.
	case f == wire.Float32 && rule != AnyNumberSign:
		var v float32 // a conversion from float64 would change the bits of some NaNs
		err := d.float(getFloat32, mem.PtrTo(&v), "")
		return orNil(v, err)
	case f.Kind() == wire.KindFloat:
		var v float64
		err := d.float(getFloat64, mem.PtrTo(&v), "")
		return orNil(v, err)
	}
	v, _, err := d.integer("")
	if err != nil {
		return nil, err
	}
	if rule == AnyNumberSign || rule == AnyNumberSignFloat {
		if f >= wire.Uint8 && f <= wire.Uint64 {
			return v, nil
		}
		return int64(v), nil
	}
	switch f {
	case wire.PositiveFixint:
		if rule == AnyNumberFormatUint {
			return uint8(v), nil
		}
	case wire.Uint8:
		return uint8(v), nil
	case wire.Uint16:
		return uint16(v), nil
	case wire.Uint32:
		return uint32(v), nil
	case wire.Uint64:
		return v, nil
	case wire.Int16:
		return int16(v), nil
	case wire.Int32:
		return int32(v), nil
	case wire.Int64:
		return int64(v), nil
	}
	return int8(v), nil // int 8 and fixints
}

// rawFixints returns all Numbers of one byte. They are shared because they are the
// keys of the input that takes the most memory: nested maps of one pair.
var rawFixints = sync.OnceValue(func() *[256]any {
	t := new([256]any)
	for i := range t {
		t[i] = Number([]byte{byte(i)})
	}
	return t
})

// orNil returns v as an any, or nil if err is not nil.
func orNil[T any](v T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}
