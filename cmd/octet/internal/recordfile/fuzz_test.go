package recordfile

import (
	"bytes"
	"io"
	"math"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
)

// FuzzReader reads any bytes as a record file and checks that the values before an
// error are valid. It also writes any bytes as values. Values may be nested without a limit.
func FuzzReader(f *testing.F) {
	for _, compress := range []bool{false, true} {
		var file bytes.Buffer
		w, err := NewWriter(&file, compress, nil)
		if err != nil {
			f.Fatal(err)
		}
		if _, err := w.Write([]byte("\x92\x01\xa1a\xc0\x81\x01\x02")); err != nil {
			f.Fatal(err)
		}
		if err := w.Close(); err != nil {
			f.Fatal(err)
		}
		f.Add(file.Bytes(), compress)
		f.Add(file.Bytes()[:file.Len()/2], compress)
	}
	f.Add([]byte("\x93\x01"), true)
	f.Fuzz(func(t *testing.T, data []byte, compress bool) {
		var r *Reader
		var got []byte
		// A compressed block may have 128 MiB of records.
		heaptest.AtMost(t, 200*len(data)+320<<20, func() {
			var err error
			if r, err = NewReader(iotest.HalfReader(bytes.NewReader(data))); err != nil {
				t.Fatal(err)
			}
			got, _ = io.ReadAll(r)
		})
		for len(got) > 0 {
			n, err := wire.Skip(got, math.MaxInt32)
			if err != nil {
				t.Fatalf("% x: %v", got, err)
			}
			got = got[n:]
		}
		if r.Torn() > int64(len(data)) {
			t.Errorf("%d of %d bytes are torn", r.Torn(), len(data))
		}

		end := 0
		for end < len(data) {
			n, err := wire.Skip(data[end:], math.MaxInt32)
			if err != nil {
				break
			}
			end += n
		}
		var file bytes.Buffer
		w, err := NewWriter(&file, compress, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(w, iotest.OneByteReader(bytes.NewReader(data)))
		if closed := w.Close(); err == nil {
			err = closed
		}
		if (err == nil) != (end == len(data)) {
			t.Fatalf("% x: %v, but %d of %d bytes are values", data, err, end, len(data))
		}
		if r, err = NewReader(&file); err != nil {
			t.Fatal(err)
		}
		if back, err := io.ReadAll(r); end == len(data) && (err != nil || !bytes.Equal(back, data)) {
			t.Fatalf("% x became % x, %v", data, back, err)
		}
	})
}
