package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/msgpack/schema"
	records "github.com/octet-go/octet/record"
)

// runOctet runs a command line.
func runOctet(t *testing.T, ctx context.Context, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	c, out, errs := consoletest.New("")
	code = run(ctx, args, c)
	return out.String(), errs.String(), code
}

// numbers writes the numbers below n to a record file.
func numbers(t *testing.T, path string, n int) {
	t.Helper()
	w, err := records.Create(path, &records.Options{BlockSize: 1 << 10})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := w.Write(i); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// readNumbers requires that the files have the numbers from first on.
func readNumbers(t *testing.T, first int, paths ...string) (next int) {
	t.Helper()
	for _, path := range paths {
		f, err := records.Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for v, err := range records.All[int](f) {
			if err != nil || v != first {
				t.Fatalf("%s: %d, %v, want %d", path, v, err, first)
			}
			first++
		}
	}
	return first
}

func TestRecordRotation(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.rec"), filepath.Join(dir, "out.rec")
	numbers(t, in, 3000)
	if _, stderr, code := runOctet(t, t.Context(), "record", "cat", in, "-o", out, "--rotate", "2kB"); code != 0 || !strings.Contains(stderr, "3,000 records") {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	paths := []string{out}
	for i := range 4 {
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("out-%d.rec", i+1)))
	}
	if n := readNumbers(t, 0, paths...); n != 3000 {
		t.Errorf("%d numbers", n)
	}
	info, err := os.Stat(paths[1])
	if err != nil || info.Size() < 2000 || info.Size() > 3000 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestRecordSplit(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.rec")
	numbers(t, in, 5000)
	if _, stderr, code := runOctet(t, t.Context(), "record", "split", in, "-n", "4"); code != 0 {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	var paths []string
	for i := range 4 {
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("in-%d.rec", i+1)))
	}
	if n := readNumbers(t, 0, paths...); n != 5000 {
		t.Errorf("%d numbers", n)
	}
	if _, stderr, code := runOctet(t, t.Context(), append([]string{"record", "merge", "-q", "-o", filepath.Join(dir, "all.rec")}, paths...)...); code != 0 {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	if n := readNumbers(t, 0, filepath.Join(dir, "all.rec")); n != 5000 {
		t.Errorf("%d numbers", n)
	}
}

// TestRecordDamage runs the commands on torn and damaged files.
func TestRecordDamage(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.rec"), filepath.Join(dir, "out.rec")
	numbers(t, in, 3000)
	file, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in, file[:5000], 0o666); err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, code := runOctet(t, t.Context(), "record", "verify", in); code != 1 || !strings.Contains(stdout, "torn") {
		t.Errorf("torn: exit %d, %s%s", code, stdout, stderr)
	}
	if stdout, _, code := runOctet(t, t.Context(), "record", "info", in); code != 0 || !strings.Contains(stdout, "torn") {
		t.Errorf("torn: exit %d, %s", code, stdout)
	}
	if _, stderr, code := runOctet(t, t.Context(), "record", "cat", in); code != 0 || !strings.Contains(stderr, "not a whole block") {
		t.Errorf("torn: exit %d, %s", code, stderr)
	}
	file[3000] ^= 1
	if err := os.WriteFile(in, file, 0o666); err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, code := runOctet(t, t.Context(), "record", "verify", in); code != 4 || !strings.Contains(stdout, "1 damaged place") {
		t.Errorf("damaged: exit %d, %s%s", code, stdout, stderr)
	}
	for _, args := range [][]string{{"record", "cat", in}, {"record", "merge", in, "-o", filepath.Join(dir, "m.rec")}} {
		if _, stderr, code := runOctet(t, t.Context(), args...); code != 4 || !strings.Contains(stderr, "checksum") {
			t.Errorf("%v: exit %d, %s", args, code, stderr)
		}
	}
	if stdout, stderr, code := runOctet(t, t.Context(), "record", "recover", in, "-o", out); code != 0 || !strings.Contains(stdout, "records lost") {
		t.Errorf("recover: exit %d, %s%s", code, stdout, stderr)
	}
	if stdout, stderr, code := runOctet(t, t.Context(), "record", "verify", out); code != 0 {
		t.Errorf("exit %d, %s%s", code, stdout, stderr)
	}
}

