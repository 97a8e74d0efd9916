package arrayfile

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/cmd/octet/internal/arrays"
	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

func command(stdin string) (c *Command, stdout, stderr *consoletest.Buffer) {
	console, stdout, stderr := consoletest.New(stdin)
	return &Command{Console: console}, stdout, stderr
}

func file(path, format string) *File {
	return &File{Source: arrays.Source{Path: path, Format: format}}
}

// numbers returns a file of raw int64.
func numbers(path string) *File {
	return &File{Source: arrays.Source{Path: path, Format: arrays.Raw, Kind: arrays.Named("int64")}}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestConvert converts a table and looks at the result with the other commands.
func TestConvert(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "in.csv", "1,2\n3,4\n5,9\n")
	c, stdout, stderr := command("")
	if err := c.Convert(t.Context(), file("in.csv", ""), "out.npy", arrays.Output{Limit: -1}, false); err != nil {
		t.Fatal(err)
	}
	if want := "octet: array: convert: 6 elements of float64, csv → npy\n"; stderr.String() != want {
		t.Errorf("%s, want %s", stderr, want)
	}
	if err := c.Info(t.Context(), file("out.npy", ""), false); err != nil || !strings.Contains(stdout.String(), "shape     3 × 2, C order\nelements  6\nbytes     48 from offset 128\n") {
		t.Errorf("%v, %s", err, stdout)
	}
	stdout.Reset()
	if err := c.Info(t.Context(), file("out.npy", ""), true); err != nil || !strings.HasPrefix(stdout.String(), `{"format":"npy","version":"1.0","type":"float64","order":"little","shape":[3,2]`) {
		t.Errorf("%v, %s", err, stdout)
	}
	stdout.Reset()
	if err := c.Cat(t.Context(), file("out.npy", ""), arrays.Output{Format: arrays.Lines, Limit: 2}); err != nil || stdout.String() != "1\t2\n3\t4\n" {
		t.Errorf("%v, %s", err, stdout)
	}
	stdout.Reset()
	if err := c.Stats(t.Context(), file("out.npy", ""), 4, "out.svg", true); err != nil || !strings.Contains(stdout.String(), `"mean":4,`) {
		t.Errorf("%v, %s", err, stdout)
	}
	if chart, err := os.ReadFile("out.svg"); err != nil || !strings.Contains(string(chart), "<svg") {
		t.Errorf("the chart has %d bytes, %v", len(chart), err)
	}
}

// TestArchive reads arrays of a .npz file: one whose name is not a valid path, one whose type is not supported, one
// whose bytes have changed, one with more bytes than its elements, one without a name, one whose name is the one that
// is shown for that, and two of the same name.
func TestArchive(t *testing.T) {
	t.Chdir(t.TempDir())
	var npy, archive bytes.Buffer
	if err := array.Write(&npy, []int32{1, 2, 123456}, array.NPY); err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(&archive)
	for _, e := range []struct{ name, content string }{
		{"/conv//w", npy.String()},
		{"", npy.String()},
		{".npy", strings.Replace(npy.String(), "\x40\xe2\x01", "\x03\x00\x00", 1)},
		{"last", "replaced"},
		{"text", strings.Replace(npy.String(), "<i4", "<U4", 1)},
		{"last", npy.String()},
		{"long", npy.String() + "more"},
	} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: e.name + ".npy"}) // stored
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	put(t, "whole.npz", archive.String())
	put(t, "bad.npz", strings.ReplaceAll(archive.String(), "\x40\xe2\x01", "\x41\xe2\x01"))
	for _, f := range []struct{ path, entry, want, text string }{
		{"whole.npz", "/conv//w", "1\n2\n123456\n", ""},
		{"whole.npz", "conv/w", "", "no array \"conv/w\""},
		{"whole.npz", ".npy", "1\n2\n123456\n", ""},
		{"whole.npz", ".npy.npy", "1\n2\n3\n", ""},
		{"whole.npz", "", "", "the file has 6 arrays; use --name with one of: /conv//w, .npy, .npy.npy, last, text, long"},
		{"whole.npz", "last", "1\n2\n123456\n", ""},
		{"bad.npz", "last", "", "bad.npz: zip: checksum error"},
		{"whole.npz", "long", "", "more bytes follow"},
		{"whole.npz", "text", "", "not supported"},
	} {
		c, stdout, _ := command("")
		in := file(f.path, "")
		in.Entry = f.entry
		err := c.Cat(t.Context(), in, arrays.Output{Format: arrays.Lines, Limit: -1})
		if f.text != "" && (err == nil || !strings.Contains(err.Error(), f.text)) || f.text == "" && (err != nil || stdout.String() != f.want) {
			t.Errorf("%s of %s: %q, %v, want %q, %s", f.entry, f.path, stdout, err, f.want, f.text)
		}
	}
	c, stdout, _ := command("")
	err := c.Info(t.Context(), file("whole.npz", ""), true)
	if n := strings.Count(stdout.String(), "\n"); n != 5 || !strings.Contains(stdout.String(), `"name":".npy"`) || failure.CodeOf(err) != failure.Data || !strings.Contains(err.Error(), "whole.npz: array text: offset 20: not supported") {
		t.Errorf("%d descriptions, %v", n, err)
	}
}

