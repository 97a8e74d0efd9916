package report

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/internal/example"
)

// headlined returns a run with every case of the README's table.
func headlined() *engine.Results {
	r := example.Results()
	r.Cases = nil
	for i, h := range headlines {
		c := engine.Case{Group: h.group, Shape: h.shape, Verb: h.verb}
		example.Add(&c, 100*float64(i+1), map[string]float64{
			engine.Ours: 1, "shamaton": 3.2, "vmihailenco": 5.1, "msgp": 1.31, "json": 9.6, "gob": 12, engine.Limit: 0.5,
		})
		r.Cases = append(r.Cases, c)
	}
	return r
}

const emptyReadme = "# Octet\n\n<!-- bench:begin -->\nold\n<!-- bench:end -->\n\nMore.\n"

func TestReadmeFigures(t *testing.T) {
	got, err := withFigures([]byte(emptyReadme), headlined(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(got), "Where another library is ahead") {
		t.Errorf("no library is faster, but the README says so:\n%s", got)
	}
	again, err := withFigures(got, headlined(), nil)
	if err != nil || !bytes.Equal(got, again) {
		t.Errorf("a second update changed the README: %v", err)
	}
	for _, want := range []string{
		"# Octet\n\n<!-- bench:begin -->\n", "\n<!-- bench:end -->\n\nMore.\n",
		"[tables](bench/results/example-2cpu-go1.26.0.md)",
		"`Marshal` of a struct of nine fields takes 100 ns; vmihailenco/msgpack takes 5.10 times as long, shamaton/msgpack 3.19, encoding/json 9.57.\n",
		"| time | Octet | shamaton/msgpack | vmihailenco/msgpack | ugorji/go/codec | tinylib/msgp (generated code) | encoding/json |\n",
		"| `Unmarshal` of a struct of nine fields | 201 ns | 3.19 | 5.10 | – | 1.31 | 9.57 |\n",
		"](bench/results/example-2cpu-go1.26.0/" + readmeChart + ")",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, other := range []string{"old", "gob", headlineCharts[1]} {
		if strings.Contains(string(got), other) {
			t.Errorf("%q in\n%s", other, got)
		}
	}
}

// TestReadmeReasons checks that the reason is below the table.
func TestReadmeReasons(t *testing.T) {
	kept := reasons
	t.Cleanup(func() { reasons = kept })
	reasons = []reason{{regexp.MustCompile(`/report/Unmarshal msgp$`), "it checks nothing"}}
	r := headlined()
	example.Slower(r, 0.5, func(c engine.Case, e engine.Entry) bool { return c.Shape == "struct/report" && e.Library == "msgp" })
	got, err := withFigures([]byte(emptyReadme), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "\nWhere another library is ahead, and why:\n\n- a struct of nine fields, `Marshal`: msgp is ahead; no reason is known\n" +
		"- a struct of nine fields, `Unmarshal`: msgp is ahead; it checks nothing\n\n"
	if !strings.Contains(string(got), want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}

func TestReadmeErrors(t *testing.T) {
	cases := map[string]struct {
		readme string
		change func(r *engine.Results)
		want   string
	}{
		"no place":    {"# Octet\n", func(*engine.Results) {}, "exactly one block"},
		"two places":  {emptyReadme + emptyReadme, func(*engine.Results) {}, "exactly one block"},
		"a quick run": {emptyReadme, func(r *engine.Results) { r.Quick = true }, "quick"},
		"few rounds":  {emptyReadme, func(r *engine.Results) { r.Rounds = 9 }, "9 rounds are too few"},
		"few rounds of processor time": {emptyReadme, func(r *engine.Results) {
			e := &r.Cases[0].Entries[0]
			e.CPU = e.NS
		}, "10 rounds are too few to publish; use at least 15"},
		"a case missing": {emptyReadme, func(r *engine.Results) { r.Cases = r.Cases[1:] }, "the results have no " + headlines[0].group},
		"without octet":  {emptyReadme, func(r *engine.Results) { r.Cases[0].Entries[0].NS = nil }, "octet was not measured"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := headlined()
			c.change(r)
			if _, err := withFigures([]byte(c.readme), r, nil); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	path := filepath.Join(t.TempDir(), "README.md")
	if err := os.WriteFile(path, []byte("none"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := updateReadme(path, headlined(), nil); err == nil {
		t.Error("no error")
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "none" {
		t.Errorf("the README changed to %q, %v", text, err)
	}
}

// TestReadmeTypes checks that a run over types of public modules takes the place of the struct of nine fields.
func TestReadmeTypes(t *testing.T) {
	r, dir := headlined(), t.TempDir()
	if d, err := typesOf(dir, r); d != nil || err != nil {
		t.Fatalf("an empty folder has the run %v, %v", d, err)
	}
	d := example.Distribution(1)
	d.Kind, d.Present = "real", readmePresent
	for _, library := range []string{engine.Ours, "msgp"} {
		d.Add("S1", 1, "Unmarshal, used", engine.Entry{Library: library, NS: []float64{1}}, "")
	}
	if err := d.Write(filepath.Join(dir, d.FileName())); err != nil {
		t.Fatal(err)
	}
	found, err := typesOf(dir, r)
	if err != nil || found == nil {
		t.Fatal(found, err)
	}
	got, err := withFigures([]byte(emptyReadme), r, found)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Of 60 struct types of public modules, `Marshal` is faster than msgp's generated code on 41 (median of the times: 0.87), than the fastest library that uses reflection on 60 (median of the times: 0.33).\n",
		"](bench/results/example-2cpu-go1.26.0-real-60/ratios.svg)", "1,000 structs in a slice", "](bench/results/example-2cpu-go1.26.0-real-60.md)",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, other := range []string{"nine fields", readmeChart} {
		if strings.Contains(string(got), other) {
			t.Errorf("%q in\n%s", other, got)
		}
	}
	found.Rounds = 14
	if _, err := withFigures([]byte(emptyReadme), r, found); err == nil || !strings.Contains(err.Error(), "14 rounds are too few") {
		t.Errorf("too few rounds: %v", err)
	}
}
