package binary

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/bytebuf"
)

// TestWriterMissing passes nil pointers as the writer to every constructor.
func TestWriterMissing(t *testing.T) {
	for name, to := range map[string]io.Writer{
		"nil":             nil,
		"*bytes.Buffer":   (*bytes.Buffer)(nil),
		"*bytebuf.Buffer": (*bytebuf.Buffer)(nil),
		"*bufio.Writer":   (*bufio.Writer)(nil),
		"*Writer":         (*Writer)(nil),
	} {
		for way, write := range map[string]func(w *Writer){
			"value": func(w *Writer) { w.Uint16(1) },
			"slice": func(w *Writer) { w.Uint64Slice(make([]uint64, 1000)) },
			"Write": func(w *Writer) { _, _ = w.Write(make([]byte, 1000)) },
			"Flush": func(w *Writer) { w.Uint8(1).Flush() },
		} {
			w := NewWriter(to, BigEndian)
			write(w)
			if n, err := w.End(); n != 0 || err != errNoWriter {
				t.Errorf("%s: %s: End returned %d, %v", name, way, n, err)
			}
		}
	}
}

// null is a writer and reader whose methods work with a nil pointer.
type null struct{}

func (*null) Write(b []byte) (int, error) { return len(b), nil }
func (*null) Read(b []byte) (int, error)  { return len(b), nil }

func TestNilThatWorks(t *testing.T) {
	if n, err := NewWriter((*null)(nil), BigEndian).Uint16(1).End(); n != 2 || err != nil {
		t.Errorf("Writer: End returned %d, %v", n, err)
	}
	r := NewReader((*null)(nil), BigEndian)
	r.Uint16()
	if n, err := r.End(); n != 2 || err != nil {
		t.Errorf("Reader: End returned %d, %v", n, err)
	}
}

// TestReaderMissing passes nil pointers as the reader.
func TestReaderMissing(t *testing.T) {
	for name, from := range map[string]io.Reader{
		"nil":             nil,
		"*bytes.Buffer":   (*bytes.Buffer)(nil),
		"*bytebuf.Buffer": (*bytebuf.Buffer)(nil),
		"*bytes.Reader":   (*bytes.Reader)(nil),
		"*strings.Reader": (*strings.Reader)(nil),
		"*bufio.Reader":   (*bufio.Reader)(nil),
		"*Reader":         (*Reader)(nil),
	} {
		for way, read := range map[string]func(r *Reader){
			"value": func(r *Reader) { r.Uint16() },
			"slice": func(r *Reader) { r.Uint64Slice(1000) },
			"Read":  func(r *Reader) { _, _ = r.Read(make([]byte, 10)) },
			"Peek":  func(r *Reader) { r.Peek(10) },
			"Skip":  func(r *Reader) { r.Skip(10) },
		} {
			r := NewReader(from, BigEndian)
			read(r)
			if n, err := r.End(); n != 0 || err != errNoReader {
				t.Errorf("%s: %s: End returned %d, %v", name, way, n, err)
			}
		}
	}
}

// claiming is a writer that returns a given count.
type claiming struct {
	n   int
	err error
}

func (c claiming) Write(b []byte) (int, error) { return c.n, c.err }

func TestWriterInvalidCount(t *testing.T) {
	for _, c := range []struct {
		name string
		to   claiming
		want int
		err  error
	}{
		{"too many", claiming{3, nil}, 2, errCount},
		{"too many and an error", claiming{3, io.ErrClosedPipe}, 2, io.ErrClosedPipe},
		{"negative", claiming{-1, nil}, 0, errCount},
		{"too few", claiming{1, nil}, 1, io.ErrShortWrite},
		{"all", claiming{2, nil}, 2, nil},
	} {
		if n, err := NewWriter(c.to, BigEndian).Uint16(1).End(); n != c.want || err != c.err {
			t.Errorf("%s: End returned %d, %v, want %d, %v", c.name, n, err, c.want, c.err)
		}
	}
	w := NewWriter(claiming{5000, nil}, BigEndian)
	if n, err := w.Write([]byte(strings.Repeat("x", 600))); n != 600 || err != errCount {
		t.Errorf("Write returned %d, %v", n, err)
	}
}

// TestOrderMissing passes nil as the byte order to the constructors and to Reset.
func TestOrderMissing(t *testing.T) {
	input := []byte{1, 2, 3}
	w, r := NewWriter(new(bytes.Buffer), nil), NewReader(bytes.NewReader(input), nil)
	for range 2 {
		if n, err := w.Uint16(1).End(); n != 0 || err != errNoOrder {
			t.Errorf("Writer: End returned %d, %v", n, err)
		}
		v := r.Uint16()
		if n, err := r.End(); v != 0 || n != 0 || err != errNoOrder {
			t.Errorf("Reader: %d, End returned %d, %v", v, n, err)
		}
		if n, err := r.Read(make([]byte, 2)); n != 0 || err != errNoOrder {
			t.Errorf("Reader: Read returned %d, %v", n, err)
		}
		w, r = NewWriter(new(bytes.Buffer), BigEndian), NewReader(bytes.NewReader(input), BigEndian)
		w.Reset(new(bytes.Buffer), nil)
		r.Reset(bytes.NewReader(input), nil)
	}
}

// TestReadBuffered reads bytes that an earlier call has read ahead.
func TestReadBuffered(t *testing.T) {
	r := NewReader(iotest.OneByteReader(iotest.DataErrReader(strings.NewReader("abcdef"))), BigEndian)
	if p := r.Peek(4); string(p) != "abcd" {
		t.Fatalf("Peek: %q", p)
	}
	b := make([]byte, 10)
	if n, err := r.Read(b); string(b[:n]) != "abcd" || err != nil {
		t.Errorf("Read: %q, %v", b[:n], err)
	}
	if n, err := io.ReadFull(r, b); string(b[:n]) != "ef" || err != io.ErrUnexpectedEOF {
		t.Errorf("ReadFull: %q, %v", b[:n], err)
	}
}

// TestEmptyLimit reads a frame without bytes, which is valid.
func TestEmptyLimit(t *testing.T) {
	r := NewReader(strings.NewReader("ab"), BigEndian)
	r.Limit(0)
	if r.Left() != 0 {
		t.Errorf("Left: %d", r.Left())
	}
	r.Unlimit()
	if v := r.Uint16(); v != 0x6162 {
		t.Errorf("Uint16: %#x", v)
	}
	if n, err := r.End(); n != 2 || err != nil {
		t.Errorf("End returned %d, %v", n, err)
	}
}
