package binary

import (
	"errors"
	"reflect"
)

var errBufferTooSmall = errors.New("buffer too small")

// These are the reasons why a [Typed] cannot encode or decode a type; see
// [Error].
var (
	ErrNotFixedSize = errors.New("not fixed-size")
	ErrUnexported   = errors.New("cannot decode unexported field")
)

// ErrLength is returned by a [Writer] if a string or slice is too long for its
// length prefix. It is returned by a [Reader] if the caller asks for a negative
// number of bytes, or if a length in the input exceeds every possible slice.
var ErrLength = errors.New("binary: length out of range")

// An Error describes a part of a type that a [Typed] cannot encode or decode.
// The functions that take any return the errors of encoding/binary instead.
type Error struct {
	Type reflect.Type // the type of the Typed
	Path string       // the path of the part, such as "Header.Names[]"; empty for the type itself
	Part reflect.Type // the type of the part
	Err  error        // ErrNotFixedSize or ErrUnexported
}

// Error returns the path and the type of the part, and the reason.
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

// errNotFixedSize returns the error for encoding, with the text of
// encoding/binary. As there, the call panics for a nil interface.
func errNotFixedSize(function string, t reflect.Type) error {
	return errors.New("binary." + function + ": some values are not fixed-sized in type " + t.String())
}

// errInvalidType returns the error for decoding, with the text of
// encoding/binary.
func errInvalidType(function string, t reflect.Type) error {
	return errors.New("binary." + function + ": invalid type " + t.String())
}
