package main

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

func TestDescribe(t *testing.T) {
	long := strings.Repeat("a", 100)
	cases := []struct {
		value any
		want  description
		text  string
	}{
		{nil, "n", "nil"},
		{true, "t", "true"},
		{false, "f", "false"},
		{int8(-12), "i-12", "-12"},
		{uint64(math.MaxUint64), "i18446744073709551615", "18446744073709551615"},
		{1.0, "d3ff0000000000000", "1.0"},
		{float32(1.5), "d3ff8000000000000", "1.5"},
		{math.Copysign(0, -1), "d8000000000000000", "-0.0"},
		{math.Inf(-1), "dfff0000000000000", "-inf"},
		{math.Float64frombits(0x7ff8000000000001), "d7ff8000000000001", "NaN 7ff8000000000001"},
		{"é\xff", "sc3a9ff", `"é\xff"`},
		{"", "s", `""`},
		{[]byte{0, 255}, "b00ff", "bin 00ff"},
		{[]byte{}, "b", "bin of 0 bytes"},
		{make([]byte, 17), description("b" + strings.Repeat("00", 17)), "bin of 17 bytes"},
		{time.Unix(-1, 5e8), "T-1.500000000", "time -1.500000000"},
		{msgpack.Ext{Type: -2, Data: []byte{1}}, "x-2/01", "ext -2 01"},
		{[]any{}, "[]", "[]"},
		{[]any{1, []any{nil}, "a"}, "[i1,[n],s61]", `[1, [nil], "a"]`},
		{map[string]any{"b": 1, "a": 2}, "{s61=i2,s62=i1}", `{"a": 2, "b": 1}`},
		{map[any]any{1: true, "a": nil}, "{i1=t,s61=n}", `{1: true, "a": nil}`},
		{entries{{[]any{1}, 2}, {"a", 1}, {"a", 1}}, "{[i1]=i2,s61=i1,s61=i1}", `{[1]: 2, "a": 1, "a": 1}`},
		{complex64(1), "?complex64", "complex64"},
		{long, description("s" + strings.Repeat("61", 100)), `"` + strings.Repeat("a", maxRendered-2) + "…"},
		{[]any{long, 1}, description("[s" + strings.Repeat("61", 100) + ",i1]"), `["` + strings.Repeat("a", maxRendered-3) + "…"},
	}
	for _, c := range cases {
		if got := describe(c.value); got != c.want {
			t.Errorf("describe(%v) = %q, want %q", c.value, got, c.want)
		}
		if got := render(c.want); got != c.text {
			t.Errorf("render(%q) = %q, want %q", c.want, got, c.text)
		}
	}
}

func TestRenderInvalid(t *testing.T) {
	for _, d := range []description{"", "q", "d12", "sabc", "[i1", "{i1}", "[i1=i2]", "i1,i2"} {
		if got := render(d); got != "an invalid description" {
			t.Errorf("render(%q) = %q", d, got)
		}
	}
}
