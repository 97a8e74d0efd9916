package report

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/internal/example"
)

// TestInstructions checks the table of runs with different instructions, one of which lacks a case, and that the runs
// are stored with all their times.
func TestInstructions(t *testing.T) {
	var all engine.Instructions
	for i, set := range engine.InstructionSets {
		r := example.Results()
		if i == 1 {
			example.Slower(r, 4, func(_ engine.Case, e engine.Entry) bool { return e.Library == engine.Ours })
		}
		if i == 2 {
			r.Cases = r.Cases[1:]
		}
		all.Runs = append(all.Runs, engine.InstructionRun{InstructionSet: set, Results: r})
	}
	dir := t.TempDir()
	path, err := all.Write(dir)
	if err != nil || filepath.Base(path) != "example-2cpu-go1.26.0-instructions.json" {
		t.Fatal(path, err)
	}
	got, err := engine.ReadInstructions(path)
	if err != nil || !reflect.DeepEqual(got, &all) {
		t.Fatalf("%v: got %+v, want %+v", err, got, &all)
	}
	if err := WriteInstructions(dir, got); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, all.Base()+".md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| case | all | fastest other | AVX-512 off | fastest other | AVX2 off | fastest other |",
		"| values/struct/report/Marshal | 202 ns | 1.31 msgp | 807 ns | 0.33 msgp | – | – |",
		"| AVX2 off | cpu.avx512f=off,cpu.avx512bw=off,cpu.avx2=off |",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%.3000s", want, text)
		}
	}
	var b bytes.Buffer
	PrintInstructions(&b, &all)
	if !strings.Contains(b.String(), "values/struct/report/Marshal ") {
		t.Errorf("no cases in\n%s", &b)
	}
	other := filepath.Join(dir, "other.json")
	if err := example.Distribution(1).Write(other); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.ReadInstructions(other); err == nil {
		t.Error("another file returned no error")
	}
}
