package block

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"github.com/octet-go/octet/internal/mem"
)

// TestBuilder adds the parts of a value one by one, in two byte orders and with
// zeros in between.
func TestBuilder(t *testing.T) {
	type value struct {
		A uint16
		B uint32
		C [3]uint8
		D uint64
	}
	offset := func(i int) int { return int(typeOf[value]().Field(i).Offset) } // that of D depends on the platform
	var b Builder
	b.At(offset(1))
	b.Add(typeOf[uint32](), true)
	b.Blank(2)
	b.At(offset(0))
	b.Add(typeOf[uint16](), false)
	b.At(offset(2))
	b.Add(typeOf[[3]uint8](), true)
	b.At(offset(3))
	b.Add(typeOf[uint64](), true)
	p := b.Plan(int(typeOf[value]().Size()))
	v := value{0x0102, 0x03040506, [3]uint8{7, 8, 9}, 0x0a0b0c0d0e0f1011}
	wire := make([]byte, p.Size)
	p.EncodeOne(mem.Bytes(wire), mem.PtrTo(&v))
	steps := make([]byte, p.Size)
	p.EncodeSteps(mem.Bytes(steps), mem.PtrTo(&v))
	if !bytes.Equal(wire, steps) || b.Len() != 19 || wire[4] != 0 || wire[5] != 0 {
		t.Errorf("% x and % x", wire, steps)
	}
	var back value
	p.DecodeOne(mem.Bytes(wire), mem.PtrTo(&back))
	if back != v {
		t.Errorf("got %+v, want %+v", back, v)
	}
	if _, _, ok := p.Single(); ok {
		t.Error("a plan of four numbers is single")
	}
}

// TestColumns encodes and decodes up to three times maxColumn values field by field. They
// must be the bytes of the values one by one, and padding must not change.
func TestColumns(t *testing.T) {
	type value struct {
		A uint8
		B uint16
		C uint32
		D bool
		E uint64
		F [3]uint8
		G [2]uint16
	}
	for _, swap := range []bool{false, true} {
		p := New(typeOf[value](), swap)
		for _, n := range []int{1, 2, 3, maxColumn, maxColumn + 1, 3*maxColumn - 1} {
			size := n * p.Mem
			values := make([]byte, size)
			for i := range values {
				values[i] = byte(i*7 + i>>8)
			}
			for i := range n {
				values[i*p.Mem+int(typeOf[value]().Field(3).Offset)] = byte(i & 1)
			}
			wire, want := make([]byte, n*p.Size), make([]byte, n*p.Size)
			for i := range n {
				p.EncodeSteps(mem.Bytes(want[i*p.Size:]), mem.Bytes(values[i*p.Mem:]))
			}
			p.encodeColumns(mem.Bytes(wire), mem.Bytes(values), n)
			if !bytes.Equal(wire, want) {
				t.Fatalf("swap %t, %d values: % x, want % x", swap, n, wire, want)
			}
			back := slices.Clone(values)
			clear(want)
			for i := range n { // set all fields to zero
				p.DecodeSteps(mem.Bytes(want[:p.Size]), mem.Bytes(back[i*p.Mem:]))
			}
			p.decodeColumns(mem.Bytes(wire), mem.Bytes(back), n)
			if !bytes.Equal(back, values) {
				t.Fatalf("swap %t, %d values: decoded % x, want % x", swap, n, back, values)
			}
		}
	}
}

// TestBools decodes every byte at every place of bools and arrays of them. Each becomes
// the byte of true or false, and the bytes around them stay.
func TestBools(t *testing.T) {
	for _, typ := range []reflect.Type{typeOf[bool](), typeOf[[3]bool](), typeOf[[9]bool]()} {
		p := New(typ, true)
		for n := range 140 / p.Size {
			size := n * p.Size
			for b := range 256 {
				wire, got := make([]byte, size), bytes.Repeat([]byte{0xA5}, size+2)
				want := slices.Clone(got)
				for i := range size {
					wire[i] = byte((b + i*37) * (1 - i&1)) // every second is 0
					want[1+i] = min(wire[i], 1)
				}
				p.DecodeAll(mem.Bytes(wire), mem.Bytes(got[1:]), n)
				if !bytes.Equal(got, want) {
					t.Fatalf("%d of %s from % x: % x", n, typ, wire, got)
				}
			}
		}
	}
}

func TestSingle(t *testing.T) {
	for width, p := range map[int]*Plan{1: New(typeOf[int8](), true), 2: New(typeOf[uint16](), true), 8: New(typeOf[float64](), true)} {
		n, swap, ok := p.Single()
		if n != width || swap != (width > 1) || !ok {
			t.Errorf("width %d: %d, %v, %v", width, n, swap, ok)
		}
	}
}

// TestMoveNumber moves numbers of each width from and to odd offsets.
func TestMoveNumber(t *testing.T) {
	src := []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	for _, width := range []int{1, 2, 4, 8} {
		for _, swap := range []bool{false, true} {
			dst := make([]byte, 12)
			MoveNumber(NumberOp(width, swap), mem.Bytes(dst), 3, mem.Bytes(src), 1)
			want := make([]byte, 12)
			copy(want[3:], src[1:1+width])
			if swap {
				slices.Reverse(want[3 : 3+width])
			}
			if !bytes.Equal(dst, want) {
				t.Errorf("width %d, swap %t: % x, want % x", width, swap, dst, want)
			}
		}
	}
}

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }
