package binary

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"reflect"
	"testing"
	"testing/iotest"
)

// The tests in this file check the intended differences from encoding/binary,
// one for each paragraph of the package documentation. They also check that
// encoding/binary still behaves as described there.

func TestDeviationShortTarget(t *testing.T) {
	for _, order := range orders {
		bools, ints := make([]bool, 2), make([]int8, 2)
		if n, err := Decode([]byte{2, 0, 1, 1}, order, bools); n != 2 || err != nil || !bools[0] || bools[1] {
			t.Errorf("[]bool: %d, %v, %v", n, err, bools)
		}
		if n, err := Decode([]byte{0xff, 7, 1, 1}, order, ints); n != 2 || err != nil || ints[0] != -1 || ints[1] != 7 {
			t.Errorf("[]int8: %d, %v, %v", n, err, ints)
		}
		if got := outcome(func() string { _, _ = binary.Decode(make([]byte, 4), order, bools); return "" }); got == "" {
			t.Error("encoding/binary no longer panics")
		}
	}
}

func TestDeviationSignalingNaN(t *testing.T) {
	const signaling = 0x7fa00001
	type sample struct{ Value float32 }
	v := sample{math.Float32frombits(signaling)}
	for _, order := range orders {
		want := make([]byte, 4)
		order.PutUint32(want, signaling)
		got, err := Append(nil, order, &v)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("Append in %v: %x, %v, want %x", order, got, err, want)
		}
		var back sample
		if _, err := Decode(want, order, &back); err != nil || math.Float32bits(back.Value) != signaling {
			t.Errorf("Decode in %v: %x, %v", order, math.Float32bits(back.Value), err)
		}
		if std, _ := binary.Append(nil, order, &v); order.Uint32(std) == signaling { // what it makes of that depends on the processor
			t.Errorf("encoding/binary in %v now produces %x", order, std)
		}
	}
}

func TestDeviationPieces(t *testing.T) {
	notNative := []ByteOrder{native: BigEndian, swapped: LittleEndian}[little]
	for name, c := range map[string]struct {
		order ByteOrder
		n     int
		want  []int
	}{
		"64 KiB":            {notNative, oneCall / 2, []int{oneCall}},
		"oneCall + 2 bytes": {notNative, oneCall/2 + 1, []int{chunkSize, chunkSize, 2}},
		"in place":          {NativeEndian, oneCall, []int{2 * oneCall}},
		"empty":             {notNative, 0, []int{0}},
	} {
		var sizes lengths
		if err := Write(&sizes, c.order, make([]uint16, c.n)); err != nil || !reflect.DeepEqual([]int(sizes), c.want) {
			t.Errorf("%s: calls of %v bytes, %v, want %v", name, sizes, err, c.want)
		}
	}

	wire := bytes.Repeat([]byte{0, 1}, oneCall)
	s := make([]uint16, oneCall)
	if err := Read(bytes.NewReader(wire[:len(wire)-1]), BigEndian, s); err != io.ErrUnexpectedEOF || s[0] != 1 || s[len(s)-1] != 0 {
		t.Errorf("one byte missing: %v, first %d, last %d", err, s[0], s[len(s)-1])
	}
	type pair struct{ A, B uint16 }
	for arrived := range 9 {
		n := oneCall/2 + arrived // bytes, which end in the second piece
		var numbers [oneCall]uint16
		if err := Read(bytes.NewReader(wire[:n]), BigEndian, &numbers); err != io.ErrUnexpectedEOF || numbers[n/2-1] != 1 || numbers[n/2] != 0 {
			t.Errorf("%d bytes of numbers: %v, last %d, next %d", n, err, numbers[n/2-1], numbers[n/2])
		}
		pairs := make([]pair, oneCall/2)
		if err := Read(iotest.OneByteReader(bytes.NewReader(wire[:n])), LittleEndian, pairs); err != io.ErrUnexpectedEOF || pairs[n/4-1].B != 256 || pairs[n/4].A != 0 {
			t.Errorf("%d bytes of structs: %v, last %v, next %v", n, err, pairs[n/4-1], pairs[n/4])
		}
	}
	if err := Read(bytes.NewReader(wire), BigEndian, s); err != nil || s[len(s)-1] != 1 {
		t.Errorf("all: %v, last %d", err, s[len(s)-1])
	}
	if err := Write(short{}, notNative, s); err != io.ErrShortWrite {
		t.Errorf("short writes: %v", err)
	}
}

func TestDeviationUnsupportedSlice(t *testing.T) {
	type unsupported struct{ S string }
	for range 2 {
		if n := Size([]unsupported{}); n != -1 {
			t.Errorf("Size of no unsupported structs: %d", n)
		}
		if n := Size([]unsupported{{}, {}}); n != -1 {
			t.Errorf("Size of two: %d", n)
		}
		if n := Size([0]unsupported{}); n != -1 {
			t.Errorf("Size of an empty array: %d", n)
		}
		if n, err := Encode(nil, BigEndian, [0]unsupported{}); n != 0 || err == nil {
			t.Errorf("Encode of an empty array: %d, %v", n, err)
		}
		_ = Size(unsupported{})
		_ = binary.Size(unsupported{})
	}
	if n := binary.Size([]unsupported{{}, {}}); n != -2 {
		t.Errorf("encoding/binary now returns %d", n)
	}
	if n := binary.Size([0]unsupported{}); n != 0 {
		t.Errorf("encoding/binary now returns %d for an empty array", n)
	}
}
