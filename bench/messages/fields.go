package messages

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

var (
	be = binary.BigEndian
	le = binary.LittleEndian
)

var (
	errShort    = errors.New("messages: the message is too short")
	errTrailing = errors.New("messages: bytes follow the message")
	errLength   = errors.New("messages: a length does not match")
	errConstant = errors.New("messages: a constant has another value")
	errChecksum = errors.New("messages: a checksum does not match")
	errRange    = errors.New("messages: a value does not fit")
	errType     = errors.New("messages: unknown type")
)

// sizeError returns the error for a message of fixed size that has n bytes instead of want.
func sizeError(n, want int) error {
	if n < want {
		return errShort
	}
	return errTrailing
}

// extend appends n bytes to dst, which the caller sets.
func extend(dst []byte, n int) []byte { return slices.Grow(dst, n)[:len(dst)+n] }

// own returns b if alias is set, and a copy of it otherwise.
func own(b []byte, alias bool) []byte {
	if alias {
		return b[:len(b):len(b)]
	}
	return bytes.Clone(b)
}

// sized returns a slice of n elements that uses the memory of s if it suffices. It is never nil. The caller sets the
// elements.
func sized[T any](s []T, n int) []T {
	if s != nil && n <= cap(s) {
		return s[:n]
	}
	return make([]T, n)
}

// emptied returns s without its elements. It is never nil.
func emptied[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s[:0]
}

// bit returns 1<<shift if set is true, and 0 otherwise.
func bit(set bool, shift int) byte {
	if set {
		return 1 << shift
	}
	return 0
}
