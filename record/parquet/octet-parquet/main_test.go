package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/record"
	parquetgo "github.com/parquet-go/parquet-go"
)

type click struct {
	User string    `msgpack:"user"`
	At   time.Time `msgpack:"at"`
}

// start runs the command in a folder with some inputs, and returns its exit code and what
// it printed.
func start(t *testing.T, dir string, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	t.Chdir(dir)
	in, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := in.WriteString(stdin); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Seek(0, 0); err != nil {
		t.Fatal(err)
	}
	printed, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer printed.Close()
	var stderr bytes.Buffer
	code = run(t.Context(), args, in, printed, &stderr)
	text, err := os.ReadFile(printed.Name())
	if err != nil {
		t.Fatal(err)
	}
	return code, string(text), stderr.String()
}

func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	s, err := schema.Of[click](nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := record.Create(filepath.Join(dir, "a.rec"), &record.Options{Schema: s})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := w.Write(&click{"ada", time.Unix(5, 0)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "a.rec"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a.ndjson":    "{\"a\":1}\n{\"a\":2}",
		"b.ndjson":    "{\"a\":\"x\"}",
		"-a.ndjson":   "{\"a\":1}",
		"-b.ndjson":   "{\"a\":2}",
		"c.ndjson":    "{\"user\":1}",
		"bad.ndjson":  "{\"a\":",
		"bad2.ndjson": "{\"a\":3}\n{\"a\"}\n",
		"a.msgpack":   "\x81\xa1a\x01",
		"cut.msgpack": "\x81\xa1a",
		"c1.msgpack":  "\x81\xa1a\x01\xc1",
		"dup.msgpack": "\x82\xa1a\x01\xa1a\x02",
		"a.gz":        "\x1f\x8b\x08\x00\x00\x00",
		"click.json":  s.String(),
		"old.parquet": "old",
		"torn.rec":    string(data[:12]), // shorter than what tells the format
		"damaged.rec": string(append(data[:len(data)/4], data[len(data)/4+1:]...)),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func rows(t *testing.T, data []byte) int64 {
	t.Helper()
	f, err := parquetgo.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return f.NumRows()
}

func TestCommand(t *testing.T) {
	dir := folder(t)
	_, err := os.Lstat("none.rec")
	missing := errors.Unwrap(err) // in the words of the system
	for _, c := range []struct {
		args, stdin string
		code        int
		rows        int64  // of the output; 0: the old file is unchanged
		errs        string // is printed
	}{
		{args: "a.rec -o old.parquet", rows: 3, errs: "wrote 3 rows of 2 columns"},
		{args: "-o old.parquet a.rec a.rec --compression zstd", rows: 6},
		{args: "a.ndjson -o old.parquet --quiet", rows: 2},
		{args: "a.ndjson b.ndjson -o old.parquet", rows: 3, errs: "JSON, because the values have no common type: a"},
		{args: "a.msgpack -o old.parquet", rows: 1},
		{args: "-o old.parquet --quiet -- -a.ndjson -b.ndjson", rows: 2},
		{args: "- -o old.parquet", stdin: "{\"a\":1}\n", rows: 1},
		{args: "--lossy --schema click.json c.ndjson -o old.parquet", rows: 1, errs: "user: int does not fit str: 1 value, first in record 0"},
		{args: "--schema click.json c.ndjson -o old.parquet", code: 4, errs: "1 value fits no column; --lossy"},
		{args: "bad.ndjson -o old.parquet", code: 4, errs: "bad.ndjson: "},
		{args: "cut.msgpack -o old.parquet", code: 4, errs: "octet-parquet: cut.msgpack: parquet: record at offset 0: msgpack: truncated input\n"},
		{args: "a.msgpack a.msgpack cut.msgpack -o old.parquet", code: 4, errs: "octet-parquet: cut.msgpack: parquet: record at offset 0: "},
		{args: "a.msgpack cut.msgpack a.msgpack -o old.parquet", code: 4, errs: "octet-parquet: cut.msgpack: parquet: record at offset 0: msgpack: truncated input\n"},
		{args: "a.msgpack c1.msgpack a.msgpack -o old.parquet", code: 4, errs: "octet-parquet: c1.msgpack: parquet: record at offset 4: at byte 0 of it: "},
		{args: "dup.msgpack -o old.parquet", code: 4, errs: "1 value fits no column; --lossy"},
		{args: "a.rec torn.rec -o old.parquet", rows: 3, errs: "12 bytes at the end of torn.rec are not a whole block"},
		{args: "a.ndjson b.ndjson bad.ndjson -o old.parquet", code: 4, errs: "octet-parquet: bad.ndjson: transcode: value 3, offset 5 (line 1, column 6), at .a: truncated input"},
		{args: "a.ndjson bad2.ndjson a.ndjson -o old.parquet", code: 4, errs: "octet-parquet: bad2.ndjson: transcode: value 3, offset 12 (line 2, column 5), at .a: invalid"},
		{args: "damaged.rec -o old.parquet", code: 4, errs: "damaged.rec"},
		{args: "a.gz -o old.parquet", code: 2, errs: "decompress it first"},
		{args: "none.rec -o old.parquet", code: 3, errs: "octet-parquet: none.rec: " + missing.Error() + "\n"},
		{args: "a.rec -o none/x.parquet", code: 3, errs: "octet-parquet: none/x.parquet: "},
		{args: "a.rec a.ndjson -o old.parquet", code: 2, errs: "a.ndjson is json, but the files before it are record"},
		{args: "--schema= a.ndjson -o old.parquet", code: 2, errs: "octet-parquet: --schema: the file name is empty\n"},
		{args: "a.rec", code: 2, errs: "the flag -o is missing"},
		{args: "--from json a.ndjson ./old.parquet -o old.parquet", code: 3, errs: "the output old.parquet is also an input; write to another file"},
		{args: "-o old.parquet", code: 2, errs: "no input"},
		{args: "a.rec -o old.parquet --what", code: 2, errs: "-what"},
		{args: "a.rec -o old.parquet --compression lzo", code: 2, errs: "lzo"},
		{args: "a.rec -o old.parquet --from xml", code: 2, errs: "xml"},
		{args: "a.rec -o old.parquet --infer --schema click.json", code: 2, errs: "together"},
		{args: "a.rec -o old.parquet --row-group 1", code: 2, errs: "--row-group"},
		{args: "--schema a.ndjson c.ndjson -o old.parquet", code: 4, errs: "a.ndjson: schema: "},
	} {
		t.Run(c.args, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, "old.parquet"), []byte("old"), 0o666); err != nil {
				t.Fatal(err)
			}
			code, _, errs := start(t, dir, c.stdin, strings.Fields(c.args)...)
			if code != c.code || !strings.Contains(errs, c.errs) || strings.Contains(c.args, "quiet") && errs != "" {
				t.Errorf("code %d, %q; want %d, %q", code, errs, c.code, c.errs)
			}
			data, err := os.ReadFile(filepath.Join(dir, "old.parquet"))
			if err != nil {
				t.Fatal(err)
			}
			if c.rows == 0 && string(data) != "old" {
				t.Error("the old file was changed")
			} else if c.rows > 0 && rows(t, data) != c.rows {
				t.Errorf("%d rows, want %d", rows(t, data), c.rows)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, ".*.tmp")); len(left) > 0 {
				t.Error("left behind:", left)
			}
		})
	}
}

