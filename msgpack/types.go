package msgpack

import (
	"github.com/octet-go/octet/msgpack/wire"
)

// Raw is one encoded value of any kind. Encoding checks that it is exactly one
// valid value and writes it unchanged. Decoding copies the bytes of the value. A
// nil or empty Raw is encoded as nil.
type Raw []byte

// Ext is a value of an extension type. Types from 0 to 127 are for applications;
// the specification reserves negative types. Any ext can be decoded into an Ext,
// including a timestamp. The decoded Data is a copy.
type Ext struct {
	Type int8
	Data []byte
}

// Appender is implemented by types that encode themselves. The method appends
// exactly one valid value to dst and returns the extended slice, which it must
// not keep.
type Appender interface {
	AppendMsgpack(dst []byte) ([]byte, error)
}

// Marshaler is implemented by types that encode themselves. The method returns
// exactly one valid value.
type Marshaler interface {
	MarshalMsgpack() ([]byte, error)
}

// Unmarshaler is implemented by types that decode themselves. The argument is one
// valid value, which is part of the input: the method must not modify the bytes,
// and must copy those that it keeps.
type Unmarshaler interface {
	UnmarshalMsgpack(data []byte) error
}

// MaxDepth is the default limit for the nesting of arrays and maps. A value that is
// nested more deeply is [ErrDepth].
const MaxDepth = wire.MaxDepth
