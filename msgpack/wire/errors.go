package wire

import "io"

// An Error is a reason for which bytes cannot be read or written. It is
// comparable, so errors.Is finds it inside the errors of other packages.
type Error string

func (e Error) Error() string { return "msgpack: " + string(e) }

// Is reports that [ErrTruncated] is also [io.ErrUnexpectedEOF], which it is to
// programs that read from files and connections.
func (e Error) Is(target error) bool { return e == ErrTruncated && target == io.ErrUnexpectedEOF }

// The functions of this package return these.
const (
	// ErrTruncated: the input ends before the value does, or a header claims
	// more elements than the bytes that are left could hold.
	ErrTruncated Error = "truncated input"
	// ErrFormat: the next value is well-formed but not of the wanted kind.
	ErrFormat Error = "unexpected format"
	// ErrReserved: the format byte is c1, which the specification never uses.
	ErrReserved Error = "reserved format byte c1"
	// ErrRange: a number does not fit the wanted type.
	ErrRange Error = "number out of range"
	// ErrTimestamp: an ext of type -1 is not 4, 8 or 12 bytes long, or its
	// nanoseconds exceed 999,999,999.
	ErrTimestamp Error = "malformed timestamp"
	// ErrDepth: containers are nested deeper than the limit.
	ErrDepth Error = "nested too deeply"
)

// The packages above share these, so that errors.Is gives the same answer for
// the errors of all of them. Nothing in this package returns one.
const (
	// ErrUTF8: a string is not valid UTF-8.
	ErrUTF8 Error = "invalid UTF-8"
	// ErrDuplicateKey: a map has the same key twice.
	ErrDuplicateKey Error = "duplicate key"
	// ErrTrailing: more data follows the one value that is expected.
	ErrTrailing Error = "trailing data after the value"
	// ErrLimit: a value is larger than MessagePack or a limit allows.
	ErrLimit Error = "size limit exceeded"
)