// TestUnreadableArrays requires an error for each array of a .npz file that cannot be read.
func TestUnreadableArrays(t *testing.T) {
	t.Chdir(t.TempDir())
	var npy, archive bytes.Buffer
	if err := array.Write(&npy, []int32{1, 2, 3}, array.NPY); err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(&archive)
	for _, name := range []string{"cut", "good", "text", "empty"} {
		w, err := z.Create(name + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		switch content := npy.Bytes(); name {
		case "cut":
			w.Write(content[:20])
		case "good":
			w.Write(content)
		case "text":
			w.Write(bytes.Replace(content, []byte("<i4"), []byte("<U1"), 1))
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	put(t, "a.npz", archive.String())
	c, stdout, stderr := command("")
	err := c.Info(t.Context(), file("a.npz", ""), false)
	if failure.CodeOf(err) != failure.Data || !strings.HasPrefix(err.Error(), "a.npz: array empty: ") || strings.Count(stdout.String(), "name ") != 1 {
		t.Errorf("%v, %s", err, stdout)
	}
	if lines := strings.Split(stderr.String(), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[0], "octet: array: info: a.npz: array cut: ") || !strings.HasPrefix(lines[1], "octet: array: info: a.npz: array text: ") {
		t.Errorf("%q", lines)
	}
}

// TestRest requires a note about bytes after the array of a .npy file, such as a second array, which numpy does not read either.
func TestRest(t *testing.T) {
	t.Chdir(t.TempDir())
	var npy bytes.Buffer
	if err := array.Write(&npy, []int32{1, 2, 3}, array.NPY); err != nil {
		t.Fatal(err)
	}
	put(t, "whole.npy", npy.String())
	put(t, "twice.npy", npy.String()+npy.String())
	put(t, "fortran.npy", strings.Replace(strings.Replace(npy.String(), "False, 'shape': (3,), }  ", "True, 'shape': (3,1), }  ", 1), "(3,1)", "(1,3)", 1)+"\n")
	for name, want := range map[string]string{
		"whole.npy": "", "twice.npy": "octet: twice.npy: ignored 140 bytes after the array\n", "fortran.npy": "octet: fortran.npy: ignored 1 byte after the array\n",
	} {
		for what, run := range map[string]func(*Command, *File) error{
			"info": func(c *Command, f *File) error { return c.Info(t.Context(), f, false) },
			"cat": func(c *Command, f *File) error {
				return c.Cat(t.Context(), f, arrays.Output{Format: arrays.Lines, Limit: -1})
			},
			"stats": func(c *Command, f *File) error { return c.Stats(t.Context(), f, 4, "", true) },
			"convert": func(c *Command, f *File) error {
				return c.Convert(t.Context(), f, "out.csv", arrays.Output{Limit: -1}, false)
			},
			"diff": func(c *Command, f *File) error {
				return c.Diff(t.Context(), f, file("whole.npy", ""), 10, 0)
			},
		} {
			c, _, stderr := command("")
			c.Quiet = true
			if err := run(c, file(name, "")); stderr.String() != want {
				t.Errorf("%s of %s: %v, %q, want %q", what, name, err, stderr, want)
			}
		}
	}
}

// TestErrors checks the code and text of errors, and that no output is left.
func TestErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "bad.csv", "1,x\n")
	put(t, "odd.raw", "12345")
	put(t, "short.npy", "\x93NUMPY\x01\x00")
	put(t, "no.npz", "PK")
	put(t, "data", "\x01\x02")
	convert := func(path, format, to string) func(*Command) error {
		return func(c *Command) error {
			return c.Convert(t.Context(), file(path, format), to, arrays.Output{Limit: -1}, false)
		}
	}
	for name, f := range map[string]struct {
		run  func(*Command) error
		code failure.Code
		text string
	}{
		"no name":         {convert("", "", "out.npy"), failure.Usage, "the file name is empty"},
		"no output":       {convert("bad.csv", "", ""), failure.Usage, "the file name is empty"},
		"unknown output":  {convert("bad.csv", "", "out"), failure.Usage, "use --to"},
		"npz output":      {convert("bad.csv", "", "out.npz"), failure.Usage, "choose .npy"},
		"not a number":    {convert("bad.csv", "", "out.npy"), failure.Data, "bad.csv: "},
		"no file":         {convert("none.csv", "", "out.npy"), failure.Access, "none.csv: "},
		"header cut":      {convert("short.npy", "", "out.csv"), failure.Data, "short.npy: "},
		"not a zip file":  {convert("no.npz", "", "out.csv"), failure.Data, "no.npz: malformed zip file"},
		"half an element": {func(c *Command) error { return c.Info(t.Context(), numbers("odd.raw"), false) }, failure.Data, "the length of 5 bytes is not a multiple of 8"},
		"info of csv":     {func(c *Command) error { return c.Info(t.Context(), file("bad.csv", ""), false) }, failure.Usage, "has no header"},
		"info of a pipe":  {func(c *Command) error { return c.Info(t.Context(), numbers("-"), false) }, failure.Usage, "needs a file"},
		"chart": {func(c *Command) error { return c.Stats(t.Context(), file("odd.raw", ""), 4, "out.gif", false) },
			failure.Usage, "--chart must name a file"},
	} {
		c, _, _ := command("")
		if err := f.run(c); failure.CodeOf(err) != f.code || !strings.Contains(err.Error(), f.text) {
			t.Errorf("%s: code %d, %v, want %d, %s", name, failure.CodeOf(err), err, f.code, f.text)
		}
	}
	if list, _ := os.ReadDir("."); len(list) != 5 {
		t.Errorf("%d files, want 5", len(list))
	}
}

// full is standard output on a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

// TestFull requires that an error of the output names the output.
func TestFull(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "in.csv", "1\n2\n")
	for name, run := range map[string]func(c *Command) error{
		"cat": func(c *Command) error {
			return c.Cat(t.Context(), file("in.csv", ""), arrays.Output{Format: arrays.Lines, Limit: -1})
		},
		"convert": func(c *Command) error {
			return c.Convert(t.Context(), file("in.csv", ""), "-", arrays.Output{Format: arrays.JSON, Limit: -1}, false)
		},
	} {
		c, _, _ := command("")
		c.Stdout = full{}
		if err := run(c); failure.CodeOf(err) != failure.Access || err.Error() != "standard output: full" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestInterrupted requires that the file is unchanged after Ctrl-C.
func TestInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "out.npy", "old")
	in, feed := io.Pipe()
	defer feed.Close()
	c, _, _ := command("")
	c.Stdin = in
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = io.WriteString(feed, strings.Repeat("1,2\n", 100_000))
		cancel()
	}()
	err := c.Convert(ctx, file("-", arrays.CSV), "out.npy", arrays.Output{Limit: -1}, false)
	if failure.CodeOf(err) != failure.Interrupted || !strings.HasPrefix(err.Error(), "interrupted after ") || !strings.HasSuffix(err.Error(), "; nothing was written to out.npy") {
		t.Errorf("%v", err)
	}
	if text, err := os.ReadFile("out.npy"); err != nil || string(text) != "old" {
		t.Errorf("the file has %q, %v", text, err)
	}
}

