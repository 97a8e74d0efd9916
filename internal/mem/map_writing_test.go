//go:build gc && go1.26 && !go1.27 && !race && !purego

package mem

import (
	"testing"
	"unsafe"
)

// A map that somebody is changing is left to range, which notices.
func TestMapSlotsOfMapBeingChanged(t *testing.T) {
	m := map[string]any{"a": 1}
	h := *(**mapHeader)(unsafe.Pointer(&m))
	h.writing = 1
	slots, _ := MapSlots(m)
	h.writing = 0
	if slots != nil {
		t.Error("got the slots of a map that is being changed")
	}
}
