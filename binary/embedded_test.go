package binary

import (
	"io"
	"testing"

	"github.com/octet-go/octet/bytebuf"
)

// counted has the methods of the Buffer that it embeds, and counts the bytes
// that pass through its own Write and Read.
type counted struct {
	bytebuf.Buffer
	written, read int
}

func (c *counted) Write(b []byte) (int, error) {
	c.written += len(b)
	return c.Buffer.Write(b)
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Buffer.Read(b)
	c.read += n
	return n, err
}

// TestEmbeddedBuffer checks that the Write and Read methods of a type are
// called, even if the type has all methods of an embedded bytebuf.Buffer.
func TestEmbeddedBuffer(t *testing.T) {
	for name, write := range map[string]func(w io.Writer) error{
		"Write":      func(w io.Writer) error { return Write(w, BigEndian, uint64(1)) },
		"WriteSlice": func(w io.Writer) error { return WriteSlice(w, BigEndian, []uint32{0, 1}) },
		"Writer":     func(w io.Writer) error { _, err := NewWriter(w, BigEndian).Uint64(1).End(); return err },
	} {
		var c counted
		if err := write(&c); err != nil || c.written != 8 || c.String() != "\x00\x00\x00\x00\x00\x00\x00\x01" {
			t.Errorf("%s: %v, %d bytes through its own method, contents %q", name, err, c.written, c.String())
		}
	}
	for name, read := range map[string]func(r io.Reader) uint64{
		"Read":         func(r io.Reader) (v uint64) { _ = Read(r, BigEndian, &v); return v },
		"ReadSlice":    func(r io.Reader) uint64 { s := []uint64{0}; _ = ReadSlice(r, BigEndian, s); return s[0] },
		"Reader":       func(r io.Reader) uint64 { return NewReader(r, BigEndian).Uint64() },
		"Reader slice": func(r io.Reader) uint64 { return append(NewReader(r, BigEndian).Uint64Slice(1), 0)[0] },
	} {
		var c counted
		c.Buffer.WriteString("\x00\x00\x00\x00\x00\x00\x00\x01")
		if v := read(&c); v != 1 || c.read != 8 {
			t.Errorf("%s: got %d, %d bytes through its own method", name, v, c.read)
		}
	}
}