func TestRecordIndex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	numbers(t, path, 3000)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := records.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	var end int64
	for b, err := range f.Blocks(f.Range()) {
		if err != nil {
			t.Fatal(err)
		}
		end = b.Offset + 53 + int64(b.Stored)
	}
	f.Close()
	if err := os.Truncate(path, end); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := runOctet(t, t.Context(), "record", "index", "--write", path); code != 0 {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, whole) {
		t.Errorf("%d bytes, %v, want %d", len(now), err, len(whole))
	}
}

// TestRecordLargeBlock reads and copies a file with a larger block than a reader without options accepts.
func TestRecordLargeBlock(t *testing.T) {
	if testing.Short() {
		t.Skip("writes blocks of 64 MiB")
	}
	dir := t.TempDir()
	in := filepath.Join(dir, "in.rec")
	w, err := records.Create(in, &records.Options{MaxBlock: 128 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(make([]byte, 64<<20)), w.Flush()); err != nil {
		t.Fatal(err)
	}
	open, err := os.ReadFile(in) // without an index
	if err := errors.Join(err, w.Close(), os.WriteFile(in, open, 0o666)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"verify"}, {"merge", "-o", "merged.rec"}, {"recover", "-o", "recovered.rec"}, {"index", "--write"}} {
		if n := len(args); n > 1 && args[n-2] == "-o" {
			args[len(args)-1] = filepath.Join(dir, args[len(args)-1])
		}
		stdout, stderr, code := runOctet(t, t.Context(), append(append([]string{"record"}, args...), in)...)
		if code != 0 || strings.Contains(stdout+stderr, "damaged") {
			t.Errorf("%v: exit %d, %s%s", args, code, stdout, stderr)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 3 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		if stdout, stderr, code := runOctet(t, t.Context(), "record", "verify", path); code != 0 || !strings.Contains(stdout, "1 record in 1 block") {
			t.Errorf("%s: exit %d, %s%s", f.Name(), code, stdout, stderr)
		}
	}
}

// TestRecordIncomplete requires that a command that fails leaves no new file, and one that is interrupted neither.
func TestRecordIncomplete(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in.rec")
	numbers(t, in, 30_000)
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	damaged := filepath.Join(t.TempDir(), "damaged.rec")
	file, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	file[len(file)/2] ^= 1
	if err := os.WriteFile(damaged, file, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"cat"}, {"cat", "--rotate", "2kB"}, {"merge"}, {"split", "-n", "3"}, {"recover"}} {
		for name, c := range map[string]struct {
			ctx  context.Context
			path string
			code int
		}{"damaged": {t.Context(), damaged, 4}, "interrupted": {interrupted, in, 130}} {
			if args[0] == "recover" && name == "damaged" {
				continue // it does not fail
			}
			dir := t.TempDir()
			_, stderr, code := runOctet(t, c.ctx, append(append([]string{"record"}, args...), c.path, "-o", filepath.Join(dir, "out.rec"))...)
			left, err := os.ReadDir(dir)
			if code != c.code || err != nil || len(left) > 0 {
				t.Errorf("%v, %s: exit %d, %d files are left, %v, %s", args, name, code, len(left), err, stderr)
			}
		}
	}
}

func TestRecordFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	numbers(t, path, 10)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	stdout, stderr, code := runOctet(t, ctx, "record", "cat", "--follow", path)
	if code != 0 || stdout != "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09" {
		t.Errorf("exit %d, %q, %s", code, stdout, stderr)
	}
}

