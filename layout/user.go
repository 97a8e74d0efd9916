package layout

import (
	"encoding"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
)

// An Appender is a type that appends itself to a message.
type Appender interface {
	AppendLayout(dst []byte) ([]byte, error)
}

// A Decoder is a type that decodes itself from the start of data and returns the
// number of bytes that it has used. Data ends where the frame of the field ends. If
// data is too short, the error should wrap [ErrTruncated] or [io.ErrUnexpectedEOF].
// In a frame with a length, more input would not help, and the reason becomes
// [ErrLength]. A Decoder must not keep data. [Read] and [Typed.Frames] need a frame
// that tells how many bytes to read for it: a prefix, fixed=n, or a number with the
// option len of the field or of something around it. A type without one is
// [ErrUnsupported].
type Decoder interface {
	DecodeLayout(data []byte) (n int, err error)
}

// A userType describes how a type with methods is encoded. All methods are called on
// a copy in the heap, because the variable may be on the stack.
type userType struct {
	typ    reflect.Type
	binary bool // by the interfaces of package encoding, not by those of this package
	append bool // by encoding.BinaryAppender
}

// implements reports whether pointers to t implement I.
func implements[I any](t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[I]())
}

// isUserType reports whether t has the methods of this package.
func isUserType(t reflect.Type) bool { return implements[Appender](t) && implements[Decoder](t) }

// binaryTypeOf returns t as a type with the methods of package encoding, or nil.
func binaryTypeOf(t reflect.Type) *userType {
	if !implements[encoding.BinaryUnmarshaler](t) {
		return nil
	}
	switch {
	case implements[encoding.BinaryAppender](t):
		return &userType{typ: t, binary: true, append: true}
	case implements[encoding.BinaryMarshaler](t):
		return &userType{typ: t, binary: true}
	}
	return nil
}

// encode appends the value at p to dst. The methods are called on a copy, because they may
// have a pointer receiver, and the pointer may be kept.
func (u *userType) encode(dst []byte, p mem.Ptr) ([]byte, error) {
	v := reflect.New(u.typ)
	v.Elem().Set(mem.Value(u.typ, p))
	switch {
	case !u.binary:
		return v.Interface().(Appender).AppendLayout(dst)
	case u.append:
		return v.Interface().(encoding.BinaryAppender).AppendBinary(dst)
	}
	b, err := v.Interface().(encoding.BinaryMarshaler).MarshalBinary()
	return append(dst, b...), err
}

// decode sets the value at p from data and returns how much of it was used. After an error
// the value is what it was.
func (u *userType) decode(data []byte, p mem.Ptr) (n int, err error) {
	v := reflect.New(u.typ)
	if u.binary {
		n, err = len(data), v.Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(data)
	} else {
		n, err = v.Interface().(Decoder).DecodeLayout(data)
	}
	if err == nil && (n < 0 || n > len(data)) {
		return 0, failure(0, ErrLength, "DecodeLayout of %v returned %d of %s", u.typ, n, plural(len(data)))
	}
	if err == nil {
		mem.Value(u.typ, p).Set(v.Elem())
	}
	return n, err
}
