package msgpack_test

import (
	"io"
	"iter"

	"github.com/octet-go/octet/msgpack"
)

// Programs depend on these names and signatures. If one of them changes, this file
// does not compile.
var (
	_ func(any) ([]byte, error)                              = msgpack.Marshal
	_ func([]byte, any) ([]byte, error)                      = msgpack.MarshalAppend
	_ func([]byte, any) error                                = msgpack.Unmarshal
	_ func([]byte, any) (int, error)                         = msgpack.UnmarshalPrefix
	_ func(io.Writer, any) error                             = msgpack.MarshalWrite
	_ func(io.Reader, any) error                             = msgpack.UnmarshalRead
	_ func(io.Writer) *msgpack.Encoder                       = msgpack.NewEncoder
	_ func(io.Reader) *msgpack.Decoder                       = msgpack.NewDecoder
	_ func([]byte) error                                     = msgpack.Valid
	_ func(msgpack.Options) (*msgpack.Codec, error)          = msgpack.New
	_ func(*msgpack.Codec) (msgpack.Typed[int], error)       = msgpack.For[int]
	_ func(*msgpack.Decoder) iter.Seq2[int, error]           = msgpack.Values[int]
	_ func(msgpack.Typed[int], []byte, *int) ([]byte, error) = msgpack.Typed[int].Append
	_ func(msgpack.Typed[int], []byte, *int) error           = msgpack.Typed[int].Unmarshal
	_ func(msgpack.Typed[int], []byte, *int) (int, error)    = msgpack.Typed[int].UnmarshalPrefix
	_ func([]byte, ...any) (msgpack.Raw, error)              = msgpack.Get

	encoder *msgpack.Encoder
	_       func(any) error = encoder.Encode
	_       func() error    = encoder.Flush

	decoder *msgpack.Decoder
	_       func(any) error = decoder.Decode
	_       func() bool     = decoder.More
	_       func() int64    = decoder.InputOffset
	_       func() error    = decoder.Skip

	// A Codec has methods with the same signatures.
	codec *msgpack.Codec
	_     func(any) ([]byte, error)         = codec.Marshal
	_     func([]byte, any) ([]byte, error) = codec.MarshalAppend
	_     func([]byte, any) error           = codec.Unmarshal
	_     func([]byte, any) (int, error)    = codec.UnmarshalPrefix
	_     func(io.Writer, any) error        = codec.MarshalWrite
	_     func(io.Reader, any) error        = codec.UnmarshalRead
	_     func(io.Writer) *msgpack.Encoder  = codec.NewEncoder
	_     func(io.Reader) *msgpack.Decoder  = codec.NewDecoder
	_     func([]byte) error                = codec.Valid

	_ func([]byte) (msgpack.View, error) = codec.ViewOf
	_ func() msgpack.Options             = codec.Options

	_ = msgpack.Raw([]byte{})
	_ = msgpack.Ext{Type: int8(1), Data: []byte{}}
)
