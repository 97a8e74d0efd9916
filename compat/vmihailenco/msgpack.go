package msgpack

import "fmt"

// A Marshaler encodes itself. The result is written as it is; in an ext it is the payload.
type Marshaler interface {
	MarshalMsgpack() ([]byte, error)
}

// An Unmarshaler decodes itself from the bytes of one value, or from the payload of an ext.
type Unmarshaler interface {
	UnmarshalMsgpack([]byte) error
}

// A MarshalerUnmarshaler can be registered with [RegisterExt].
type MarshalerUnmarshaler interface {
	Marshaler
	Unmarshaler
}

// A CustomEncoder writes itself to an Encoder.
type CustomEncoder interface {
	EncodeMsgpack(*Encoder) error
}

// A CustomDecoder reads itself from a Decoder.
type CustomDecoder interface {
	DecodeMsgpack(*Decoder) error
}

// A RawMessage is an encoded value.
type RawMessage []byte

var (
	_ CustomEncoder = RawMessage(nil)
	_ CustomDecoder = (*RawMessage)(nil)
)

// EncodeMsgpack writes the bytes, or nil if m is nil.
func (m RawMessage) EncodeMsgpack(enc *Encoder) error {
	if m == nil {
		return enc.EncodeNil()
	}
	return enc.put(append(enc.buf, m...))
}

// DecodeMsgpack reads one value of any kind.
func (m *RawMessage) DecodeMsgpack(dec *Decoder) error {
	b, err := dec.DecodeRaw()
	if err == nil {
		*m = b
	}
	return err
}

// Version returns the version of the library whose names this package has.
func Version() string { return "5.4.1" }

// A codeError says that a value has another kind than the one that is decoded.
type codeError struct {
	code byte
	what string
}

func (e codeError) Error() string {
	return fmt.Sprintf("msgpack: unexpected code=%x decoding %s", e.code, e.what)
}