func TestStandardOutput(t *testing.T) {
	for _, name := range []string{"-", "/dev/stdout"} {
		code, out, errs := start(t, folder(t), "", "a.rec", "-o", name, "--quiet")
		if code != 0 || errs != "" || rows(t, []byte(out)) != 3 {
			t.Error(name, code, errs)
		}
	}
}

// TestOutputToo requires that standard output is not a file that is also read. A file with the name - is another one.
func TestOutputToo(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("-", []byte("{\"a\":1}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	same, err := os.OpenFile("-", os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer same.Close()
	other, err := os.Create("other")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for stdout, want := range map[*os.File]int{same: exitAccess, other: 0} {
		var stderr bytes.Buffer
		code := run(t.Context(), []string{"--from", "json", "./-", "-o", "-"}, same, stdout, &stderr)
		if code != want || strings.Contains(stderr.String(), "also an input") != (want != 0) {
			t.Errorf("%s: code %d, want %d: %s", stdout.Name(), code, want, &stderr)
		}
	}
}

func TestHelp(t *testing.T) {
	code, out, _ := start(t, t.TempDir(), "", "--help")
	if code != 0 || !strings.Contains(out, "octet-parquet clicks.rec -o clicks.parquet") || !strings.Contains(out, "-row-group") {
		t.Error(code, out)
	}
	for line := range strings.Lines(out) {
		if n := utf8.RuneCountInString(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "    \t", "        ")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// TestPipe reads a named pipe, as the shell passes one for <(command), and another after a file.
func TestPipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no named pipes")
	}
	dir := folder(t)
	if out, err := exec.Command("mkfifo", filepath.Join(dir, "pipe")).CombinedOutput(); err != nil {
		t.Skip(err, string(out))
	}
	go func() { _ = os.WriteFile(filepath.Join(dir, "pipe"), []byte(`{"a":3}{"a":4}`), 0) }()
	code, _, errs := start(t, dir, "", "a.ndjson", "pipe", "-o", "x.parquet")
	if data, err := os.ReadFile("x.parquet"); code != 0 || err != nil || rows(t, data) != 4 {
		t.Error(code, errs, err)
	}
}

// TestWriteError requires that an error of writing names the output as the user does, and not a temporary file.
func TestWriteError(t *testing.T) {
	t.Chdir(t.TempDir())
	stdout, err := os.Create("stdout")
	if err != nil {
		t.Fatal(err)
	}
	stdout.Close()
	for name, want := range map[string]string{"a.parquet": "a.parquet", "-": "standard output"} {
		out, err := create(t.Context(), name, stdout)
		if err != nil {
			t.Fatal(err)
		}
		out.Discard() // closes the temporary file
		_, err = out.Write([]byte("x"))
		if access, ok := errors.AsType[*fs.PathError](err); !ok || access.Path != want || out.err != err {
			t.Errorf("%s: %v, %v, want the path %s", name, err, out.err, want)
		}
	}
}

// TestFull requires an error if the help or the version cannot be printed.
func TestFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, flag := range []string{"--help", "--version"} {
		var stderr bytes.Buffer
		if code := run(t.Context(), []string{flag}, nil, full, &stderr); code != exitAccess || !strings.Contains(stderr.String(), "standard output") {
			t.Error(flag, code, stderr.String())
		}
	}
}

// TestClosedPipe requires no message if the program that reads standard output has ended, as head does.
func TestClosedPipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("writing to a closed pipe has another error")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r.Close()
	t.Chdir(folder(t))
	for _, args := range [][]string{{"a.ndjson", "-o", "-"}, {"--help"}, {"--version"}} {
		var stderr bytes.Buffer
		if code := run(t.Context(), args, nil, w, &stderr); code != 0 || stderr.Len() > 0 {
			t.Error(args, code, stderr.String())
		}
	}
}

