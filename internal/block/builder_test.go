package block

import (
	"bytes"
	"reflect"
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

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }
