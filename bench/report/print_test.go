package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/internal/example"
)

// TestTableOfRun checks that the printed tables have the same ratios as the reports.
func TestTableOfRun(t *testing.T) {
	c := engine.Case{Group: "values", Shape: "struct/report", Verb: "Marshal", About: "nine fields"}
	example.Add(&c, 100, map[string]float64{engine.Ours: 1, "json": 12, engine.Limit: 0.5})
	c.Entries = append(c.Entries, example.Synthetic("msgp", 100.2, 0.03))
	c.Entries = append(c.Entries, engine.Entry{Library: "gob", Note: "cannot"})
	var b bytes.Buffer
	PrintTable(&b, "struct/report", []engine.Case{c}, engine.Ours)
	for _, want := range []string{"× octet", "  12.0  11.9–12.1", "  0.50  0.50–0.50", "gob: cannot\n", "\nstruct/report, 81 bytes: nine fields\n", "  ≈ 1.00  0.98–1.02"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	b.Reset()
	PrintTable(&b, "struct/report", []engine.Case{c}, engine.Limit)
	for _, want := range []string{"× limit", "  2.00  2.00–2.00", "  23.9  23.8–24.2"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