func TestVersion(t *testing.T) {
	if code, out, _ := start(t, t.TempDir(), "", "--version"); code != 0 || !strings.HasPrefix(out, "octet-parquet (devel) (") {
		t.Error(code, out)
	}
}

// TestInterrupted requires the old file after a signal.
func TestInterrupted(t *testing.T) {
	t.Chdir(folder(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stderr bytes.Buffer
	if code := run(ctx, []string{"a.ndjson", "-o", "old.parquet"}, os.Stdin, os.Stdout, &stderr); code != exitInterrupted {
		t.Error(code, stderr.String())
	}
	if data, err := os.ReadFile("old.parquet"); err != nil || string(data) != "old" {
		t.Errorf("%q, %v", data, err)
	}
	if left, _ := filepath.Glob(".*.tmp"); len(left) > 0 {
		t.Error("left behind:", left)
	}
}

// TestInterruptedSchema requires that a signal ends the command while the schema is a named pipe without a writer.
func TestInterruptedSchema(t *testing.T) {
	t.Chdir(folder(t))
	if out, err := exec.Command("mkfifo", "pipe").CombinedOutput(); err != nil {
		t.Skip(err, string(out))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stderr bytes.Buffer
	if code := run(ctx, []string{"a.ndjson", "--schema", "pipe", "-o", "old.parquet"}, os.Stdin, os.Stdout, &stderr); code != exitInterrupted {
		t.Error(code, stderr.String())
	}
	if f, err := os.OpenFile("pipe", os.O_RDWR, 0); err == nil { // for the goroutine that still waits
		f.Close()
	}
}

// TestInterruptedReading requires that a signal also ends the command while it waits for
// standard input, and that no file is left.
func TestInterruptedReading(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	var stderr bytes.Buffer
	code := make(chan int)
	go func() { code <- run(ctx, []string{"-", "-o", "-"}, r, os.Stdout, &stderr) }()
	if _, err := w.Write(make([]byte, 1<<20)); err != nil { // more than a pipe holds, so the command reads
		t.Fatal(err)
	}
	cancel()
	if got := <-code; got != exitInterrupted || stderr.String() != "octet-parquet: interrupted\n" {
		t.Error(got, stderr.String())
	}
	if left, err := os.ReadDir(os.TempDir()); runtime.GOOS != "windows" && (err != nil || len(left) > 0) { // where an open file stays
		t.Error(left, err)
	}
}

// TestInterruptedCommit requires the old file after a signal that arrives before it is replaced.
func TestInterruptedCommit(t *testing.T) {
	t.Chdir(folder(t))
	before, err := os.ReadFile("old.parquet")
	if err != nil {
		t.Fatal(err)
	}
	out, err := create(t.Context(), "old.parquet", nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := out.Commit(ctx); err != context.Canceled {
		t.Error(err)
	}
	out.Discard()
	if after, err := os.ReadFile("old.parquet"); err != nil || !bytes.Equal(after, before) {
		t.Error("the file has changed", err)
	}
	if left, err := filepath.Glob(".old.parquet.*"); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}

// TestReplace requires that the output keeps the permissions of the file that it replaces,
// and that links stay links.
func TestReplace(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permissions")
	}
	t.Chdir(folder(t))
	for link, target := range map[string]string{"link": "old.parquet", "dangling": "new.parquet"} {
		if err := os.Symlink(target, link); err != nil {
			t.Skip(err)
		}
	}
	for _, mode := range []os.FileMode{0o666, 0o600, 0o640} {
		if err := os.Chmod("old.parquet", mode); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"old.parquet", "link", "dangling"} {
			var stderr bytes.Buffer
			if code := run(t.Context(), []string{"a.ndjson", "-o", name}, nil, nil, &stderr); code != 0 {
				t.Fatal(code, stderr.String())
			}
		}
		if info, err := os.Stat("old.parquet"); err != nil || info.Mode() != mode {
			t.Errorf("%v, %v; want %v", info.Mode(), err, mode)
		}
	}
	for _, name := range []string{"link", "dangling"} {
		info, err := os.Lstat(name)
		if err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is %v, %v", name, info.Mode(), err)
		}
		if data, err := os.ReadFile(name); err != nil || rows(t, data) != 2 {
			t.Error(name, err)
		}
	}
	if os.Getuid() == 0 {
		return // may write every file
	}
	if err := os.Chmod("old.parquet", 0o444); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	if code := run(t.Context(), []string{"a.ndjson", "-o", "old.parquet"}, nil, nil, &stderr); code != exitAccess {
		t.Error(code, stderr.String())
	}
}

func TestProgress(t *testing.T) {
	for _, c := range []struct {
		read, length int64
		once         bool
		want         string
	}{
		{0, 0, true, "100 % of 0 bytes"},
		{5e8, 1e9, false, "50 % of 1.0 GB"},
		{15e8, 1e9, false, "second pass, 50 % of 1.0 GB"},
		{15e5, 1e6, true, "100 % of 1.0 MB"},
	} {
		if got := progress(c.read, c.length, c.once); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// TestLongName writes a file whose name is as long as the file system allows.
func TestLongName(t *testing.T) {
	dir := folder(t)
	name := strings.Repeat("n", 255)
	if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
		t.Skip(err)
	}
	if code, _, errs := start(t, dir, "", "a.rec", "-o", name); code != 0 {
		t.Error(code, errs)
	}
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil || rows(t, data) != 3 {
		t.Error(err)
	}
}
