package msgpack

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"sync"
)

type encodeFunc = func(*Encoder, reflect.Value) error

var (
	anyType   = reflect.TypeFor[any]()
	boolType  = reflect.TypeFor[bool]()
	textType  = reflect.TypeFor[string]()
	errorType = reflect.TypeFor[error]()
)

// encodeMethods are the interfaces whose methods encode a value, in the order in which they
// are looked for.
var encodeMethods = []struct {
	typ  reflect.Type
	call func(e *Encoder, v any) error
}{
	{reflect.TypeFor[CustomEncoder](), func(e *Encoder, v any) error { return v.(CustomEncoder).EncodeMsgpack(e) }},
	{reflect.TypeFor[Marshaler](), func(e *Encoder, v any) error {
		b, err := v.(Marshaler).MarshalMsgpack()
		if err != nil {
			return err
		}
		return e.put(append(e.buf, b...))
	}},
	{reflect.TypeFor[encoding.BinaryMarshaler](), func(e *Encoder, v any) error {
		b, err := v.(encoding.BinaryMarshaler).MarshalBinary()
		if err != nil {
			return err
		}
		return e.EncodeBytes(b)
	}},
	{reflect.TypeFor[encoding.TextMarshaler](), func(e *Encoder, v any) error {
		b, err := v.(encoding.TextMarshaler).MarshalText()
		if err != nil {
			return err
		}
		return e.EncodeBytes(b)
	}},
}

// limitDepth returns f with a limit for the depth.
func limitDepth(f encodeFunc) encodeFunc {
	return func(e *Encoder, v reflect.Value) error {
		deep := e.deep
		if e.deep++; e.deep > maxDepth {
			return errDepth
		}
		err := f(e, v)
		e.deep = deep
		return err
	}
}

func (r *registry) makeEncoder(t reflect.Type) encodeFunc {
	if f, ok := r.encoders[t]; ok {
		return f
	}
	isPointer := t.Kind() == reflect.Pointer
	if isPointer {
		if _, ok := r.encoders[t.Elem()]; ok {
			return r.pointerEncoder(t)
		}
	}
	for _, m := range encodeMethods {
		if t.Implements(m.typ) {
			return readable(func(e *Encoder, v reflect.Value) error {
				if canBeNil(v.Kind()) && v.IsNil() {
					return e.EncodeNil()
				}
				return m.call(e, v.Interface())
			})
		}
	}
	for _, m := range encodeMethods {
		if !isPointer && reflect.PointerTo(t).Implements(m.typ) {
			return readable(func(e *Encoder, v reflect.Value) error {
				if !v.CanAddr() {
					return fmt.Errorf("msgpack: Encode(non-addressable %v)", t)
				}
				return m.call(e, v.Addr().Interface())
			})
		}
	}
	return r.kindEncoder(t)
}

// readable returns f with an error for embedded values of unexported types, whose methods
// and contents reflection does not give.
func readable(f encodeFunc) encodeFunc {
	return func(e *Encoder, v reflect.Value) error {
		if !v.CanInterface() {
			return fmt.Errorf("msgpack: Encode(embedded unexported %v)", v.Type())
		}
		return f(e, v)
	}
}

// kindEncoder returns the function for a type without methods.
func (r *registry) kindEncoder(t reflect.Type) encodeFunc {
	size := t.Size()
	switch t.Kind() {
	case reflect.Bool:
		return func(e *Encoder, v reflect.Value) error { return e.EncodeBool(v.Bool()) }
	case reflect.Int:
		return func(e *Encoder, v reflect.Value) error { return e.EncodeInt(v.Int()) }
	case reflect.Uint:
		return func(e *Encoder, v reflect.Value) error { return e.EncodeUint(v.Uint()) }
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(e *Encoder, v reflect.Value) error { return e.sizedInt(v.Int(), size) }
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return func(e *Encoder, v reflect.Value) error { return e.sizedUint(v.Uint(), size) }
	case reflect.Float32:
		return func(e *Encoder, v reflect.Value) error { return e.EncodeFloat32(float32(v.Float())) }
	case reflect.Float64:
		return func(e *Encoder, v reflect.Value) error { return e.EncodeFloat64(v.Float()) }
	case reflect.String:
		return func(e *Encoder, v reflect.Value) error { return e.EncodeString(v.String()) }
	case reflect.Pointer:
		return r.pointerEncoder(t)
	case reflect.Interface:
		return encodeInterface
	case reflect.Slice, reflect.Array:
		return r.sliceEncoder(t)
	case reflect.Map:
		return r.mapEncoder(t)
	case reflect.Struct:
		return r.structEncoder(t)
	}
	return func(*Encoder, reflect.Value) error { return fmt.Errorf("msgpack: Encode(unsupported %v)", t) }
}

func (r *registry) pointerEncoder(t reflect.Type) encodeFunc {
	elem := r.later(t.Elem())
	return func(e *Encoder, v reflect.Value) error {
		if v.IsNil() {
			return e.EncodeNil()
		}
		return elem().encode(e, v.Elem())
	}
}

func encodeInterface(e *Encoder, v reflect.Value) error {
	switch {
	case v.IsNil():
		return e.EncodeNil()
	case v.Type() == errorType:
		return e.EncodeString(v.Interface().(error).Error())
	}
	v = v.Elem()
	return current.Load().plan(v.Type()).encode(e, v)
}

