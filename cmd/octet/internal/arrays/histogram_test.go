package arrays

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// checkChart requires a chart that is XML, with a bar for each bin, inside the picture. The areas of the bars are their counts.
func checkChart(t *testing.T, s *Statistics) {
	t.Helper()
	var image strings.Builder
	if err := s.Chart(&image, "a < b \x1b"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(image.String(), ">a &lt; b \ufffd</text>") {
		t.Errorf("no title in\n%s", image.String())
	}
	var heights []float64
	for d := xml.NewDecoder(strings.NewReader(image.String())); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, image.String())
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "rect" {
			continue
		}
		r := map[string]float64{}
		for _, a := range start.Attr {
			if r[a.Name.Local], err = strconv.ParseFloat(a.Value, 64); err != nil {
				t.Fatal(err)
			}
		}
		inside := func(from, size, limit float64) bool { return from >= 0 && size >= 0 && from+size <= limit+0.1 }
		if !inside(r["x"], r["width"], chartWidth) || !inside(r["y"], r["height"], chartHeight) || r["width"] == 0 {
			t.Errorf("a bar is outside: %v", start.Attr)
		}
		heights = append(heights, r["height"])
	}
	if s.infinite {
		if len(heights) > 0 || !strings.Contains(image.String(), "no histogram") {
			t.Errorf("%d bars from %s to %s", len(heights), s.Min, s.Max)
		}
		return
	}
	if len(heights) != len(s.Bins) {
		t.Fatalf("%d bars for %d bins", len(heights), len(s.Bins))
	}
	if len(heights) == 0 {
		return
	}
	most, tallest := int64(1), slices.Max(heights)
	for _, b := range s.Bins {
		most = max(most, b.Count)
	}
	for i, b := range s.Bins {
		if want := tallest * float64(b.Count) / float64(most); math.Abs(heights[i]-want) > 0.1 {
			t.Errorf("bar %d of %d elements is %v high, want %v", i, b.Count, heights[i], want)
		}
	}
}

func TestMarks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{0, 10, "[0 2 4 6 8 10]"},
		{0, 1, "[0 0.2 0.4 0.6000000000000001 0.8 1]"},
		{-3, 3, "[-3 -2 -1 0 1 2 3]"},
		{1e15, 1e15 + 12, "[1e+15 1.000000000000002e+15 1.000000000000004e+15 1.000000000000006e+15 1.000000000000008e+15 1.00000000000001e+15 1.000000000000012e+15]"},
		{-math.MaxFloat64, math.MaxFloat64, "[-1.0000000000000004e+308 0 1.0000000000000004e+308]"},
		{0, 5e-324, "[0 5e-324]"},
		{2, 2, "[2]"},
	} {
		if got := fmt.Sprint(marks(c.low, c.high)); got != c.want {
			t.Errorf("marks(%v, %v) = %s, want %s", c.low, c.high, got, c.want)
		}
	}
}

// TestWidth prints statistics for terminals on which a histogram fits, with bars or without.
func TestWidth(t *testing.T) {
	s := &Statistics{Type: "float64", Count: 2_000_003, Min: "-1.5e-05", Max: "1.5e-05", Bins: []Bin{{-1.5e-05, 0, 2_000_000}, {0, 1.5e-05, 3}}}
	for width := 33; width <= 120; width++ {
		for line := range strings.Lines(s.Text(width)) {
			if n := utf8.RuneCountInString(line) - 1; n > width {
				t.Errorf("%d columns for %d: %s", n, width, line)
			}
		}
	}
}
