package recordfile

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/record"
)

// values returns a stream of n values, one of them long.
func values(n int) []byte {
	var b []byte
	for i := range n {
		b = wire.AppendArrayHeader(b, 2)
		b = wire.AppendUint(b, uint64(i))
		b = wire.AppendString(b, "text")
	}
	return wire.AppendBin(b, make([]byte, 300<<10))
}

// TestRoundTrip writes a stream in pieces that end anywhere, and reads it in pieces.
func TestRoundTrip(t *testing.T) {
	const n = 20_000
	want := values(n)
	for _, compress := range []bool{false, true} {
		for _, size := range []int{1, 7, 64 << 10, len(want)} {
			var file bytes.Buffer
			w, err := NewWriter(&file, compress, nil)
			if err != nil {
				t.Fatal(err)
			}
			for rest := want; len(rest) > 0; {
				k, err := w.Write(rest[:min(size, len(rest))])
				if err != nil {
					t.Fatal(err)
				}
				rest = rest[k:]
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if compress != (file.Len() < len(want)/2) {
				t.Errorf("compress %v: %d bytes", compress, file.Len())
			}
			for name, in := range map[string]io.Reader{"whole": bytes.NewReader(file.Bytes()), "one byte": iotest.OneByteReader(bytes.NewReader(file.Bytes()))} {
				r, err := NewReader(in)
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(r)
				if err != nil || !bytes.Equal(got, want) || r.Torn() != 0 {
					t.Errorf("%s, pieces of %d: %d bytes, torn %d, error %v; want %d bytes", name, size, len(got), r.Torn(), err, len(want))
				}
				if r.scanner.Report().Records != n+1 {
					t.Errorf("%d records, want %d", r.scanner.Report().Records, n+1)
				}
			}
		}
	}
}

// TestDeep writes values that are nested deeper than decoders allow. A record file keeps them all the same.
func TestDeep(t *testing.T) {
	for _, depth := range []int{wire.MaxDepth, wire.MaxDepth + 1, 100_000} {
		for _, open := range []string{"\x91", "\x81\x01"} {
			want := []byte(strings.Repeat(open, depth) + "\xc0\x01")
			var file bytes.Buffer
			w, err := NewWriter(&file, true, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(want); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			r, err := NewReader(&file)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, want) || r.scanner.Report().Records != 2 {
				t.Errorf("%d times %x: %d bytes, error %v; want %d bytes", depth, open, len(got), err, len(want))
			}
		}
	}
}

// TestTorn reads a truncated file.
func TestTorn(t *testing.T) {
	var file bytes.Buffer
	w, err := NewWriter(&file, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(values(100_000)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(bytes.NewReader(file.Bytes()[:file.Len()/2]))
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r)
	if err != nil || len(got) == 0 || r.Torn() == 0 || !bytes.HasPrefix(values(100_000), got) {
		t.Errorf("%d bytes, torn %d, error %v", len(got), r.Torn(), err)
	}
}

// TestWriterErrors writes data that is not a stream of values, and writes to a file
// that fails.
func TestWriterErrors(t *testing.T) {
	full := errors.New("full")
	for name, c := range map[string]struct {
		to   io.Writer
		data []byte
		want error
	}{
		"half a value": {io.Discard, []byte{0x92, 1}, io.ErrUnexpectedEOF},
		"no value":     {io.Discard, []byte{0xc1}, wire.ErrReserved},
		"long record":  {io.Discard, wire.AppendBin(nil, make([]byte, 64<<20)), record.ErrLimit},
		"failing file": {&failing{after: 1 << 10, err: full}, values(100_000), full},
	} {
		w, err := NewWriter(c.to, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		for err == nil && len(c.data) > 0 {
			var n int
			n, err = w.Write(c.data[:min(len(c.data), 64<<10)])
			c.data = c.data[n:]
		}
		if err != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: Write returned %v, want %v", name, err, c.want)
		}
		for range 2 {
			if err := w.Close(); !errors.Is(err, c.want) {
				t.Errorf("%s: Close returned %v, want %v", name, err, c.want)
			}
		}
	}
}

// failing is an io.Writer that fails after some bytes.
type failing struct {
	after int
	err   error
}

func (f *failing) Write(b []byte) (int, error) {
	if f.after -= len(b); f.after < 0 {
		return 0, f.err
	}
	return len(b), nil
}
