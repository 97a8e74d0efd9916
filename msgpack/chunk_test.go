package msgpack

import (
	"math"
	"testing"
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
