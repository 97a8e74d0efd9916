package msgpack

import (
	"math"
	"reflect"
	"sync"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// anyBy decodes the next value into the Go type that fits its format and the
// Config. It is any for those that choose something else than the usual.
func (d *decoder) anyBy() (any, error) {
	c := d.plans
	h, err := d.header("")
	if err != nil {
		return nil, err
	}
	switch kind := h.Format.Kind(); {
	case kind == wire.KindStr && c.AliasInput:
		b, err := d.payload(h, "")
		if err != nil {
			return nil, err
		}
		return mem.String(b), nil
	case kind == wire.KindBin && c.AliasInput:
		return d.payloadOrNil(h)
	case (kind == wire.KindInt || kind == wire.KindFloat) && c.AnyNumber != AnyNumberWide:
		return d.anyNumber(h)
	case kind == wire.KindExt && h.Ext == wire.TimestampType && c.Zone != nil:
		t, err := d.time("")
		if err != nil {
			return nil, err
		}
		return t.In(c.Zone), nil
	case kind == wire.KindArray:
		return d.anySliceBy(h)
	case kind == wire.KindMap:
		return d.anyMapBy(h)
	}
	return d.any()
}

// anyKeyBy is anyBy for the key of a map.
func (d *decoder) anyKeyBy() (any, error) {
	if d.plans.AnyStringKeys && d.left() > 0 && wire.FormatOf(d.data[d.pos]).Kind() == wire.KindBin {
		h, err := d.header("")
		if err != nil {
			return nil, err
		}
		b, err := d.payload(h, "")
		if err != nil || d.plans.AliasInput {
			return orNil(mem.String(b), err)
		}
		return string(b), nil
	}
	return d.anyBy()
}

// payloadOrNil is payload as an interface.
func (d *decoder) payloadOrNil(h wire.Header) (any, error) {
	b, err := d.payload(h, "")
	if err != nil {
		return nil, err
	}
	return b, nil
}

// anyNumber decodes a number as its format says, or leaves it as it is.
func (d *decoder) anyNumber(h wire.Header) (any, error) {
	start := d.pos
	if d.plans.AnyNumber == AnyNumberRaw {
		b, err := d.one()
		if err != nil {
			return nil, err
		}
		if len(b) == 1 {
			return rawFixints()[b[0]], nil
		}
		return Number(b), nil
	}
	var f float64
	var v uint64
	var err error
	if h.Format.Kind() == wire.KindFloat {
		if h.Format == wire.Float32 {
			var f32 float32
			err = d.float(getFloat32, mem.PtrTo(&f32), "")
			return orNil(f32, err)
		}
		err = d.float(getFloat64, mem.PtrTo(&f), "")
		return orNil(f, err)
	}
	if v, _, err = d.integer(""); err != nil {
		d.pos = start
		return nil, err
	}
	switch h.Format {
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

// rawFixints returns the Numbers of one byte, so that the input that takes the
// most memory, nested maps of one such key, takes none for its keys.
var rawFixints = sync.OnceValue(func() *[256]any {
	t := new([256]any)
	for i := range t {
		t[i] = Number([]byte{byte(i)})
	}
	return t
})

func orNil[T any](v T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}

func (d *decoder) anySliceBy(h wire.Header) (any, error) {
	owed, err := d.open(h.Values(), int(h.Size), "")
	if err != nil {
		return nil, err
	}
	s := make([]any, h.Count)
	for i := range s {
		d.owed = owed + uint64(len(s)-i-1)
		if s[i], err = d.anyBy(); err != nil {
			return nil, underIndex(i, err)
		}
	}
	d.close(owed)
	return s, nil
}

// anyMapBy makes the kind of map that the Config has chosen.
func (d *decoder) anyMapBy(h wire.Header) (any, error) {
	owed, err := d.open(h.Values(), int(h.Size), "")
	if err != nil {
		return nil, err
	}
	n := int(h.Count)
	switch d.plans.AnyMap {
	case AnyMapPairs:
		s := make(Pairs, n)
		return s, d.pairs(s, owed)
	case AnyMapAuto:
		var m map[string]any // none is made if the first key is no string
		if n == 0 {
			m = map[string]any{}
		}
		for i := range n {
			d.owed = owed + 2*uint64(n-i) - 1
			k, err := d.header("")
			if err != nil {
				return nil, err
			}
			if kind := k.Format.Kind(); kind != wire.KindStr && !(kind == wire.KindBin && d.plans.AnyStringKeys) {
				return d.anyKeyMapBy(m, n, i, owed)
			}
			if i == 0 {
				m = make(map[string]any, n)
			}
			key, err := d.anyKeyBy()
			if err != nil {
				return nil, under("[key]", err)
			}
			d.owed--
			if m[key.(string)], err = d.anyBy(); err != nil {
				return nil, underKey(key, err)
			}
		}
		d.close(owed)
		return m, nil
	}
	return d.anyKeyMapBy(nil, n, 0, owed)
}

// anyKeyMapBy goes on with a map of n entries, i of which are in m.
func (d *decoder) anyKeyMapBy(m map[string]any, n, i int, owed uint64) (any, error) {
	wide := make(map[any]any, n)
	for k, v := range m {
		wide[k] = v
	}
	for ; i < n; i++ {
		d.owed = owed + 2*uint64(n-i) - 1
		start := d.pos
		k, err := d.anyKeyBy()
		if err != nil {
			return nil, under("[key]", err)
		}
		if k != nil && !reflect.ValueOf(k).Comparable() {
			d.pos = start
			return nil, d.fail(ErrUnhashable, "")
		}
		d.owed--
		if wide[k], err = d.anyBy(); err != nil {
			return nil, underKey(k, err)
		}
	}
	d.close(owed)
	return wide, nil
}

// Pairs are the entries of a map in order. They are written as a map, in their
// order whatever the Config says of keys, and read from one. Keys may be of any
// kind, also of those that Go maps cannot have, and may repeat.
type Pairs []Pair

// A Pair is one entry.
type Pair struct{ Key, Value any }

// pairs decodes the entries of an open map into s.
func (d *decoder) pairs(s Pairs, owed uint64) (err error) {
	decode, decodeKey := d.plans.any, d.plans.anyKey
	if decode == nil {
		decode, decodeKey = (*decoder).any, (*decoder).any
	}
	for i := range s {
		d.owed = owed + 2*uint64(len(s)-i) - 1
		if s[i].Key, err = decodeKey(d); err != nil {
			return under("[key]", err)
		}
		d.owed--
		if s[i].Value, err = decode(d); err != nil {
			return underKey(s[i].Key, err)
		}
	}
	d.close(owed)
	return nil
}

// makePairsCodec is for [Pairs].
func (k *compiler) makePairsCodec() codec {
	c := k.plans
	const want = "msgpack.Pairs"
	encode := func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		s := *mem.At[Pairs](p)
		if s == nil {
			return wire.AppendNil(dst), nil
		}
		if uint64(len(s)) > math.MaxUint32 {
			return dst, failed(ErrLimit, want)
		}
		dst, err := appendMapHeader(dst, len(s), want, depth)
		if err != nil {
			return dst, err
		}
		for i := range s {
			if dst, err = c.encodeAny(dst, s[i].Key, depth-1); err != nil {
				return dst, under("[key]", err)
			}
			if dst, err = c.encodeAny(dst, s[i].Value, depth-1); err != nil {
				return dst, underKey(s[i].Key, err)
			}
		}
		return dst, nil
	}
	if k.plans.NilMapAsEmpty {
		encode = emptyForNil(encode, func(dst []byte) []byte { return wire.AppendMapHeader(dst, 0) })
	}
	return codec{encode, func(d *decoder, p mem.Ptr) error {
		v := mem.At[Pairs](p)
		if d.isNil() {
			*v = nil
			return nil
		}
		h, err := d.header(want)
		if err != nil {
			return err
		}
		if h.Format.Kind() != wire.KindMap {
			return d.mismatch(want)
		}
		owed, err := d.open(h.Values(), int(h.Size), want)
		if err != nil {
			return err
		}
		*v = make(Pairs, h.Count)
		return d.pairs(*v, owed)
	}}
}
