package layout_test

import (
	"errors"
	"math"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
	"github.com/octet-go/octet/layout"
)

// TestNegativeZero has floats that are -0 where zero has a meaning: it ends a list, and a field that is zero is left out.
// The bytes of -0 are not zero, so it must not be lost.
func TestNegativeZero(t *testing.T) {
	negative := math.Copysign(0, -1)
	type point struct{ X, Y float64 }
	type element struct {
		P *point
		N [1]float32
	}
	type lists struct {
		Floats []float64    `layout:"until=zero"`
		Points []*point     `layout:"until=zero"`
		Parts  []element    `layout:"until=zero"`
		Pairs  [][2]float32 `layout:"until=zero"`
		Tail   uint8
	}
	type more struct {
		A float64 `layout:"if=more"`
		B point   `layout:"if=more"`
		C *point  `layout:"if=more"`
	}
	type absent struct {
		Has uint8
		A   float32    `layout:"if=Has"`
		B   point      `layout:"if=Has"`
		C   [3]float64 `layout:"if=Has"`
	}
	for _, v := range []any{
		lists{Floats: []float64{negative}, Points: []*point{{0, negative}, {negative, 0}}, Parts: []element{{&point{}, [1]float32{float32(negative)}}}, Pairs: [][2]float32{{0, float32(negative)}}, Tail: 1},
		more{A: negative}, more{A: 1, B: point{0, negative}}, more{A: negative, B: point{negative, negative}, C: new(point)}, absent{Has: 1, A: float32(negative), B: point{negative, 0}},
		absent{A: float32(negative)}, absent{B: point{0, negative}}, absent{C: [3]float64{0, 0, negative}},
	} {
		compareForms(t, codec(t), reference.Config{}, v)
	}
	if b, err := layout.Marshal(&absent{B: point{0, negative}}); !errors.Is(err, layout.ErrRange) {
		t.Errorf("% x, %v, want ErrRange", b, err)
	}
	data := []byte{0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	fields, err := layout.Fields(data, &struct {
		L []float64 `layout:"until=zero"`
	}{})
	if err != nil || fields[0].Size != len(data) {
		t.Errorf("Fields: %+v, %v", fields, err)
	}
}
