package msgpack

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

// The reasons for an [Error], for errors.Is.
const (
	// ErrTruncated: the input ends before the value does, or a header claims
	// more than the bytes that are left could hold.
	ErrTruncated = wire.ErrTruncated
	// ErrReserved: the byte c1 stands where a value should begin.
	ErrReserved = wire.ErrReserved
	// ErrTimestamp: an ext of type -1 is not a timestamp of the specification.
	ErrTimestamp = wire.ErrTimestamp
	// ErrDepth: containers are nested more than 512 deep, or a Go value
	// contains itself.
	ErrDepth = wire.ErrDepth
	// ErrRange: a number does not fit the Go type it is decoded into.
	ErrRange = wire.ErrRange
	// ErrMismatch: the Go type does not take values of this kind, or an element
	// of a path leads into a value that has no elements.
	ErrMismatch wire.Error = "value does not fit the Go type"
	// ErrTrailing: bytes follow the value.
	ErrTrailing = wire.ErrTrailing
	// ErrUnhashable: a map key is of a type that Go maps cannot have as key.
	ErrUnhashable wire.Error = "value cannot be a map key"
	// ErrUnsupported: the Go type has no MessagePack form, as chan and func, or has
	// methods for another library.
	ErrUnsupported wire.Error = "unsupported type"
	// ErrLimit: a string, byte slice or container has 2^32 elements or more, which
	// MessagePack cannot express, or more than the Config or the memory allows.
	ErrLimit = wire.ErrLimit
	// ErrInvalid: a Raw, or what a method or function of the program returned, is
	// not exactly one valid value.
	ErrInvalid wire.Error = "not a single valid MessagePack value"
	// ErrUnknownField: the struct has no field for a map key, and the Config does
	// not allow that.
	ErrUnknownField wire.Error = "unknown field"
	// ErrMissingField: a map or array lacks a field that is required.
	ErrMissingField wire.Error = "missing required field"
	// ErrLength: the number of elements of an array is not the number of fields of
	// the struct, and the Config requires that.
	ErrLength wire.Error = "array length does not match struct"
	// ErrDuplicateKey: a map has a key twice, which the Config does not allow, or
	// an inline map has the key of a field.
	ErrDuplicateKey = wire.ErrDuplicateKey
	// ErrUTF8: a str is not valid UTF-8, which the Config does not allow.
	ErrUTF8 = wire.ErrUTF8
	// ErrVariant: a [Union] has no variant with this tag, or for the type of the
	// value in the interface.
	ErrVariant wire.Error = "not a variant of the union"
	// ErrTarget: the target given to Unmarshal is not a non-nil pointer.
	ErrTarget wire.Error = "target is not a non-nil pointer"
	// ErrNotFound: a map has no such key, or an array no such index.
	ErrNotFound wire.Error = "no such key or index"
	// ErrIncomplete: an Encoder was given only some of the parts of a value.
	ErrIncomplete wire.Error = "value is incomplete"
	// ErrSurplus: an Encoder was given more bytes or elements than the header
	// announced.
	ErrSurplus wire.Error = "more than the header announced"
)

// An Error says what could not be encoded or decoded, and where. Found and Want
// are text for people; Header and Type say the same to programs.
type Error struct {
	Op     string // "marshal", "unmarshal", "validate" or "get"
	Offset int64  // bytes of the input before the value at fault; 0 when marshaling
	Path   string // to the Go value, such as Users[2].Address.Zip; empty at the top; Error cuts a long one
	Found  string // what the input or the Go value is there, such as "str 8"; may be empty
	Want   string // what the target takes, such as "int16"; may be empty
	Err    error  // the reason: one of the sentinels of this package, or what a user's method returned

	// Header is the header of the value at Offset in the input: its format, the
	// type of an ext, the length. If the input has no whole header there, or when
	// marshaling, it is the zero Header, whose Size is 0.
	Header wire.Header
	// Type is the Go type of the variable or value at Path. It is nil if Path leads
	// into an interface, or into a type that has a form of its own, and for
	// functions that have no Go value, such as [Valid] and [Get].
	Type reflect.Type

	room []byte // what is free in front of Path, in the same memory
}

// Error gives the parts on one line, such as
//
//	msgpack: unmarshal Users[2].Address.Zip at offset 104: found str 8, want int32: value does not fit the Go type
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("msgpack: ")
	b.WriteString(e.Op)
	if e.Path != "" {
		b.WriteString(" " + shorten(e.Path))
	}
	if e.Op != opMarshal {
		b.WriteString(" at offset " + strconv.FormatInt(e.Offset, 10))
	}
	separator := ": "
	if e.Found != "" {
		b.WriteString(separator + "found " + e.Found)
		separator = ", "
	}
	if e.Want != "" {
		b.WriteString(separator + "want " + e.Want)
	}
	if e.Err != nil {
		b.WriteString(": " + strings.TrimPrefix(e.Err.Error(), "msgpack: "))
	}
	return b.String()
}

// shorten leaves out the middle of a long path, such as hostile input has.
func shorten(path string) string {
	const end = 100
	if len(path) <= 2*end+20 {
		return path
	}
	return strings.ToValidUTF8(path[:end], "") + " … " + strings.ToValidUTF8(path[len(path)-end:], "")
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

const (
	opMarshal   = "marshal"
	opUnmarshal = "unmarshal"
	opValidate  = "validate"
	opGet       = "get"
)

// found describes the value at the front of data, where the fault is.
func (e *Error) found(data []byte) {
	e.Found = syntax.Describe(data)
	e.Header, _, _ = wire.ConsumeHeader(data)
}

// failed makes an encoding error with its reason, the path still empty.
func failed(reason error, found string) *Error {
	return &Error{Op: opMarshal, Found: found, Err: reason}
}

// under puts one step before the path of err, on the way up from the value at
// fault. Nothing else is spent on paths: a call that succeeds knows none.
func under(step string, err error) error {
	e := err.(*Error) // nothing below returns another type
	if e.Path != "" && e.Path[0] != '[' && step != "" {
		e.prepend(".")
	}
	e.prepend(step)
	return e
}

// prepend puts s before the path. The memory doubles when there is no room, since
// hostile input leads deep down and has long keys.
func (e *Error) prepend(s string) {
	n := len(e.Path)
	if s == "" {
		return
	}
	if len(s) > len(e.room) {
		all := make([]byte, 2*(len(s)+n))
		e.room = all[:len(all)-n]
		copy(all[len(e.room):], e.Path)
	}
	at := len(e.room) - copy(e.room[len(e.room)-len(s):], s)
	e.Path = mem.String(e.room[at : at+len(s)+n])
	e.room = e.room[:at]
}

func underIndex(i int, err error) error { return under("["+strconv.Itoa(i)+"]", err) }

// underKey names a map entry by its key.
func underKey(key any, err error) error {
	switch k := key.(type) {
	case string:
		return under(syntax.StringStep(k), err)
	case int64:
		return under("["+strconv.FormatInt(k, 10)+"]", err)
	case uint64:
		return under("["+strconv.FormatUint(k, 10)+"]", err)
	}
	return under("[key]", err)
}
