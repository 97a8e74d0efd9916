package reference

import (
	"fmt"
	"math"
	"reflect"
	"time"
)

// encode appends v. depth is the number of containers around v. asArray
// requests the array form if v is a struct or a pointer to one.
func (m MessagePack) encode(dst []byte, v reflect.Value, depth int, asArray bool) ([]byte, error) {
	if !v.IsValid() {
		return appendNil(dst), nil
	}
	switch v.Kind() {
	case reflect.Interface:
		return m.encode(dst, v.Elem(), depth, false)
	case reflect.Pointer:
		return m.encodePointer(dst, v, depth, asArray)
	}
	switch t := v.Type(); {
	case t == reflect.TypeFor[time.Time]():
		return appendTime(dst, v.Interface().(time.Time)), nil
	case t == m.Raw:
		if v.Len() == 0 {
			return appendNil(dst), nil
		}
		return m.appendOne(dst, v.Bytes(), nil, depth)
	case t == m.Ext:
		return encodeExt(dst, v)
	case hasAny(t, encodingMethods):
		return m.encodeByMethod(dst, v, depth)
	}
	return m.encodeKind(dst, v, depth, asArray)
}

// encodePointer appends the target of a pointer. A pointer to a pointer or to
// an interface counts as a level, because it can form a cycle.
func (m MessagePack) encodePointer(dst []byte, v reflect.Value, depth int, asArray bool) ([]byte, error) {
	if v.IsNil() {
		return appendNil(dst), nil
	}
	if pointsToPointer(v.Type()) {
		if err := m.enter(depth); err != nil {
			return nil, err
		}
		depth++
	}
	return m.encode(dst, v.Elem(), depth, asArray)
}

// pointsToPointer reports whether the target of a pointer type is a pointer or
// an interface.
func pointsToPointer(t reflect.Type) bool {
	k := t.Elem().Kind()
	return k == reflect.Pointer || k == reflect.Interface
}

func encodeExt(dst []byte, v reflect.Value) ([]byte, error) {
	typ, data := int8(v.FieldByName("Type").Int()), v.FieldByName("Data").Bytes()
	if typ == timestamp {
		if _, ok := parseTime(data); !ok {
			return nil, ErrTimestamp
		}
	}
	return appendExt(dst, typ, data), checkLength(len(data))
}

func (m MessagePack) encodeKind(dst []byte, v reflect.Value, depth int, asArray bool) ([]byte, error) {
	switch v.Kind() {
	case reflect.Bool:
		return appendBool(dst, v.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return appendInt(dst, v.Int()), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return appendUint(dst, v.Uint()), nil
	case reflect.Float32:
		return appendFloat32(dst, float32(v.Float())), nil
	case reflect.Float64:
		return appendFloat64(dst, v.Float()), nil
	case reflect.Complex64:
		dst = appendArrayHeader(dst, 2)
		dst = appendFloat32(dst, float32(real(v.Complex())))
		return appendFloat32(dst, float32(imag(v.Complex()))), m.enter(depth)
	case reflect.Complex128:
		dst = appendArrayHeader(dst, 2)
		dst = appendFloat64(dst, real(v.Complex()))
		return appendFloat64(dst, imag(v.Complex())), m.enter(depth)
	case reflect.String:
		return appendStr(dst, []byte(v.String())), checkLength(v.Len())
	case reflect.Slice:
		if v.IsNil() {
			return appendNil(dst), nil
		}
		return m.encodeElements(dst, v, depth)
	case reflect.Array:
		return m.encodeElements(dst, v, depth)
	case reflect.Map:
		if v.IsNil() {
			return appendNil(dst), nil
		}
		return m.encodeMap(dst, v, depth)
	case reflect.Struct:
		return m.encodeStruct(dst, v, depth, asArray)
	}
	return nil, fmt.Errorf("%w: %v", ErrUnsupported, v.Type())
}

func checkLength(n int) error {
	if uint64(n) > math.MaxUint32 {
		return ErrLength
	}
	return nil
}

// encodeElements encodes a slice or an array.
func (m MessagePack) encodeElements(dst []byte, v reflect.Value, depth int) ([]byte, error) {
	if err := checkLength(v.Len()); err != nil {
		return nil, err
	}
	if isBytes(v.Type().Elem()) {
		var content []byte
		for i := range v.Len() {
			content = append(content, byte(v.Index(i).Uint()))
		}
		return appendBin(dst, content), nil
	}
	if err := m.enter(depth); err != nil {
		return nil, err
	}
	dst = appendArrayHeader(dst, v.Len())
	for i := range v.Len() {
		var err error
		if dst, err = m.encode(dst, v.Index(i), depth+1, false); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

func (m MessagePack) encodeMap(dst []byte, v reflect.Value, depth int) ([]byte, error) {
	if err := checkLength(v.Len()); err != nil {
		return nil, err
	}
	if err := m.enter(depth); err != nil {
		return nil, err
	}
	dst = appendMapHeader(dst, v.Len())
	for key, elem := range v.Seq2() {
		var err error
		if dst, err = m.encode(dst, key, depth+1, false); err != nil {
			return nil, err
		}
		if dst, err = m.encode(dst, elem, depth+1, false); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

func (m MessagePack) encodeStruct(dst []byte, v reflect.Value, depth int, asArray bool) ([]byte, error) {
	s, err := fieldsOf(v.Type())
	if err != nil {
		return nil, err
	}
	if err := m.enter(depth); err != nil {
		return nil, err
	}
	if asArray || s.asArray {
		dst = appendArrayHeader(dst, len(s.fields))
		for _, f := range s.fields {
			x, _ := f.in(v) // invalid below a nil pointer, and then encoded as nil
			if dst, err = m.encode(dst, x, depth+1, f.asArray); err != nil {
				return nil, err
			}
		}
		return dst, nil
	}
	count, body := 0, []byte(nil)
	for _, f := range s.fields {
		x, ok := f.in(v)
		if !ok || f.omitEmpty && isEmpty(x) || f.omitZero && isZero(x) {
			continue
		}
		count++
		body = f.appendKey(body)
		if body, err = m.encode(body, x, depth+1, f.asArray); err != nil {
			return nil, err
		}
	}
	return append(appendMapHeader(dst, count), body...), nil
}

// isEmpty reports whether omitempty omits v.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Slice, reflect.Map, reflect.String:
		return v.Len() == 0
	case reflect.Struct, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return false
	}
	return v.IsZero()
}

// isZero reports whether omitzero omits v.
func isZero(v reflect.Value) bool {
	type zeroer interface{ IsZero() bool }
	own := reflect.TypeFor[zeroer]()
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.Type().Implements(own) || v.IsNil() {
			return v.IsNil()
		}
		if e := v.Elem(); v.Kind() == reflect.Interface && e.Kind() == reflect.Pointer && e.IsNil() {
			return true // do not call IsZero, which may not expect a nil receiver
		}
		return v.Interface().(zeroer).IsZero()
	}
	if reflect.PointerTo(v.Type()).Implements(own) {
		if !v.CanInterface() {
			return v.IsZero()
		}
		return pointerTo(v).(zeroer).IsZero()
	}
	return v.IsZero()
}
