package bytebuf_test

import (
	"io"
	"testing"

	"github.com/octet-go/octet/bytebuf"
	"github.com/octet-go/octet/bytebuf/internal/buffertest"
	"github.com/octet-go/octet/internal/faulty"
)

// TestFaultySources reads into buffers with and without room. Invalid counts panic, as for bytes.Buffer.
func TestFaultySources(t *testing.T) {
	read := func(b *bytebuf.Buffer) func(r io.Reader) (any, error) {
		return func(r io.Reader) (any, error) {
			b.Reset()
			n, err := b.ReadFrom(r)
			if n != int64(b.Len()) {
				t.Errorf("ReadFrom returned %d, but the buffer has %d bytes", n, b.Len())
			}
			return b.String(), err
		}
	}
	faulty.TestSources(t, []faulty.Source{
		{Name: "Buffer.ReadFrom", Input: buffertest.Data(100), Read: read(new(bytebuf.Buffer)), ToEnd: true, Prefixes: true, Panics: true},
		{Name: "Buffer.ReadFrom much", Input: buffertest.Data(10_000), Read: read(new(bytebuf.Buffer)), ToEnd: true, Prefixes: true, Panics: true},
		{Name: "Buffer.ReadFrom with room", Input: buffertest.Data(3000), Read: read(bytebuf.NewBuffer(make([]byte, 0, 4000))), ToEnd: true, Prefixes: true, Panics: true},
	})
}

// TestFaultySinks writes from buffers. Bytes that are not written must stay in the buffer.
func TestFaultySinks(t *testing.T) {
	write := func(n int) func(w io.Writer) error {
		return func(w io.Writer) error {
			var b bytebuf.Buffer
			b.Write(buffertest.Data(n))
			m, err := b.WriteTo(w)
			if rest := int64(b.Len()); m >= 0 && (rest != int64(n)-m || err == nil && rest > 0) {
				t.Errorf("WriteTo returned %d, %v of %d bytes, and the buffer has %d", m, err, n, rest)
			}
			return err
		}
	}
	faulty.TestSinks(t, []faulty.Sink{
		{Name: "Buffer.WriteTo", Write: write(50), Panics: true},
		{Name: "Buffer.WriteTo much", Write: write(5000), Panics: true},
	})
}
