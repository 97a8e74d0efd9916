package engine_test

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/internal/example"
)

// TestRatios checks the ratios of a run whose figures are known.
func TestRatios(t *testing.T) {
	list := example.Distribution(1).Ratios()
	if len(list) != 4 {
		t.Fatalf("%d ratios, want two verbs with two peers each", len(list))
	}
	r := list[0]
	if r.Verb != "Marshal" || r.Peer != "msgp" || len(r.Ratios) != 60 || r.Worst != "S60" || r.Slower() != 19 {
		t.Errorf("%s beside %s: %d ratios, worst %s, slower on %d", r.Verb, r.Peer, len(r.Ratios), r.Worst, r.Slower())
	}
	for quantile, want := range map[float64]float64{0: 0.5, 0.5: 0.875, 0.9: 1.175, 1: 1.2375} {
		if got := r.At(quantile); math.Abs(got-want) > 0.002 {
			t.Errorf("quantile %v is %v, want %v", quantile, got, want)
		}
	}
	// Of several libraries of one kind, the fastest counts for each type, as far as it takes part.
	if r := list[1]; r.Peer != "fastest of shamaton, vmihailenco" || math.Abs(r.At(0)-0.25) > 0.001 || math.Abs(r.At(1)-1.0/3) > 0.001 {
		t.Errorf("%s: %v to %v", r.Peer, r.At(0), r.At(1))
	}
}

func TestDecl(t *testing.T) {
	d := example.Distribution(1)
	if text, left := d.Decl("S58", 12); strings.Count(text, "type ") != 3 || !strings.HasPrefix(text, "type S58 struct") || left != 0 {
		t.Errorf("%d declarations are left of\n%s", left, text)
	}
	if text, left := d.Decl("S1", 12); strings.Count(text, "type ") != 12 || left != 48 {
		t.Errorf("%d declarations are left of\n%s", left, text)
	}
}

func TestDistributionRoundTrip(t *testing.T) {
	want := example.Distribution(1)
	path := filepath.Join(t.TempDir(), "new folder", want.FileName())
	if filepath.Base(path) != "example-2cpu-go1.26.0-random-7.json" {
		t.Errorf("file %s", path)
	}
	if err := want.Write(path); err != nil {
		t.Fatal(err)
	}
	got, err := engine.ReadDistribution(path)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `{"name": "S1","size": 10}`) || strings.Count(string(text), "\n") > 400 {
		t.Errorf("types or times are not on one line each:\n%.2000s", text)
	}
}

func TestReadDistributionFails(t *testing.T) {
	const whole = `{"machine": "m", "go": "go1", "kind": "random", "types": [{"name": "S"}], "columns": [{"verb": "v", "library": "l", "ns": [1]}]}`
	path := filepath.Join(t.TempDir(), "results.json")
	for name, c := range map[string]struct{ text, want string }{
		"a run":            {whole, ""},
		"a run over cases": {`{"machine": "m", "go": "go1", "cases": []}`, "not a run over many types"},
		"more times":       {strings.Replace(whole, "[1]", "[1, 2]", 1), "more times than types"},
		"a negative time":  {strings.Replace(whole, "[1]", "[-1]", 1), "negative"},
		"no verb":          {strings.Replace(whole, `"v"`, `""`, 1), "a name is missing"},
		"truncated file":   {whole[:50], "unexpected end"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := engine.ReadDistribution(path); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
