package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/internal/example"
	"gonum.org/v1/plot"
)

// textsOf returns the texts of an SVG, one per line. It fails if the SVG is not well-formed XML.
func textsOf(t *testing.T, svg []byte) string {
	t.Helper()
	var b strings.Builder
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		if text, ok := token.(xml.CharData); ok {
			b.Write(text)
			b.WriteByte('\n')
		}
	}
}

// TestCharts checks that every case is in a chart of its group, with every library that was measured and the limit.
func TestCharts(t *testing.T) {
	r := example.Results()
	all := charts(r)
	for _, g := range engine.Groups {
		for _, s := range seriesOf(r, g.Name) {
			t.Run(g.Name+"/"+s.shape+"/"+s.verb, func(t *testing.T) {
				i := slices.IndexFunc(all, func(c chart) bool {
					return c.group == g.Name && strings.HasSuffix(c.title, s.verb) &&
						slices.ContainsFunc(c.panels, func(p panel) bool { return p.title == s.shape })
				})
				if i < 0 {
					t.Fatal("no chart shows the case")
				}
				text := textsOf(t, all[i].svg())
				for _, c := range s.cases {
					for _, e := range c.Entries {
						// In a bar chart, the limit has a label; in a line chart, it does not.
						if len(e.NS) > 0 && !strings.Contains(text, "\n"+e.Library+"\n") && !(e.Library == engine.Limit && strings.Contains(text, "\nlimit 0.")) {
							t.Errorf("no %s in\n%s", e.Library, text)
						}
					}
				}
				for _, want := range []string{s.shape, all[i].title, all[i].about} {
					if !strings.Contains(text, want) {
						t.Errorf("no %q in\n%s", want, text)
					}
				}
			})
		}
	}
}

func TestChartsAreTheSameEachTime(t *testing.T) {
	first, second := charts(example.Results()), charts(example.Results())
	for i := range first {
		if !bytes.Equal(first[i].svg(), second[i].svg()) {
			t.Errorf("%s differs from run to run", first[i].file)
		}
	}
}

// TestChartsHaveNoReferences checks that charts do not refer to other files.
func TestChartsHaveNoReferences(t *testing.T) {
	for _, c := range charts(example.Results()) {
		svg := string(c.svg())
		if strings.Contains(svg, "href") || strings.Count(svg, "http") != 1 {
			t.Errorf("%s refers to another file", c.file)
		}
		if !strings.HasPrefix(svg, "<svg ") || strings.Contains(svg, "font-family:") {
			t.Errorf("%s begins with %.80s, or has fonts in its texts", c.file, svg)
		}
	}
}

// TestChartsWithoutPeers checks that series that cannot be drawn are omitted.
func TestChartsWithoutPeers(t *testing.T) {
	alone := engine.Case{Group: "values", Shape: "alone", Verb: "Marshal", Entries: []engine.Entry{example.Synthetic(engine.Ours, 10, 0)}}
	theirs := engine.Case{Group: "values", Shape: "theirs", Verb: "Marshal", Entries: []engine.Entry{example.Synthetic("msgp", 10, 0), example.Synthetic("shamaton", 12, 0)}}
	none := engine.Case{Group: "growth", Shape: "none", Verb: "Marshal", N: 1, Entries: []engine.Entry{{Library: engine.Ours, Note: "left out"}}}
	more := none
	more.N = 10
	if list := charts(&engine.Results{Cases: []engine.Case{alone, theirs, none, more}}); len(list) > 0 {
		t.Errorf("%d charts, of which the first is %s", len(list), list[0].title)
	}
}

func TestLogTicks(t *testing.T) {
	cases := map[string]struct {
		low, high float64
		want      string
	}{
		"a decade":      {0.9, 11, "1 2 5 10"},
		"two decades":   {1, 99, "1 3 10 30"},
		"six decades":   {1, 1e6, "1 10 100 1k 10k 100k 1M"},
		"below one":     {0.04, 0.3, "0.05 0.1 0.2"},
		"less than two": {2.2, 2.9, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, tick := range (logTicks{short}).Ticks(c.low, c.high) {
				got = append(got, tick.Label)
				if math.IsNaN(tick.Value) {
					t.Error("a tick is not a number")
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	var _ plot.Ticker = logTicks{}
}
