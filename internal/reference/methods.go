package reference

import (
	"encoding"
	"fmt"
	"reflect"
)

// The methods with which a type encodes and decodes itself. Package encoding
// defines interfaces for the others.
type (
	msgpackAppender interface {
		AppendMsgpack(dst []byte) ([]byte, error)
	}
	msgpackMarshaler interface {
		MarshalMsgpack() ([]byte, error)
	}
	msgpackUnmarshaler interface {
		UnmarshalMsgpack(data []byte) error
	}
)

var (
	encodingMethods = []reflect.Type{
		reflect.TypeFor[msgpackAppender](),
		reflect.TypeFor[msgpackMarshaler](),
		reflect.TypeFor[encoding.BinaryAppender](),
		reflect.TypeFor[encoding.BinaryMarshaler](),
		reflect.TypeFor[encoding.TextAppender](),
		reflect.TypeFor[encoding.TextMarshaler](),
	}
	decodingMethods = []reflect.Type{
		reflect.TypeFor[msgpackUnmarshaler](),
		reflect.TypeFor[encoding.BinaryUnmarshaler](),
		reflect.TypeFor[encoding.TextUnmarshaler](),
	}
)

// hasAny reports whether t or a pointer to it has one of the methods.
func hasAny(t reflect.Type, methods []reflect.Type) bool {
	for _, m := range methods {
		if reflect.PointerTo(t).Implements(m) {
			return true
		}
	}
	return false
}

// isBytes reports whether slices and arrays of elem are encoded as byte
// strings.
func isBytes(elem reflect.Type) bool {
	return elem.Kind() == reflect.Uint8 && !hasAny(elem, encodingMethods) && !hasAny(elem, decodingMethods)
}

// pointerTo returns a pointer to v, or to a copy of v if v is not addressable.
func pointerTo(v reflect.Value) any {
	if v.CanAddr() {
		return v.Addr().Interface()
	}
	c := reflect.New(v.Type())
	c.Elem().Set(v)
	return c.Interface()
}

// encodeByMethod encodes v with the preferred method among those it has.
func (m MessagePack) encodeByMethod(dst []byte, v reflect.Value, depth int) ([]byte, error) {
	if !v.CanInterface() {
		return nil, fmt.Errorf("%w: reflection cannot call methods of unexported type %v", ErrUnsupported, v.Type())
	}
	switch x := pointerTo(v).(type) {
	case msgpackAppender:
		b, err := x.AppendMsgpack(nil)
		return m.appendOne(dst, b, err, depth)
	case msgpackMarshaler:
		b, err := x.MarshalMsgpack()
		return m.appendOne(dst, b, err, depth)
	case encoding.BinaryAppender:
		b, err := x.AppendBinary(nil)
		return appendContent(appendBin, dst, b, err)
	case encoding.BinaryMarshaler:
		b, err := x.MarshalBinary()
		return appendContent(appendBin, dst, b, err)
	case encoding.TextAppender:
		b, err := x.AppendText(nil)
		return appendContent(appendStr, dst, b, err)
	case encoding.TextMarshaler:
		b, err := x.MarshalText()
		return appendContent(appendStr, dst, b, err)
	}
	panic("reference: called for a type without methods")
}

// appendContent appends b with write, if err is nil.
func appendContent(write func(dst, content []byte) []byte, dst, b []byte, err error) ([]byte, error) {
	if err == nil {
		err = checkLength(len(b))
	}
	if err != nil {
		return nil, err
	}
	return write(dst, b), nil
}

// appendOne appends b, which must be exactly one value, if err is nil.
func (m MessagePack) appendOne(dst, b []byte, err error, depth int) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	tree, err := m.parseAll(b)
	if err == nil {
		err = m.checkDepth(tree, depth)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return append(dst, b...), nil
}

// decodeByMethod decodes v with a method of the target.
func (m MessagePack) decodeByMethod(v value, target reflect.Value, depth int) error {
	if !target.CanInterface() {
		return fmt.Errorf("%w: reflection cannot call methods of unexported type %v", ErrUnsupported, target.Type())
	}
	x := target.Addr().Interface()
	if own, ok := x.(msgpackUnmarshaler); ok {
		if err := m.checkDepth(v, depth); err != nil {
			return err
		}
		return own.UnmarshalMsgpack(append([]byte(nil), v.encoded...))
	}
	if v.kind == nilKind {
		return setZero(target)
	}
	if v.kind != strKind && v.kind != binKind {
		return mismatch(v, target)
	}
	content := append([]byte(nil), v.content...)
	binary, hasBinary := x.(encoding.BinaryUnmarshaler)
	text, hasText := x.(encoding.TextUnmarshaler)
	if hasText && (v.kind == strKind || !hasBinary) {
		return text.UnmarshalText(content)
	}
	return binary.UnmarshalBinary(content)
}
