package grpcmsgpack

import (
	"fmt"
	"sync"

	"github.com/octet-go/octet/msgpack"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
)

// Name is the name of the codec and the content-subtype on the wire.
const Name = "msgpack"

// A Codec is an [encoding.CodecV2]. All methods are safe for concurrent use. Make it with [New].
type Codec struct {
	codec   *msgpack.Codec // nil: the functions of package msgpack
	aliases bool           // decoded values share the memory of the input
}

var _ encoding.CodecV2 = Codec{}

// New returns a Codec that encodes and decodes with c. If c is nil, it uses the functions of package
// msgpack.
func New(c *msgpack.Codec) Codec { return Codec{c, c.Options().AliasInput} }

// Register makes a Codec with c and adds it to the registry of gRPC, for all servers and clients of the
// program. Call it at the start of main, because the registry must not change while it is in use.
func Register(c *msgpack.Codec) { encoding.RegisterCodecV2(New(c)) }

// Name returns [Name].
func (Codec) Name() string { return Name }

// maxPooled is the capacity above which a scratch buffer is left to the garbage collector.
const maxPooled = 1 << 18

// scratch holds the buffers in which messages are encoded, before their length is known.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// Marshal encodes a message. The result is a copy of the exact length, in a buffer of gRPC's pool. A longer buffer
// would stay in use until flow control lets gRPC send the message.
func (c Codec) Marshal(v any) (mem.BufferSlice, error) {
	if isProtobuf(v) {
		return nil, fmt.Errorf("grpcmsgpack: cannot marshal %T: it is a protobuf message", v)
	}
	p := scratch.Get().(*[]byte)
	b, err := c.codec.MarshalAppend((*p)[:0], v)
	var out mem.BufferSlice
	if err == nil {
		out = mem.BufferSlice{mem.Copy(b, mem.DefaultBufferPool())}
	}
	if cap(b) <= maxPooled {
		*p = b
	}
	scratch.Put(p)
	return out, err
}

// Unmarshal decodes a message into the variable that v points to.
func (c Codec) Unmarshal(data mem.BufferSlice, v any) error {
	if isProtobuf(v) {
		return fmt.Errorf("grpcmsgpack: cannot unmarshal %T: it is a protobuf message", v)
	}
	if c.aliases {
		return c.codec.Unmarshal(data.Materialize(), v)
	}
	b := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer b.Free()
	return c.codec.Unmarshal(b.ReadOnlyData(), v)
}

// isProtobuf reports whether v has the method that all generated messages have.
func isProtobuf(v any) bool {
	_, ok := v.(interface{ ProtoMessage() })
	return ok
}
