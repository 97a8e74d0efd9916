package conversion

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/convert"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
)

func conversion(stdin string) (r *Conversion, stdout, stderr *consoletest.Buffer) {
	console, stdout, stderr := consoletest.New(stdin)
	return &Conversion{Console: console, Output: "-", Args: []string{"convert"}}, stdout, stderr
}

// TestChoose checks the format that the output gets.
func TestChoose(t *testing.T) {
	const json, packed, unknown = sniff.JSON, sniff.MessagePack, sniff.Unknown
	for _, c := range []struct {
		from       sniff.Format // of the first input
		to, output string       // the flags
		pretty     bool
		want       sniff.Format
		asFile     bool
		fault      string
	}{
		{json, "", "-", false, packed, false, ""},
		{packed, "", "-", false, json, false, ""},
		{packed, "", "a.mpk", false, packed, false, ""},
		{packed, "json", "a.bin", false, json, false, ""},
		{json, "", "a.rec", false, packed, true, ""},
		{json, Record, "a.bin", false, packed, true, ""},
		{json, "json", "a.rec", false, json, false, "a.rec"},
		{json, "json", "a.msgpack", false, json, false, "a.msgpack"},
		{unknown, "", "-", true, json, false, ""},
		{unknown, "", "-", false, json, false, ""},
		{json, "", "-", true, packed, false, "--pretty requires JSON output"},
	} {
		r, _, _ := conversion("")
		r.ToName, r.Output, r.Pretty = c.to, c.output, c.pretty
		err := r.choose(&input.Input{Format: c.from}, true)
		switch {
		case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
			t.Errorf("%+v: %v", c, err)
		case c.fault == "" && (err != nil || r.To != c.want || r.asFile != c.asFile):
			t.Errorf("%+v: to %v, %v, %v", c, r.To, r.asFile, err)
		case c.fault == "" && r.From == unknown:
			t.Errorf("%+v: the format of the input is not known", c)
		}
	}
	r, _, _ := conversion("")
	r.To = packed
	if err := r.choose(&input.Input{Format: packed, Name: "b"}, false); err == nil || !strings.Contains(err.Error(), "b is MessagePack") {
		t.Errorf("inputs of two formats: %v", err)
	}
	r.Compress = true
	if err := r.choose(&input.Input{Format: json}, true); err == nil {
		t.Error("--compress was accepted for a plain stream")
	}
}

// TestRun converts several inputs to one file, and back.
func TestRun(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.json": `{"a":1}`, "b.ndjson": "[2]\n3\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, output := range []string{"out.msgpack", "out.rec"} {
		r, _, stderr := conversion("")
		r.Inputs, r.Output, r.Compress = []string{"a.json", "b.ndjson"}, output, output == "out.rec"
		if err := r.Run(t.Context()); err != nil || !strings.HasPrefix(stderr.String(), "octet: convert: 3 values, 13 B json → ") {
			t.Fatalf("%v, %s", err, stderr)
		}
		back, stdout, stderr := conversion("")
		back.Inputs, back.Quiet = []string{output}, true
		if err := back.Run(t.Context()); err != nil || stdout.String() != "{\"a\":1}\n[2]\n3\n" || stderr.Len() > 0 {
			t.Errorf("%s: %v, %s, %s", output, err, stdout, stderr)
		}
	}
}

// TestLost requires that values that JSON has no form for are counted.
func TestLost(t *testing.T) {
	r, stdout, stderr := conversion("\xc4\x01a\xc4\x00\xca\x3d\xcc\xcc\xcd\x81\x01\x02")
	if err := r.Run(t.Context()); err != nil || stdout.String() != "\"YQ==\"\n\"\"\n0.10000000149011612\n{\"1\":2}\n" {
		t.Fatalf("%v, %s", err, stdout)
	}
	if want := "octet: convert: JSON has no form for 4 values (2 bins, 1 float 32, 1 key that is not a string); --reversible keeps them\n"; !strings.HasSuffix(stderr.String(), want) {
		t.Errorf("%s, want %s", stderr, want)
	}
}

// TestErrors requires that the old output is kept, and checks the hint.
func TestErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("out", []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		stdin, to    string
		code         failure.Code
		text, detail string
	}{
		{`[1,`, "msgpack", failure.Data, "standard input: line 1, column 4", ""},
		{"18446744073709551617", "msgpack", failure.Data, "standard input: ", "Try: octet convert --round"},
		{"\xc1", "json", failure.Data, "standard input: offset 0", ""},
	} {
		r, _, _ := conversion(c.stdin)
		r.Output, r.ToName = "out", c.to
		if c.to == "json" {
			r.FromName = "msgpack"
		}
		err := r.Run(t.Context())
		var f *failure.Error
		if !errors.As(err, &f) || f.Code != c.code || !strings.HasPrefix(f.Error(), c.text) || !strings.HasPrefix(f.Detail, c.detail) {
			t.Errorf("%q: %v, %+v", c.stdin, err, f)
		}
		list, _ := os.ReadDir(".")
		if text, err := os.ReadFile("out"); err != nil || string(text) != "old" || len(list) != 1 {
			t.Errorf("%q: the output has %q, %v, and there are %d files", c.stdin, text, err, len(list))
		}
	}
	r, _, _ := conversion("1")
	r.Output = ""
	if err := r.Run(t.Context()); err != failure.ErrNoName {
		t.Errorf("no name: %v", err)
	}
	r, stdout, stderr := conversion("1 x 2")
	r.SkipBad, r.FromName = true, "json"
	if err := r.Run(t.Context()); err != nil || stdout.Len() == 0 || !strings.Contains(stderr.String(), "left out 1 value with errors; the first: standard input: ") {
		t.Errorf("%v, %q, %s", err, stdout, stderr)
	}
}

// TestInterrupted requires that a file is unchanged after Ctrl-C.
func TestInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("out.rec", []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	in, feed := io.Pipe()
	defer feed.Close()
	r, _, _ := conversion("")
	r.Stdin, r.Output = in, "out.rec"
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = io.WriteString(feed, "{\"a\":1}\n")
		_, _ = io.WriteString(feed, "{\"a\":2}\n") // the first value was read, and the output created
		cancel()
	}()
	if err := r.Run(ctx); failure.CodeOf(err) != failure.Interrupted || !strings.HasPrefix(err.Error(), "interrupted after ") || !strings.HasSuffix(err.Error(), "; nothing was written to out.rec") {
		t.Errorf("%v", err)
	}
	if text, err := os.ReadFile("out.rec"); err != nil || string(text) != "old" {
		t.Errorf("the file has %q, %v", text, err)
	}
}

// TestTerminal requires that MessagePack is not written to a terminal.
func TestTerminal(t *testing.T) {
	r, stdout, stderr := conversion(`{"a":1}`)
	r.IsTerminal = func(stream any) bool { return stream == stdout }
	if err := r.Run(t.Context()); err == nil || failure.CodeOf(err) != failure.Usage || stdout.Len() > 0 {
		t.Errorf("%v, %q, %s", err, stdout, stderr)
	}
	r, stdout, _ = conversion(`{"a":1}`)
	r.Options, r.ToName, r.Painted = convert.Options{}, "json", true
	if err := r.Run(t.Context()); err != nil || !strings.Contains(stdout.String(), "\x1b[") {
		t.Errorf("JSON on a terminal: %v, %q", err, stdout)
	}
}
