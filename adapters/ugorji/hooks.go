package ugorji

import (
	"sync"

	"github.com/octet-go/octet/msgpack"
	"github.com/ugorji/go/codec"
)

// Hooks returns a TypeCoder for msgpack.Options.Types that encodes and decodes all
// types that implement codec.Selfer by calling their methods. The methods get an
// Encoder or Decoder of a MsgpackHandle without options.
//
// A method must encode exactly one value, and must decode all of one value.
// Otherwise, the error is msgpack.ErrInvalid and says what the method did. A panic in
// a method becomes an error, as in ugorji/go/codec. A method must not use its
// Encoder or Decoder after it has returned.
func Hooks() msgpack.TypeCoder { return HooksWith(new(codec.MsgpackHandle)) }

// HooksWith is like [Hooks] for programs that set options of the handle, such as
// WriteExt. The handle must not change afterwards.
func HooksWith(h *codec.MsgpackHandle) msgpack.TypeCoder {
	k := newHooks(h)
	return msgpack.Implements(k.append, k.decode)
}

func newHooks(h *codec.MsgpackHandle) *hooks {
	k := new(hooks)
	k.encoders.New = func() any {
		e := new(encoder)
		e.Encoder = codec.NewEncoderBytes(&e.out, h)
		return e
	}
	k.decoders.New = func() any { return codec.NewDecoderBytes(nil, h) }
	return k
}

// maxPooled is the longest value, in bytes, whose Encoder or Decoder is used again,
// because both keep buffers.
const maxPooled = 64 << 10

type hooks struct {
	encoders, decoders sync.Pool
}

// An encoder is an Encoder with the slice that it appends to.
type encoder struct {
	*codec.Encoder
	out []byte
}

func (k *hooks) append(dst []byte, v codec.Selfer) ([]byte, error) {
	e := k.encoders.Get().(*encoder)
	e.out = dst[len(dst):]
	e.ResetBytes(&e.out)
	err := e.Encode(v)
	result := append(dst, e.out...)
	if n := len(e.out); n <= maxPooled {
		e.out = nil
		e.ResetBytes(&e.out)
		k.encoders.Put(e)
	}
	return result, err
}

func (k *hooks) decode(data []byte, v codec.Selfer) (int, error) {
	d := k.decoders.Get().(*codec.Decoder)
	d.ResetBytes(data)
	err := d.Decode(v)
	n := d.NumBytesRead()
	// A Decoder reads the first byte of a value before it calls the method, so a method
	// that decodes nothing seems to decode a value of one byte.
	if err == nil && len(data) == 1 && d.Decode(new(any)) == nil {
		n = 0
	}
	if len(data) <= maxPooled {
		d.ResetBytes(nil)
		k.decoders.Put(d)
	}
	return n, err
}
