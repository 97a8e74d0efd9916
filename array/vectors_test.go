package array

import (
	"archive/zip"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/internal/mem"
)

// vector returns the elements that testdata/vectors.py writes.
func vector[T Element]() []T {
	const n = 6
	s := make([]T, n)
	b, e := mem.SliceBytes(s), elementOf[T]()
	for i := range n {
		part := b[i*e.size:][:e.size]
		float := func(v float64, b []byte) {
			if len(b) == 4 {
				binary.NativeEndian.PutUint32(b, math.Float32bits(float32(v)))
			} else {
				binary.NativeEndian.PutUint64(b, math.Float64bits(v))
			}
		}
		switch bits := i*i*7919 - 500; e.letter() {
		case 'b':
			part[0] = []byte{1, 0, 0}[i%3]
		case 'c':
			float(float64(i)/2, part[:e.unit])
			float(float64(-2*i), part[e.unit:])
		case 'f':
			float(float64(i)/2-1, part)
		default:
			switch e.size {
			case 1:
				part[0] = byte(bits)
			case 2:
				binary.NativeEndian.PutUint16(part, uint16(bits))
			case 4:
				binary.NativeEndian.PutUint32(part, uint32(bits))
			case 8:
				binary.NativeEndian.PutUint64(part, uint64(int64(bits)))
			}
		}
	}
	return s
}

// everyKind calls all with a subtest for each kind and order.
func everyKind(t *testing.T, check func(t *testing.T, k kindTest, path string, order binary.ByteOrder), dir string) {
	for _, k := range []kindTest{
		kind[bool]{}, kind[int8]{}, kind[int16]{}, kind[int32]{}, kind[int64]{}, kind[uint8]{}, kind[uint16]{},
		kind[uint32]{}, kind[uint64]{}, kind[float32]{}, kind[float64]{}, kind[complex64]{}, kind[complex128]{},
	} {
		for name, order := range map[string]binary.ByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian} {
			check(t, k, filepath.Join(dir, k.name()+"_"+name), order)
		}
	}
}

// A kindTest reads and writes vectors of one type.
type kindTest interface {
	name() string
	read(t *testing.T, path string, order binary.ByteOrder)
	write(t *testing.T, path string, order binary.ByteOrder)
}

type kind[T Element] struct{}

func (kind[T]) name() string { return reflect.TypeFor[T]().String() }

func (kind[T]) read(t *testing.T, path string, order binary.ByteOrder) {
	for way, options := range access {
		options.ReadOnly = true
		f := opened[T](t, path+".npy", options)
		want := vector[T]()
		if info := f.Info(); elementOf[T]().unit > 1 && info.Order != order || info.Version != [2]byte{1, 0} || f.Info().Fortran {
			t.Errorf("%s %s: %v", path, way, info)
		}
		wantElements(t, f, want)
		f.Close()
	}
}

// write writes the files that vectors.py checks.
func (kind[T]) write(t *testing.T, path string, order binary.ByteOrder) {
	save := func(name string, format Format, more int) {
		f, err := Create[T](name, 0, format)
		if err != nil {
			t.Fatal(err)
		}
		for range more {
			if err := f.Append(vector[T]()...); err != nil {
				t.Fatal(err)
			}
		}
		if more > 1 {
			if err := f.Grow(3); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	save(path+".npy", NPY.WithOrder(order), 1)
	save(path+".raw", Raw(order), 1)
	save(path+"_grown.npy", NPY.WithOrder(order), 200)
}

// TestVectors reads the committed files, which numpy wrote.
func TestVectors(t *testing.T) { readVectors(t, "testdata") }

func readVectors(t *testing.T, dir string) {
	everyKind(t, func(t *testing.T, k kindTest, path string, order binary.ByteOrder) { k.read(t, path, order) }, dir)
	for version, name := range map[byte]string{1: "version1", 2: "version2", 3: "version3"} {
		f := opened[uint16](t, filepath.Join(dir, name+".npy"), Options{ReadOnly: true})
		if f.Info().Version != [2]byte{version, 0} {
			t.Errorf("%s: %v", name, f.Info())
		}
		wantElements(t, f, vector[uint16]())
	}
	matrix := opened[int32](t, filepath.Join(dir, "matrix.npy"), Options{ReadOnly: true})
	fortran := opened[int32](t, filepath.Join(dir, "fortran.npy"), Options{ReadOnly: true})
	want := vector[int32]()
	for i := range 2 {
		for j := range 3 {
			if a, b := matrix.At(matrix.Index(i, j)), fortran.At(fortran.Index(i, j)); a != want[3*i+j] || b != a {
				t.Errorf("element (%d, %d) is %d in C order and %d in Fortran order, want %d", i, j, a, b, want[3*i+j])
			}
		}
	}
	if matrix.Info().Fortran || !fortran.Info().Fortran || !slices.Equal(fortran.Info().Shape, []int{2, 3}) {
		t.Errorf("%v, %v", matrix.Info(), fortran.Info())
	}
	if f := opened[int32](t, filepath.Join(dir, "scalar.npy"), Options{ReadOnly: true}); f.Len() != 1 || len(f.Info().Shape) != 0 || f.At(0) != 7 {
		t.Errorf("scalar: %v", f.Info())
	}
	if f := opened[float64](t, filepath.Join(dir, "empty.npy"), Options{ReadOnly: true}); f.Len() != 0 || !slices.Equal(f.Info().Shape, []int{0, 4}) {
		t.Errorf("empty: %v", f.Info())
	}
	if _, err := Open[int32](filepath.Join(dir, "structured.npy"), &Options{ReadOnly: true}); !errors.Is(err, ErrUnsupported) {
		t.Errorf("structured: %v", err)
	}
	raw := opened[uint32](t, filepath.Join(dir, "uint32.raw"), Options{Format: Raw(binary.LittleEndian), ReadOnly: true})
	wantElements(t, raw, vector[uint32]())
	for _, name := range []string{"stored.npz", "compressed.npz"} {
		z, err := zip.OpenReader(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		x, _, err1 := ReadNPZ[uint64](&z.Reader, "x")
		m, info, err2 := ReadNPZ[float32](&z.Reader, "m")
		if err1 != nil || err2 != nil || !slices.Equal(x, vector[uint64]()) || !slices.Equal(m, vector[float32]()) || !slices.Equal(info.Shape, []int{3, 2}) {
			t.Errorf("%s: %v, %v, %v, %v", name, err1, err2, x, info)
		}
		z.Close()
	}
}

// TestGrowVectors appends to files that numpy wrote.
func TestGrowVectors(t *testing.T) {
	for _, name := range []string{"version1", "version2", "version3"} {
		b, err := os.ReadFile(filepath.Join("testdata", name+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "a.npy")
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		f := opened[uint16](t, path)
		want := vector[uint16]()
		for range 400 { // the length gets more digits
			if err := f.Append(1, 2, 3); err != nil {
				t.Fatal(err)
			}
			want = append(want, 1, 2, 3)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		f = opened[uint16](t, path)
		wantElements(t, f, want)
		if info, err := os.Stat(path); err != nil || info.Size() != f.s.end() || f.s.Offset != int64(len(b)-12) {
			t.Errorf("%s: %d bytes for %v", name, info.Size(), f.Info())
		}
	}
}
