package binary

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/internal/heaptest"
)

// FuzzDecode decodes any bytes into a random type and compares with
// encoding/binary: the values, the lengths, the errors and the panics.
func FuzzDecode(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, bytes.Repeat([]byte{0x80, 1, 0xff, 0}, int(seed)))
	}
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		r := rand.New(rand.NewPCG(seed, 1))
		typ := randomType(r, 3)
		if s := fmt.Sprint(typ); strings.Contains(s, "float") || strings.Contains(s, "complex") {
			return // encoding/binary changes signaling NaNs
		}
		if r.IntN(3) == 0 && binary.Size(reflect.Zero(typ).Interface()) >= 0 {
			typ = reflect.SliceOf(typ)
		}
		s := subject{typ: typ, value: reflect.New(typ), wire: data}
		if typ.Kind() == reflect.Slice {
			s.value.Elem().Set(reflect.MakeSlice(typ, r.IntN(20), 20))
		}
		order := orders[r.IntN(len(orders))]
		decodes(t, r, s, order)
		reads(t, r, s, order)
	})
}

// FuzzSlices reads any bytes as numbers of each size by every function for slices.
// They give the same numbers, and none allocates memory for numbers that are missing.
func FuzzSlices(f *testing.F) {
	f.Add([]byte("0123456789abcdef"), uint16(4))
	f.Add(bytes.Repeat([]byte{0x80, 1, 0xff}, 100), uint16(1000))
	f.Fuzz(func(t *testing.T, data []byte, n uint16) {
		for _, order := range orders {
			slicesOf[uint8](t, data, int(n), order)
			slicesOf[int16](t, data, int(n), order)
			slicesOf[uint32](t, data, int(n), order)
			slicesOf[int64](t, data, int(n), order)
			slicesOf[uint64](t, data, int(n), order)
		}
	})
}

// A pair is a struct with a number of any type.
type pair[T Number] struct {
	First  uint16
	Second T
}

func slicesOf[T Number](t *testing.T, data []byte, n int, order ByteOrder) {
	n %= 1 << 10
	want := make([]T, n)
	size := binary.Size(want)
	_, wantErr := binary.Decode(data, order, want)
	got := make([]T, n)
	k, err := GetSlice(data, order, got)
	if (err == nil) != (wantErr == nil) || err == nil && (k != size || !slices.Equal(got, want)) || k > len(data) {
		t.Fatalf("GetSlice of %d: %d, %v, want %d, %v", n, k, err, size, wantErr)
	}
	clear(got)
	err = ReadSlice(iotest.OneByteReader(bytes.NewReader(data)), order, got)
	if (err == nil) != (wantErr == nil && n > 0 || n == 0) || err == nil && !slices.Equal(got, want) {
		t.Fatalf("ReadSlice of %d: %v, want %v", n, err, wantErr)
	}
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		t.Fatal(err)
	}
	c, err := For[T](order)
	if err != nil {
		t.Fatal(err)
	}
	clear(got)
	if k, err := c.GetSlice(data, got); (err == nil) != (wantErr == nil) || err == nil && (k != size || !slices.Equal(got, want)) {
		t.Fatalf("Typed.GetSlice of %d: %d, %v, want %v", n, k, err, wantErr)
	}
	if v, ok := View[T](data, order); ok {
		all := make([]T, len(data)/max(1, c.Size()))
		if _, err := GetSlice(data, order, all); err != nil || !slices.Equal(v, all) {
			t.Fatalf("View of %d bytes differs from GetSlice: %v", len(data), err)
		}
	}
	typed, err := For[pair[T]](order)
	if err != nil {
		t.Fatal(err)
	}
	var one, wantOne pair[T]
	wantK, wantOneErr := binary.Decode(data, order, &wantOne)
	if k, err := typed.Get(data, &one); k != wantK || (err == nil) != (wantOneErr == nil) || one != wantOne {
		t.Fatalf("Typed.Get: %v, %d, %v, want %v, %d, %v", one, k, err, wantOne, wantK, wantOneErr)
	}
	var prefix, exact pair[T]
	if k, err := typed.UnmarshalPrefix(data, &prefix); k != wantK || (err == nil) != (wantOneErr == nil) || prefix != wantOne {
		t.Fatalf("Typed.UnmarshalPrefix: %v, %d, %v, want %v, %d, %v", prefix, k, err, wantOne, wantK, wantOneErr)
	}
	if err := typed.Unmarshal(data, &exact); (err == nil) != (len(data) == typed.Size()) || err == nil && exact != wantOne {
		t.Fatalf("Typed.Unmarshal: %v, %v, want %v", exact, err, wantOne)
	}
	if wantErr == nil {
		back := AppendSlice(nil, order, want)
		if !bytes.Equal(back, data[:size]) {
			t.Fatalf("AppendSlice: % x, want % x", back, data[:size])
		}
	}

	// A Reader allocates in proportion to the bytes that exist, whatever length they claim.
	claim := append(AppendUvarint(nil, uint64(n)<<20), data...)
	var b []byte
	heaptest.AtMost(t, 8*len(claim)+1<<20, func() {
		r := NewReader(struct{ io.Reader }{bytes.NewReader(claim)}, order)
		b = r.UvarintByteSlice()
		_, err = r.End()
	})
	if len(b) != n<<20 && err == nil || err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		t.Fatalf("%d bytes of %d, %v", len(b), n<<20, err)
	}
}
