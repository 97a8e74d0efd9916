package binary

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/internal/mem"
)

type (
	celsius  float32
	userID   uint64
	port     uint16
	priority int8
)

// TestNumbers passes every kind of number, including named types, in every
// order to all slice functions and compares the results with encoding/binary.
func TestNumbers(t *testing.T) {
	testNumbers[int8](t)
	testNumbers[int16](t)
	testNumbers[int32](t)
	testNumbers[int64](t)
	testNumbers[uint8](t)
	testNumbers[uint16](t)
	testNumbers[uint32](t)
	testNumbers[uint64](t)
	testNumbers[float32](t)
	testNumbers[float64](t)
	testNumbers[celsius](t)
	testNumbers[userID](t)
	testNumbers[port](t)
	testNumbers[priority](t)
}

func numbersOf[T Number](r *rand.Rand, n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = T(r.IntN(1<<7)) / 3
	}
	b := mem.SliceBytes(s)
	for i := range b {
		b[i] ^= byte(r.Uint32()) & 0x0f // bits that do not make a small number NaN
	}
	return s
}

func testNumbers[T Number](t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for _, order := range orders {
		sizes := []int{0, 1, 3, 8, 65, 1000}
		if order == BigEndian || order == LittleEndian {
			sizes = append(sizes, chunkSize/mem.SizeOf[T]()+1) // more than one piece
		}
		for _, n := range sizes {
			t.Run(fmt.Sprintf("%v/%v/%d", reflect.TypeFor[T](), order, n), func(t *testing.T) {
				s := numbersOf[T](r, n)
				want, err := binary.Append([]byte("before"), order, s)
				if err != nil {
					t.Fatal(err)
				}
				got := AppendSlice([]byte("before"), order, s)
				if !bytes.Equal(got, want) {
					t.Fatal("AppendSlice differs")
				}
				wire := want[len("before"):]
				dst := append(bytes.Repeat([]byte{9}, len(wire)), 7)
				if k := putSlice(dst, order, s); k != len(wire) || !bytes.Equal(dst[:k], wire) || dst[k] != 7 {
					t.Error("PutSlice differs")
				}
				back := make([]T, n)
				if k, err := GetSlice(dst, order, back); k != len(wire) || err != nil || !reflect.DeepEqual(back, s) {
					t.Errorf("GetSlice: %d, %v, or wrong numbers", k, err)
				}
				if len(wire) > 0 {
					if k, err := GetSlice(wire[1:], order, back); k != 0 || err == nil {
						t.Errorf("GetSlice with one byte missing: %d, %v", k, err)
					}
				}
				streams(t, order, s, wire)
			})
		}
	}
}

// streams writes s to every kind of writer and reads it back, complete and
// truncated.
func streams[T Number](t *testing.T, order ByteOrder, s []T, wire []byte) {
	for _, sink := range writers {
		to, written := sink.make()
		err := WriteSlice(to, order, s)
		switch got := bytes.TrimPrefix(written(), []byte("before")); {
		case sink.name == "calls":
		case sink.name == "failing":
			if err == nil && len(wire) > 0 {
				t.Error("WriteSlice to a failing writer succeeded")
			}
		case err != nil || !bytes.Equal(got, wire):
			t.Errorf("WriteSlice to %s: %v, or wrong bytes", sink.name, err)
		}
	}
	for _, source := range sources[:6] {
		back := make([]T, len(s))
		if err := ReadSlice(source.make(wire), order, back); err != nil || !reflect.DeepEqual(back, s) {
			t.Errorf("ReadSlice from %s: %v, or wrong numbers", source.name, err)
		}
		if len(wire) == 0 {
			continue
		}
		want := error(io.ErrUnexpectedEOF)
		if len(wire) == 1 {
			want = io.EOF
		}
		clear(back)
		if err := ReadSlice(source.make(wire[:len(wire)-1]), order, back); err != want {
			t.Errorf("ReadSlice with one byte missing from %s: %v, want %v", source.name, err, want)
		}
		if n := len(s) - 1; !reflect.DeepEqual(back[:n], s[:n]) {
			t.Errorf("ReadSlice with one byte missing from %s: the numbers that arrived were not stored", source.name)
		}
	}
}

