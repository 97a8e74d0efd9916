package msgpack_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// floatCounts holds lengths of slices near those at which the kernels change their
// method.
var floatCounts = []int{1, 2, 3, 7, 8, 11, 12, 13, 15, 16, 17, 28, 31, 32, 64, 100, 1000, 20_000}

// testFloats64 returns n floats. They include both infinities, both zeros, and NaNs
// with different bits, some of them signaling.
func testFloats64(n int) []float64 {
	special := []uint64{0x7ff0000000000001, 0xfff8123456789abc, 0x7ff8000000000000, 0x8000000000000000,
		0x7ff0000000000000, 0xfff0000000000000, 0xcbcbcbcbcbcbcbcb, 0xcacacacacacacaca, 1, 0}
	list := make([]float64, n)
	for i := range list {
		if list[i] = float64(i) * math.Pi; i%3 == 0 {
			list[i] = math.Float64frombits(special[i/3%len(special)])
		}
	}
	return list
}

func testFloats32(n int) []float32 {
	special := []uint32{0x7f800001, 0xffc12345, 0x7fc00000, 0x80000000, 0x7f800000, 0xff800000, 0xcacacaca, 0xcbcbcbcb, 1, 0}
	list := make([]float32, n)
	for i := range list {
		if list[i] = float32(i) * math.Pi; i%3 == 0 {
			list[i] = math.Float32frombits(special[i/3%len(special)])
		}
	}
	return list
}

func sameBits64(a, b []float64) bool {
	for i := range a {
		if len(a) != len(b) || math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}

func sameBits32(a, b []float32) bool {
	for i := range a {
		if len(a) != len(b) || math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}

// TestFloatSlices compares the bytes of float slices with those that package wire
// appends one by one, and decodes them.
func TestFloatSlices(t *testing.T) {
	for _, n := range floatCounts {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			doubles, singles := testFloats64(n), testFloats32(n)
			want64, want32 := wire.AppendArrayHeader(nil, uint32(n)), wire.AppendArrayHeader(nil, uint32(n))
			for i := range n {
				want64, want32 = wire.AppendFloat64(want64, doubles[i]), wire.AppendFloat32(want32, singles[i])
			}
			for _, room := range []int{0, 7, len(want64) + 1, 2*len(want64) + 1} {
				got64, err := msgpack.MarshalAppend(append(make([]byte, 0, room), 'x'), doubles)
				if err != nil || !bytes.Equal(got64[1:], want64) || got64[0] != 'x' {
					t.Fatalf("float64, room %d: got %x, %v, want %x", room, got64, err, want64)
				}
				got32, err := msgpack.MarshalAppend(append(make([]byte, 0, room), 'x'), singles)
				if err != nil || !bytes.Equal(got32[1:], want32) || got32[0] != 'x' {
					t.Fatalf("float32, room %d: got %x, %v, want %x", room, got32, err, want32)
				}
			}
			var back64 []float64
			if err := msgpack.Unmarshal(want64, &back64); err != nil || !sameBits64(back64, doubles) {
				t.Errorf("float64: decoded %v, %v", back64, err)
			}
			var back32 []float32
			if err := msgpack.Unmarshal(want32, &back32); err != nil || !sameBits32(back32, singles) {
				t.Errorf("float32: decoded %v, %v", back32, err)
			}
		})
	}
}

// TestFloatSlicesMixed decodes slices with one element in another format, at every
// position.
func TestFloatSlicesMixed(t *testing.T) {
	for _, n := range []int{1, 5, 13, 40} {
		for other := range n {
			for name, element := range map[string][]byte{
				"fixint":  {42},
				"int8":    wire.AppendInt(nil, -100),
				"uint16":  wire.AppendUint(nil, 40_000),
				"float32": wire.AppendFloat32(nil, 1.5),
				"float64": wire.AppendFloat64(nil, 1.5),
			} {
				value := map[string]float64{"fixint": 42, "int8": -100, "uint16": 40_000, "float32": 1.5, "float64": 1.5}[name]
				doubles, singles := testFloats64(n), testFloats32(n)
				in64, in32 := wire.AppendArrayHeader(nil, uint32(n)), wire.AppendArrayHeader(nil, uint32(n))
				for i := range n {
					if i == other {
						in64, in32 = append(in64, element...), append(in32, element...)
						doubles[i], singles[i] = value, float32(value)
						continue
					}
					in64, in32 = wire.AppendFloat64(in64, doubles[i]), wire.AppendFloat32(in32, singles[i])
				}
				var back64 []float64
				if err := msgpack.Unmarshal(in64, &back64); err != nil || !sameBits64(back64, doubles) {
					t.Fatalf("n=%d, %s at %d: float64: decoded %v, %v, want %v", n, name, other, back64, err, doubles)
				}
				var back32 []float32
				if err := msgpack.Unmarshal(in32, &back32); err != nil || !sameBits32(back32, singles) {
					t.Fatalf("n=%d, %s at %d: float32: decoded %v, %v, want %v", n, name, other, back32, err, singles)
				}
			}
		}
	}
}

// TestFloatSlicesCut decodes every prefix of an array of floats.
func TestFloatSlicesCut(t *testing.T) {
	in64, err := msgpack.Marshal(testFloats64(40))
	if err != nil {
		t.Fatal(err)
	}
	in32, err := msgpack.Marshal(testFloats32(40))
	if err != nil {
		t.Fatal(err)
	}
	for end := range in64 {
		var back []float64
		if err := msgpack.Unmarshal(bytes.Clone(in64[:end]), &back); err == nil {
			t.Errorf("float64: no error for %d of %d bytes", end, len(in64))
		}
	}
	for end := range in32 {
		var back []float32
		if err := msgpack.Unmarshal(bytes.Clone(in32[:end]), &back); err == nil {
			t.Errorf("float32: no error for %d of %d bytes", end, len(in32))
		}
	}
}
