package engine

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestResultsRoundTrip(t *testing.T) {
	want := &Results{
		Host:  Host{"amd-epyc-9b45-2cpu", "AMD EPYC 9B45", "AVX-512", "linux", "amd64", "go1.26.8", 2, "2026-11-21"},
		Quick: true, Rounds: 3,
		Libraries: []Library{{Ours, "v1.0.0", "github.com/octet-go/octet", ""}, {"other", "", "example.com/other", "not available"}},
		Cases: []Case{{"growth", "ints", "Marshal", 1000, "numbers", []Entry{
			{Library: Ours, NS: []float64{1.5, 2, 1.25e9}, CPU: []float64{1, 2, 3}, Bytes: 64, Allocs: 1, Size: 60, Peak: 1 << 40},
			{Library: "other", Note: "it does not support integers"},
		}}},
	}
	path := filepath.Join(t.TempDir(), "new folder", want.FileName())
	if err := want.Write(path); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
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
	const entry = `{"machine": "m", "go": "go1", "cases": [{"group": "values", "shape": "s", "verb": "v", "entries": [{"library": "octet", "ns": [1, 2]}]}]}`
	path := filepath.Join(t.TempDir(), "results.json")
	for name, c := range map[string]struct{ text, want string }{
		"results":               {entry, ""},
		"truncated file":        {entry[:60], "unexpected end"},
		"empty file":            {"", "unexpected end"},
		"wrong type of a field": {`{"machine": 1}`, "cannot unmarshal number"},
		"a list":                {`[]`, "cannot unmarshal array"},
		"an object":             {`{}`, "not the results of a run"},
		"null":                  {`null`, "not the results of a run"},
		"no cases":              {`{"machine": "m", "go": "go1"}`, "not the results of a run"},
		"no such group":         {strings.Replace(entry, `"values"`, `"valves"`, 1), "unknown case valves/s/v"},
		"no verb":               {strings.Replace(entry, `"v"`, `""`, 1), "unknown case values/s/"},
		"a negative time":       {strings.Replace(entry, `[1,`, `[-1,`, 1), "not positive"},
		"a time of zero":        {strings.Replace(entry, `[1,`, `[0,`, 1), "not positive"},
		"a time that is text":   {strings.Replace(entry, `[1,`, `["1",`, 1), "cannot unmarshal string"},
		"fewer processor times": {strings.Replace(entry, `"ns": [1, 2]`, `"ns": [1, 2], "cpu": [1]`, 1), "2 times and 1 processor times"},
		"no library":            {strings.Replace(entry, `"octet"`, `""`, 1), "empty name"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := Read(path)
			if (err == nil) != (c.want == "") || err != nil && !(strings.Contains(err.Error(), c.want) && strings.Contains(err.Error(), path)) {
				t.Errorf("got %v, want %q and the path", err, c.want)
			}
		})
	}
	if _, err := Read(path + ".none"); err == nil {
		t.Error("a missing file returned no error")
	}
}

func TestRound(t *testing.T) {
	cases := map[float64]float64{0: 0, 1.23456: 1.235, 98765.4: 98770, 1.00004e9: 1e9, 0.000123456: 0.0001235}
	for x, want := range cases {
		if got := Round(x); got != want {
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
		if got := MachineName(processor, 2); got != want {
			t.Errorf("machine(%q) = %q, want %q", processor, got, want)
		}
	}
}