// TestWriteSliceCalls checks that native numbers are written in one call, and
// others in pieces of chunkSize.
func TestWriteSliceCalls(t *testing.T) {
	s := make([]uint64, 3*chunkSize/8+1)
	for name, c := range map[string]struct {
		order ByteOrder
		want  []int
	}{
		"native":  {NativeEndian, []int{3*chunkSize + 8}},
		"swapped": {[]ByteOrder{native: BigEndian, swapped: LittleEndian}[little], []int{chunkSize, chunkSize, chunkSize, 8}},
	} {
		var sizes lengths
		if err := WriteSlice(&sizes, c.order, s); err != nil || !reflect.DeepEqual([]int(sizes), c.want) {
			t.Errorf("%s: calls of %v bytes, %v, want %v", name, sizes, err, c.want)
		}
	}
}

// lengths records the length of each Write.
type lengths []int

func (l *lengths) Write(b []byte) (int, error) {
	*l = append(*l, len(b))
	return len(b), nil
}

// short is a writer that accepts one byte less than it is given and returns no
// error.
type short struct{}

func (short) Write(b []byte) (int, error) { return len(b) - 1, nil }

func TestWriteSliceShort(t *testing.T) {
	for _, order := range orders {
		for _, n := range []int{1, 10_000} {
			if err := WriteSlice(short{}, order, make([]uint32, n)); err != io.ErrShortWrite {
				t.Errorf("%d numbers in %v: %v, want %v", n, order, err, io.ErrShortWrite)
			}
		}
	}
}

func TestReadSliceError(t *testing.T) {
	boom := errors.New("boom")
	r := io.MultiReader(bytes.NewReader([]byte{0, 1}), iotest.ErrReader(boom))
	s := []uint16{7, 7}
	if err := ReadSlice(r, BigEndian, s); err != boom || s[0] != 1 {
		t.Errorf("got %v and %v", s, err)
	}
}

func TestView(t *testing.T) {
	b := mem.SliceBytes(make([]uint64, 4)) // aligned
	notNative := []ByteOrder{native: BigEndian, swapped: LittleEndian}[little]
	cases := []struct {
		name  string
		b     []byte
		order ByteOrder
		want  int // number of elements, -1 for false
	}{
		{"whole", b, NativeEndian, 8},
		{"part", b[4:12], NativeEndian, 2},
		{"empty", nil, NativeEndian, 0},
		{"swapped order", b, notNative, -1},
		{"custom order", b, middleEndian{}, -1},
		{"partial number", b[:31], NativeEndian, -1},
		{"not aligned", b[1:5], NativeEndian, -1},
	}
	for _, c := range cases {
		got, ok := View[float32](c.b, c.order)
		if ok != (c.want >= 0) || ok && len(got) != c.want {
			t.Errorf("%s: %d numbers, %v", c.name, len(got), ok)
		}
	}
	if v, ok := View[int8](b[1:4], notNative); !ok || len(v) != 3 {
		t.Error("View of bytes failed, although bytes need no order or alignment")
	}
	v, _ := View[uint16](b, NativeEndian)
	v[1] = 0x1122
	if NativeEndian.Uint16(b[2:]) != 0x1122 {
		t.Error("the view is a copy")
	}
}

// TestSliceInPlace checks the slice functions when numbers and bytes
// are in the same memory.
func TestSliceInPlace(t *testing.T) {
	inPlace[uint16](t)
	inPlace[float32](t)
	inPlace[uint64](t)
	inPlace[int8](t)
}

func inPlace[T Number](t *testing.T) {
	for _, order := range orders {
		for _, n := range []int{0, 1, 5, 16, 33, 100, 70_000} {
			s := make([]T, n)
			for i := range s {
				s[i] = T(i * 97)
			}
			b := mem.SliceBytes(s)
			was := bytes.Clone(b)
			want := AppendSlice(nil, order, s)
			if putSlice(b, order, s); !bytes.Equal(b, want) {
				t.Errorf("%T: PutSlice of %d in %v differs", s, n, order)
			}
			if _, err := GetSlice(b, order, s); err != nil || !bytes.Equal(b, was) {
				t.Errorf("%T: GetSlice of %d in %v differs: %v", s, n, order, err)
			}
			if got := AppendSlice(b[:0], order, s); !bytes.Equal(got, want) {
				t.Errorf("%T: AppendSlice of %d in %v differs", s, n, order)
			}
		}
	}
}
