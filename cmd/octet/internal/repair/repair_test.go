package repair

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/lint"
	"github.com/octet-go/octet/cmd/octet/internal/report"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

func TestFile(t *testing.T) {
	t.Chdir(t.TempDir())
	c, _, _ := consoletest.New("")
	for _, f := range []struct {
		name, old string
		o         Options
		found     int64
		want      string
		left      int64
	}{
		{"shortest", "\xcd\x00\x05\xa1a", Options{}, 1, "\x05\xa1a", 0},
		{"same pair", "\x82\xa1a\x01\xa1a\x01", Options{}, 1, "\x81\xa1a\x01", 0},
		{"same key", "\x82\xa1a\x01\xa1a\x02", Options{}, 1, "\x82\xa1a\x01\xa1a\x02", 1},
		{"same key, lossy", "\x82\xa1a\x01\xa1a\x02", Options{Lossy: true}, 1, "\x81\xa1a\x02", 0},
		{"UTF-8", "\xa1\xff", Options{}, 1, "\xa1\xff", 1},
		{"UTF-8, lossy", "\xa1\xff", Options{Lossy: true}, 1, "\xc4\x01\xff", 0},
		{"order", "\x82\xa1b\x01\xa1a\x01", Options{Options: lint.Options{Canonical: true}}, 1, "\x82\xa1a\x01\xa1b\x01", 0},
		{"trailing", "\x01\x02", Options{Options: lint.Options{Single: true}}, 1, "\x01\x02", 1},
		{"trailing, lossy", "\x01\x02", Options{Options: lint.Options{Single: true}, Lossy: true}, 1, "\x01", 0},
		{"malformed, lossy", "\x01\xa2a", Options{Lossy: true}, 1, "\x01", 0},
	} {
		if err := os.WriteFile("a", []byte(f.old), 0o666); err != nil {
			t.Fatal(err)
		}
		in, err := input.Open(t.Context(), c, "a", input.Options{Format: sniff.MessagePack})
		if err != nil {
			t.Fatal(err)
		}
		found := int64(0)
		_, err = f.o.Check(in, in, func(lint.Finding) error {
			found++
			return nil
		})
		if found != f.found || err != nil && f.name != "malformed, lossy" {
			t.Errorf("%s: %d findings, %v, want %d", f.name, found, err, f.found)
		}
		var place task.InPlace
		left, err := f.o.File(c, in, &place)
		in.Close()
		text, _ := os.ReadFile("a")
		if list, _ := os.ReadDir("."); err != nil || left != f.left || string(text) != f.want || len(list) != 1 {
			t.Errorf("%s: % x, %d left, %v, %d files; want % x, %d left", f.name, text, left, err, len(list), f.want, f.left)
		}
	}
}

// TestRefused requires that other files stay as they are.
func TestRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	c, _, _ := consoletest.New("")
	for name, text := range map[string]string{"a.json": `{"a":1,"a":1}`, "bad.msgpack": "\xcd\x00\x05\xa2a", "a.msgpack": "\x1f\x8b\x08"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		in := &input.Input{Path: name, Name: name, Format: sniff.ByName(name)}
		if name == "a.msgpack" {
			in.Compression = sniff.Gzip
		}
		var o Options
		var place task.InPlace
		if _, err := o.File(c, in, &place); err == nil {
			t.Errorf("%s was rewritten", name)
		}
		if now, err := os.ReadFile(name); err != nil || string(now) != text {
			t.Errorf("%s has changed: % x, %v", name, now, err)
		}
	}
	if list, _ := os.ReadDir("."); len(list) != 3 {
		t.Errorf("%d files, want 3", len(list))
	}
}

