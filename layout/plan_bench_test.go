package layout_test

import (
	"testing"
	"time"

	"github.com/octet-go/octet/layout"
)

// An event has fields with and without methods, of which some have a length in another
// field or in a nested struct.
type event struct {
	Head struct {
		Kind   uint8
		Length uint16 `layout:"len=Body"`
		Size   uint8  `layout:"len=At"`
	}
	At    time.Time
	Stop  time.Time `layout:"prefix=u8"`
	Body  []byte
	Count uint16 `layout:"count=Parts"`
	Parts []struct {
		A, B, C uint32
		Name    string `layout:"prefix=u8"`
	}
	X, Y, Z float64
}

// BenchmarkCompilePlan makes the plan of a type that no codec has seen.
func BenchmarkCompilePlan(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		c, err := layout.New(layout.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := layout.For[event](c); err != nil {
			b.Fatal(err)
		}
	}
}
