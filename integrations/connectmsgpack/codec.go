package connectmsgpack

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"connectrpc.com/connect"
	"github.com/octet-go/octet/msgpack"
)

// Name is the name of the codec, which is part of the content types.
const Name = "msgpack"

// A Codec is a [connect.Codec] with the optional methods that Connect looks for. All methods are safe
// for concurrent use. Make it with [New].
type Codec struct {
	append  func(dst []byte, v any) ([]byte, error)
	decode  func(data []byte, v any) error
	stable  func(v any) ([]byte, error) // nil: maps are encoded in random order
	aliases bool                        // decoded values share the memory of the input
}

var _ connect.Codec = Codec{}

// New returns a Codec that encodes and decodes with c. If c is nil, it uses the functions of package
// msgpack.
func New(c *msgpack.Codec) Codec {
	if c == nil {
		sorted, err := msgpack.New(msgpack.Options{SortKeys: true})
		if err != nil {
			panic(err) // a valid Options
		}
		return Codec{append: msgpack.MarshalAppend, decode: msgpack.Unmarshal, stable: sorted.Marshal}
	}
	codec := Codec{append: c.MarshalAppend, decode: c.Unmarshal, aliases: aliases(c)}
	if sorts(c) {
		codec.stable = c.Marshal
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
	return c.append(dst, v)
}

// MarshalStable encodes a message with sorted keys, for requests with the method GET. It is an error
// if the Codec given to [New] does not sort them.
func (c Codec) MarshalStable(v any) ([]byte, error) {
	if isProtobuf(v) {
		return nil, fmt.Errorf("connectmsgpack: cannot marshal %T: it is a protobuf message", v)
	}
	if c.stable == nil {
		return nil, errors.New("connectmsgpack: a GET request needs a Codec with SortKeys or Canonical in its Options")
	}
	return c.stable(v)
}

// Unmarshal decodes a message into the variable that v points to.
func (c Codec) Unmarshal(data []byte, v any) error {
	if isProtobuf(v) {
		return fmt.Errorf("connectmsgpack: cannot unmarshal %T: it is a protobuf message", v)
	}
	if c.aliases {
		data = bytes.Clone(data) // Connect uses the buffer again
	}
	return c.decode(data, v)
}

// isProtobuf reports whether v has the method that all generated messages have.
func isProtobuf(v any) bool {
	_, ok := v.(interface{ ProtoMessage() })
	return ok
}

// aliases reports whether values that c decodes share the memory of the input, by trying it.
func aliases(c *msgpack.Codec) bool {
	data := []byte("\xc4\x01a")
	var b []byte
	if err := c.Unmarshal(data, &b); err != nil || len(b) != 1 {
		return true // unknown, for example because of a limit: sharing a copy is always correct
	}
	data[2]++
	return b[0] == data[2]
}

// sorts reports whether c sorts the keys of maps, by trying it. A Codec that does not sort writes them in the random
// order of iterating over the map, which is not the sorted order many times in succession.
func sorts(c *msgpack.Codec) bool {
	var keys []byte
	for range 64 {
		b, err := c.Marshal(map[string]bool{"b": true, "a": true, "d": true, "c": true})
		if err != nil {
			return false // a limit of less than four elements: unknown
		}
		keys = keys[:0]
		for _, x := range b {
			if x >= 'a' && x <= 'd' {
				keys = append(keys, x)
			}
		}
		if !slices.IsSorted(keys) {
			return false
		}
	}
	return true
}
