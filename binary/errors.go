package binary

import (
	"errors"
	"reflect"
)

var errBufferTooSmall = errors.New("buffer too small")

// Why a [Codec] cannot do what it was asked; see [Error].
var (
	ErrNotFixedSize = errors.New("not fixed-size")
	ErrUnexported   = errors.New("cannot be decoded: not exported")
)

// ErrLength is the error of a [Writer] that was given a string or a slice too
// long for its length prefix, and of a [Reader] that was asked for a negative
// number of bytes or found a length that no slice can have.
var ErrLength = errors.New("binary: length out of range")

// An Error reports a part of a type that a [Codec] cannot encode or decode. The
// functions that take any have the errors, and the panics, of encoding/binary
// instead.
type Error struct {
	Type reflect.Type // the type of the codec
	Path string       // the Go path to the part, "Header.Names[]"; empty for the type itself
	Part reflect.Type // the type of the part
	Err  error        // ErrNotFixedSize or ErrUnexported
}

func (e *Error) Error() string {
	path := e.Type.String()
	if e.Path != "" && e.Path[0] != '[' {
		path += "."
	}
	path += e.Path
	return "binary: " + path + " of type " + e.Part.String() + ": " + e.Err.Error()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

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