func (r *registry) sliceEncoder(t reflect.Type) encodeFunc {
	if t.Elem().Kind() == reflect.Uint8 {
		return encodeBytes
	}
	elem := r.later(t.Elem())
	if t.Kind() == reflect.Slice && t.Elem() == textType {
		text := &plan{encode: func(e *Encoder, v reflect.Value) error { return e.EncodeString(v.String()) }}
		elem = func() *plan { return text } // registered functions are not called, as there
	}
	return func(e *Encoder, v reflect.Value) error {
		if v.Kind() == reflect.Slice && v.IsNil() {
			return e.EncodeNil()
		}
		if err := e.EncodeArrayLen(v.Len()); err != nil {
			return err
		}
		encode := elem().encode
		for i := range v.Len() {
			if err := encode(e, v.Index(i)); err != nil {
				return err
			}
		}
		return nil
	}
}

// encodeBytes encodes slices and arrays of bytes.
func encodeBytes(e *Encoder, v reflect.Value) error {
	if v.Kind() == reflect.Array && !v.CanAddr() {
		b := make([]byte, v.Len())
		for i := range b {
			b[i] = byte(v.Index(i).Uint())
		}
		return e.EncodeBytes(b)
	}
	return e.EncodeBytes(v.Bytes())
}

func (r *registry) mapEncoder(t reflect.Type) encodeFunc {
	if t.Key() == textType {
		switch t.Elem() {
		case textType:
			return readable(func(e *Encoder, v reflect.Value) error {
				return encodeStringMap(e, as[map[string]string](v), e.EncodeString, e.sortKeys)
			})
		case boolType:
			return readable(func(e *Encoder, v reflect.Value) error {
				return encodeStringMap(e, as[map[string]bool](v), e.EncodeBool, e.sortKeys)
			})
		case anyType:
			return readable(func(e *Encoder, v reflect.Value) error {
				return encodeStringMap(e, as[map[string]any](v), e.Encode, e.sortKeys)
			})
		}
	}
	key, elem := r.later(t.Key()), r.later(t.Elem())
	return func(e *Encoder, v reflect.Value) error {
		if v.IsNil() {
			return e.EncodeNil()
		}
		if err := e.EncodeMapLen(v.Len()); err != nil {
			return err
		}
		for it := v.MapRange(); it.Next(); {
			if err := key().encode(e, it.Key()); err != nil {
				return err
			}
			if err := elem().encode(e, it.Value()); err != nil {
				return err
			}
		}
		return nil
	}
}

// as returns the value of v, whose type has the underlying type T.
func as[T any](v reflect.Value) T {
	if t := reflect.TypeFor[T](); v.Type() != t {
		v = v.Convert(t)
	}
	return v.Interface().(T)
}

// at returns a pointer to v, if its type is T and it can be set.
func at[T any](v reflect.Value) (p *T, ok bool) {
	if v.CanSet() {
		p, ok = v.Addr().Interface().(*T)
	}
	return p, ok
}

// encodeStringMap encodes a map with keys of type string.
func encodeStringMap[V any](e *Encoder, m map[string]V, encode func(V) error, sorted bool) error {
	if m == nil {
		return e.EncodeNil()
	}
	if err := e.EncodeMapLen(len(m)); err != nil {
		return err
	}
	pair := func(k string, v V) error {
		if err := e.EncodeString(k); err != nil {
			return err
		}
		return encode(v)
	}
	if sorted {
		keys := make([]string, 0, len(m))
		for k := range m {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if err := pair(k, m[k]); err != nil {
				return err
			}
		}
		return nil
	}
	for k, v := range m {
		if err := pair(k, v); err != nil {
			return err
		}
	}
	return nil
}

// structEncoder returns the function for a struct type.
func (r *registry) structEncoder(t reflect.Type) encodeFunc {
	untagged := sync.OnceValue(func() *structFields { return r.fields(t, "") })
	return func(e *Encoder, v reflect.Value) error {
		if e.tag == "" {
			return untagged().encode(e, v)
		}
		return r.fields(t, e.tag).encode(e, v)
	}
}

// encode encodes a struct as a map or an array of its fields.
func (s *structFields) encode(e *Encoder, v reflect.Value) error {
	if s.err != nil {
		return s.err
	}
	if e.arrays || s.asArray {
		if err := e.EncodeArrayLen(len(s.list)); err != nil {
			return err
		}
		for _, f := range s.list {
			if err := f.encodeFrom(e, v); err != nil {
				return err
			}
		}
		return nil
	}
	list := s.kept(e, v)
	if err := e.EncodeMapLen(len(list)); err != nil {
		return err
	}
	for _, f := range list {
		if !e.intern && len(e.dict) == 0 { // which a field can change
			e.buf = append(e.buf, f.key...)
		} else if err := e.EncodeString(f.name); err != nil {
			return err
		}
		if err := f.encodeFrom(e, v); err != nil {
			return err
		}
	}
	return nil
}

func canBeNil(k reflect.Kind) bool {
	switch k {
	case reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice:
		return true
	}
	return false
}
