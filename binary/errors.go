package binary

import (
	"errors"
	"io"
	"reflect"
)

// These are the reasons why bytes are not one encoded value.
var (
	// ErrTruncated: the bytes end before the value. It has the text of the error of
	// encoding/binary and matches [io.ErrUnexpectedEOF]. If there are no bytes at
	// all, the error also matches [io.EOF].
	ErrTruncated error = truncation{}
	// ErrTrailing: bytes follow the value.
	ErrTrailing = errors.New("binary: trailing data after the value")
)

// errEmpty is ErrTruncated for input without any bytes.
var errEmpty error = truncation{empty: true}

// errBufferTooSmall is the error of Encode if the destination is too short.
var errBufferTooSmall = errors.New("buffer too small")

// truncation is the type of ErrTruncated and errEmpty.
type truncation struct{ empty bool }

func (truncation) Error() string { return "buffer too small" }

func (e truncation) Is(target error) bool {
	return target == io.ErrUnexpectedEOF || e.empty && (target == io.EOF || target == ErrTruncated)
}

// tooShort returns the error for src, which ends before the value.
func tooShort(src []byte) error {
	if len(src) == 0 {
		return errEmpty
	}
	return ErrTruncated
}

// These are the reasons why a [Typed] cannot encode or decode a type; see
// [Error].
var (
	// ErrUnsupported: the type is not fixed-size.
	ErrUnsupported = errors.New("not fixed-size")
	// ErrUnexported: the type has an unexported field, which cannot be decoded.
	ErrUnexported = errors.New("cannot decode unexported field")
)

// ErrLength is returned by a [Writer] if a string or slice is too long for its
// length prefix. It is returned by a [Reader] if the caller asks for a negative
// number of bytes, or if a length in the input exceeds every possible slice.
var ErrLength = errors.New("binary: length out of range")

// An Error describes a part of a type that a [Typed] cannot encode or decode.
// The functions that take any return the errors of encoding/binary instead.
type Error struct {
	Type reflect.Type // the type that was given to For
	Path string       // the path of the part, such as "Header.Names[]"; empty for the type itself
	Part reflect.Type // the type of the part
	Err  error        // ErrUnsupported or ErrUnexported
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
