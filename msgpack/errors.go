package msgpack

import (
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

// The reasons of an [Error]. Use errors.Is to test for them.
const (
	// ErrTruncated: the input ends inside a value, or a header claims more than the
	// rest of the input can hold. The error also matches [io.ErrUnexpectedEOF], and
	// [io.EOF] if the input has no byte at all: a stream could have ended there.
	ErrTruncated = wire.ErrTruncated
	// ErrReserved: a value begins with the byte c1, which the specification never
	// uses.
	ErrReserved = wire.ErrReserved
	// ErrTimestamp: an ext of type -1 is not a timestamp of the specification.
	ErrTimestamp = wire.ErrTimestamp
	// ErrDepth: containers are nested more deeply than [MaxDepth] or
	// [Options].MaxDepth, for example because a Go value contains itself.
	ErrDepth = wire.ErrDepth
	// ErrRange: a number does not fit the Go type that it is decoded into, or a
	// time does not fit the form in which it is written.
	ErrRange = wire.ErrRange
	// ErrMismatch: the value is of a kind that cannot be decoded into the Go type,
	// or an element of a path leads into a value that has no elements.
	ErrMismatch wire.Error = "value does not fit the Go type"
	// ErrTrailing: bytes follow the value.
	ErrTrailing = wire.ErrTrailing
	// ErrUnhashable: a map key has a type that cannot be the key of a Go map.
	ErrUnhashable wire.Error = "value cannot be a map key"
	// ErrUnsupported: the Go type has no MessagePack form, such as chan and func, or
	// has methods for another library.
	ErrUnsupported wire.Error = "unsupported type"
	// ErrLimit: a string, byte slice or container has 2^32 elements or more, which
	// MessagePack cannot express, or is larger than a limit of the Options or the
	// memory allows.
	ErrLimit = wire.ErrLimit
	// ErrInvalid: a Raw, or the result of a method or function of the program, is
	// not exactly one valid value.
	ErrInvalid wire.Error = "not a single valid MessagePack value"
	// ErrUnknownField: the struct has no field for a map key, and
	// [Options].RejectUnknown is set.
	ErrUnknownField wire.Error = "unknown field"
	// ErrMissingField: a map or array lacks a required field.
	ErrMissingField wire.Error = "missing required field"
	// ErrLength: an array has more or fewer elements than the struct has fields,
	// and [Options].ExactArrays is set.
	ErrLength wire.Error = "array length does not match struct"
	// ErrDuplicateKey: a map has a key twice and the Options forbid it, or an inline
	// map contains the key of a field.
	ErrDuplicateKey = wire.ErrDuplicateKey
	// ErrUTF8: a str is not valid UTF-8, and [Options].RejectInvalidUTF8 is set.
	ErrUTF8 = wire.ErrUTF8
	// ErrVariant: a [Union] has no variant with this tag, or none for the type of
	// the value in the interface.
	ErrVariant wire.Error = "not a variant of the union"
	// ErrTarget: the target given to Unmarshal is not a non-nil pointer.
	ErrTarget wire.Error = "target must be a non-nil pointer"
	// ErrOptions: a field of the [Options] given to [New] is invalid, or two of them
	// conflict.
	ErrOptions wire.Error = "invalid option"
	// ErrNotFound: a map has no such key, or an array has no such index.
	ErrNotFound wire.Error = "no such key or index"
	// ErrIncomplete: only some of the parts of a value were written to an Encoder.
	ErrIncomplete wire.Error = "value is incomplete"
	// ErrSurplus: more bytes or elements than the header announced were written to an
	// Encoder.
	ErrSurplus wire.Error = "more than the header announced"
)

// An Error describes what could not be encoded or decoded, and where. Found and
// Want are text for people; Header and Type have the same content for programs.
type Error struct {
	Op     string // "marshal", "unmarshal", "validate" or "get"
	Offset int64  // of the value at fault in the input, in bytes; 0 when marshaling
	Path   string // to the Go value, such as Users[2].Address.Zip; empty for the whole value
	Found  string // what is there in the input or the Go value, such as "str 8"; may be empty
	Want   string // what the target accepts, such as "int16"; may be empty
	Err    error  // the reason: a sentinel of this package, or the error of a user's method

	// Header is the header of the value at Offset in the input: its format, its
	// length, the type of an ext. It is the zero Header, whose Size is 0, if the
	// input has no complete header there, or when marshaling.
	Header wire.Header
	// Type is the Go type of the variable or value at Path. It is nil if Path leads
	// into an interface or into a type with its own encoding, and for functions
	// without a Go value, such as [Valid] and [Get].
	Type reflect.Type

	room    []byte // free bytes before Path, in the same memory
	empty   bool   // the input has no bytes
	foreign bool   // Err is not of this package, and matches io.EOF
	json    bool   // the input looks like JSON
}

// Error returns the parts on one line. It shortens a long Path. An example is
//
//	msgpack: unmarshal Users[2].Address.Zip at offset 104: found str 8, want int32: value does not fit the Go type
func (e *Error) Error() string {
	text := "msgpack: " + e.Op
	if e.Path != "" {
		text += " " + errtext.Path(e.Path)
	}
	if e.Op != opMarshal {
		text += " at offset " + strconv.FormatInt(e.Offset, 10)
	}
	separator := ": "
	if e.Found != "" {
		text += separator + "found " + e.Found
		separator = ", "
	}
	if e.Want != "" {
		text += separator + "want " + e.Want
	}
	if e.Err != nil {
		text += ": " + strings.TrimPrefix(e.Err.Error(), "msgpack: ")
	}
	if e.json {
		text += "; the input looks like JSON"
	}
	return text
}

// maybeJSON notes whether data, the whole input, looks like JSON. It does so if the
// fault is the first byte, or the byte after it, and data is text that begins like a
// JSON object or array: as MessagePack, '{' is the integer 123.
func (e *Error) maybeJSON(data []byte) *Error {
	const enough = 64 // bytes to look at
	if e.Offset > 1 || e.Path != "" || len(data) < 2 {
		return e
	}
	var follow string
	switch data[0] {
	case '{':
		follow = "\"}"
	case '[':
		follow = "\"{[]0123456789tfn-"
	}
	first := byte(0) // after white space
	for _, c := range data[1:min(len(data), enough)] {
		if space := c == ' ' || c == '\t' || c == '\n' || c == '\r'; c < ' ' && !space {
			return e
		} else if first == 0 && !space {
			first = c
		}
	}
	e.json = strings.IndexByte(follow, first) >= 0
	return e
}

// Unwrap returns the reason. If that is the error of a user's method, or of a reader
// inside a value, and matches [io.EOF], the result has the same text but does not
// match io.EOF, which is only for input that has ended between two values.
func (e *Error) Unwrap() error {
	if e.foreign {
		return &notEOF{e.Err}
	}
	return e.Err
}

// Is makes an error about empty input match [io.EOF].
func (e *Error) Is(target error) bool { return e.empty && target == io.EOF }

// fromOutside says that the reason is an error of a user's method or of a reader.
func (e *Error) fromOutside() *Error {
	e.foreign = errors.Is(e.Err, io.EOF)
	return e
}

// A notEOF is an error that matches what err matches, except io.EOF.
type notEOF struct{ err error }

func (e *notEOF) Error() string        { return e.err.Error() }
func (e *notEOF) Is(target error) bool { return target != io.EOF && errors.Is(e.err, target) }
func (e *notEOF) As(target any) bool   { return errors.As(e.err, target) }

const (
	opMarshal   = "marshal"
	opUnmarshal = "unmarshal"
	opValidate  = "validate"
	opGet       = "get"
)

// found sets Found and Header for the value at the start of data, where the fault
// is.
func (e *Error) found(data []byte) {
	e.Found = syntax.Describe(data)
	e.Header, _, _ = wire.ConsumeHeader(data)
}

// failed returns an encoding error with an empty path.
//
//go:noinline
func failed(reason error, found string) *Error {
	return &Error{Op: opMarshal, Found: found, Err: reason}
}

// under puts one step before the path of err. Each function that returns the error
// adds the step that it knows, so paths cost nothing unless there is an error.
func under(step string, err error) error {
	e := err.(*Error) // the codecs return no other type
	if e.Path != "" && e.Path[0] != '[' && step != "" {
		e.prepend(".")
	}
	e.prepend(step)
	return e
}

// prepend puts s before the path. The memory doubles when there is no room, so that
// building a long path takes linear time: hostile input is deeply nested and has
// long keys.
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

// underKey puts the key of a map entry before the path of err.
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

// withType sets the Go type of err, which occurred at its path in a value of type
// root.
func (c *plans) withType(err error, root reflect.Type) error {
	if e, ok := err.(*Error); ok {
		e.Type = c.typeAt(root, e.Path)
	}
	return err
}

// typeAt returns the type that path leads to from type t, or nil if that is not
// known.
func (c *plans) typeAt(t reflect.Type, path string) reflect.Type {
	for path != "" {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
			continue
		}
		if c.types[t] != nil || t == pairsType {
			return nil // the path is not one of Go fields and elements
		}
		step, rest := cutStep(path)
		path = rest
		index := len(step) > 2 && step[0] == '[' && (step[1] >= '0' && step[1] <= '9')
		switch kind := t.Kind(); {
		case kind == reflect.Struct:
			f, ok := t.FieldByName(step)
			if !ok {
				return nil
			}
			t = f.Type
		case kind == reflect.Map && step == "[key]":
			if k := t.Key().Kind(); k != reflect.String && (k < reflect.Int || k > reflect.Uintptr) {
				return nil // "[key]" stands for the key and for the element of such a map
			}
			t = t.Key()
		case kind == reflect.Map, index && (kind == reflect.Slice || kind == reflect.Array):
			t = t.Elem()
		default:
			return nil
		}
	}
	return t
}

// cutStep cuts the first step from a path: the name of a field, or brackets with
// an index or a quoted key.
func cutStep(path string) (step, rest string) {
	path = strings.TrimPrefix(path, ".")
	end := 0
	for end < len(path) && path[end] != '.' && path[end] != '[' {
		end++
	}
	if end == 0 && path != "" {
		quoted, _ := strconv.QuotedPrefix(path[1:]) // none for an index
		end = len(quoted) + strings.IndexByte(path[len(quoted):], ']') + 1
	}
	if end <= 0 {
		end = len(path)
	}
	return path[:end], path[end:]
}
