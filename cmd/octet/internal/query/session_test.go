package query

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
)

func TestSession(t *testing.T) {
	for _, c := range []struct {
		name, stdin string
		s           Session
		out         string
		want        string // the error
		code        failure.Code
		note        string
	}{
		{"each value", "1 2", Session{Program: ". + 1"}, "2\n3\n", "", failure.OK, ""},
		{"slurp", "1 2", Session{Program: "add", Slurp: true}, "3\n", "", failure.OK, ""},
		{"null", "1 2", Session{Program: "[., inputs]", Null: true}, "[null,1,2]\n", "", failure.OK, ""},
		{"input", "1 2 3", Session{Program: "[., input]"}, "[1,2]\n", "the program failed on 1 value", failure.Finding, "octet: query: standard input: value 3: "},
		{"no input", "", Session{Program: "input", Null: true}, "", "the program failed on 1 value", failure.Finding, "octet: query: no more inputs\n"},
		{"another break", "1", Session{Program: "input?, error(\"break\")"}, "", "the program failed on 1 value", failure.Finding, "octet: query: standard input: value 1: error: break\n"},
		{"name", "1", Session{Program: "input_filename"}, "\"standard input\"\n", "", failure.OK, ""},
		{"halt", "1 2", Session{Program: "., halt"}, "1\n", "", failure.OK, ""},
		{"halt_error", "1 2", Session{Program: "., halt_error"}, "1\n", "the program failed on 1 value", 5, "octet: query: standard input: value 1: 1\n"},
		{"halt_error(0)", "1 2", Session{Program: `., ("bye\n" | halt_error(0))`}, "1\n", "", failure.OK, "bye\n"},
		{"halt_error(0) without a message", "1 2", Session{Program: `., ("" | halt_error(0))`}, "1\n", "", failure.OK, ""},
		{"halt_error(3)", "1 2", Session{Program: "halt_error(3)", Status: true}, "", "the program failed on 1 value", 3, "octet: query: standard input: value 1: 1\n"},
		{"halt, the last result is null", "1 2", Session{Program: "null, halt", Status: true}, "null\n", "", failure.OK, ""},
		{"halt without a result", "1 2", Session{Program: "halt", Status: true}, "", "", failure.OK, ""},
		{"halt_error(0) without a result", "1 2", Session{Program: `"bye" | halt_error(0)`, Status: true}, "", "", failure.OK, "bye\n"},
		{"halt_error(256)", "1 2", Session{Program: "halt_error(256)"}, "", "the program failed on 1 value", failure.Finding, "octet: query: standard input: value 1: 1\n"},
		{"halt_error(0) after a failure", `{} 2`, Session{Program: ". - 1, halt_error(0)"}, "1\n", "the program failed on 1 value", failure.Finding, "octet: query: standard input: value 1: "},
		{"null and slurp", "1 2", Session{Program: "., input, [inputs]", Null: true, Slurp: true}, "null\n[1,2]\n[]\n", "", failure.OK, ""},
		{"null, slurp and nothing", "", Session{Program: "[inputs]", Null: true, Slurp: true}, "[[]]\n", "", failure.OK, ""},
		{"null, slurp and text", "1\n2", Session{Program: "[inputs]", Null: true, Slurp: true, Text: true}, "[\"1\\n2\"]\n", "", failure.OK, ""},
		{"null, slurp and malformed", "1 [", Session{Program: "inputs", Null: true, Slurp: true}, "", "standard input: value 2, line 1, ", failure.Data, ""},
		{"failed", `1 "a" 2`, Session{Program: ". * 2 | . - 1"}, "1\n3\n", "the program failed on 1 value", failure.Finding, "octet: query: standard input: value 2: "},
		{"status", "1 null", Session{Program: ".", Status: true}, "1\nnull\n", "the last result is false or null", failure.Finding, ""},
		{"no result", "", Session{Program: ".", Status: true}, "", "the last result is false or null", failure.Finding, ""},
		{"malformed input", "1 [", Session{Program: "., input"}, "1\n", "standard input: value 2, line 1, ", failure.Data, ""},
		{"malformed inputs", "1 [", Session{Program: "[., inputs]"}, "", "standard input: value 2, line 1, ", failure.Data, ""},
		{"malformed null", "1 [", Session{Program: "[inputs]", Null: true}, "", "standard input: value 2, line 1, ", failure.Data, ""},
		{"duplicate", `1 {"a":1,"a":2}`, Session{Program: "[inputs]", Null: true}, "", "standard input: value 2, line 1, ", failure.Data, ""},
		{"caught", "1 [", Session{Program: "try input catch 5"}, "5\n", "", failure.OK, ""},
		{"caught, halt", "1 [", Session{Program: "(try input catch 5), halt"}, "5\n", "", failure.OK, ""},
		{"caught, other error", "1 [", Session{Program: `(try input catch 5), error("mine")`}, "5\n", "the program failed on 1 value", failure.Finding, "octet: query: standard input: value 1: error: mine"},
		{"caught, raised again", "1 [", Session{Program: "try input catch error"}, "", "standard input: value 2, line 1, ", failure.Data, ""},
		{"malformed", "1 [", Session{Program: "."}, "1\n", "standard input: value 2, line 1, ", failure.Data, ""},
	} {
		con, _, stderr := consoletest.New(c.stdin)
		if err := c.s.Open(t.Context(), &input.Files{Console: con}); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err := c.s.Run(t.Context(), &out)
		if failure.ExitOf(err) != c.code || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		if out.String() != c.out || !strings.HasPrefix(stderr.String(), c.note) || c.note == "" && stderr.Len() > 0 {
			t.Errorf("%s: %q, want %q; %s", c.name, out.String(), c.out, stderr)
		}
	}
}

