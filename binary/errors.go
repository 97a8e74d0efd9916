package binary

import (
	"errors"
	"reflect"
)

var errBufferTooSmall = errors.New("buffer too small")

// A TypeError reports that [For] was asked for a type with a part that has no
// fixed size.
type TypeError struct {
	Type reflect.Type // the type asked for
	Path string       // the Go path to the part, "Header.Names[]"; empty for the type itself
	Part reflect.Type // the type of the part
}

func (e *TypeError) Error() string {
	if e.Path == "" {
		return "binary: type " + e.Type.String() + " is not fixed-size"
	}
	return "binary: type " + e.Type.String() + " is not fixed-size: " + e.Path + " is of type " + e.Part.String()
}

// A FieldError reports that a [Codec] cannot decode its type because of a field
// that is not exported. The functions that take any panic there, as
// encoding/binary does.
type FieldError struct {
	Type reflect.Type
	Path string // the Go path to the field, "Header.length"
}

func (e *FieldError) Error() string {
	return "binary: type " + e.Type.String() + " cannot be decoded: field " + e.Path + " is not exported"
}

// errNotFixedSize is the error of the drop-in functions that encode, in the words
// of encoding/binary. Like there, a nil interface has no type to name, and the
// call panics.
func errNotFixedSize(function string, t reflect.Type) error {
	return errors.New("binary." + function + ": some values are not fixed-sized in type " + t.String())
}

// errInvalidType is the error of those that decode.
func errInvalidType(function string, t reflect.Type) error {
	return errors.New("binary." + function + ": invalid type " + t.String())
}
