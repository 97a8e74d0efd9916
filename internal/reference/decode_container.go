package reference

import (
	"reflect"
	"slices"
	"time"
)

func (m MessagePack) decodeSlice(v value, target reflect.Value, depth int) error {
	content, isContent := v.asBytes(target.Type())
	if !isContent && v.kind != arrayKind {
		return mismatch(v, target)
	}
	n := len(v.elements)
	if isContent {
		n = len(content)
	}
	if target.IsNil() || n > target.Cap() {
		target.Set(reflect.MakeSlice(target.Type(), n, n))
	}
	target.SetLen(n)
	if isContent {
		setBytes(target, content)
		return nil
	}
	return m.decodeElements(v, target, depth)
}

func (m MessagePack) decodeArray(v value, target reflect.Value, depth int) error {
	if content, ok := v.asBytes(target.Type()); ok {
		if len(content) != target.Len() {
			return mismatch(v, target)
		}
		setBytes(target, content)
		return nil
	}
	if v.kind != arrayKind || len(v.elements) != target.Len() {
		return mismatch(v, target)
	}
	return m.decodeElements(v, target, depth)
}

// setBytes sets the elements of a byte slice or byte array, which must have the
// right length.
func setBytes(target reflect.Value, content []byte) {
	for i, b := range content {
		target.Index(i).SetUint(uint64(b))
	}
}

// asBytes returns the content of a str or bin if t is a slice or array of bytes
// that is encoded as a byte string.
func (v value) asBytes(t reflect.Type) (content []byte, ok bool) {
	return v.content, (v.kind == strKind || v.kind == binKind) && isBytes(t.Elem())
}

// decodeElements sets the elements of a slice or array, which must have the
// right length.
func (m MessagePack) decodeElements(v value, target reflect.Value, depth int) error {
	if err := m.enter(depth); err != nil {
		return err
	}
	for i, e := range v.elements {
		target.Index(i).SetZero()
		if err := m.decode(e, target.Index(i), depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (m MessagePack) decodeMap(v value, target reflect.Value, depth int) error {
	if v.kind != mapKind {
		return mismatch(v, target)
	}
	if err := m.enter(depth); err != nil {
		return err
	}
	if target.IsNil() {
		target.Set(reflect.MakeMap(target.Type()))
	}
	for pair := range slices.Chunk(v.elements, 2) {
		key := reflect.New(target.Type().Key()).Elem()
		if err := m.decode(pair[0], key, depth+1); err != nil {
			return err
		}
		if !key.Comparable() {
			return ErrUnhashable
		}
		elem := reflect.New(target.Type().Elem()).Elem()
		if err := m.decode(pair[1], elem, depth+1); err != nil {
			return err
		}
		target.SetMapIndex(key, elem)
	}
	return nil
}

func (m MessagePack) decodeStruct(v value, target reflect.Value, depth int) error {
	s, err := fieldsOf(target.Type())
	if err != nil {
		return err
	}
	switch v.kind {
	case nilKind:
		return setZero(target)
	case arrayKind, mapKind:
		if err := m.enter(depth); err != nil {
			return err
		}
	default:
		return mismatch(v, target)
	}
	if v.kind == arrayKind {
		for i, e := range v.elements {
			if i < len(s.fields) {
				err = m.decodeField(s.fields[i], e, target, depth+1)
			} else {
				err = m.checkDepth(e, depth+1)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	for pair := range slices.Chunk(v.elements, 2) {
		key, elem := pair[0], pair[1]
		i := slices.IndexFunc(s.fields, func(f field) bool { return f.matches(key) })
		if err := m.checkDepth(key, depth+1); err != nil {
			return err
		}
		if i < 0 {
			err = m.checkDepth(elem, depth+1)
		} else {
			err = m.decodeField(s.fields[i], elem, target, depth+1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// decodeField sets one field of a struct. It does not allocate an embedded
// struct for a nil.
func (m MessagePack) decodeField(f field, v value, target reflect.Value, depth int) error {
	if _, there := f.in(target); !there && v.kind == nilKind {
		return nil
	}
	x, err := f.allocate(target)
	if err != nil {
		return err
	}
	return m.decode(v, x, depth)
}

// toAny returns the Go value that an empty interface receives.
func (m MessagePack) toAny(v value, depth int) (any, error) {
	switch v.kind {
	case boolKind:
		return v.boolean, nil
	case intKind:
		if v.integer.IsInt64() {
			return v.integer.Int64(), nil
		}
		return v.integer.Uint64(), nil
	case floatKind:
		return v.float, nil
	case strKind:
		return string(v.content), nil
	case binKind:
		return append([]byte{}, v.content...), nil
	case arrayKind:
		var s []any
		err := m.decodeSlice(v, reflect.ValueOf(&s).Elem(), depth)
		return s, err
	case mapKind:
		return m.toAnyMap(v, depth)
	case extKind:
		return m.toAnyExt(v, depth)
	}
	return nil, nil
}

// toAnyMap returns a map[string]any if all keys are strs, and otherwise a
// map[any]any.
func (m MessagePack) toAnyMap(v value, depth int) (any, error) {
	for pair := range slices.Chunk(v.elements, 2) {
		if pair[0].kind != strKind {
			var wide map[any]any
			err := m.decodeMap(v, reflect.ValueOf(&wide).Elem(), depth)
			return wide, err
		}
	}
	var narrow map[string]any
	err := m.decodeMap(v, reflect.ValueOf(&narrow).Elem(), depth)
	return narrow, err
}

// toAnyExt returns a time.Time for a timestamp and an Ext for any other ext.
func (m MessagePack) toAnyExt(v value, depth int) (any, error) {
	t := m.Ext
	if v.ext == timestamp {
		t = reflect.TypeFor[time.Time]()
	}
	if t == nil {
		return nil, ErrUnsupported
	}
	x := reflect.New(t).Elem()
	err := m.decode(v, x, depth)
	return x.Interface(), err
}
