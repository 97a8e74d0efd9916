package msgpack

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"sync"
)

type decodeFunc = func(*Decoder, reflect.Value) error

// decodeMethods are the interfaces whose methods decode a value, in the order in which they
// are looked for.
var decodeMethods = []struct {
	typ  reflect.Type
	call func(d *Decoder, v any) error
}{
	{reflect.TypeFor[CustomDecoder](), func(d *Decoder, v any) error { return v.(CustomDecoder).DecodeMsgpack(d) }},
	{reflect.TypeFor[Unmarshaler](), func(d *Decoder, v any) error {
		b, err := d.DecodeRaw()
		if err != nil {
			return err
		}
		return v.(Unmarshaler).UnmarshalMsgpack(b)
	}},
	{reflect.TypeFor[encoding.BinaryUnmarshaler](), func(d *Decoder, v any) error {
		b, err := d.DecodeBytes()
		if err != nil {
			return err
		}
		return v.(encoding.BinaryUnmarshaler).UnmarshalBinary(b)
	}},
	{reflect.TypeFor[encoding.TextUnmarshaler](), func(d *Decoder, v any) error {
		b, err := d.DecodeBytes()
		if err != nil {
			return err
		}
		return v.(encoding.TextUnmarshaler).UnmarshalText(b)
	}},
}

// limitDepthOf returns f with a limit for the depth.
func limitDepthOf(f decodeFunc) decodeFunc {
	return func(d *Decoder, v reflect.Value) error {
		deep := d.deep
		if d.deep++; d.deep > maxDepth {
			return errDepth
		}
		err := f(d, v)
		d.deep = deep
		return err
	}
}

func (r *registry) makeDecoder(t reflect.Type) decodeFunc {
	if f, ok := r.decoders[t]; ok {
		return f
	}
	isPointer := t.Kind() == reflect.Pointer
	if isPointer {
		if _, ok := r.decoders[t.Elem()]; ok {
			return r.pointerDecoder(t)
		}
	}
	for _, m := range decodeMethods {
		if t.Implements(m.typ) {
			return nilOr(func(d *Decoder, v reflect.Value) error {
				if !makeValue(v) || !v.CanInterface() {
					return errNotSettable(v)
				}
				return m.call(d, v.Interface())
			}, false)
		}
	}
	for _, m := range decodeMethods {
		if !isPointer && reflect.PointerTo(t).Implements(m.typ) {
			decode := nilOr(func(d *Decoder, v reflect.Value) error { return m.call(d, v.Interface()) }, false)
			return func(d *Decoder, v reflect.Value) error {
				switch {
				case !v.CanAddr():
					return fmt.Errorf("msgpack: Decode(nonaddressable %v)", t)
				case !v.CanInterface():
					return errNotSettable(v)
				}
				return decode(d, v.Addr())
			}
		}
	}
	return settable(r.kindDecoder(t))
}

// isNil reports whether the next value is nil.
func (d *Decoder) isNil() bool {
	c, err := d.PeekCode()
	return err == nil && c == 0xc0
}

// nilOr returns a function that decodes nil by clearing v, or what v points to if keep is set or
// v cannot be.
func nilOr(decode decodeFunc, keep bool) decodeFunc {
	return func(d *Decoder, v reflect.Value) error {
		if !d.isNil() {
			if v.Kind() == reflect.Pointer && !makeValue(v) {
				return errNotSettable(v)
			}
			return decode(d, v)
		}
		if v.Kind() == reflect.Pointer && !v.IsNil() && (keep || !v.CanSet()) {
			v = v.Elem()
		}
		if v.CanSet() {
			v.SetZero()
		}
		return d.DecodeNil()
	}
}

// makeValue gives a nil pointer or map a value, and reports whether v has one.
func makeValue(v reflect.Value) bool {
	if !canBeNil(v.Kind()) || !v.IsNil() {
		return true
	}
	switch {
	case !v.CanSet():
		return false
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case v.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
	default:
		return v.Kind() == reflect.Slice
	}
	return true
}

// settable returns decode with an error for values that cannot be set, such as those that an
// interface holds. Pointers, structs, arrays and maps can have parts that can be set.
func settable(decode decodeFunc) decodeFunc {
	return func(d *Decoder, v reflect.Value) error {
		switch k := v.Kind(); {
		case v.CanSet(), k == reflect.Pointer, k == reflect.Struct, k == reflect.Array, k == reflect.Map && !v.IsNil():
			return decode(d, v)
		}
		return errNotSettable(v)
	}
}

func errNotSettable(v reflect.Value) error {
	return fmt.Errorf("msgpack: Decode(non-settable %v)", v.Type())
}

// setZero clears v, which a nil or an empty array was decoded into.
func setZero(v reflect.Value) error {
	if !v.CanSet() {
		return errNotSettable(v)
	}
	v.SetZero()
	return nil
}

