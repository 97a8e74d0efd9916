package array

import (
	"bytes"
	stdbinary "encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/internal/disk"
	"github.com/octet-go/octet/internal/mem"
)

// These types check that named types work.
type (
	celsius float32
	userID  uint64
	flag    bool
	phasor  complex64
)

// formats returns every combination of format and byte order.
func formats() map[string]Format {
	return map[string]Format{
		"npy little": NPY.WithOrder(binary.LittleEndian), "npy big": NPY.WithOrder(binary.BigEndian),
		"raw little": Raw(binary.LittleEndian), "raw big": Raw(binary.BigEndian),
	}
}

var access = map[string]Options{"mapped": {}, "not mapped": {NoMmap: true}}

// random returns n elements with random bits, but no NaN, which is not equal to
// itself.
func random[T Element](r *rand.Rand, n int) []T {
	s := make([]T, n)
	b := mem.SliceBytes(s)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	for i, v := range s {
		if v != v {
			s[i] = *new(T)
		}
	}
	if elementOf[T]().kind == reflect.Bool {
		for i := range b {
			b[i] &= 1
		}
	}
	return s
}

// encoded returns the encoding of s by encoding/binary.
func encoded[T Element](t *testing.T, f Format, s []T) []byte {
	t.Helper()
	b, err := stdbinary.Append(nil, f.order, s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// numpyHeader returns a header of version 1.0 in the form that numpy writes.
func numpyHeader(descr, fortran, shape string, growing int) string {
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, fortran, shape)
	size := (10 + len(text) + 20 - growing + 1 + 63) / 64 * 64
	text += strings.Repeat(" ", size-10-len(text)-1) + "\n"
	return "\x93NUMPY\x01\x00" + string(stdbinary.LittleEndian.AppendUint16(nil, uint16(size-10))) + text
}

// TestKinds writes and reads every kind of element in every format, mapped and
// not mapped, and compares the file with the result of encoding/binary.
func TestKinds(t *testing.T) {
	testKind[int8](t, "|i1", "<i1")
	testKind[int16](t, "<i2", ">i2")
	testKind[int32](t, "<i4", ">i4")
	testKind[int64](t, "<i8", ">i8")
	testKind[uint8](t, "|u1", "<u1")
	testKind[uint16](t, "<u2", ">u2")
	testKind[uint32](t, "<u4", ">u4")
	testKind[uint64](t, "<u8", ">u8")
	testKind[float32](t, "<f4", ">f4")
	testKind[float64](t, "<f8", ">f8")
	testKind[complex64](t, "<c8", ">c8")
	testKind[complex128](t, "<c16", ">c16")
	testKind[bool](t, "|b1", "|b1")
	testKind[celsius](t, "<f4", ">f4")
	testKind[userID](t, "<u8", ">u8")
	testKind[flag](t, "|b1", "|b1")
	testKind[phasor](t, "<c8", ">c8")
}

func testKind[T Element](t *testing.T, little, big string) {
	e := elementOf[T]()
	for name, format := range formats() {
		for way, options := range access {
			t.Run(fmt.Sprintf("%v/%s/%s", reflect.TypeFor[T](), name, way), func(t *testing.T) {
				t.Parallel() // the disk takes most of the time
				r := rand.New(rand.NewPCG(1, 2))
				path := filepath.Join(t.TempDir(), "a")
				want := random[T](r, 70_000)
				f, err := Create[T](path, 10, format)
				if err != nil {
					t.Fatal(err)
				}
				if options.NoMmap {
					f.Close()
					options.Format = format
					if f, err = Open[T](path, &options); err != nil {
						t.Fatal(err)
					}
				}
				if n, err := f.WriteAt(want[:10], 0); n != 10 || err != nil {
					t.Fatal(n, err)
				}
				for i := 10; i < len(want); {
					n := min(1+r.IntN(15), len(want)-i)
					if i > 1000 {
						n = min(30_000, len(want)-i)
					}
					if err := f.Append(want[i : i+n]...); err != nil {
						t.Fatal(err)
					}
					i += n
				}
				wantElements(t, f, want)
				if err := f.Close(); err != nil {
					t.Fatal(err)
				}

				head := ""
				if format.layout == npyLayout {
					descr := little
					if format.order == binary.ByteOrder(binary.BigEndian) {
						descr = big
					}
					if e.size == 1 {
						descr = little
					}
					head = numpyHeader(descr, "False", "(70000,)", 5)
				}
				file, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if string(file[:len(head)]) != head {
					t.Errorf("header %q\nwant   %q", file[:len(head)], head)
				}
				if !bytes.Equal(file[len(head):], encoded(t, format, want)) {
					t.Error("the bytes differ from encoding/binary")
				}
				options.Format = format
				if f, err = Open[T](path, &options); err != nil {
					t.Fatal(err)
				}
				wantElements(t, f, want)
				if err := f.Close(); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// wantElements reads the array with every method.
func wantElements[T Element](t *testing.T, f *File[T], want []T) {
	t.Helper()
	if f.Len() != len(want) || !slices.Equal(f.Info().Shape, []int{len(want)}) {
		t.Fatalf("length %d, shape %v, want %d", f.Len(), f.Info().Shape, len(want))
	}
	got := make([]T, len(want)+1)
	if n, err := f.ReadAt(got, 0); n != len(want) || err == nil || err.Error() != "EOF" || !slices.Equal(got[:n], want) {
		t.Errorf("ReadAt: %d, %v, or wrong elements", n, err)
	}
	if len(want) > 5 {
		if n, err := f.ReadAt(got[:2], 3); n != 2 || err != nil || !slices.Equal(got[:2], want[3:5]) {
			t.Errorf("ReadAt in the middle: %d, %v, %v, want %v", n, err, got[:2], want[3:5])
		}
	}
	for i := 0; i < len(want); i += 1 + len(want)/100 {
		if v := f.At(i); v != want[i] {
			t.Fatalf("At(%d) = %v, want %v", i, v, want[i])
		}
	}
	next := 0
	for i, v := range f.All() {
		if i != next || v != want[i] {
			t.Fatalf("All: %d, %v, want %d, %v", i, v, next, want[next])
		}
		next++
	}
	if next != len(want) {
		t.Errorf("All has %d elements, want %d", next, len(want))
	}
	for _, n := range []int{1 + len(want)/7, len(want) + 1} {
		var all []T
		for chunk := range f.Chunks(n) {
			all = append(all, chunk...)
			if len(chunk) != n && len(all) != len(want) || cap(chunk) > n {
				t.Fatalf("Chunks(%d) has a slice of %d, capacity %d", n, len(chunk), cap(chunk))
			}
		}
		if !slices.Equal(all, want) {
			t.Errorf("Chunks(%d) differs", n)
		}
	}
	for range f.All() {
		break // an iterator may end early
	}
	for range f.Chunks(1) {
		break
	}
	canSlice := disk.CanMap && !f.s.noMap && !f.s.swapped && f.s.e.kind != reflect.Bool
	if s, err := f.Slice(); (err == nil) != canSlice || (s != nil) != canSlice || s != nil && !slices.Equal(s, want) || err != nil && !errors.Is(err, ErrNoSlice) {
		t.Errorf("Slice has %d elements and the error %v, want %v, or they differ", len(s), err, canSlice)
	}
}

// TestRandomCalls makes the same random calls with a mapped file, a file that is
// not mapped, and a slice.
func TestRandomCalls(t *testing.T) {
	for name, format := range formats() {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(8) {
				randomCalls(t, format, seed)
			}
		})
	}
}

func randomCalls(t *testing.T, format Format, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 5))
	dir := t.TempDir()
	var files []*File[uint32]
	var paths []string
	reopen := func(i int, options Options) {
		options.Format = format
		f, err := Open[uint32](paths[i], &options)
		if err != nil {
			t.Fatal(err)
		}
		files[i] = f
	}
	var want []uint32
	for _, options := range access {
		path := filepath.Join(dir, fmt.Sprint(len(paths)))
		f, err := Create[uint32](path, 0, format)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		paths, files = append(paths, path), append(files, nil)
		reopen(len(paths)-1, options)
	}
	for range 60 {
		size := []int{1, 5, 1024, 1500, 40_000}[r.IntN(5)]
		values := random[uint32](r, r.IntN(size)+1)
		at, way := r.IntN(len(want)+1), r.IntN(6)
		switch way {
		case 0, 1, 2:
			want = append(want, values...)
		case 3:
			want = append(want, make([]uint32, len(values))...)
		case 4:
			values = values[:min(len(values), len(want)-at)]
			copy(want[at:], values)
		}
		for i, f := range files {
			var err error
			switch way {
			case 0, 1, 2:
				err = f.Append(values...)
			case 3:
				err = f.Grow(len(values))
			case 4:
				_, err = f.WriteAt(values, at)
				if s, _ := f.Slice(); s != nil && len(values) > 0 && s[at] != values[0] {
					t.Fatal("a write is not visible in Slice")
				}
			case 5:
				options := Options{NoMmap: f.s.noMap}
				if err = f.Close(); err == nil {
					reopen(i, options)
					f = files[i]
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			if f.Len() != len(want) || len(want) > 0 && f.At(len(want)-1) != want[len(want)-1] {
				t.Fatalf("seed %d: length %d, want %d, or the last element differs", seed, f.Len(), len(want))
			}
		}
	}
	var first []byte
	for i, f := range files {
		wantElements(t, f, want)
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(paths[i])
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && !bytes.Equal(b, first) {
			t.Error("the mapped file differs from the other")
		}
		first = b
	}
	if !bytes.HasSuffix(first, encoded(t, format, want)) {
		t.Error("the file differs from encoding/binary")
	}
}

// TestSliceStays keeps the slices of a growing file, and stores through the
// first one.
func TestSliceStays(t *testing.T) {
	f, err := Create[uint64](filepath.Join(t.TempDir(), "a"), 1, NPY)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Slice(); err != nil {
		t.Skip("files are not mapped on this system")
	}
	var kept [][]uint64
	for i := range 18 {
		kept = append(kept, sliceOf(t, f))
		if err := f.Grow(1 << i); err != nil {
			t.Fatal(err)
		}
	}
	kept[0][0] = 42
	for _, s := range kept {
		if s[0] != 42 {
			t.Fatalf("slice of %d elements has %d", len(s), s[0])
		}
	}
	if len(f.s.maps) > 30 {
		t.Errorf("%d mappings", len(f.s.maps))
	}
	if got := make([]uint64, 1); true {
		if _, err := f.ReadAt(got, 0); err != nil || got[0] != 42 {
			t.Errorf("ReadAt: %d, %v", got[0], err)
		}
	}
}

// TestAppendAllocates bounds the allocations of Append: one, for the variadic
// slice.
func TestAppendAllocates(t *testing.T) {
	if runtime.GOOS == "js" || runtime.GOOS == "windows" {
		t.Skip("every system call allocates on js and Windows")
	}
	f, err := Create[uint64](filepath.Join(t.TempDir(), "a"), 100_000, NPY)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n := testing.AllocsPerRun(1000, func() {
		if err := f.Append(7); err != nil {
			t.Fatal(err)
		}
	}); n > 1 {
		t.Errorf("Append allocates %v times", n)
	}
	if n := testing.AllocsPerRun(1000, func() { f.At(5) }); n > 0 {
		t.Errorf("At allocates %v times", n)
	}
}
