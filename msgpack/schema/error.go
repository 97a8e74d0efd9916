package schema

import (
	"strconv"
	"strings"

	"github.com/octet-go/octet/msgpack/wire"
)

// The reasons of an [Error] that package msgpack has no error for.
const (
	// ErrKind: a value is of another kind than the schema says, or nil where it does
	// not allow nil.
	ErrKind wire.Error = "value does not follow the schema"
	// ErrKey: a map has a key that the schema does not have, or lacks a required one.
	ErrKey wire.Error = "keys do not follow the schema"
)

// An Error says where a message does not follow a schema.
type Error struct {
	Offset int64  // of the value at fault in the message, in bytes
	Path   string // to it, such as ["users"][2]["age"]; empty for the whole message
	Found  string // what is there, such as "str 8"; may be empty
	Want   string // what the schema says, such as "int of 32 bits"; may be empty
	Err    error  // ErrKind, ErrKey, msgpack.ErrRange, or the reason why the message is malformed
}

// Error returns the parts on one line. An example is
//
//	schema: ["users"][2]["age"] at offset 41: found str 8, want int of 32 bits: value does not follow the schema
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("schema: ")
	if e.Path != "" {
		b.WriteString(e.Path + " ")
	}
	b.WriteString("at offset " + strconv.FormatInt(e.Offset, 10))
	separator := ": "
	if e.Found != "" {
		b.WriteString(separator + "found " + e.Found)
		separator = ", "
	}
	if e.Want != "" {
		b.WriteString(separator + "want " + e.Want)
	}
	return b.String() + ": " + strings.TrimPrefix(e.Err.Error(), "msgpack: ")
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }
