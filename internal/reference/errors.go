package reference

import "errors"

// The reasons for which a call fails. Every error of this package wraps one of
// them, or what a method of the value returned.
var (
	ErrTruncated   = errors.New("reference: the input ends before the value, or a count exceeds what is left")
	ErrReserved    = errors.New("reference: the byte c1 is not a value")
	ErrTimestamp   = errors.New("reference: not a timestamp of 32, 64 or 96 bits")
	ErrDepth       = errors.New("reference: nested too deeply")
	ErrTrailing    = errors.New("reference: bytes after the value")
	ErrRange       = errors.New("reference: the number does not fit")
	ErrMismatch    = errors.New("reference: the value is of another kind")
	ErrUnhashable  = errors.New("reference: no key for a Go map")
	ErrUnsupported = errors.New("reference: no form for this Go type")
	ErrInvalid     = errors.New("reference: not exactly one value")
	ErrLength      = errors.New("reference: a length of 2^32 or more")
	ErrTarget      = errors.New("reference: the target is not a non-nil pointer")
)
