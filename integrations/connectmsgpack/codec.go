package connectmsgpack

import (
	"bytes"
	"fmt"

	"connectrpc.com/connect"
	"github.com/octet-go/octet/msgpack"
)

// Name is the name of the codec, which is part of the content types.
const Name = "msgpack"

// A Codec is a [connect.Codec] with the optional methods that Connect looks for. All methods are safe
// for concurrent use. Make it with [New].
type Codec struct {
	codec   *msgpack.Codec // nil: the functions of package msgpack
	stable  *msgpack.Codec // the same with sorted keys
	aliases bool           // decoded values share the memory of the input
}

var _ connect.Codec = Codec{}

// New returns a Codec that encodes and decodes with c. If c is nil, it uses the functions of package
// msgpack.
func New(c *msgpack.Codec) Codec {
	o := c.Options()
	codec := Codec{codec: c, stable: c, aliases: o.AliasInput}
	if !o.SortKeys && !o.Canonical {
		o.SortKeys = true
		var err error
		if codec.stable, err = msgpack.New(o); err != nil {
			panic(err) // SortKeys conflicts with no other option
		}
	}
	return codec
}

// Name returns [Name].
func (Codec) Name() string { return Name }

// IsBinary returns true. Connect therefore encodes messages in URLs with base64.
func (Codec) IsBinary() bool { return true }

// Marshal encodes a message.
func (c Codec) Marshal(v any) ([]byte, error) { return c.MarshalAppend(nil, v) }

// MarshalAppend appends the encoding of a message to dst.
func (c Codec) MarshalAppend(dst []byte, v any) ([]byte, error) {
	if isProtobuf(v) {
		return nil, fmt.Errorf("connectmsgpack: cannot marshal %T: it is a protobuf message", v)
	}
	return c.codec.MarshalAppend(dst, v)
}

// MarshalStable encodes a message with sorted keys, for requests with the method GET.
func (c Codec) MarshalStable(v any) ([]byte, error) {
	if isProtobuf(v) {
		return nil, fmt.Errorf("connectmsgpack: cannot marshal %T: it is a protobuf message", v)
	}
	if c.stable == nil { // the zero Codec
		c = New(c.codec)
	}
	return c.stable.Marshal(v)
}

// Unmarshal decodes a message into the variable that v points to. No error matches io.EOF, which Connect
// takes for the end of a stream: not even that for an empty message, which is msgpack.ErrTruncated.
func (c Codec) Unmarshal(data []byte, v any) error {
	if isProtobuf(v) {
		return fmt.Errorf("connectmsgpack: cannot unmarshal %T: it is a protobuf message", v)
	}
	if len(data) == 0 {
		return fmt.Errorf("connectmsgpack: empty message: %w", msgpack.ErrTruncated)
	}
	if c.aliases {
		data = bytes.Clone(data) // Connect uses the buffer again
	}
	return c.codec.Unmarshal(data, v)
}

// isProtobuf reports whether v has the method that all generated messages have.
func isProtobuf(v any) bool {
	_, ok := v.(interface{ ProtoMessage() })
	return ok
}
