package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestResultsRoundTrip(t *testing.T) {
	want := &Results{
		Machine: "amd-epyc-9b45-2cpu", Processor: "AMD EPYC 9B45", OS: "linux", Arch: "amd64", Go: "go1.26.8",
		GOMAXPROCS: 2, Date: "2026-11-21", Quick: true, Rounds: 3,
		Libraries: []Library{{ours, "v1.0.0", "github.com/octet-go/octet", ""}, {"other", "", "example.com/other", "cannot be had"}},
		Cases: []Case{{"growth", "ints", "Marshal", 1000, []Entry{
			{Library: ours, NS: []float64{1.5, 2, 1.25e9}, Bytes: 64, Allocs: 1, Size: 60, Peak: 1 << 40},
			{Library: "other", Note: "takes no integers"},
		}}},
	}
	path := filepath.Join(t.TempDir(), "new folder", want.fileName())
	if err := want.write(path); err != nil {
		t.Fatal(err)
	}
	got, err := readResults(path)
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
	if line := []byte(`"ns":[1.5,2,1250000000],`); !bytes.Contains(text, line) {
		t.Errorf("no line %s in\n%s", line, text)
	}
}

func TestReadResultsFails(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.json")
	if err := os.WriteFile(broken, []byte(`{"machine": 1}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{broken, broken + ".none"} {
		if _, err := readResults(path); err == nil {
			t.Errorf("no error for %s", filepath.Base(path))
		}
	}
}

func TestRound(t *testing.T) {
	cases := map[float64]float64{0: 0, 1.23456: 1.235, 98765.4: 98770, 1.00004e9: 1e9, 0.000123456: 0.0001235}
	for x, want := range cases {
		if got := round(x); got != want {
			t.Errorf("round(%v) = %v, want %v", x, got, want)
		}
	}
}

func TestMachine(t *testing.T) {
	cases := map[string]string{
		"AMD EPYC 9B45":                             "amd-epyc-9b45-2cpu",
		"Intel(R) Xeon(R) CPU @ 2.20GHz":            "intel-xeon-2cpu",
		"Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz":  "intel-core-i7-8650u-2cpu",
		"AMD Ryzen 9 7950X 16-Core Processor":       "amd-ryzen-9-7950x-16-core-2cpu",
		"arm64":                                     "arm64-2cpu",
		"../../etc/passwd, a name made to be taken": "etc-passwd-a-name-made-to-be-taken-2cpu",
	}
	for processor, want := range cases {
		if got := machine(processor, 2); got != want {
			t.Errorf("machine(%q) = %q, want %q", processor, got, want)
		}
	}
}