// TestManyFailures requires that only the first failures are reported one by one.
func TestManyFailures(t *testing.T) {
	con, _, stderr := consoletest.New(strings.Repeat("null ", 100))
	s := Session{Program: "error(1)"}
	if err := s.Open(t.Context(), &input.Files{Console: con}); err != nil {
		t.Fatal(err)
	}
	err := s.Run(t.Context(), new(bytes.Buffer))
	if err == nil || err.Error() != "the program failed on 100 values" || strings.Count(stderr.String(), "\n") != maxReported {
		t.Errorf("%v, %s", err, stderr)
	}
}

// TestNote requires a note about values whose types the program has changed.
func TestNote(t *testing.T) {
	con, _, stderr := consoletest.New("\x91\xc4\x01a")
	s := Session{Program: ".[0]", Options: Options{MessagePack: true}}
	files := &input.Files{Console: con}
	files.Format = sniff.MessagePack
	if err := s.Open(t.Context(), files); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := s.Run(t.Context(), &out); err != nil || !strings.HasPrefix(stderr.String(), "octet: query: for the program, 1 value became text") {
		t.Errorf("% x, %v, %s", out.Bytes(), err, stderr)
	}
}

// TestParallel requires that programs which run on several values at a time have the
// results, messages and errors of those that do not, in the same order.
func TestParallel(t *testing.T) {
	var values strings.Builder
	n := 30_000
	if testing.Short() || os.Getenv("OCTET_LONG") == "" {
		n = 10_000
	}
	for i := range n {
		fmt.Fprintf(&values, "{\"n\": %d, \"text\": %q}\n", i, strings.Repeat("x", i%97))
	}
	many := values.String()
	files := func(con *console.Console) *input.Files {
		return &input.Files{Console: con, Options: input.Options{Format: sniff.JSON}}
	}
	for _, c := range []struct {
		name, stdin string
		s           Session
	}{
		{"results", many, Session{Program: ".n, .text"}},
		{"unchanged", many, Session{Program: "."}},
		{"packed", many, Session{Program: "select(.n % 3 == 0)", Options: Options{MessagePack: true}}},
		{"failures", many, Session{Program: ".n, if .n % 1000 == 700 then error else .text end"}},
		{"long results", many, Session{Program: "if .n % 10000 == 5 then range(300000) else .n end"}},
		{"malformed", many + "[1,", Session{Program: ".n"}},
		{"wrong result", many, Session{Program: "if .n == 9000 then nan else .n end"}},
		{"status", many + "null", Session{Program: ".n", Status: true}},
		{"no result", many, Session{Program: "empty", Status: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := func(s Session) (string, string, error) {
				con, _, stderr := consoletest.New(c.stdin)
				if err := s.Open(t.Context(), files(con)); err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				err := s.Run(t.Context(), &out)
				return out.String(), stderr.String(), err
			}
			parallel, inOrder := c.s, c.s
			inOrder.Program = "if 1 == 2 then input else . end | " + c.s.Program
			if !parallel.isParallel() || inOrder.isParallel() {
				t.Fatal("the programs do not differ")
			}
			got, gotNotes, gotErr := run(parallel)
			want, wantNotes, wantErr := run(inOrder)
			if got != want || gotNotes != wantNotes {
				t.Errorf("%d bytes, %q\nwant %d bytes, %q", len(got), gotNotes, len(want), wantNotes)
			}
			if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) || failure.CodeOf(gotErr) != failure.CodeOf(wantErr) {
				t.Errorf("%v, want %v", gotErr, wantErr)
			}
		})
	}
}

// TestParallelEnds requires that a session ends after an error although its input does
// not end, and after an interrupt although its program does not end.
func TestParallelEnds(t *testing.T) {
	for _, c := range []struct {
		program string
		stdin   string
		want    string
	}{
		{"nan", "1\n", "standard input: value 1: JSON cannot represent NaN or infinity: found NaN in a result"},
		{"repeat(1)", "1\n", context.Canceled.Error()},
		{".", "1\n", context.Canceled.Error()},
	} {
		in, feed := io.Pipe()
		con, _, _ := consoletest.New("")
		con.Stdin = in
		ctx, cancel := context.WithCancel(t.Context())
		s := Session{Program: c.program}
		f := &input.Files{Console: con, Options: input.Options{Format: sniff.JSON}}
		if err := s.Open(ctx, f); err != nil {
			t.Fatal(err)
		}
		go func() {
			_, _ = io.WriteString(feed, c.stdin)
			if c.program != "nan" {
				_, _ = io.WriteString(feed, c.stdin)
				cancel()
			}
		}()
		if err := s.Run(ctx, io.Discard); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.program, err, c.want)
		}
		feed.Close()
		cancel()
	}
}

func TestWrongProgram(t *testing.T) {
	con, _, _ := consoletest.New("")
	s := Session{Program: ".["}
	if err := s.Open(t.Context(), &input.Files{Console: con}); err == nil || !strings.HasPrefix(err.Error(), "line 1, column ") {
		t.Errorf("%v", err)
	}
}
