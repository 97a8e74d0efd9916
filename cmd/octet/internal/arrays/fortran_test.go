package arrays

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/binary"
)

// TestFortran reads arrays in Fortran order in C order.
func TestFortran(t *testing.T) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		testFortran(t, order, func(at int) bool { return at%3 == 1 })
		testFortran(t, order, func(at int) int32 { return int32(-at) })
		testFortran(t, order, func(at int) float64 { return float64(at) / 3 })
		testFortran(t, order, func(at int) complex128 { return complex(float64(at), -1) })
	}
}

// testFortran makes an array with more than one piece, with the element of(n) at number n in C order.
func testFortran[T array.Element](t *testing.T, order binary.ByteOrder, of func(n int) T) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f.npy")
	shape := []int{7, 11, 103}
	f, err := array.Create[T](path, 7*11*103, array.NPY.WithShape(shape...).WithFortranOrder().WithOrder(order))
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for n := range f.Len() {
		if _, err := f.WriteAt([]T{of(n)}, f.Index(n/103/11, n/103%11, n%103)); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(of(n))
		want.WriteString(strings.Trim(text, "()"))
		want.WriteByte("\t\n"[(n%103+1)/103])
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	s := Source{Path: path}
	s.Begin = func() (io.Reader, io.Closer, error) {
		data, err := os.ReadFile(path)
		return bytes.NewReader(data), io.NopCloser(nil), err
	}
	in, err := s.Open(true)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out strings.Builder
	if _, err := Write(&out, in, Output{Format: Lines, Limit: -1}); err != nil || out.String() != want.String() {
		t.Errorf("%v: %v\n%.400s\nwant\n%.400s", order, err, &out, &want)
	}

	// A file that is not mapped has the same bytes.
	var all [2][]byte
	for i := range all {
		r, err := openFortran(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.f.Close()
		if i == 1 {
			r.mapped = nil
		}
		if all[i], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(all[0], all[1]) {
		t.Error("other bytes without mapping")
	}
}

// TestFortranCut cuts a file before and after it is opened.
func TestFortranCut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.npy")
	f, err := array.Create[int64](path, 1<<20, array.NPY.WithShape(1<<10, 1<<10).WithFortranOrder())
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := openFortran(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.f.Close()
	if err := os.Truncate(path, 1<<20); err != nil && runtime.GOOS == "windows" {
		t.Skipf("Windows protects a mapped file: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, r); !errors.Is(err, array.ErrTruncated) {
		t.Errorf("cut while it is read: %v", err)
	}
	if _, err := openFortran(path); !errors.Is(err, array.ErrTruncated) {
		t.Errorf("cut before: %v", err)
	}
}