// TestRecordFollowDamaged requires that following keeps the records before an error.
func TestRecordFollowDamaged(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.rec"), filepath.Join(dir, "out.rec")
	numbers(t, in, 30_000)
	file, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	file[len(file)/2] ^= 1
	if err := os.WriteFile(in, file, 0o666); err != nil {
		t.Fatal(err)
	}
	_, stderr, code := runOctet(t, t.Context(), "record", "cat", "-q", "--follow", in, "-o", out)
	f, err := records.Open(out, nil)
	if err != nil {
		t.Fatalf("exit %d, %v, %s", code, err, stderr)
	}
	defer f.Close()
	if code != 4 || f.Len() == 0 || f.Len() >= 30_000 {
		t.Errorf("exit %d, %d records, %s", code, f.Len(), stderr)
	}
}

// TestRecordFollowToFile follows a file into another one. The records are there before the command ends, and the
// file is complete after it.
func TestRecordFollowToFile(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.rec"), filepath.Join(dir, "out.rec")
	numbers(t, in, 10)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan int)
	go func() {
		_, _, code := runOctet(t, ctx, "record", "cat", "-q", "--follow", in, "-o", out)
		ended <- code
	}()
	for there := int64(0); there < 10; {
		if f, err := records.Open(out, nil); err == nil {
			there = f.Len()
			f.Close()
		}
		select {
		case code := <-ended:
			t.Fatalf("exit %d", code)
		case <-time.After(20 * time.Millisecond):
		}
	}
	cancel()
	if code := <-ended; code != 0 {
		t.Errorf("exit %d", code)
	}
	f, err := records.Open(out, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if r, err := f.Report(); err != nil || !r.Indexed || r.Records != 10 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestRecordDash requires that the name -, which is standard input or output for other commands, is no file for those that
// need a regular one, also if there is a file with this name.
func TestRecordDash(t *testing.T) {
	t.Chdir(t.TempDir())
	numbers(t, "a.rec", 10)
	numbers(t, "-", 20)
	for line, want := range map[string]string{
		"cat a.rec -o -": "standard output, which cannot be synced", "merge a.rec -o -": "standard output, which cannot be synced", "recover a.rec -o -": "standard output, which cannot be synced", "split a.rec -o -": "standard output, which cannot be synced",
		"merge a.rec - -o new.rec": "standard input", "recover - -o new.rec": "standard input", "split -": "standard input", "index --write -": "standard input",
	} {
		if _, stderr, code := runOctet(t, t.Context(), append([]string{"record"}, strings.Fields(line)...)...); code != 2 || !strings.Contains(stderr, want+"; ./- is the file with the name -\n") {
			t.Errorf("%s: exit %d, %s", line, code, stderr)
		}
	}
	if _, stderr, code := runOctet(t, t.Context(), "record", "recover", "./-", "-o", "./new"); code != 0 {
		t.Errorf("exit %d, %s", code, stderr)
	}
	readNumbers(t, 0, "new")
	if list, err := os.ReadDir("."); err != nil || len(list) != 3 {
		t.Errorf("%d files, %v", len(list), err)
	}
}

// TestConvertDescribedRecords converts a record file to another one, which keeps the metadata and the schema.
func TestConvertDescribedRecords(t *testing.T) {
	s, err := schema.Of[int](nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 3} {
		dir := t.TempDir()
		in, other := filepath.Join(dir, "in.rec"), filepath.Join(dir, "other.rec")
		w, err := records.Create(in, &records.Options{Metadata: map[string]any{"host": "a"}, Schema: s})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(records.WriteSlice(w, make([]int, n)), w.Close()); err != nil {
			t.Fatal(err)
		}
		numbers(t, other, 1)
		for _, args := range [][]string{{in, "-o", filepath.Join(dir, "new.rec")}, {in, other, "--to", "record", "-o", filepath.Join(dir, "several.rec")}, {in, "--compress", "-o", in}} {
			if _, stderr, code := runOctet(t, t.Context(), append([]string{"convert"}, args...)...); code != 0 {
				t.Fatalf("%v: exit %d, %s", args, code, stderr)
			}
			f, err := records.Open(args[len(args)-1], nil)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if got, err := f.Schema(); err != nil || got == nil || got.String() != s.String() || f.Metadata()["host"] != "a" {
				t.Errorf("%d records, %v: %v, %v, %v", n, args, f.Metadata(), got, err)
			}
		}
	}
}
