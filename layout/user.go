package layout

import (
	"encoding"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/promoted"
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

// checkHalf refuses n if its type has only one of the methods of this package, or one with another signature. The
// method would be ignored, although it says that the type has bytes of its own.
func checkHalf(n *node) error {
	t := n.typ
	if isBytes(t) {
		t = t.Elem()
	}
	for _, find := range new(userType).methods() {
		if m, has := find(reflect.PointerTo(t)); has && !isUserType(t) {
			return unsupported(n.path(), "type %v has %s, but a type that encodes itself has AppendLayout([]byte) ([]byte, error) and DecodeLayout([]byte) (int, error)", t, m.Name)
		}
	}
	return nil
}

// binaryTypeOf returns t as a type with the methods of package encoding, or nil. MarshalBinary precedes the
// AppendBinary of a struct that is embedded deeper, such as a time.Time.
func binaryTypeOf(t reflect.Type) *userType {
	if !implements[encoding.BinaryUnmarshaler](t) {
		return nil
	}
	marshals, appends := &userType{typ: t, binary: true}, &userType{typ: t, binary: true, append: true}
	switch hasMarshal := implements[encoding.BinaryMarshaler](t); {
	case !implements[encoding.BinaryAppender](t) && !hasMarshal:
		return nil
	case !implements[encoding.BinaryAppender](t),
		hasMarshal && len(promoted.From(t, marshals.methods()[0])) < len(promoted.From(t, appends.methods()[0])):
		return marshals
	}
	return appends
}

// methods returns those that encode and decode u.
func (u *userType) methods() []promoted.Finder {
	switch {
	case !u.binary:
		return []promoted.Finder{
			func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("AppendLayout") },
			func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("DecodeLayout") },
		}
	case u.append:
		return []promoted.Finder{
			func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("AppendBinary") },
			func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("UnmarshalBinary") },
		}
	}
	return []promoted.Finder{
		func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("MarshalBinary") },
		func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("UnmarshalBinary") },
	}
}

// checkPromoted refuses t, whose methods encode n, if one of them is that of an embedded field. It knows
// nothing of the fields beside that one, and the variable that a pointer or interface refers to does not exist
// before decoding.
func (u *userType) checkPromoted(n *node, t reflect.Type) error {
	if t.Kind() != reflect.Struct {
		return nil
	}
	for _, find := range u.methods() {
		names := promoted.From(t, find)
		if len(names) == 0 {
			continue
		}
		m, _ := find(reflect.PointerTo(t))
		from, _ := t.FieldByName(names[0])
		other := ""
		for f := range t.Fields() {
			if f.Name != from.Name && (f.IsExported() || f.Anonymous) && f.Tag.Get("layout") != "-" {
				other = f.Name
			}
		}
		switch {
		case other != "":
			return wrong(n.path(), "the method %s of %v is that of the embedded %s, and would leave out %s; give %s a field name, or %v methods of its own", m.Name, t, from.Name, other, from.Name, t)
		case from.Type.Kind() == reflect.Pointer || from.Type.Kind() == reflect.Interface:
			return wrong(n.path(), "the method %s of %v is that of the embedded %v, which is nil when decoding; give it a field name, or %v methods of its own", m.Name, t, from.Type, t)
		}
		if err := u.checkPromoted(n, from.Type); err != nil {
			return err
		}
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
