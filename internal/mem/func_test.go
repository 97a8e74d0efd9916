package mem_test

import (
	"testing"

	"github.com/octet-go/octet/internal/mem"
)

// TestRecast checks that a function gets and returns the same values as another type.
func TestRecast(t *testing.T) {
	type point struct{ x, y int }
	f := mem.Recast[func(b []byte, p mem.Ptr, n int) ([]byte, bool)](func(b []byte, p *point, n int) ([]byte, bool) {
		p.y += n
		return append(b, byte(p.x)), true
	})
	v := point{1, 2}
	if b, ok := f([]byte{9}, mem.PtrTo(&v), 3); !ok || string(b) != "\x09\x01" || v.y != 5 {
		t.Errorf("got % x, %v, %v", b, ok, v)
	}
}
