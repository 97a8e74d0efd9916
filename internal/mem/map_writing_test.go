//go:build gc && go1.26 && !go1.28 && !goexperiment.mapsplitgroup && !race && !purego

package mem

import (
	"testing"
	"unsafe"
)

// TestMapSlotsOfMapBeingChanged checks that MapSlots returns nil for a map that
// is being changed.
func TestMapSlotsOfMapBeingChanged(t *testing.T) {
	m := map[string]any{"a": 1}
	h := *(**mapHeader)(unsafe.Pointer(&m))
	h.writing = 1
	slots, _ := MapSlots(m)
	h.writing = 0
	if slots != nil {
		t.Error("MapSlots returned slots of a map that is being changed")
	}
}
