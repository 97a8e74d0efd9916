package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSameFile requires that no command reads the file to which its standard output goes,
// because it would read what it has written.
func TestSameFile(t *testing.T) {
	dir := t.TempDir()
	names := map[string]string{"json": "a.json", "csv": "a.csv", "rec": "a.rec"}
	contents := map[string][]byte{"json": []byte("[1,2]\n"), "csv": []byte("1\n2\n")}
	for _, kind := range []string{"json", "csv"} {
		if err := os.WriteFile(filepath.Join(dir, names[kind]), contents[kind], 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := process(t, "convert", "-q", filepath.Join(dir, "a.json"), "-o", filepath.Join(dir, "a.rec")).Run(); err != nil {
		t.Fatal(err)
	}
	var err error
	if contents["rec"], err = os.ReadFile(filepath.Join(dir, "a.rec")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ command, kind string }{
		{"convert FILE --to json", "json"}, {"convert FILE", "rec"}, {"query . FILE", "json"}, {"query -R . FILE", "json"}, {"get . FILE", "json"},
		{"query -n 1 --slurpfile a FILE", "json"}, {"diag FILE", "rec"}, {"fmt FILE", "json"}, {"inspect FILE", "rec"}, {"lint FILE", "json"}, {"stat FILE", "json"},
		{"diff FILE FILE", "json"}, {"types FILE", "json"}, {"schema FILE", "json"}, {"page FILE", "json"},
		{"array cat FILE", "csv"}, {"array convert FILE --to json", "csv"}, {"array stats FILE", "csv"}, {"record cat FILE", "rec"},
		{"convert -", "json"}, {"query .", "json"}, {"array cat --from csv -", "csv"}, {"record cat", "rec"},
	} {
		path := filepath.Join(dir, names[c.kind])
		out, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		in, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		p := process(t, strings.Fields(strings.ReplaceAll(c.command, "FILE", path))...)
		var errs bytes.Buffer
		p.Stdin, p.Stdout, p.Stderr = in, out, &errs
		_ = p.Run()
		in.Close()
		out.Close()
		if code := p.ProcessState.ExitCode(); code != 3 || !strings.Contains(errs.String(), "this file is also standard output; write to another file\n") {
			t.Errorf("%s: code %d, %s", c.command, code, &errs)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, contents[c.kind]) {
			t.Errorf("%s: the file was changed: %v", c.command, err)
			_ = os.WriteFile(path, contents[c.kind], 0o666)
		}
	}
}
