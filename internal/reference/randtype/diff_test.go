package randtype

import (
	"math"
	"strings"
	"testing"
	"time"
)

// TestDiff checks which values count as equal after decoding, such as any two
// NaNs, and that Diff is symmetric.
func TestDiff(t *testing.T) {
	type hidden struct{ a int }
	type holder struct {
		M map[string][]*int
	}
	nan, otherNaN := math.NaN(), math.Float64frombits(0x7ff8000000000123)
	one, uno, two := 1, 1, 2
	now := time.Unix(1, 2)
	for _, c := range []struct {
		name      string
		want, got any
		diff      string // part of the difference; empty: equal
	}{
		{"nil", nil, nil, ""},
		{"nil and not", nil, 1, "want <invalid"},
		{"equal", 1, 1, ""},
		{"different", 1, 2, ": want 1, got 2"},
		{"types", int8(1), int16(1), "want type int8, got int16"},
		{"strings", "a", "b", `want "a", got "b"`},
		{"NaN", nan, otherNaN, ""},
		{"NaN and number", nan, 1.0, "want NaN"},
		{"negative zero", 0.0, math.Copysign(0, -1), "want 0"},
		{"float32", float32(nan), float32(otherNaN), ""},
		{"complex NaN", complex(nan, 1), complex(otherNaN, 1), ""},
		{"complex", complex(nan, 1), complex(nan, 2), "want"},
		{"times", now, now.UTC(), ""},
		{"other times", now, now.Add(1), "want"},
		{"times in a slice", []time.Time{now}, []time.Time{now.In(time.FixedZone("", 60))}, ""},
		{"pointers", &one, &uno, ""},
		{"pointers to others", &one, &two, "(*): want 1, got 2"},
		{"nil pointer", (*int)(nil), &one, "want (*int)(nil)"},
		{"two nil pointers", (*int)(nil), (*int)(nil), ""},
		{"nil and empty slice", []int(nil), []int{}, "want []int(nil), got []int{}"},
		{"nil and empty bytes", []byte(nil), []byte{}, "want []uint8(nil)"},
		{"nil and empty map", map[int]int(nil), map[int]int{}, "want map[int]int(nil)"},
		{"capacity", make([]int, 1, 2), make([]int, 1), ""},
		{"lengths", []int{1}, []int{1, 2}, "want 1 elements, got 2"},
		{"elements", []int{1, 2}, []int{1, 3}, "[1]: want 2, got 3"},
		{"arrays", [2]int{1, 2}, [2]int{1, 3}, "[1]: want 2, got 3"},
		{"maps", map[int]int{1: 2, 3: 4}, map[int]int{3: 4, 1: 2}, ""},
		{"map sizes", map[int]int{1: 2}, map[int]int{}, "want 1 entries, got 0"},
		{"map keys", map[int]int{1: 2}, map[int]int{3: 2}, "[1]: want 2, got no such entry"},
		{"map elements", map[int]int{1: 2}, map[int]int{1: 3}, "[1]: want 2, got 3"},
		{"NaN keys", map[float64]int{nan: 1, otherNaN: 2}, map[float64]int{otherNaN: 1, nan: 2}, ""},
		{"NaN keys with others", map[float64]int{nan: 1, otherNaN: 2}, map[float64]int{otherNaN: 1, nan: 1}, "[NaN]: want 2"},
		{"pointer keys", map[*int]string{&one: "a", &two: "b"}, map[*int]string{&uno: "a", &two: "b"}, ""},
		{"time keys", map[time.Time]int{now: 1}, map[time.Time]int{now.UTC(): 1}, ""},
		{"interfaces", []any{1}, []any{int64(1)}, "[0]: want type int, got int64"},
		{"nil interface", []any{nil}, []any{1}, "[0]: want"},
		{"unexported fields", hidden{1}, hidden{2}, ".a: want 1, got 2"},
		{"path", holder{map[string][]*int{"k": {&one}}}, holder{map[string][]*int{"k": {&two}}}, `(*.M["k"][0]): want 1, got 2`},
		{"long values", strings.Repeat("a", 1000), "b", `aaa…, got "b"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := Diff(c.want, c.got)
			if (d == "") != (c.diff == "") || !strings.Contains(d, c.diff) {
				t.Errorf("got %q, want it to contain %q", d, c.diff)
			}
			if back := Diff(c.got, c.want); (back == "") != (d == "") {
				t.Errorf("with exchanged arguments: %q", back)
			}
		})
	}
}
