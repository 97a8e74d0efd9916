package layout

import (
	"reflect"
	"testing"
)

// TestMakers verifies which types have no pointers. Variables of these are allocated as plain
// bytes, in which the garbage collector would find none.
func TestMakers(t *testing.T) {
	type text struct{ Data []byte }
	type head struct {
		_ struct{}
		N [2]uint32
		F float64
	}
	for _, c := range []struct {
		v     any
		plain bool
	}{
		{uint8(0), true}, {head{}, true}, {[3]head{}, true}, {struct{ N uintptr }{}, true}, {[0]string{}, false}, {struct{}{}, false},
		{text{}, false}, {struct {
			_ [0]func()
			N uint8
		}{}, true}, {&head{}, false}, {struct {
			N uint8
			T text
		}{}, false}, {"", false}, {struct{ V any }{}, false}, {map[int]int{}, false}, {[2]*head{}, false},
		{struct{ F func() }{}, false}, {make(chan int), false},
	} {
		m := makerOf(reflect.TypeOf(c.v))
		if m.plain != c.plain {
			t.Errorf("%T is plain: %t, want %t", c.v, m.plain, c.plain)
		}
		if p := m.one(); p.IsNil() && m.size > 0 {
			t.Errorf("no memory for %T", c.v)
		}
	}
}
