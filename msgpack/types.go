package msgpack

import (
	"github.com/octet-go/octet/msgpack/wire"
)

// Raw is one encoded value. It is written unchanged, after a check that it is one
// valid value. Decoding into it copies the bytes of the value, of any kind. A nil
// or empty Raw is written as nil.
type Raw []byte

// Ext is a value of an extension type. Types from 0 to 127 are for applications;
// the specification reserves negative ones. Any ext can be decoded into it, also a
// timestamp; its Data is a copy.
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

// Unmarshaler is implemented by types that decode themselves. The method is given
// one valid value, which is part of the input: it must not change the bytes, and
// must copy what it wants to keep.
type Unmarshaler interface {
	UnmarshalMsgpack(data []byte) error
}

// MaxDepth is how deep arrays and maps may be nested by default. A deeper value is
// [ErrDepth].
const MaxDepth = wire.MaxDepth
