package migration

import (
	"bytes"
	"io"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/msgpack"
	shamaton "github.com/shamaton/msgpack/v3"
	"github.com/ugorji/go/codec"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

// TestStreams decodes "hello, stream" from a reader that returns one byte at a
// time, and from one with trailing bytes.
func TestStreams(t *testing.T) {
	const text = "hello, stream"
	message := append([]byte{0xa0 | byte(len(text))}, text...)
	for _, c := range []struct {
		name     string
		read     func(io.Reader, any) error
		short    outcome // outcome for a reader that returns one byte at a time
		trailing outcome // outcome for a reader with a trailing byte
	}{
		{"octet UnmarshalRead", msgpack.UnmarshalRead, text, "ErrTrailing"},
		{"octet Decoder", func(r io.Reader, v any) error { return msgpack.NewDecoder(r).Decode(v) }, text, text},
		{"shamaton UnmarshalRead", shamaton.UnmarshalRead, "h" + outcome(make([]byte, len(text)-1)), text},
		{"vmihailenco Decoder", func(r io.Reader, v any) error { return vmihailenco.NewDecoder(r).Decode(v) }, text, text},
		{"ugorji Decoder", func(r io.Reader, v any) error { return codec.NewDecoder(r, ugorjiHandle()).Decode(v) }, text, text},
	} {
		read := func(r io.Reader) outcome {
			return outcomeOf(func() (outcome, error) {
				var s string
				err := c.read(r, &s)
				return outcome(s), err
			})
		}
		if got := read(iotest.OneByteReader(bytes.NewReader(message))); got != c.short {
			t.Errorf("%s: one byte at a time: %q, want %q", c.name, got, c.short)
		}
		if got := read(bytes.NewReader(append(message[:len(message):len(message)], 5))); got != c.trailing {
			t.Errorf("%s: with a trailing byte: %q, want %q", c.name, got, c.trailing)
		}
	}
}
