package array

import (
	"archive/zip"
	"bytes"
	"io"
	"reflect"
	"testing"

	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/internal/faulty"
)

// npyOf returns s as a .npy file in the byte order that must be swapped.
func npyOf[T Element](t *testing.T, s []T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, s, NPY.WithOrder(orderOf(!nativeBig))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// npzOf returns s as the array "x" of a .npz file.
func npzOf[T Element](t *testing.T, s []T) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if err := WriteNPZ(z, "x", s, NPY); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFaultySources(t *testing.T) {
	numbers := make([]uint32, 40)
	for i := range numbers {
		numbers[i] = uint32(i) << 20
	}
	npy := npyOf(t, numbers)
	// parts makes an entry for a Reader that reads 7 elements at a time.
	parts := func(f Format) func(r io.Reader) (any, error) {
		return func(r io.Reader) (any, error) {
			a, err := NewReader[uint32](r, f)
			if err != nil {
				return nil, err
			}
			all, part := []uint32{}, make([]uint32, 7)
			for {
				n, err := a.Read(part)
				all = append(all, part[:n]...)
				if err == io.EOF {
					return all, nil
				}
				if err != nil {
					if m, again := a.Read(part); m != 0 || again != err {
						t.Errorf("Read after %v: %d, %v", err, m, again)
					}
					return all, err
				}
			}
		}
	}
	sources := []faulty.Source{
		{Name: "Read", Input: npy, Read: func(r io.Reader) (any, error) {
			s, _, err := Read[uint32](r)
			return s, err
		}},
		{Name: "Read many", Input: npyOf(t, make([]float64, 40_000)), Read: func(r io.Reader) (any, error) {
			s, info, err := Read[float64](r)
			return []any{len(s), info.Len}, err
		}},
		{Name: "ReadHeader", Input: npy[:128], Read: func(r io.Reader) (any, error) { return ReadHeader(r) }},
		{Name: "NewReader", Input: npy[:128], Read: func(r io.Reader) (any, error) {
			a, err := NewReader[uint32](r, NPY)
			if err != nil {
				return nil, err
			}
			return a.Info(), nil
		}},
		{Name: "Reader.Read", Input: npy, Read: parts(NPY)},
		{Name: "Reader.Read raw", Input: npy[128:], Read: parts(Raw(binary.BigEndian)), ToEnd: true, Prefixes: true},
	}
	faulty.TestSources(t, sources)
	faulty.Complete(t, reflect.TypeFor[*Reader[uint32]](), faulty.Names(sources), "Info")
}

func TestFaultySinks(t *testing.T) {
	numbers := make([]uint32, 40)
	swapped := NPY.WithOrder(orderOf(!nativeBig))
	faulty.TestSinks(t, []faulty.Sink{
		{Name: "Write", Write: func(w io.Writer) error { return Write(w, numbers, NPY) }},
		{Name: "Write swapped", Write: func(w io.Writer) error { return Write(w, numbers, swapped) }},
		{Name: "Write many", Write: func(w io.Writer) error { return Write(w, make([]complex128, 10_000), swapped) }},
		{Name: "Write raw", Write: func(w io.Writer) error { return Write(w, numbers, Raw(binary.BigEndian)) }},
		{Name: "WriteHeader", Write: func(w io.Writer) error { return WriteHeader[int8](w, 1000, NPY) }},
		{Name: "WriteNPZ", Write: func(w io.Writer) error {
			z := zip.NewWriter(w)
			if err := WriteNPZ(z, "x", make([]uint64, 3000), NPY); err != nil {
				return err
			}
			return z.Close()
		}, TrustsCounts: true}, // archive/zip writes through bufio.Writer, which does
	})
}

// TestFaultyFiles lets .npz files fail. The readers of archive/zip return the errors.
func TestFaultyFiles(t *testing.T) {
	npz := npzOf(t, make([]uint16, 500))
	open := func(read func(z *zip.Reader) (any, error)) func(r io.ReaderAt, size int64) (any, error) {
		return func(r io.ReaderAt, size int64) (any, error) {
			z, err := zip.NewReader(r, size)
			if err != nil {
				return nil, err
			}
			return read(z)
		}
	}
	faulty.TestFileSources(t, []faulty.FileSource{
		{Name: "ReadNPZ", Input: npz, Read: open(func(z *zip.Reader) (any, error) {
			s, _, err := ReadNPZ[uint16](z, "x")
			return s, err
		})},
		{Name: "StatNPZ", Input: npz, Read: open(func(z *zip.Reader) (any, error) { return StatNPZ(z, "x") })},
	})
}
