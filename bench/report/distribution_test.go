package report

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/internal/example"
)

// TestDistribution checks the figures, the worst type and the charts of a run over many types.
func TestDistribution(t *testing.T) {
	d := example.Distribution(1)
	dir := t.TempDir()
	if err := WriteDistribution(dir, d); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for name, wants := range map[string][]string{
		d.Base() + ".md": {
			"# Octet on 60 random struct types, seed 7\n",
			"| Marshal | msgp | 60 | 0.87 | 0.69–1.06 | 1.17 | 1.24 | 19 (32%) | S60 |",
			"| Marshal | fastest of shamaton, vmihailenco | 60 | ",
			"| Unmarshal: shamaton returns an error | 2 |", "| msgp | v1.6.5 |",
			"### S60\n\nMarshal beside msgp, 1.24×; Unmarshal, new beside msgp, 1.24×.\n\n```go\ntype S60 struct {\n\tA int\n}\n```\n",
			"(" + d.Base() + "/ratios.svg)",
		},
		filepath.Join(d.Base(), "ratios.svg"): {"<svg", ">Octet on 60 random struct types, seed 7<", ">Unmarshal, new<", ">Octet faster on 68%<", ">msgp, generated<", ">best by reflection<", ">60 types<", ">equal <", ">2× slower <", ">4× faster <"},
	} {
		for _, want := range wants {
			if text := read(name); !strings.Contains(text, want) {
				t.Errorf("no %q in %s:\n%.4000s", want, name, text)
			}
		}
	}
	if strings.Contains(read(d.Base()+".md"), "ratios-other") {
		t.Error("there is a chart of other operations, but the run has none")
	}
	var b bytes.Buffer
	PrintDistribution(&b, d)
	for _, want := range []string{"Marshal         msgp ", "19 (32%)", "left out: Unmarshal: shamaton returns an error: 2"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	d.Kind, d.Present = "real", 0.1
	d.Add("S1", 1, "Typed.Append", engine.Entry{Library: engine.Ours, NS: []float64{1}}, "")
	d.Add("S1", 1, "Typed.Append", engine.Entry{Library: "msgp", NS: []float64{2}}, "generated")
	if err := WriteDistribution(dir, d); err != nil {
		t.Fatal(err)
	}
	if text := read(d.Base() + ".md"); !strings.Contains(text, "ratios-other.svg") || !strings.Contains(text, "Octet on 60 struct types of public modules, 10% of their optional parts present") {
		t.Errorf("no chart of other operations, or no title, in\n%.500s", text)
	}
}
