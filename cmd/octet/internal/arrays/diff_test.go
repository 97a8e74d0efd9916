package arrays

import (
	"math"
	"testing"
)

// TestDistance checks how far apart two elements of each type are: exactly, also if a
// float64 does not hold them, and for complex numbers, too.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		kind, a, b string
		want       float64
	}{
		{"bool", "true", "false", 1},
		{"int8", "-128", "127", 255},
		{"int16", "-3", "4", 7},
		{"int32", "-2147483648", "2147483647", 1<<32 - 1},
		{"int64", "1767225600000000000", "1767225600000000100", 100},
		{"int64", "-9007199254740993", "-9007199254740992", 1},
		{"int64", "-9223372036854775808", "9223372036854775807", 1 << 64},
		{"uint8", "0", "255", 255},
		{"uint16", "4", "7", 3},
		{"uint32", "0", "4294967295", 1<<32 - 1},
		{"uint64", "18446744073709551615", "18446744073709551614", 1},
		{"float32", "1.5", "-1.25", 2.75},
		{"float64", "1e300", "2e300", 1e300},
		{"float64", "-Inf", "1", math.Inf(1)},
		{"float64", "NaN", "1", math.NaN()},
		{"complex64", "3-4i", "3-4.5i", 0.5},
		{"complex128", "1+2i", "4+6i", 5},
		{"complex128", "NaN+2i", "4+6i", math.NaN()},
	} {
		kind := Named(c.kind)
		a, b := kind.empty(), kind.empty()
		if err := a.parse(c.a); err != nil {
			t.Fatal(err)
		}
		if err := b.parse(c.b); err != nil {
			t.Fatal(err)
		}
		for _, got := range []float64{a.distance(0, b, 0), b.distance(0, a, 0)} {
			if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
				t.Errorf("%s %s and %s: distance %v, want %v", c.kind, c.a, c.b, got, c.want)
			}
		}
		count := func(tolerance float64) int64 {
			d := Difference{Tolerance: tolerance, Report: func([]int, string, string) {}}
			d.report(&Input{}, a, b, 0, 0)
			return d.Count
		}
		if finite := c.want < math.Inf(1); finite && count(c.want) != 0 || count(math.Nextafter(c.want, 0)) != 1 {
			t.Errorf("%s %s and %s: equal with a tolerance below %v, or different with it", c.kind, c.a, c.b, c.want)
		}
	}
}
