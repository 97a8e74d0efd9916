package msgpack

import (
	"sync"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// chosenAny decodes a value for which the Config selects another Go type than the
// default, or memory that is shared with the input. chosen is false if the Config
// selects nothing for the value; d has not advanced then.
func (d *decoder) chosenAny(h wire.Header) (v any, chosen bool, err error) {
	c := d.plans
	switch kind := h.Format.Kind(); {
	// The general functions copy, so shared memory needs a case of its own.
	case (kind == wire.KindStr || kind == wire.KindBin) && c.AliasInput:
		b, err := d.payload(h, "")
		if kind == wire.KindBin && err == nil {
			return b, true, nil
		}
		v, err = orNil(mem.String(b), err)
		return v, true, err
	case (kind == wire.KindInt || kind == wire.KindFloat) && c.AnyNumber != AnyNumberWide:
		v, err = d.anyNumber(h)
	case kind == wire.KindExt && h.Ext == wire.TimestampType && c.Zone != nil:
		t, err := d.time("")
		v, err = orNil(t.In(c.Zone), err)
		return v, true, err
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

// anyNumber decodes a number into the Go type of its format, or into a Number.
func (d *decoder) anyNumber(h wire.Header) (any, error) {
	start := d.pos
	if d.plans.AnyNumber == AnyNumberRaw {
		b, err := d.rawValue()
		if err != nil {
			return nil, err
		}
		if len(b) == 1 { // without an allocation
			return rawFixints()[b[0]], nil
		}
		return Number(b), nil
	}
	var f float64
	var v uint64
	var err error
	if h.Format.Kind() == wire.KindFloat {
		// The type of the format keeps the precision of the sender.
		if h.Format == wire.Float32 {
			var f32 float32 // a conversion from float64 would change the bits of some NaNs
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
