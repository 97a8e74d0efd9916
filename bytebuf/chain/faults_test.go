package chain_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/octet-go/octet/bytebuf/chain"
	"github.com/octet-go/octet/bytebuf/internal/buffertest"
	"github.com/octet-go/octet/internal/faulty"
)

func TestFaultySources(t *testing.T) {
	var b chain.Buffer
	read := func(r io.Reader) (any, error) {
		b.Reset()
		n, err := b.ReadFrom(r)
		if n != int64(b.Len()) {
			t.Errorf("ReadFrom returned %d, but the buffer has %d bytes", n, b.Len())
		}
		return b.Bytes(), err
	}
	faulty.TestSources(t, []faulty.Source{
		{Name: "Buffer.ReadFrom", Input: buffertest.Data(100), Read: read, ToEnd: true, Prefixes: true},
		{Name: "Buffer.ReadFrom much", Input: buffertest.Data(20_000), Read: read, ToEnd: true, Prefixes: true},
	})
}

// TestFaultySinks writes buffers of several segments. Bytes that are not written must stay in the buffer, so that a
// second WriteTo can write them.
func TestFaultySinks(t *testing.T) {
	write := func(n int) func(w io.Writer) error {
		return func(w io.Writer) error {
			var b chain.Buffer
			want := append(buffertest.Data(n), buffertest.Data(n/2)...)
			b.Write(buffertest.Data(n))
			b.Append(buffertest.Data(n / 2))
			m, err := b.WriteTo(w)
			if m < 0 || m > int64(len(want)) || !bytes.Equal(b.Bytes(), want[m:]) || err == nil && b.Len() > 0 {
				t.Errorf("WriteTo returned %d, %v of %d bytes, and the buffer has %d", m, err, len(want), b.Len())
			}
			b.Reset()
			return err
		}
	}
	faulty.TestSinks(t, []faulty.Sink{
		{Name: "Buffer.WriteTo", Write: write(40)},
		{Name: "Buffer.WriteTo much", Write: write(9000)},
	})
}
