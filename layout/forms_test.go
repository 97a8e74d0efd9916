package layout_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

// TestFormOfElements declares the form of a number for slices and arrays.
func TestFormOfElements(t *testing.T) {
	type point struct{ X uint8 }
	for _, c := range []struct {
		value any
		wrong string
	}{
		{&struct {
			A []point `layout:"oct=8,count=u8"`
		}{}, "form oct=8 cannot be used for the elements of []layout_test.point"},
		{&struct {
			A [2]point `layout:"u16"`
		}{}, "form u16 cannot be used for"},
		{&struct {
			A []*point `layout:"varint,count=u8"`
		}{}, "form varint cannot be used for"},
		{&struct {
			A []float64 `layout:"u16,count=u8"`
		}{}, "form u16 cannot be used for"},
		{&struct {
			A []uint32 `layout:"f32,count=u8"`
		}{}, "form f32 cannot be used for"},
		{&struct {
			A [][2]uint32 `layout:"u24,count=u8"`
			B []float64   `layout:"f32,count=u8"`
			C [2]int      `layout:"varint"`
		}{}, ""},
	} {
		_, err := layout.Marshal(c.value)
		if c.wrong == "" && err != nil || c.wrong != "" && (!errors.Is(err, layout.ErrTag) || !strings.Contains(err.Error(), c.wrong)) {
			t.Errorf("%T: %v, want %q", c.value, err, c.wrong)
		}
	}
}