// kindDecoder returns the function for a type without methods.
func (r *registry) kindDecoder(t reflect.Type) decodeFunc {
	switch t.Kind() {
	case reflect.Bool:
		return func(d *Decoder, v reflect.Value) error {
			b, err := d.DecodeBool()
			if err == nil {
				v.SetBool(b)
			}
			return err
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(d *Decoder, v reflect.Value) error {
			n, err := d.DecodeInt64()
			if err == nil {
				v.SetInt(n)
			}
			return err
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return func(d *Decoder, v reflect.Value) error {
			n, err := d.DecodeUint64()
			if err == nil {
				v.SetUint(n)
			}
			return err
		}
	case reflect.Float32:
		return func(d *Decoder, v reflect.Value) error {
			f, err := d.DecodeFloat32()
			if err == nil {
				v.SetFloat(float64(f))
			}
			return err
		}
	case reflect.Float64:
		return func(d *Decoder, v reflect.Value) error {
			f, err := d.DecodeFloat64()
			if err == nil {
				v.SetFloat(f)
			}
			return err
		}
	case reflect.String:
		return func(d *Decoder, v reflect.Value) error {
			s, err := d.DecodeString()
			if err == nil {
				v.SetString(s)
			}
			return err
		}
	case reflect.Pointer:
		return r.pointerDecoder(t)
	case reflect.Interface:
		return decodeInterface
	case reflect.Slice, reflect.Array:
		return r.sliceDecoder(t)
	case reflect.Map:
		return r.mapDecoder(t)
	case reflect.Struct:
		return r.structDecoder(t)
	}
	return func(*Decoder, reflect.Value) error { return fmt.Errorf("msgpack: Decode(unsupported %v)", t) }
}

// set assigns a value to an interface.
func set(v reflect.Value, value any) error {
	text, isText := value.(string)
	switch at := reflect.ValueOf(value); {
	case value == nil:
		return nil
	case isText && v.Type() == errorType:
		v.Set(reflect.ValueOf(errors.New(text)))
	case !at.Type().AssignableTo(v.Type()):
		return fmt.Errorf("msgpack: Decode(%v into %v)", at.Type(), v.Type())
	default:
		v.Set(at)
	}
	return nil
}

func (r *registry) pointerDecoder(t reflect.Type) decodeFunc {
	elem := r.later(t.Elem())
	return func(d *Decoder, v reflect.Value) error {
		if d.isNil() {
			if v.CanSet() {
				v.SetZero()
			} else if !v.IsNil() {
				if err := setZero(v.Elem()); err != nil {
					return err
				}
			}
			return d.DecodeNil()
		}
		if !makeValue(v) {
			return errNotSettable(v)
		}
		return elem().decode(d, v.Elem())
	}
}

// decodeInterface decodes into what an interface points to, or replaces nil.
func decodeInterface(d *Decoder, v reflect.Value) error {
	if !v.IsNil() {
		return d.DecodeValue(v.Elem())
	}
	value, err := d.anyValue()
	if err != nil {
		return err
	}
	return set(v, value)
}

// structDecoder returns the function for a struct type.
func (r *registry) structDecoder(t reflect.Type) decodeFunc {
	untagged := sync.OnceValue(func() *structFields { return r.fields(t, "") })
	return func(d *Decoder, v reflect.Value) error {
		if d.tag == "" {
			return untagged().decode(d, v)
		}
		return r.fields(t, d.tag).decode(d, v)
	}
}

// decode decodes a map, or an array of all fields.
func (s *structFields) decode(d *Decoder, v reflect.Value) error {
	if s.err != nil {
		return s.err
	}
	c, err := d.next()
	if err != nil {
		return err
	}
	n, err := d.mapLength(c)
	if err == nil {
		return s.decodeMap(d, v, n)
	}
	var asArray error
	switch n, asArray = d.arrayLength(c); {
	case asArray == errLength: // in 32-bit programs
		return asArray
	case asArray != nil:
		return err
	case n <= 0:
		return setZero(v)
	case n != len(s.list):
		return errors.New("msgpack: number of fields in array-encoded struct has changed")
	}
	for _, f := range s.list {
		if err := f.decodeInto(d, v); err != nil {
			return err
		}
	}
	return nil
}

func (s *structFields) decodeMap(d *Decoder, v reflect.Value, n int) error {
	if n < 0 {
		return setZero(v)
	}
	for i := range n {
		f, name, err := s.next(d, i)
		switch {
		case err != nil:
			return err
		case f != nil:
			err = f.decodeInto(d, v)
		case d.rejectUnknown:
			err = fmt.Errorf("msgpack: unknown field %q", name)
		default:
			err = d.Skip()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// next reads the key of pair i and returns its field, or the key.
func (s *structFields) next(d *Decoder, i int) (f *field, name string, err error) {
	if d.intern || len(d.dict) > 0 {
		name, err := d.decodeInterned(d.intern)
		return s.byName[name], name, err
	}
	n, err := d.DecodeBytesLen()
	if err != nil {
		return nil, "", err
	}
	b, err := d.take(max(n, 0))
	if err != nil {
		return nil, "", err
	}
	// Most messages have the fields in their order.
	if i < len(s.list) && s.list[i].found && s.list[i].name == string(b) {
		return s.list[i], "", nil
	}
	if f := s.byName[string(b)]; f != nil {
		return f, "", nil
	}
	return nil, string(b), nil
}
