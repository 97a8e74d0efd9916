package array

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/internal/heaptest"
)

// drip is a reader that returns few bytes at once, and sometimes none.
type drip struct {
	data []byte
	r    *rand.Rand
}

func (p *drip) Read(b []byte) (int, error) {
	if len(p.data) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.r.IntN(9))], p.data)
	p.data = p.data[n:]
	return n, nil
}

// FuzzReader reads any bytes in parts, of a stream that arrives in parts, and
// compares with Read. Neither allocates memory for elements that do not exist.
func FuzzReader(f *testing.F) {
	for _, c := range hostile {
		f.Add([]byte(c.file), uint64(1))
	}
	f.Add([]byte(v1(dict("'<u8'", "(100000000,)"))+"0123456789abcdef"), uint64(2))
	f.Add([]byte(v1(dict("'>u2'", "(2, 2)"))+"01234567 and more"), uint64(3))
	f.Add([]byte(v1(dict("'|b1'", "()"))+"\x02"), uint64(4))
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) {
		inParts[uint16](t, b, seed)
		inParts[float64](t, b, seed)
		inParts[bool](t, b, seed)

		r := &drip{b, rand.New(rand.NewPCG(seed, 2))}
		info, err := ReadHeader(r)
		if err == nil && (info.Offset > int64(len(b)) || len(b)-len(r.data) != int(info.Offset)) {
			t.Errorf("the header of %v ends at %d", info, len(b)-len(r.data))
		}
		if s := info.String(); err == nil && (s == "" || info.ElementSize() == 0) {
			t.Errorf("%+v is %q", info, s)
		}
	})
}

func inParts[T Element](t *testing.T, b []byte, seed uint64) {
	var want []T
	var wantErr error
	// Growing by doubling allocates at most four times the last size, in sum.
	heaptest.AtMost(t, 5*len(b)+1<<20, func() { want, _, wantErr = Read[T](bytes.NewReader(b)) })
	random := rand.New(rand.NewPCG(seed, 1))
	for _, format := range []Format{NPY, Raw(binary.BigEndian)} {
		r, err := NewReader[T](&drip{b, random}, format)
		if err != nil {
			if wantErr == nil && format.layout == npyLayout {
				t.Errorf("NewReader: %v", err)
			}
			continue
		}
		if info := r.Info(); info.ElementSize() != binary.Size(make([]T, 1)) {
			t.Errorf("%+v", info)
		}
		var got []T
		for {
			part := make([]T, random.IntN(20))
			n, err := r.Read(part)
			got = append(got, part[:n]...)
			if err != nil {
				if format.layout == npyLayout && (err == io.EOF) != (wantErr == nil) || err != io.EOF && !errors.Is(err, ErrTruncated) {
					t.Fatalf("%v, want %v", err, wantErr)
				}
				break
			}
			if n == 0 && len(part) > 0 {
				t.Fatal("Read returned nothing and no error")
			}
		}
		if format.layout == npyLayout && wantErr == nil && !bytes.Equal(encoded(t, Raw(binary.BigEndian), got), encoded(t, Raw(binary.BigEndian), want)) {
			t.Fatalf("%v in parts, %v at once", got, want)
		}
	}
}

// FuzzNPZ makes an archive of any bytes, reads its arrays, and reads the bytes
// themselves as an archive.
func FuzzNPZ(f *testing.F) {
	f.Add("x", []byte(v1(dict("'<u8'", "(2,)"))+"0123456789abcdef"))
	f.Add("more", []byte(v1(dict("'<u8'", "(2,)"))+"0123456789abcdef and more"))
	f.Add("dir/x", []byte(v1(dict("'<u8'", "(3,)"))+"0123456789abcdef"))
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	if err := errors.Join(WriteNPZ(w, "x", []uint64{1, 2}, NPY), w.Close()); err != nil {
		f.Fatal(err)
	}
	f.Add("x", archive.Bytes())
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		if z, err := zip.NewReader(bytes.NewReader(b), int64(len(b))); err == nil {
			for _, name := range NamesNPZ(z) {
				info, err := StatNPZ(z, name)
				if err != nil || info.Len > 1<<20 {
					continue
				}
				var s []uint64
				// What is compressed can become 1032 times longer, but no longer than what the header claims. The
				// memory doubles until then.
				bound := 5*min(8*info.Len, 1032*len(b)) + 1<<20
				heaptest.AtMost(t, bound, func() { s, _, err = ReadNPZ[uint64](z, name) })
				if err == nil && len(s) != info.Len {
					t.Errorf("%q: %d elements of %v", name, len(s), info)
				}
			}
		}
		if strings.HasSuffix(name, "/") {
			return // a folder
		}
		var archive bytes.Buffer
		w := zip.NewWriter(&archive)
		entry, err := w.Create(name + ".npy")
		if err != nil {
			return
		}
		if _, err := entry.Write(b); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		z, err := zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
		if err != nil {
			return // an insecure name
		}
		if names := NamesNPZ(z); !slices.Equal(names, []string{name}) {
			t.Fatalf("names %q, want %q", names, name)
		}
		stream := bytes.NewReader(b)
		want, _, wantErr := Read[uint64](stream)
		got, _, err := ReadNPZ[uint64](z, name)
		if wantErr == nil && stream.Len() > 0 { // Read leaves what follows the array
			wantErr = ErrTrailing
		}
		if (err == nil) != (wantErr == nil) || err == nil && !slices.Equal(got, want) {
			t.Errorf("ReadNPZ: %v, %v; Read: %v, %v", got, err, want, wantErr)
		}
		if info, err := StatNPZ(z, name); wantErr == nil && (err != nil || info.Len != len(want)) {
			t.Errorf("StatNPZ: %v, %v, want %d elements", info, err, len(want))
		}
	})
}
