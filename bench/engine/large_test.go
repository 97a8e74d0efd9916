package engine

import "testing"

func TestLargeRatio(t *testing.T) {
	c := LargeCase{Task: TaskWrite, Ways: []LargeWay{
		{"os.File.Write", "os.File.Write", []LargeFigures{{Seconds: 1}, {Seconds: 2}, {Seconds: 4}}},
		{"array Append", "os.File.Write", []LargeFigures{{Seconds: 2}, {Seconds: 2}, {Seconds: 6}}},
	}}
	if median, low, high := c.Ratio(c.Ways[1]); median != 1.5 || low != 1 || high != 2 {
		t.Errorf("ratio %v, %v–%v, want 1.5, 1–2", median, low, high)
	}
	if m := c.Ways[1].Median(func(f LargeFigures) float64 { return f.Seconds }); m != 2 {
		t.Errorf("median %v, want 2", m)
	}
}
