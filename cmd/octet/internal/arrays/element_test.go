package arrays

import (
	"fmt"
	"testing"
)

// TestParse parses floats and complex numbers, of which only fractions may be rounded.
func TestParse(t *testing.T) {
	float := func(s string) (any, error) { return parseFloat(s, 64) }
	long := func(s string) (any, error) { return complexes[complex128](128).parse(s) }
	short := func(s string) (any, error) { return complexes[complex64](64).parse(s) }
	for _, c := range []struct {
		parse      func(string) (any, error)
		text, want string
	}{
		{float, "+9007199254740992", "9.007199254740992e+15 <nil>"},
		{float, "9007199254740993.5", "9.007199254740994e+15 <nil>"},
		{float, "9007199254740993", "0 number does not fit: float64 would round 9007199254740993; --type int64 or uint64 may hold it"},
		{float, "9_007_199_254_740_993", `0 not a valid element: "9_007_199_254_740_993"`},
		{float, "0x1p3", `0 not a valid element: "0x1p3"`},
		{long, "9007199254740992-1e-5i", "(9.007199254740992e+15-1e-05i) <nil>"},
		{long, "(3-16777217i)", "(3-1.6777217e+07i) <nil>"},
		{long, "NaN+Infi", "(NaN+Infi) <nil>"},
		{long, "9007199254740993", "(0+0i) number does not fit: complex128 would round 9007199254740993"},
		{long, "9007199254740993+2i", "(0+0i) number does not fit: complex128 would round 9007199254740993+2i"},
		{long, "1e-5-9007199254740993i", "(0+0i) number does not fit: complex128 would round 1e-5-9007199254740993i"},
		{long, "1_0i", `(0+0i) not a valid element: "1_0i"`},
		{long, "i", `(0+0i) not a valid element: "i"`},
		{short, "16777217i", "(0+0i) number does not fit: complex64 would round 16777217i"},
	} {
		v, err := c.parse(c.text)
		if got := fmt.Sprint(v, " ", err); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}
