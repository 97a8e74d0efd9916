package layout

import (
	"reflect"
	"testing"
)

// TestShapes verifies where the types of variables that are allocated without reflection
// have pointers: anywhere else, the garbage collector would not find them.
func TestShapes(t *testing.T) {
	type text struct{ Data []byte }
	type head struct {
		_ struct{}
		N [2]uint32
		F float64
	}
	for _, c := range []struct {
		v    any
		want shape
	}{
		{uint8(0), plainShape}, {head{}, plainShape}, {[3]head{}, plainShape}, {struct{ N uintptr }{}, plainShape}, {[0]string{}, anyShape}, {struct{}{}, anyShape},
		{text{}, sliceShape}, {struct{ T text }{}, sliceShape}, {struct {
			_ [0]func()
			T text
		}{}, sliceShape}, {&head{}, pointerShape}, {struct{ P *text }{}, pointerShape},
		{struct {
			T text
			N uint8
		}{}, anyShape}, {struct {
			N uint8
			T text
		}{}, anyShape}, {struct {
			T text
			_ struct{}
		}{}, anyShape}, {"", anyShape}, {struct{ V any }{}, anyShape}, {map[int]int{}, anyShape}, {[1]text{}, anyShape}, {[2]*head{}, anyShape},
		{struct{ A, B []byte }{}, anyShape}, {struct{ F func() }{}, anyShape}, {make(chan int), anyShape},
	} {
		m := makerOf(reflect.TypeOf(c.v))
		if m.shape != c.want {
			t.Errorf("%T has shape %d, want %d", c.v, m.shape, c.want)
		}
		if p := m.one(); p.IsNil() && m.size > 0 {
			t.Errorf("no memory for %T", c.v)
		}
	}
}
