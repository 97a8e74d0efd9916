package array

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/binary"
)

// TestReader reads arrays in parts of every size.
func TestReader(t *testing.T) {
	want := []int16{1, -2, 3, -4, 5, -6, 7}
	for name, format := range formats() {
		var b bytes.Buffer
		if err := Write(&b, want, format); err != nil {
			t.Fatal(err)
		}
		if format.layout == npyLayout {
			b.WriteString("more")
		}
		for size := 1; size < 9; size++ {
			r, err := NewReader[int16](iotest.OneByteReader(bytes.NewReader(b.Bytes())), format)
			if err != nil {
				t.Fatal(err)
			}
			if n := r.Info().Len; n != 7 && format.layout == npyLayout || n != -1 && format.layout == rawLayout {
				t.Errorf("%s: length %d", name, n)
			}
			var got []int16
			for {
				part := make([]int16, size)
				n, err := r.Read(part)
				got = append(got, part[:n]...)
				if err == io.EOF && n == 0 {
					break
				}
				if err != nil || n == 0 {
					t.Fatalf("%s: Read: %d, %v", name, n, err)
				}
			}
			if _, err := r.Read(make([]int16, 1)); err != io.EOF || !slices.Equal(got, want) {
				t.Errorf("%s in parts of %d: %v, %v", name, size, got, err)
			}
		}
	}
}

func TestReaderErrors(t *testing.T) {
	boom := errors.New("boom")
	npy := v1(dict("'<u2'", "(3,)"))
	for name, c := range map[string]struct {
		r    io.Reader
		f    Format
		want error
		text string
	}{
		"npy cut":     {strings.NewReader(npy + "1234"), NPY, ErrTruncated, "more elements of uint16 (offset "},
		"npy in half": {strings.NewReader(npy + "12345"), NPY, ErrTruncated, ""},
		"raw in half": {strings.NewReader("123"), Raw(binary.BigEndian), ErrTruncated, "(offset 3)"},
		"reader":      {io.MultiReader(strings.NewReader(npy+"12"), iotest.ErrReader(boom)), NPY, boom, "array: read: boom"},
	} {
		r, err := NewReader[uint16](c.r, c.f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = r.Read(make([]uint16, 3)); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", name, err)
		}
		if _, again := r.Read(make([]uint16, 3)); again != err {
			t.Errorf("%s: then %v", name, again)
		}
	}
	if _, err := NewReader[uint32](strings.NewReader(npy), Format{}); !errors.Is(err, ErrType) {
		t.Errorf("type: %v", err)
	}
	if _, err := NewReader[uint32](strings.NewReader(""), Raw(bigger{binary.BigEndian})); !errors.Is(err, ErrOptions) {
		t.Errorf("order: %v", err)
	}
	if _, err := ReadHeader(strings.NewReader("no")); !errors.Is(err, ErrFormat) {
		t.Errorf("header: %v", err)
	}
	if err := WriteHeader[int8](io.Discard, 3, Raw(binary.BigEndian)); !errors.Is(err, ErrOptions) {
		t.Errorf("raw header: %v", err)
	}
}
