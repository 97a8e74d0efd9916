package msgpack

import (
	"fmt"
	"reflect"

	"github.com/octet-go/octet/msgpack/wire"
)

// DecodeInterface reads a value of any kind. Integers and floats have the type of their
// format, and int8 for a fixint. A str is a string, a bin a []byte, an array a []any, a map
// what the function of SetMapDecoder returns, and an ext of a registered type a value of that
// type.
func (d *Decoder) DecodeInterface() (any, error) { return d.wholeAny(false) }

// DecodeInterfaceLoose is like [Decoder.DecodeInterface], but integers are int64 or uint64,
// floats are float64, and a bin is a string.
func (d *Decoder) DecodeInterfaceLoose() (any, error) { return d.wholeAny(true) }

func (d *Decoder) wholeAny(loose bool) (any, error) {
	c, err := d.PeekCode()
	if err != nil {
		return nil, err
	}
	if isContainer(c) && d.borrow() {
		defer d.giveBack()
	}
	return d.anyFrom(c, loose)
}

func isContainer(c byte) bool {
	k := wire.FormatOf(c).Kind()
	return k == wire.KindArray || k == wire.KindMap
}

func (d *Decoder) anyValue() (any, error) { return d.decodeAny(d.loose) }

func (d *Decoder) decodeAny(loose bool) (any, error) {
	c, err := d.PeekCode()
	if err != nil {
		return nil, err
	}
	return d.anyFrom(c, loose)
}

// anyFrom reads the value that begins with c.
func (d *Decoder) anyFrom(c byte, loose bool) (any, error) {
	f := wire.FormatOf(c)
	switch f.Kind() {
	case wire.KindNil:
		return nil, d.DecodeNil()
	case wire.KindBool:
		return d.DecodeBool()
	case wire.KindInt, wire.KindFloat:
		return d.anyNumber(f, loose)
	case wire.KindStr:
		return d.plainString()
	case wire.KindBin:
		if loose {
			return d.plainString()
		}
		return d.DecodeBytes()
	case wire.KindExt:
		return d.anyExt()
	case wire.KindArray, wire.KindMap:
		deep := d.deep
		if d.deep++; d.deep > maxDepth {
			return nil, errDepth
		}
		v, err := d.anyContainer(f.Kind())
		d.deep = deep
		return v, err
	}
	if _, err := d.next(); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("msgpack: unknown code %x decoding interface{}", c)
}

func (d *Decoder) anyContainer(kind wire.Kind) (any, error) {
	switch {
	case kind == wire.KindArray:
		return d.anySlice()
	case d.maps != nil:
		return d.maps(d)
	}
	return d.anyMap()
}

func (d *Decoder) anyNumber(f wire.Format, loose bool) (any, error) {
	switch {
	case !loose && (f == wire.PositiveFixint || f == wire.NegativeFixint):
		c, err := d.next()
		return int8(c), err
	case f == wire.Float32 && !loose:
		return d.DecodeFloat32()
	case f.Kind() == wire.KindFloat:
		return d.DecodeFloat64()
	case loose && (f == wire.Uint8 || f == wire.Uint16 || f == wire.Uint32 || f == wire.Uint64):
		return d.DecodeUint64()
	case loose:
		return d.DecodeInt64()
	}
	switch f {
	case wire.Uint8:
		return d.DecodeUint8()
	case wire.Uint16:
		return d.DecodeUint16()
	case wire.Uint32:
		return d.DecodeUint32()
	case wire.Uint64:
		return d.DecodeUint64()
	case wire.Int16:
		return d.DecodeInt16()
	case wire.Int32:
		return d.DecodeInt32()
	case wire.Int64:
		return d.DecodeInt64()
	}
	return d.DecodeInt8()
}

// anyExt reads an ext of a registered type, or an interned string.
func (d *Decoder) anyExt() (any, error) {
	id, n, err := d.DecodeExtHeader()
	if err != nil {
		return nil, err
	}
	x, ok := current.Load().exts[id]
	switch {
	case !ok && id == internedID:
		return d.internedString(n)
	case !ok:
		return nil, fmt.Errorf("msgpack: unknown ext id=%d", id)
	}
	v := reflect.New(x.typ).Elem()
	makeValue(v)
	if err := x.decode(d, v, n); err != nil {
		return nil, err
	}
	return v.Interface(), nil
}

// DecodeSlice reads an array. nil is nil.
func (d *Decoder) DecodeSlice() ([]any, error) {
	if d.borrow() {
		defer d.giveBack()
	}
	return d.anySlice()
}

func (d *Decoder) anySlice() ([]any, error) {
	n, err := d.DecodeArrayLen()
	if err != nil || n < 0 {
		return nil, err
	}
	s := make([]any, 0, min(n, maxReserved))
	for range n {
		v, err := d.anyValue()
		if err != nil {
			return nil, err
		}
		s = append(s, v)
	}
	return s, nil
}

// DecodeMap reads a map whose keys are str or bin. nil is nil.
func (d *Decoder) DecodeMap() (map[string]any, error) {
	if d.borrow() {
		defer d.giveBack()
	}
	return d.anyMap()
}

func (d *Decoder) anyMap() (map[string]any, error) {
	n, err := d.DecodeMapLen()
	if err != nil || n < 0 {
		return nil, err
	}
	m := make(map[string]any, min(n, maxReserved))
	for range n {
		k, err := d.DecodeString()
		if err != nil {
			return nil, err
		}
		if m[k], err = d.anyValue(); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// DecodeUntypedMap reads a map. nil is nil.
func (d *Decoder) DecodeUntypedMap() (map[any]any, error) {
	if d.borrow() {
		defer d.giveBack()
	}
	n, err := d.DecodeMapLen()
	if err != nil || n < 0 {
		return nil, err
	}
	m := make(map[any]any, min(n, maxReserved))
	for range n {
		k, err := d.anyKey()
		if err != nil {
			return nil, err
		}
		if m[k], err = d.anyValue(); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// anyKey reads a key of a Go map.
func (d *Decoder) anyKey() (any, error) {
	k, err := d.anyValue()
	if err == nil && k != nil && !reflect.ValueOf(k).Comparable() {
		err = keyError(k)
	}
	return k, err
}

func keyError(k any) error { return fmt.Errorf("msgpack: unsupported map key: %T", k) }

// DecodeTypedMap reads a map into a Go map whose types are those of the first pair. A map
// without pairs is nil.
func (d *Decoder) DecodeTypedMap() (any, error) {
	if d.borrow() {
		defer d.giveBack()
	}
	n, err := d.DecodeMapLen()
	if err != nil || n <= 0 {
		return nil, err
	}
	k, err := d.anyKey()
	if err != nil {
		return nil, err
	}
	v, err := d.anyValue()
	if err != nil {
		return nil, err
	}
	if k == nil || v == nil {
		return nil, keyError(nil)
	}
	m := reflect.MakeMap(reflect.MapOf(reflect.TypeOf(k), reflect.TypeOf(v)))
	m.SetMapIndex(reflect.ValueOf(k), reflect.ValueOf(v))
	if err := d.pairs(m, n-1); err != nil {
		return nil, err
	}
	return m.Interface(), nil
}
