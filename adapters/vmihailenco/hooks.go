package vmihailenco

import (
	"bytes"
	"reflect"
	"sync"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

// Hooks returns a TypeCoder for msgpack.Options.Types that encodes all types that
// have the method EncodeMsgpack by calling it, and decodes all types that have the
// method DecodeMsgpack by calling it. The methods get an Encoder or Decoder with
// the default options of vmihailenco/msgpack.
//
// A method must encode exactly one value, and must decode all of one value.
// Otherwise, the error is msgpack.ErrInvalid and says what the method did. A method
// must not use its Encoder or Decoder after it has returned.
//
// As in vmihailenco/msgpack, a nil pointer is encoded as nil, and no method is called.
// The same applies to a nil map or slice whose method has a value receiver. Nil is
// decoded as the zero value, also without a call.
//
// Unlike vmihailenco/msgpack, Octet calls methods with pointer receivers for values
// that are not addressable, too. If a type also has MarshalMsgpack or AppendMsgpack, Octet
// calls that instead of EncodeMsgpack, and UnmarshalMsgpack instead of DecodeMsgpack,
// even if it is the method of an embedded type: see [msgpack.Implements].
func Hooks() msgpack.TypeCoder { return HooksWith(nil, nil) }

// HooksWith is like [Hooks] for programs that use options of vmihailenco/msgpack.
// It calls setEncoder before each EncodeMsgpack and setDecoder before each
// DecodeMsgpack, for example to call UseCompactInts. Either may be nil.
func HooksWith(setEncoder func(*vmihailenco.Encoder), setDecoder func(*vmihailenco.Decoder)) msgpack.TypeCoder {
	h := hooks{setEncoder: setEncoder, setDecoder: setDecoder}
	return msgpack.Implements(h.append, h.decode)
}

// maxPooled is the longest value, in bytes, whose Encoder or Decoder is used again.
// Both keep buffers that are as long as the longest part of a value.
const maxPooled = 64 << 10

type hooks struct {
	setEncoder func(*vmihailenco.Encoder)
	setDecoder func(*vmihailenco.Decoder)
}

// An encoder is an Encoder with the slice that it appends to.
type encoder struct {
	*vmihailenco.Encoder
	buf []byte
}

func (e *encoder) Write(p []byte) (int, error) {
	e.buf = append(e.buf, p...)
	return len(p), nil
}

// WriteByte saves the Encoder an allocation for each byte that it writes.
func (e *encoder) WriteByte(b byte) error {
	e.buf = append(e.buf, b)
	return nil
}

var encoders = sync.Pool{New: func() any { return &encoder{Encoder: vmihailenco.NewEncoder(nil)} }}

func (h *hooks) append(dst []byte, v vmihailenco.CustomEncoder) ([]byte, error) {
	if isNil(v) {
		return wire.AppendNil(dst), nil
	}
	e := encoders.Get().(*encoder)
	e.buf = dst
	e.Reset(e)
	if h.setEncoder != nil {
		h.setEncoder(e.Encoder)
	}
	// If the method panics, the Encoder is not used again.
	err := v.EncodeMsgpack(e.Encoder)
	result := e.buf
	e.buf = nil
	if n := len(result) - len(dst); n <= maxPooled {
		e.Reset(nil)
		encoders.Put(e)
	}
	return result, err
}

// A decoder is a Decoder with the reader that it reads from.
type decoder struct {
	*vmihailenco.Decoder
	r bytes.Reader
}

var decoders = sync.Pool{New: func() any { return &decoder{Decoder: vmihailenco.NewDecoder(nil)} }}

func (h *hooks) decode(data []byte, v vmihailenco.CustomDecoder) (int, error) {
	if wire.FormatOf(data[0]).Kind() == wire.KindNil {
		reflect.ValueOf(v).Elem().SetZero()
		return len(data), nil
	}
	d := decoders.Get().(*decoder)
	d.r.Reset(data)
	d.Reset(&d.r)
	if h.setDecoder != nil {
		h.setDecoder(d.Decoder)
	}
	err := v.DecodeMsgpack(d.Decoder)
	n := len(data) - d.r.Len()
	d.r.Reset(nil)
	if len(data) <= maxPooled {
		d.Reset(nil)
		decoders.Put(d)
	}
	return n, err
}

// isNil reports whether v is a nil map or slice, or a pointer to one whose type has
// the method itself.
func isNil(v vmihailenco.CustomEncoder) bool {
	r := reflect.ValueOf(v)
	if r.Kind() == reflect.Pointer {
		if r = r.Elem(); !nilable(r.Kind()) || !r.Type().Implements(customEncoder) {
			return false
		}
	}
	return nilable(r.Kind()) && r.IsNil()
}

var customEncoder = reflect.TypeFor[vmihailenco.CustomEncoder]()

func nilable(k reflect.Kind) bool {
	switch k {
	case reflect.Chan, reflect.Func, reflect.Map, reflect.Slice:
		return true
	}
	return false
}
