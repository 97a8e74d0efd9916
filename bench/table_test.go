package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestTableOfRun checks that the printed tables have the same ratios as the reports.
func TestTableOfRun(t *testing.T) {
	c := Case{Group: "values", Shape: "struct/report", Verb: "Marshal", About: "nine fields"}
	addTo(&c, 100, map[string]float64{ours: 1, "json": 12, limit: 0.5})
	c.Entries = append(c.Entries, synthetic("msgp", 100.2, 0.03))
	c.Entries = append(c.Entries, Entry{Library: "gob", Note: "cannot"})
	var b bytes.Buffer
	printTable(&b, "struct/report", []Case{c}, ours)
	for _, want := range []string{"× octet", "  12.0  11.9–12.1", "  0.50  0.50–0.50", "gob: cannot\n", "\nstruct/report, 81 bytes: nine fields\n", "  ≈ 1.00  0.98–1.02"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	b.Reset()
	printTable(&b, "struct/report", []Case{c}, limit)
	for _, want := range []string{"× limit", "  2.00  2.00–2.00", "  23.9  23.8–24.2"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
