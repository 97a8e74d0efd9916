package msgpack

import (
	"bytes"
	"math"
	"testing"

	"github.com/octet-go/octet/msgpack/wire"
)

// edges are integers at the limits of formats and types.
func edges() (signed []int64, unsigned []uint64) {
	for bits := range 64 {
		for _, d := range []uint64{0, 1, 2} {
			v := uint64(1)<<bits - d
			signed, unsigned = append(signed, int64(v), -int64(v)), append(unsigned, v, -v)
		}
	}
	return append(signed, math.MinInt64, math.MaxInt64), append(unsigned, math.MaxUint64)
}

// TestGeneratedIntegers compares the functions for integers in generated code with package wire: each value in buffers
// with and without room, and each message as each type, whole and cut off.
func TestGeneratedIntegers(t *testing.T) {
	signed, unsigned := edges()
	for _, v := range signed {
		checkInteger(t, v, wire.AppendInt(nil, v))
		checkInteger(t, int32(v), wire.AppendInt(nil, int64(int32(v))))
		checkInteger(t, int8(v), wire.AppendInt(nil, int64(int8(v))))
	}
	for _, v := range unsigned {
		checkInteger(t, v, wire.AppendUint(nil, v))
		checkInteger(t, uint16(v), wire.AppendUint(nil, uint64(uint16(v))))
	}
}

func checkInteger[T int8 | int32 | int64 | uint16 | uint64](t *testing.T, v T, want []byte) {
	t.Helper()
	for room := range 11 {
		dst := append(make([]byte, 0, 3+room), "abc"...)
		if got := AppendInteger(dst, v); !bytes.Equal(got, append([]byte("abc"), want...)) {
			t.Fatalf("AppendInteger(%T(%[1]d)) with room for %d bytes: % x, want % x", v, room, got[3:], want)
		}
	}
	negative := v < 0
	checkRead[int8](t, want, int64(v), negative)
	checkRead[int64](t, want, int64(v), negative)
	checkRead[uint8](t, want, int64(v), negative)
	checkRead[uint32](t, want, int64(v), negative)
	checkRead[uint64](t, want, int64(v), negative)
}

// checkRead decodes data, an integer with the bits of v, as a T.
func checkRead[T int8 | int64 | uint8 | uint32 | uint64](t *testing.T, data []byte, v int64, negative bool) {
	t.Helper()
	for n := range len(data) + 1 {
		got, end := DecodeInteger[T](&Input{data: data[:n:n]}, 0)
		switch fits := int64(T(v)) == v && (T(v) < 0) == negative; {
		case n < len(data) || !fits:
			if end > 0 {
				t.Fatalf("DecodeInteger[%T] accepts the first %d bytes of % x", got, n, data)
			}
		case end != n || got != T(v):
			t.Fatalf("DecodeInteger[%T] of % x: %d, %d, want %d", got, data, got, end, T(v))
		}
	}
}
