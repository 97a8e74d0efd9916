package msgpack_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// pieces is a reader that returns at most eight bytes at once.
type pieces struct{ io.Reader }

func (r pieces) Read(b []byte) (int, error) { return r.Reader.Read(b[:min(8, len(b))]) }

// TestLongInputInPieces decodes long values that arrive in small pieces, and many short values after a long one. The time
// must be linear: if it grew with the square of the length, the test would take hours.
func TestLongInputInPieces(t *testing.T) {
	n := 1 << 22
	if reduced() { // emulators are slow
		n = 1 << 18
	}
	long := wire.AppendString(nil, strings.Repeat("x", n))
	numbers := append(wire.AppendArrayHeader(nil, uint32(n)), make([]byte, n)...)
	nested := bytes.Repeat([]byte("\x91"), msgpack.MaxDepth-1)
	nested = append(wire.AppendArrayHeader(nil, uint32(n/(len(nested)+1))), bytes.Repeat(append(nested, 0xc0), n/(len(nested)+1))...)
	for name, data := range map[string][]byte{"str": long, "array": numbers, "nested": nested} {
		var raw msgpack.Raw
		if err := msgpack.UnmarshalRead(pieces{bytes.NewReader(data)}, &raw); err != nil || !bytes.Equal(raw, data) {
			t.Errorf("%s: %d bytes, %v", name, len(raw), err)
		}
		var v any
		if err := msgpack.NewDecoder(pieces{bytes.NewReader(data)}).Decode(&v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := msgpack.NewDecoder(pieces{bytes.NewReader(data)}).Skip(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	d := msgpack.NewDecoder(bytes.NewReader(append(long, make([]byte, n)...)))
	for i := range n + 1 {
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatal(i, err)
		}
	}
}