// TestUnrecognized requires that a file is not replaced by one that would be read as JSON.
func TestUnrecognized(t *testing.T) {
	t.Chdir(t.TempDir())
	c, _, _ := consoletest.New("")
	const one = "\xcd\x00\x5b\xcd\x00\x31\xcd\x00\x5d" // [1]
	for _, f := range []struct {
		name, old string
		format    sniff.Format
		want      string
	}{
		{"a", one, sniff.Unknown, one},
		{"a.msgpack", one, sniff.Unknown, one},
		{"a", one, sniff.MessagePack, "[1]"},
		{"a", "\xcd\x00\x05", sniff.Unknown, "\x05"},
	} {
		if err := os.WriteFile(f.name, []byte(f.old), 0o666); err != nil {
			t.Fatal(err)
		}
		in, err := input.Open(t.Context(), c, f.name, input.Options{Format: f.format})
		if err != nil {
			t.Fatal(err)
		}
		var o Options
		var place task.InPlace
		_, err = o.File(c, in, &place)
		in.Close()
		if now, _ := os.ReadFile(f.name); string(now) != f.want || (failure.CodeOf(err) == failure.Data) != (f.want == f.old) {
			t.Errorf("%s, % x: %v, % x, want % x", f.name, f.old, err, now, f.want)
		}
	}
}

// TestCheckJSON requires the place in the text.
func TestCheckJSON(t *testing.T) {
	c, _, _ := consoletest.New("1\n{\"a\":1,\"a\":2}")
	in, err := input.Open(t.Context(), c, "-", input.Options{Format: sniff.JSON})
	if err != nil {
		t.Fatal(err)
	}
	var o Options
	var found []lint.Finding
	if _, err := o.Check(in, in, func(f lint.Finding) error {
		found = append(found, f)
		return nil
	}); err != nil || len(found) != 1 || found[0].Rule != lint.Duplicate || found[0].Line != 2 {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestRun checks what is printed, and what is left after repairs.
func TestRun(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, f := range []struct {
		name  string
		r     Run
		lines string // a part of the output
		note  string // a part of standard error
		want  string // the error
		code  failure.Code
	}{
		{"found", Run{}, "a: offset 0: ", "", "2 findings (shortest 1, utf8 1)", failure.Finding},
		{"fixed", Run{Fix: true}, "a: offset 0: ", "octet: lint: a: fixed 1 of 2 findings\n", "1 finding left", failure.Finding},
		{"lossy", Run{Fix: true, Options: Options{Lossy: true}}, "[utf8]", "octet: lint: a: fixed 2 of 2 findings\n", "", failure.OK},
	} {
		if err := os.WriteFile("a", []byte("\xcd\x00\x05\xa1\xff"), 0o666); err != nil {
			t.Fatal(err)
		}
		c, _, stderr := consoletest.New("")
		files := &input.Files{Console: c, Paths: []string{"a"}, Options: input.Options{Format: sniff.MessagePack}}
		f.r.Found.Limit, f.r.Faults = flags.All, console.NewPalette(false)
		var out bytes.Buffer
		var place task.InPlace
		err := f.r.Files(t.Context(), files, &out, &place)
		if failure.CodeOf(err) != f.code || err != nil && err.Error() != f.want || !strings.Contains(out.String(), f.lines) || !strings.Contains(stderr.String(), f.note) {
			t.Errorf("%s: %v, want %s; %s%s", f.name, err, f.want, &out, stderr)
		}
	}
	for _, fix := range []bool{false, true} { // without Lossy, the rest of the file is kept
		if err := os.WriteFile("a", []byte("\x92\x01\xc1"), 0o666); err != nil {
			t.Fatal(err)
		}
		c, _, _ := consoletest.New("")
		files := &input.Files{Console: c, Paths: []string{"a"}, Options: input.Options{Format: sniff.MessagePack}}
		r := Run{Fix: fix, Faults: console.NewPalette(false), Found: report.Findings{Limit: flags.All}}
		err := r.Files(t.Context(), files, new(bytes.Buffer), new(task.InPlace))
		var f *failure.Error
		if !errors.As(err, &f) || f.Code != failure.Data || !strings.Contains(f.Detail, "c1") {
			t.Errorf("malformed, fix %v: %v, %+v", fix, err, f)
		}
		if text, err := os.ReadFile("a"); err != nil || string(text) != "\x92\x01\xc1" {
			t.Errorf("malformed, fix %v: the file has % x, %v", fix, text, err)
		}
	}
}
