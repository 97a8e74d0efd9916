package wire

import "io"

// An Error is the reason why bytes cannot be read or written. Errors of other
// packages wrap it, so that errors.Is finds it there.
type Error string

func (e Error) Error() string { return "msgpack: " + string(e) }

// Is makes [ErrTruncated] match [io.ErrUnexpectedEOF], because programs that read
// files and connections test for that error.
func (e Error) Is(target error) bool { return e == ErrTruncated && target == io.ErrUnexpectedEOF }

// The functions of this package return these errors.
const (
	// ErrTruncated: the input ends inside a value, or a header claims more elements
	// than the rest of the input can hold.
	ErrTruncated Error = "truncated input"
	// ErrFormat: the header of the next value is valid, but not of the wanted kind.
	ErrFormat Error = "unexpected format"
	// ErrReserved: the format byte is c1, which the specification never uses.
	ErrReserved Error = "reserved format byte c1"
	// ErrRange: a number does not fit the wanted type.
	ErrRange Error = "number out of range"
	// ErrTimestamp: the payload of an ext of type -1 is not 4, 8 or 12 bytes long,
	// or its nanoseconds exceed 999,999,999.
	ErrTimestamp Error = "malformed timestamp"
	// ErrDepth: containers are nested deeper than the limit.
	ErrDepth Error = "nested too deeply"
)

// The packages that build on this one share these errors, so that errors.Is works
// for the errors of all of them. No function of this package returns them.
const (
	// ErrUTF8: a string is not valid UTF-8.
	ErrUTF8 Error = "invalid UTF-8"
	// ErrDuplicateKey: a map has the same key twice.
	ErrDuplicateKey Error = "duplicate key"
	// ErrTrailing: bytes follow the only value that is expected.
	ErrTrailing Error = "trailing data after the value"
	// ErrLimit: a value is larger than MessagePack or a limit of the program allows.
	ErrLimit Error = "size limit exceeded"
)
