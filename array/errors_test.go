package array

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/binary"
)

// made returns the path of a file with the elements.
func made[T Element](t *testing.T, f Format, s ...T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made")
	w, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(Write(w, s, f), w.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// first returns the only element of o, or nil.
func first(o []Options) *Options {
	if len(o) == 0 {
		return nil
	}
	return &o[0]
}

// opened opens a file that is closed at the end of the test.
func opened[T Element](t *testing.T, path string, o ...Options) *File[T] {
	t.Helper()
	f, err := Open[T](path, first(o))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// sliceOf returns the result of Slice.
func sliceOf[T Element](t *testing.T, f *File[T]) []T {
	t.Helper()
	s, err := f.Slice()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

type bigger struct{ binary.ByteOrder }

func TestOpenErrors(t *testing.T) {
	npy := made[float64](t, NPY.WithOrder(binary.BigEndian).WithShape(2, 1), 1, 2)
	raw := made[byte](t, Raw(binary.LittleEndian), 1, 2, 3)
	single := made[byte](t, Raw(binary.LittleEndian), 1)
	text, empty := filepath.Join(t.TempDir(), "a.csv"), filepath.Join(t.TempDir(), "b")
	for path, content := range map[string]string{text: "1.5,2.5\n3.5,4.5\n", empty: ""} {
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	short := made[uint64](t, NPY.WithOrder(binary.LittleEndian), 1, 2, 3)
	if err := os.Truncate(short, 128+23); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		open   func() error
		reason error
		text   string
	}{
		{"type", func() error { _, err := Open[uint64](npy, nil); return err }, ErrType, "the file has float64 (>f8), the program wants uint64"},
		{"signedness", func() error { _, err := Open[int64](short, nil); return err }, ErrType, "the file has uint64 (<u8), the program wants int64"},
		{"order", func() error {
			_, err := Open[float64](npy, &Options{Format: NPY.WithOrder(binary.LittleEndian)})
			return err
		}, ErrType, "the file is big-endian, the program wants little-endian"},
		{"shape", func() error { _, err := Open[float64](npy, &Options{Format: NPY.WithShape(2)}); return err },
			ErrShape, "the file has shape (2, 1), the program wants (2,)"},
		{"Fortran", func() error {
			_, err := Open[float64](npy, &Options{Format: NPY.WithFortranOrder()})
			return err
		}, ErrShape, "C order"},
		{"raw without format", func() error { _, err := Open[byte](raw, nil); return err }, ErrFormat, "no .npy signature; for raw numbers, set Options.Format to array.Raw"},
		{"text without format", func() error { _, err := Open[byte](text, nil); return err }, ErrFormat, "no .npy signature"},
		{"empty without format", func() error { _, err := Open[byte](empty, nil); return err }, ErrFormat, "no .npy signature"},
		{"raw as npy", func() error { _, err := Open[byte](raw, &Options{Format: NPY}); return err }, ErrFormat, "no .npy signature"},
		{"partial element", func() error { _, err := Open[uint16](raw, &Options{Format: Raw(binary.LittleEndian)}); return err }, ErrTruncated, "the length of 3 bytes is not a multiple of 2"},
		{"single byte", func() error { _, err := Open[uint16](single, &Options{Format: Raw(binary.LittleEndian)}); return err }, ErrTruncated, "the length of 1 byte is not a multiple of 2"},
		{"cut", func() error { _, err := Open[uint64](short, nil); return err }, ErrTruncated, "shape (3,) of uint64 needs 24 bytes after the header, the file has 23"},
		{"missing", func() error { _, err := Open[byte](raw+"x", nil); return err }, fs.ErrNotExist, ""}, // with the text of the system
		{"directory", func() error { _, err := Open[byte](t.TempDir(), &Options{ReadOnly: true}); return err }, ErrUnsupported, "not a regular file"},
		{"custom order", func() error {
			_, err := Open[byte](raw, &Options{Format: Raw(bigger{binary.BigEndian})})
			return err
		}, ErrOptions, "byte order"},
		{"create existing", func() error { _, err := Create[byte](raw, 1, NPY); return err }, fs.ErrExist, "exists"},
		{"create without format", func() error { _, err := Create[byte](raw+"1", 1, Format{}); return err }, ErrOptions, "array.Raw or array.NPY"},
		{"create negative", func() error { _, err := Create[byte](raw+"1", -1, NPY); return err }, ErrRange, "-1 elements"},
		{"create with a wrong shape", func() error { _, err := Create[byte](raw+"1", 5, NPY.WithShape(2, 3)); return err }, ErrShape, "shape (2, 3) is not 5 elements"},
		{"create raw with a shape", func() error { _, err := Create[byte](raw+"1", 6, Raw(binary.BigEndian).WithShape(2, 3)); return err }, ErrOptions, "no shape"},
		{"create too many", func() error {
			_, err := NPY.infoOf(elementOf[complex128](), math.MaxInt)
			if math.MaxInt == math.MaxInt32 {
				err = fault(-1, ErrLimit, "too many") // such a file is possible
			}
			return wrap("create", "a", err)
		}, ErrLimit, "too many"},
		{"create without directory", func() error { _, err := Create[byte](raw+"1/a", 1, NPY); return err }, nil, ""},
		{"stat raw", func() error { _, err := Stat(raw); return err }, ErrFormat, ""},
		{"stat short", func() error { _, err := Stat(short); return err }, ErrTruncated, "23"},
		{"stat missing", func() error { _, err := Stat(raw + "x"); return err }, fs.ErrNotExist, ""},
	} {
		err := c.open()
		var e *Error
		if !errors.As(err, &e) || e.Op == "" || e.File == "" || c.reason != nil && !errors.Is(err, c.reason) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, want %v with %q", c.name, err, c.reason, c.text)
		}
	}
	if _, err := os.Stat(raw + "1"); err == nil {
		t.Error("a Create that failed left a file")
	}
	info, err := Stat(npy)
	if want := "float64[2 1] npy 1.0, big-endian"; err != nil || info.String() != want {
		t.Errorf("Stat: %v, %v, want %s", info, err, want)
	}
}

// TestUse checks the errors of methods.
func TestUse(t *testing.T) {
	for way, options := range access {
		t.Run(way, func(t *testing.T) {
			path := made(t, NPY, []uint16{1, 2, 3}...)
			f := opened[uint16](t, path, options)
			dst := make([]uint16, 2)
			if n, err := f.ReadAt(dst, 2); n != 1 || err != io.EOF {
				t.Errorf("ReadAt at the end: %d, %v", n, err)
			}
			if n, err := f.ReadAt(dst, 7); n != 0 || err != io.EOF {
				t.Errorf("ReadAt past the end: %d, %v", n, err)
			}
			if n, err := f.ReadAt(nil, 3); n != 0 || err != nil {
				t.Errorf("ReadAt of nothing: %d, %v", n, err)
			}
			if _, err := f.ReadAt(dst, -1); !errors.Is(err, ErrRange) {
				t.Errorf("ReadAt(-1): %v", err)
			}
			for _, i := range []int{-1, 2, 4} {
				if n, err := f.WriteAt(dst, i); n != 0 || !errors.Is(err, ErrRange) {
					t.Errorf("WriteAt(%d): %d, %v", i, n, err)
				}
			}
			if err := f.Grow(-1); !errors.Is(err, ErrRange) {
				t.Errorf("Grow(-1): %v", err)
			}
			if err := errors.Join(f.Append(), f.Grow(0)); err != nil || f.Len() != 3 {
				t.Errorf("nothing more: %v", err)
			}
			for _, i := range []int{-1, 3} {
				wantPanic(t, "out of range", func() { f.At(i) })
			}
			wantPanic(t, "less than one", func() { f.Chunks(0) })
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			for name, err := range map[string]error{
				"Append": f.Append(1), "Grow": f.Grow(1), "Sync": f.Sync(), "Close": f.Close(), "Guard": f.Guard(func() {}),
				"ReadAt":  func() error { _, err := f.ReadAt(dst, 0); return err }(),
				"WriteAt": func() error { _, err := f.WriteAt(dst, 0); return err }(),
			} {
				if !errors.Is(err, ErrClosed) || !strings.Contains(err.Error(), path) {
					t.Errorf("%s after Close: %v", name, err)
				}
			}
			if s, err := f.Slice(); s != nil || !errors.Is(err, fs.ErrClosed) || f.Len() != 3 {
				t.Errorf("Slice after Close: %v, %v", s, err)
			}
			wantPanic(t, "array: File is closed", func() { f.At(0) })
			wantPanic(t, "array: File is closed", func() {
				for range f.All() {
				}
			})

			options.ReadOnly = true
			f = opened[uint16](t, path, options)
			if f.At(2) != 3 {
				t.Error("wrong element in a read-only file")
			}
			_, err := f.WriteAt(dst, 0)
			for name, err := range map[string]error{"Append": f.Append(1), "Grow": f.Grow(1), "WriteAt": err} {
				if !errors.Is(err, ErrReadOnly) {
					t.Errorf("%s in a read-only file: %v", name, err)
				}
			}
			if err := f.Sync(); err != nil {
				t.Errorf("Sync of a read-only file: %v", err)
			}
		})
	}
}

func wantPanic(t *testing.T, text string, call func()) {
	t.Helper()
	defer func() {
		if r := recover(); r == nil {
			t.Errorf("no panic, want %q", text)
		} else if s, ok := r.(string); !ok || !strings.Contains(s, text) {
			t.Errorf("panic %v, want %q", r, text)
		}
	}()
	call()
}

// TestShapes checks arrays of several dimensions.
func TestShapes(t *testing.T) {
	c := opened[int32](t, made(t, NPY.WithShape(2, 3), []int32{1, 2, 3, 4, 5, 6}...))
	if v := c.At(c.Index(1, 0)); v != 4 || c.Info().Fortran {
		t.Errorf("C order: element (1, 0) is %d", v)
	}
	fortran := opened[int32](t, made(t, NPY.WithShape(2, 3).WithFortranOrder(), []int32{1, 2, 3, 4, 5, 6}...))
	if v := fortran.At(fortran.Index(1, 0)); v != 2 || !fortran.Info().Fortran {
		t.Errorf("Fortran order: element (1, 0) is %d", v)
	}
	for _, n := range []int{1, 2, 4} {
		if err := c.Append(make([]int32, n)...); !errors.Is(err, ErrShape) {
			t.Errorf("Append of %d: %v", n, err)
		}
	}
	if err := errors.Join(c.Append(7, 8, 9), c.Grow(6)); err != nil || !slices.Equal(c.Info().Shape, []int{5, 3}) || c.At(c.Index(2, 1)) != 8 {
		t.Errorf("shape %v, %v", c.Info().Shape, err)
	}
	if err := fortran.Append(7, 8); err != nil || !slices.Equal(fortran.Info().Shape, []int{2, 4}) || fortran.At(fortran.Index(1, 3)) != 8 {
		t.Errorf("shape %v, %v", fortran.Info().Shape, err)
	}
	for _, f := range []*File[int32]{c, fortran} {
		info, err := Stat(f.s.path)
		if err != nil || !slices.Equal(info.Shape, f.Info().Shape) || info.Fortran != f.Info().Fortran || f.Info().String() != info.String() {
			t.Errorf("the file says %v, %v; want %v", info, err, f.Info())
		}
	}
	if text := fortran.Info().String(); !strings.HasSuffix(text, "little-endian, Fortran order") && !nativeBig {
		t.Error(text)
	}
	wantPanic(t, "1 coordinates", func() { c.Index(1) })
	wantPanic(t, "outside", func() { c.Index(1, 3) })
	wantPanic(t, "outside", func() { c.Index(-1, 0) })

	scalar := opened[int32](t, made(t, NPY.WithShape(), []int32{7}...))
	if scalar.Len() != 1 || len(scalar.Info().Shape) != 0 || scalar.At(scalar.Index()) != 7 {
		t.Errorf("scalar: %v", scalar.Info())
	}
	if err := scalar.Append(1); !errors.Is(err, ErrShape) {
		t.Errorf("Append to a scalar: %v", err)
	}
	empty := opened[int32](t, made[int32](t, NPY.WithShape(3, 0)))
	if err := empty.Append(1); !errors.Is(err, ErrShape) {
		t.Errorf("Append to rows without elements: %v", err)
	}
}

// TestFoundFormat opens .npy files without Options.Format, and raw files with it.
func TestFoundFormat(t *testing.T) {
	raw := Options{Format: Raw(binary.LittleEndian)}
	for name, c := range map[string]struct {
		path string
		o    Options
		want string
	}{
		"npy":   {made[uint16](t, NPY.WithOrder(binary.BigEndian), 0x0102), Options{}, "npy"},
		"raw":   {made[uint16](t, raw.Format, 0x0102), raw, "raw"},
		"empty": {made[uint16](t, raw.Format), raw, "raw"},
	} {
		f := opened[uint16](t, c.path, c.o)
		if f.Info().Format.String() != c.want || f.Len() > 0 && f.At(0) != 0x0102 {
			t.Errorf("%s: %v", name, f.Info())
		}
	}
}

// TestBools opens bytes that are neither 0 nor 1 as bools.
func TestBools(t *testing.T) {
	b := []byte{0, 1, 2, 0x80, 0xff, 0}
	want := []bool{false, true, true, true, true, false}
	for way, options := range access {
		options.Format = Raw(binary.LittleEndian)
		f := opened[bool](t, made(t, options.Format, b...), options)
		got := make([]bool, len(b))
		if _, err := f.ReadAt(got, 0); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: ReadAt: %v, %v", way, got, err)
		}
		for i, v := range f.All() {
			if v != want[i] || f.At(i) != want[i] || v != (v == true) {
				t.Errorf("%s: element %d is %v", way, i, v)
			}
		}
	}
	s, _, err := Read[bool](strings.NewReader(v1(dict("'|b1'", "(6,)")) + string(b)))
	if err != nil || !slices.Equal(s, want) {
		t.Errorf("Read: %v, %v", s, err)
	}
}

// TestUnaligned opens a file whose elements are not aligned.
func TestUnaligned(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	text := dict("'<u4'", "(2,)")
	for (10+len(text))%4 != 1 {
		text += " "
	}
	if err := os.WriteFile(path, []byte(v1(text)+"\x01\x00\x00\x00\x02\x00\x00\x00"), 0o666); err != nil {
		t.Fatal(err)
	}
	f := opened[uint32](t, path)
	if s, err := f.Slice(); s != nil || !errors.Is(err, ErrNoSlice) || f.At(0) != 1 || f.At(1) != 2 {
		t.Errorf("slice %v, %v, elements %d and %d", s, err, f.At(0), f.At(1))
	}
	for i, v := range f.All() {
		if v != uint32(i+1) {
			t.Errorf("element %d is %d", i, v)
		}
	}
}

// TestFollowed appends to an array after which the file has another array.
func TestFollowed(t *testing.T) {
	var b bytes.Buffer
	for i := range 3 {
		if err := Write(&b, []int64{int64(i)}, NPY); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	f := opened[int64](t, path)
	for name, err := range map[string]error{"Append": f.Append(1), "long Append": f.Append(make([]int64, 10_000)...), "Grow": f.Grow(1)} {
		if !errors.Is(err, ErrTrailing) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, b.Bytes()) {
		t.Error("the file changed")
	}
	for i := range int64(3) {
		s, _, err := Read[int64](&b)
		if err != nil || !slices.Equal(s, []int64{i}) {
			t.Errorf("array %d: %v, %v", i, s, err)
		}
	}
	if _, _, err := Read[int64](&b); err != io.EOF {
		t.Errorf("after the last array: %v", err)
	}
}

// TestNamesNPZ reads arrays whose names are not valid paths, which FuzzNPZ found, and
// arrays of the same name.
func TestNamesNPZ(t *testing.T) {
	names := []string{"../x", "/x", "a//b", "\xff", ".", "/a", "x"}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i, name := range append(names, "x") {
		if err := WriteNPZ(w, name, []int64{int64(i)}, NPY); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		t.Fatal(err)
	}
	if got := NamesNPZ(z); !slices.Equal(got, names) {
		t.Errorf("names %q, want %q", got, names)
	}
	for i, name := range names {
		if name == "x" {
			i++ // the last one
		}
		s, _, err := ReadNPZ[int64](z, name)
		if err != nil || !slices.Equal(s, []int64{int64(i)}) {
			t.Errorf("%q: %v, %v", name, s, err)
		}
		if info, err := StatNPZ(z, name); err != nil || info.Len != 1 {
			t.Errorf("%q: %v, %v", name, info, err)
		}
	}
	// None of these is in the file, though some would be if its names were made valid paths.
	for _, name := range []string{"/", "..", "../z", "/../x", "a/", "", "a", "a/b"} {
		_, _, err := ReadNPZ[int64](z, name)
		_, err2 := StatNPZ(z, name)
		if !errors.Is(err, fs.ErrNotExist) || !errors.Is(err2, fs.ErrNotExist) {
			t.Errorf("%q is not in the file: %v; %v", name, err, err2)
		}
	}
}

func TestNPZ(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	matrix := []float32{1, 2, 3, 4, 5, 6}
	err := errors.Join(
		WriteNPZ(w, "x", []int64{1, -2}, NPY),
		WriteNPZ(w, "dir/m", matrix, NPY.WithShape(2, 3).WithOrder(binary.BigEndian)),
		w.Close())
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteNPZ(w, "raw", matrix, Raw(binary.LittleEndian)); !errors.Is(err, ErrOptions) {
		t.Errorf("raw: %v", err)
	}
	if err := WriteNPZ(w, "", matrix, NPY); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("no name: %v", err)
	}
	file := b.Bytes()
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if names := NamesNPZ(z); !slices.Equal(names, []string{"x", "dir/m"}) {
		t.Errorf("names %q", names)
	}
	s, info, err := ReadNPZ[float32](z, "dir/m")
	if err != nil || !slices.Equal(s, matrix) || !slices.Equal(info.Shape, []int{2, 3}) {
		t.Errorf("m: %v, %v, %v", s, info, err)
	}
	if info, err := StatNPZ(z, "x"); err != nil || info.Len != 2 {
		t.Errorf("StatNPZ: %v, %v", info, err)
	}
	if _, _, err := ReadNPZ[float32](z, "x"); !errors.Is(err, ErrType) {
		t.Errorf("wrong type: %v", err)
	}
	_, _, err = ReadNPZ[float32](z, "y")
	_, err2 := StatNPZ(z, "y")
	if !errors.Is(err, fs.ErrNotExist) || !errors.Is(err2, fs.ErrNotExist) {
		t.Errorf("missing: %v, %v", err, err2)
	}
	// Every change of a byte of the compressed data is an error or has no effect.
	for i := range file {
		file[i] ^= 0x10
		if z, err := zip.NewReader(bytes.NewReader(file), int64(len(file))); err == nil {
			if s, _, err := ReadNPZ[float32](z, "dir/m"); err == nil && !slices.Equal(s, matrix) {
				t.Fatalf("a change at %d was not detected", i)
			}
		}
		file[i] ^= 0x10
	}
}
