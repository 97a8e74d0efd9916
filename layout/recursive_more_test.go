package layout_test

import (
	"reflect"
	"testing"

	"github.com/octet-go/octet/layout"
)

type (
	loopPrefixed struct {
		E uint8
		C *loopPrefixed `layout:"if=more,prefix=u8"`
		D []byte
	}
	loopVarint struct {
		E uint8
		C []loopVarint `layout:"prefix=varint"`
		V uint8        `layout:"if=more"`
	}
	loopMeasured struct {
		N uint8 `layout:"len=C"`
		C []loopMeasured
		V uint8 `layout:"if=more"`
		W uint8 `layout:"if=more"`
	}
	loopRange struct {
		E uint8
		N uint8 `layout:"len=F..C"`
		F uint8
		C *loopRange `layout:"if=F"`
		V uint8      `layout:"if=more"`
		W uint8      `layout:"if=more"`
	}
	loopOpen struct {
		E uint8
		C *loopOpen `layout:"if=E"`
		V uint8     `layout:"if=more"`
		W uint8     `layout:"if=more"`
	}
	loopOuter struct {
		E uint8
		C *loopInner `layout:"if=E,prefix=u8"`
		V uint8      `layout:"if=more"`
	}
	loopInner struct {
		E uint8
		C *loopOuter `layout:"if=E"`
		D string
	}
	loopUnion struct {
		T uint8
		C any   `layout:"switch=T,prefix=u16"`
		V uint8 `layout:"if=more"`
	}
	loopArray struct {
		E uint8
		P struct {
			C [2]*loopArray `layout:"if=E"`
		} `layout:"prefix=u8"`
		V [2]uint8 `layout:"if=more"`
	}
)

// TestRecursiveMore has frames of recursive structs with fields with if=more, which are left out at the end of a frame, and
// bytes behind the frame.
func TestRecursiveMore(t *testing.T) {
	c, err := layout.New(layout.Options{Unions: []layout.UnionCoder{layout.Union[any](layout.VariantOf[*loopUnion](1), layout.VariantOf[loopOpen](2))}})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{
		&loopPrefixed{E: 1, C: &loopPrefixed{E: 2, D: []byte{}}, D: []byte{1}},
		&loopPrefixed{E: 1, C: &loopPrefixed{E: 2, C: &loopPrefixed{E: 3, D: []byte{}}, D: []byte{5}}, D: []byte{}},
		&loopVarint{E: 1, C: []loopVarint{{E: 2, C: []loopVarint{}}}, V: 1},
		&loopVarint{E: 1, C: []loopVarint{{E: 2, C: []loopVarint{{E: 5, C: []loopVarint{}, V: 1}}}}, V: 1},
		&loopMeasured{N: 1, C: []loopMeasured{{C: []loopMeasured{}}}, V: 1},
		&loopMeasured{N: 3, C: []loopMeasured{{N: 1, C: []loopMeasured{{C: []loopMeasured{}}}, V: 2}}, V: 1},
		&loopRange{E: 1, N: 4, F: 1, C: &loopRange{E: 2, N: 1}, V: 1},
		&loopRange{E: 1, N: 5, F: 1, C: &loopRange{E: 2, N: 1, V: 2}, V: 1, W: 1},
		&loopOpen{E: 1, C: &loopOpen{}, V: 1},
		&loopOpen{E: 1, C: &loopOpen{V: 1, W: 2}, V: 1},
		&loopOpen{E: 1, C: &loopOpen{E: 1, C: &loopOpen{}, W: 2}},
		&loopOuter{E: 1, C: &loopInner{E: 1, C: &loopOuter{}}, V: 1},
		&loopOuter{E: 1, C: &loopInner{E: 1, C: &loopOuter{E: 1, C: &loopInner{}}}, V: 1},
		&loopUnion{T: 1, C: &loopUnion{T: 2, C: loopOpen{}}, V: 1},
		&loopUnion{T: 2, C: loopOpen{E: 1, C: &loopOpen{}}, V: 1},
		&loopArray{E: 1, P: struct {
			C [2]*loopArray `layout:"if=E"`
		}{[2]*loopArray{{}, {}}}, V: [2]uint8{1}},
	} {
		b, err := c.Marshal(v)
		back := reflect.New(reflect.TypeOf(v).Elem()).Interface()
		if err != nil {
			t.Errorf("%T: %v", v, err)
		} else if err := c.Unmarshal(b, back); err != nil {
			t.Errorf("%T: % x: %v", v, b, err)
		} else if !reflect.DeepEqual(back, v) {
			t.Errorf("%T: % x is not the same: %+v", v, b, back)
		}
	}
}
