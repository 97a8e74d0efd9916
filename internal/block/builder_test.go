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
