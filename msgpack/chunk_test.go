package msgpack

import (
	"math"
	"net/netip"
	"reflect"
	"sync/atomic"
	"testing"
	"time"
)

// TestChunkInLongMessage takes memory from a chunk while so many bytes are left that
// eight times their number is not an int on a 32-bit machine. The bytes are never
// touched, so they take no memory there.
func TestChunkInLongMessage(t *testing.T) {
	if math.MaxInt > math.MaxInt32 {
		t.Skip("an int has 64 bits")
	}
	d := decoder{data: make([]byte, 1<<28)}
	a := d.newPlain(8)
	if b := d.newPlain(8); len(d.chunk) != firstChunk || d.used != 16 || b != a.Add(8) {
		t.Errorf("%d of %d bytes are used", d.used, len(d.chunk))
	}
}

// TestHasNoPointers has types of every kind, alone and inside others. A type with a
// pointer that is allocated without would lose what it points to.
func TestHasNoPointers(t *testing.T) {
	type point struct{ X, Y int16 }
	type hidden struct {
		point
		_ string
	}
	for _, v := range []any{false, int8(0), uintptr(0), 0.0, complex64(0), point{}, [3]point{}, struct{}{}} {
		if !hasNoPointers(reflect.TypeOf(v)) {
			t.Errorf("%T has pointers", v)
		}
	}
	for _, v := range []any{
		"", (*int)(nil), reflect.ValueOf(new(int)).UnsafePointer(), (chan int)(nil), []int(nil), map[int]int(nil), (func())(nil), hidden{}, [2]hidden{}, [0]*int{},
		struct{ e error }{}, struct{ p [1]*point }{}, time.Time{}, netip.Addr{},
	} {
		if hasNoPointers(reflect.TypeOf(v)) {
			t.Errorf("%T has no pointers", v)
		}
	}
}

// TestLearnSettles checks that the same message is learned once: goroutines that store in
// the same plan slow down each other.
func TestLearnSettles(t *testing.T) {
	for _, need := range []int32{0, 1, 16, 100, maxChunk, maxChunk + 1, 1 << 20, math.MaxInt32} {
		var usual atomic.Int32
		for range 2 {
			d := decoder{usual: usual.Load(), filled: need}
			d.learn(&usual)
		}
		d := decoder{usual: usual.Load(), filled: need}
		const none = -1
		usual.Store(none)
		if d.learn(&usual); usual.Load() != none {
			t.Errorf("%d bytes are learned again, as %d", need, usual.Load())
		}
	}
}
