package msgpack

import (
	"fmt"
	"io"
	"reflect"
)

func (r *registry) sliceDecoder(t reflect.Type) decodeFunc {
	isArray := t.Kind() == reflect.Array
	switch {
	case t.Elem().Kind() == reflect.Uint8 && isArray:
		return decodeByteArray
	case t.Elem().Kind() == reflect.Uint8:
		return decodeBytes
	case t.Elem() == textType && !isArray:
		return decodeStrings
	}
	elem := r.later(t.Elem())
	if isArray {
		return func(d *Decoder, v reflect.Value) error { return decodeArray(d, v, elem().decode) }
	}
	return func(d *Decoder, v reflect.Value) error { return decodeSlice(d, v, elem().decode) }
}

// decodeBytes reads a str or bin into the memory that v already has.
func decodeBytes(d *Decoder, v reflect.Value) error {
	b, err := d.bytesInto(v.Bytes())
	if err == nil {
		v.SetBytes(b)
	}
	return err
}

// bytesInto reads a str or bin into the memory of old if it fits. nil is nil.
func (d *Decoder) bytesInto(old []byte) ([]byte, error) {
	n, err := d.DecodeBytesLen()
	if err != nil || n < 0 {
		return nil, err
	}
	if old == nil {
		old = []byte{}
	}
	if d.mem == nil {
		return d.readInto(old[:0], n)
	}
	b, err := d.take(n)
	return append(old[:0], b...), err
}

// decodeByteArray reads a str or bin into the first bytes of an array.
func decodeByteArray(d *Decoder, v reflect.Value) error {
	n, err := d.DecodeBytesLen()
	switch {
	case err != nil || n < 0:
		return err
	case !v.CanAddr():
		return errNotSettable(v)
	case n > v.Len():
		return tooLong(v, n)
	}
	_, err = io.ReadFull(d.r, v.Bytes()[:n])
	return err
}

func tooLong(v reflect.Value, n int) error {
	return fmt.Errorf("%v len is %d, but msgpack has %d elements", v.Type(), v.Len(), n)
}

// decodeStrings reads an array into a slice of strings. nil leaves it as it is.
func decodeStrings(d *Decoder, v reflect.Value) error {
	n, err := d.DecodeArrayLen()
	if err != nil || n < 0 {
		return err
	}
	p, own := at[[]string](v)
	if !own {
		old := as[[]string](v)
		p = &old
	}
	list := (*p)[:0]
	if list == nil {
		list = make([]string, 0, min(n, maxReserved))
	}
	for range n {
		s, err := d.DecodeString()
		if err != nil {
			return err
		}
		list = append(list, s)
	}
	if *p = list; !own {
		v.Set(reflect.ValueOf(list).Convert(v.Type()))
	}
	return nil
}

// decodeArray reads an array into the first elements of v. nil leaves it as it is.
func decodeArray(d *Decoder, v reflect.Value, elem decodeFunc) error {
	n, err := d.DecodeArrayLen()
	switch {
	case err != nil:
		return err
	case n > v.Len():
		return tooLong(v, n)
	}
	for i := range max(n, 0) {
		if err := elem(d, v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

// decodeSlice reads an array into the elements that v already has, and appends the others.
func decodeSlice(d *Decoder, v reflect.Value, elem decodeFunc) error {
	n, err := d.DecodeArrayLen()
	switch {
	case err != nil:
		return err
	case n < 0:
		v.SetZero()
		return nil
	case v.IsNil():
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
	v.SetLen(min(n, v.Cap()))
	for i := range n {
		if i == v.Len() {
			v.Grow(1)
			v.SetLen(i + 1)
			v.Index(i).SetZero()
		}
		if err := elem(d, v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func (r *registry) mapDecoder(t reflect.Type) decodeFunc {
	if t.Key() == textType {
		switch t.Elem() {
		case textType:
			return decodeStringsMap
		case anyType:
			return func(d *Decoder, v reflect.Value) error {
				m, err := d.DecodeMap()
				if err != nil {
					return err
				}
				if !v.CanSet() {
					return errNotSettable(v)
				}
				v.Set(reflect.ValueOf(m).Convert(t))
				return nil
			}
		}
	}
	return func(d *Decoder, v reflect.Value) error {
		n, err := d.DecodeMapLen()
		if err != nil {
			return err
		}
		if n < 0 {
			return setZero(v)
		}
		makeValue(v)
		return d.pairs(v, n)
	}
}

// decodeStringsMap adds the pairs of a map to a map[string]string.
func decodeStringsMap(d *Decoder, v reflect.Value) error {
	n, err := d.DecodeMapLen()
	if err != nil {
		return err
	}
	if n < 0 {
		return setZero(v)
	}
	if v.IsNil() {
		v.Set(reflect.MakeMapWithSize(v.Type(), min(n, maxReserved)))
	}
	m := as[map[string]string](v)
	for range n {
		k, err := d.DecodeString()
		if err != nil {
			return err
		}
		s, err := d.DecodeString()
		if err != nil {
			return err
		}
		m[k] = s
	}
	return nil
}

// pairs reads n pairs and adds them to the map v.
func (d *Decoder) pairs(v reflect.Value, n int) error {
	r, t := current.Load(), v.Type()
	key, elem := r.plan(t.Key()).decode, r.plan(t.Elem()).decode
	for range n {
		k, e := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		if err := key(d, k); err != nil {
			return err
		}
		if err := elem(d, e); err != nil {
			return err
		}
		if !k.Comparable() {
			return keyError(k.Interface())
		}
		v.SetMapIndex(k, e)
	}
	return nil
}
