package reference

import "errors"

// These are the reasons why a call fails. Every error of this package wraps one
// of them or an error that a method of the value returned.
var (
	ErrTruncated   = errors.New("reference: the input ends inside the value, or a count exceeds the rest of the input")
	ErrReserved    = errors.New("reference: reserved format byte c1")
	ErrTimestamp   = errors.New("reference: malformed timestamp")
	ErrDepth       = errors.New("reference: nested too deeply")
	ErrTrailing    = errors.New("reference: data after the value")
	ErrRange       = errors.New("reference: number out of range")
	ErrMismatch    = errors.New("reference: value does not match the Go type")
	ErrUnhashable  = errors.New("reference: value cannot be a key of a Go map")
	ErrUnsupported = errors.New("reference: unsupported Go type")
	ErrInvalid     = errors.New("reference: not exactly one value")
	ErrLength      = errors.New("reference: length is 2^32 or more")
	ErrTarget      = errors.New("reference: target is not a non-nil pointer")
)
