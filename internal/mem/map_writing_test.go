//go:build gc && go1.26 && !go1.28 && !goexperiment.mapsplitgroup && !race && !purego

package mem

import (
	"testing"
	"unsafe"
)

// TestMapTablesOfMapBeingChanged checks that MapTables returns 0 for a map that is being
// changed.
func TestMapTablesOfMapBeingChanged(t *testing.T) {
	m := map[string]any{"a": 1}
	h := *(**mapHeader)(unsafe.Pointer(&m))
	h.writing = 1
	tables := MapTables(Ptr{unsafe.Pointer(h)})
	h.writing = 0
	if tables != 0 {
		t.Errorf("MapTables returned %d for a map that is being changed", tables)
	}
}