func TestDiff(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.csv", "1,2\n3,4\n")
	put(t, "b.json", "[[1,2.5],[3,9]]")
	c, stdout, _ := command("")
	if err := c.Diff(t.Context(), file("a.csv", ""), file("a.csv", ""), -1, 0); err != nil || stdout.Len() > 0 {
		t.Errorf("equal files: %v, %s", err, stdout)
	}
	err := c.Diff(t.Context(), file("a.csv", ""), file("b.json", ""), -1, 0)
	if failure.CodeOf(err) != failure.Finding || err.Error() != "a.csv and b.json: 2 differences of 4 elements, the largest 5" || stdout.String() != "[0,1]\t2\t2.5\n[1,1]\t4\t9\n" {
		t.Errorf("%v, %s", err, stdout)
	}
	stdout.Reset()
	if err := c.Diff(t.Context(), file("a.csv", ""), file("b.json", ""), 0, 1); err == nil || stdout.Len() > 0 {
		t.Errorf("a limit of 0: %v, %s", err, stdout)
	}
	if err := c.Diff(t.Context(), file("a.csv", ""), file("none.csv", ""), -1, 0); failure.CodeOf(err) != failure.Access || !strings.HasPrefix(err.Error(), "none.csv: ") {
		t.Errorf("no second file: %v", err)
	}
}

func TestSummary(t *testing.T) {
	for _, c := range []struct {
		d    arrays.Difference
		want string
	}{
		{arrays.Difference{What: "the types differ"}, "the types differ"},
		{arrays.Difference{Count: 1, Compared: 1200, Largest: math.NaN()}, "1 difference of 1,200 elements"},
		{arrays.Difference{Count: 2, Compared: 3, Largest: 0.125, What: "the shapes differ"}, "2 differences of 3 elements, the largest 0.125; the shapes differ"},
	} {
		if got := summary(&c.d); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
