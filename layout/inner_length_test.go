package layout_test

import (
	"reflect"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
)

// TestLengthsInsideFrames has numbers in a frame that measure the frame, or a range around it. Such a length must agree with
// the prefix, or with the other number, that the frame has.
func TestLengthsInsideFrames(t *testing.T) {
	type prefixed struct {
		F struct {
			N uint8 `layout:"len=F"`
			T uint8
		} `layout:"prefix=u8"`
		Tail uint8
	}
	type inner struct {
		Size struct {
			N uint16 `layout:"bits=12,len=F"`
			M uint8  `layout:"bits=4"`
		}
		T []byte
	}
	type rest struct {
		F    *inner `layout:"prefix=varint"`
		Tail uint8
	}
	type two struct {
		N uint8 `layout:"len=F"`
		F struct {
			T uint8
			N uint8 `layout:"len=F"`
		}
		Tail uint8
	}
	type around struct {
		A uint8
		F struct {
			N uint8 `layout:"len=A..F"`
			T string
		} `layout:"prefix=u16"`
		Tail uint8
	}
	values := []any{prefixed{Tail: 1}, rest{F: &inner{T: []byte("data")}}, two{Tail: 1}, around{A: 1, Tail: 2}, made(func(v *around) { v.F.T = "text" })}
	for _, v := range values {
		t.Run(reflect.TypeOf(v).Name(), func(t *testing.T) { compareForms(t, codec(t), reference.Config{}, v) })
	}
}
