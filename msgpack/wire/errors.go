package wire

import "io"

// An Error is one of the reasons for which bytes cannot be consumed. It is
// comparable, so that errors.Is finds it inside the errors of other packages.
type Error string

func (e Error) Error() string { return "msgpack: " + string(e) }

// Is makes errors.Is find [ErrTruncated] as [io.ErrUnexpectedEOF], too: to those
// who read from files and connections it is the same.
func (e Error) Is(target error) bool { return e == ErrTruncated && target == io.ErrUnexpectedEOF }

const (
	// ErrTruncated: the input ends before the value does, or a header claims
	// more elements than the bytes that are left could hold.
	ErrTruncated Error = "truncated input"
	// ErrFormat: the next value is well-formed but not of the wanted kind.
	ErrFormat Error = "unexpected format"
	// ErrReserved: the format byte is c1, which the specification never uses.
	ErrReserved Error = "reserved format byte c1"
	// ErrRange: the integer does not fit the wanted type.
	ErrRange Error = "integer out of range"
	// ErrTimestamp: an ext of type -1 is not 4, 8 or 12 bytes long, or its
	// nanoseconds exceed 999,999,999.
	ErrTimestamp Error = "malformed timestamp"
	// ErrDepth: containers are nested deeper than the limit.
	ErrDepth Error = "nested too deeply"
)
