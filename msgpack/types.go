package msgpack

import (
	"github.com/octet-go/octet/msgpack/wire"
)

// Raw is one encoded value. It is written as it is, after a check that it is
// one valid value, and decoding into it copies the bytes of whatever value
// stands there. A nil or empty Raw is written as nil.
type Raw []byte

// Ext is a value of an extension type. Types from 0 up are the application's,
// negative ones the specification's. Decoding into it takes any ext, also a
// timestamp; its Data is a copy.
type Ext struct {
	Type int8
	Data []byte
}

// Appender is implemented by types that append their own MessagePack form.
// The method gets a slice to append to and returns the extended slice, which
// must then hold exactly one valid value more. It must not keep the slice.
type Appender interface {
	AppendMsgpack(dst []byte) ([]byte, error)
}

// Marshaler is implemented by types that make their own MessagePack form:
// exactly one valid value.
type Marshaler interface {
	MarshalMsgpack() ([]byte, error)
}

// Unmarshaler is implemented by types that decode themselves from one valid
// value. The bytes are part of the input: the method must not change them, and
// must copy what it wants to keep.
type Unmarshaler interface {
	UnmarshalMsgpack(data []byte) error
}

// MaxDepth is how deep containers may be nested: 512 arrays and maps within one
// another are encoded and decoded, 513 are [ErrDepth].
const MaxDepth = wire.MaxDepth
