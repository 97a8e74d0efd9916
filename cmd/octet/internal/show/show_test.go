package show

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/layout/formats"
)

func setup(stdin string, paths ...string) (files *input.Files, stdout *consoletest.Buffer) {
	c, stdout, _ := consoletest.New(stdin)
	return &input.Files{Console: c, Paths: paths}, stdout
}

// options returns the options of a run without flags.
func options() *Options {
	return &Options{Depth: -1, Limit: -1, Palette: console.NewPalette(false), Faults: console.NewPalette(false)}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestInterruptedAfter cancels the context while an input that never ends is shown, and requires
// that the error says how far it was read.
func TestInterruptedAfter(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	files, _ := setup("", "-")
	in := &endless{limit: 1 << 20, reached: cancel}
	files.Console.Stdin, files.Console.Stdout = in, io.Discard
	if err := options().Values(ctx, files); failure.CodeOf(err) != failure.Interrupted || !strings.HasPrefix(err.Error(), "interrupted after 1.") {
		t.Errorf("%v", err)
	}
}

// endless is a reader of the same value again and again. It calls reached after the limit, and
// then gives no more.
type endless struct {
	n, limit int
	reached  func()
}

func (e *endless) Read(b []byte) (int, error) {
	if e.n >= e.limit {
		e.reached()
		select {}
	}
	b = b[:len(b)/2*2]
	copy(b, bytes.Repeat([]byte("\xa1a"), len(b)/2))
	e.n += len(b)
	return len(b), nil
}

func TestValues(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.msgpack", "\x82\xa1a\x05\xa1b\xa1\xff")
	put(t, "b.msgpack", "\x07\xa1\xfe")
	put(t, "c.msgpack", "\x81\xa1a\x05")
	put(t, "bad.msgpack", "\x92\x01\xc1")
	for _, c := range []struct {
		name, files string
		set         func(*Options)
		shown       string // a part of the output
		hidden      string
		want        string // the error
		code        failure.Code
	}{
		{"one file", "c.msgpack", func(o *Options) { o.Path = "a" }, "fixint", "c.msgpack", "", failure.OK},
		{"finding", "a.msgpack", func(*Options) {}, "fixmap", "a.msgpack", "a.msgpack: ", failure.Finding},
		{"two files", "a.msgpack b.msgpack", func(*Options) {}, "\n\nb.msgpack\n", "", "2 findings, the first: a.msgpack: ", failure.Finding},
		{"objects", "a.msgpack b.msgpack", func(o *Options) { o.JSON = true }, `"file":"b.msgpack"`, "\n\n", "2 findings", failure.Finding},
		{"offset", "b.msgpack", func(o *Options) { o.Offset = 1 }, "fixstr", "fixint", "b.msgpack: ", failure.Finding},
		{"past the end", "b.msgpack", func(o *Options) { o.Offset = 9 }, "", "fixint", "--offset 9 is at or past the end of b.msgpack, which has 3 bytes", failure.Usage},
		{"no value", "b.msgpack", func(o *Options) { o.Path = "x" }, "", "fixint", "no value at x", failure.Finding},
		{"many values", "b.msgpack", func(o *Options) { o.Path = "[]" }, "", "fixint", "--path: [] selects many values", failure.Usage},
		{"malformed", "bad.msgpack", func(*Options) {}, "fixarray", "", "bad.msgpack: offset 2", failure.Data},
	} {
		files, stdout := setup("", strings.Fields(c.files)...)
		o := options()
		c.set(o)
		err := o.Values(t.Context(), files)
		if failure.CodeOf(err) != c.code || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: code %d, %v, want %d, %s", c.name, failure.CodeOf(err), err, c.code, c.want)
		}
		if !strings.Contains(stdout.String(), c.shown) || c.hidden != "" && strings.Contains(stdout.String(), c.hidden) {
			t.Errorf("%s: output\n%s", c.name, stdout)
		}
		var f *failure.Error
		if c.name == "malformed" && (!errors.As(err, &f) || !strings.Contains(f.Detail, "c1")) {
			t.Errorf("%s: the bytes are not shown: %+v", c.name, f)
		}
	}
}

func TestMessages(t *testing.T) {
	t.Chdir(t.TempDir())
	png, ok := formats.Lookup("png")
	if !ok {
		t.Fatal("no format png")
	}
	put(t, "text", "no image")
	files, stdout := setup("", "text")
	err := options().Messages(t.Context(), files, png)
	var f *failure.Error
	if !errors.As(err, &f) || f.Code != failure.Data || f.Subject != "text" || strings.Contains(f.Error(), "layout: ") || !strings.Contains(f.Detail, "--layout list") || stdout.Len() > 0 {
		t.Errorf("%v, %+v, %s", err, f, stdout)
	}
	var list bytes.Buffer
	if err := Layouts(&list); err != nil || !strings.Contains(list.String(), "\npng      ") || strings.Count(list.String(), "\n") != len(formats.Names()) {
		t.Errorf("%v, %s", err, &list)
	}
}

// TestLargeMessages requires that a file that is too large is not read.
func TestLargeMessages(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "large", "\x89PNG")
	if err := os.Truncate("large", 1<<40); err != nil {
		t.Skipf("skipped: the file system has no large files with holes: %v", err)
	}
	png, _ := formats.Lookup("png")
	files, _ := setup("", "large")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := options().Messages(t.Context(), files, png)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; err == nil || !strings.Contains(err.Error(), "more than 1 GiB") || n > maxMessages/2 {
		t.Errorf("%v after the allocation of %d bytes", err, n)
	}
}

// full is a stream that fails.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestFull(t *testing.T) {
	files, _ := setup("\x01")
	files.Console.Stdout = full{}
	if err := options().Values(t.Context(), files); failure.CodeOf(err) != failure.Access || err.Error() != "standard output: full" {
		t.Errorf("%v", err)
	}
	if err := Layouts(full{}); failure.CodeOf(err) != failure.Access || err.Error() != "standard output: full" {
		t.Errorf("%v", err)
	}
}

// TestInterrupted requires that Ctrl-C ends a command that waits for its input.
func TestInterrupted(t *testing.T) {
	in, feed := io.Pipe()
	defer feed.Close()
	files, _ := setup("")
	files.Console.Stdin = in
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = feed.Write([]byte{0x92, 1})
		cancel()
	}()
	if err := options().Values(ctx, files); !errors.Is(err, failure.ErrInterrupted) {
		t.Errorf("%v", err)
	}
}

// TestPager requires that the output goes through the pager, unless that is switched
// off.
func TestPager(t *testing.T) {
	if _, err := exec.LookPath("sed"); err != nil {
		t.Skip("sed is not installed")
	}
	for _, off := range []bool{false, true} {
		files, stdout := setup("\x01", "-")
		files.Console.IsTerminal = func(stream any) bool { return stream == stdout }
		files.Console.LookupEnv = func(name string) (string, bool) { return "sed s/^/page:/", name == "PAGER" }
		o := options()
		o.NoPager = off
		if err := o.Values(t.Context(), files); err != nil || strings.HasPrefix(stdout.String(), "page:") == off {
			t.Errorf("off %v: %v, %s", off, err, stdout)
		}
	}
}
