package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/record"
)

// command returns a Command whose output is in the buffers.
func command(stdin string) (c *Command, stdout, stderr *consoletest.Buffer) {
	console, stdout, stderr := consoletest.New(stdin)
	return &Command{Console: console}, stdout, stderr
}

// numbers writes the numbers from first to below end to a record file, in short blocks.
func numbers(t *testing.T, path string, first, end int) {
	t.Helper()
	w, err := record.Create(path, &record.Options{BlockSize: 1 << 10})
	if err != nil {
		t.Fatal(err)
	}
	for i := first; i < end; i++ {
		if err := w.Write(i); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// wantNumbers requires that the files together have the numbers below n.
func wantNumbers(t *testing.T, n int, paths ...string) {
	t.Helper()
	next := 0
	for _, path := range paths {
		f, err := record.Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for v, err := range record.All[int](f) {
			if err != nil || v != next {
				t.Fatalf("%s: %d, %v, want %d", path, v, err, next)
			}
			next++
		}
		f.Close()
	}
	if next != n {
		t.Errorf("%v have %d numbers, want %d", paths, next, n)
	}
}

// wantFiles requires that the current directory has these files.
func wantFiles(t *testing.T, names ...string) {
	t.Helper()
	var got []string
	list, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("files %v, want %v", got, names)
	}
}

func TestCat(t *testing.T) {
	t.Chdir(t.TempDir())
	numbers(t, "a.rec", 0, 300)
	numbers(t, "b.rec", 300, 1000)
	c, stdout, stderr := command("")
	if err := c.Cat(t.Context(), Cat{Output: "out.rec", Rotate: 1000}, []string{"a.rec", "b.rec"}); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, "a.rec", "b.rec", "out-1.rec", "out-2.rec", "out.rec")
	wantNumbers(t, 1000, "out.rec", "out-1.rec", "out-2.rec")
	if want := "1,000 records, 2.6 kB in 3 files, out.rec to out-2.rec, "; !strings.Contains(stderr.String(), want) {
		t.Errorf("%s, want %s", stderr, want)
	}
	stderr.Reset()
	file, err := os.ReadFile("a.rec")
	if err != nil {
		t.Fatal(err)
	}
	c.Stdin = bytes.NewReader(file)
	if err := c.Cat(t.Context(), Cat{}, []string{"-"}); err != nil || stdout.Len() != 128+2*128+3*44 || stderr.Len() > 0 {
		t.Errorf("%d bytes, %v, %s", stdout.Len(), err, stderr)
	}
	if err := c.Cat(t.Context(), Cat{Output: "none.rec"}, nil); err != nil {
		t.Fatal(err)
	}
	wantNumbers(t, 0, "none.rec") // the file is there without records
}

// TestFailures requires that a command that fails or is interrupted leaves no file.
func TestFailures(t *testing.T) {
	t.Chdir(t.TempDir())
	numbers(t, "in.rec", 0, 3000)
	file, err := os.ReadFile("in.rec")
	if err != nil {
		t.Fatal(err)
	}
	file[len(file)/2] ^= 1
	if err := os.WriteFile("bad.rec", file, 0o666); err != nil {
		t.Fatal(err)
	}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	c, _, _ := command("")
	for name, run := range map[string]func(ctx context.Context, path string) error{
		"cat": func(ctx context.Context, path string) error {
			return c.Cat(ctx, Cat{Output: "o.rec", Rotate: 1000}, []string{path})
		},
		"merge": func(ctx context.Context, path string) error { return c.Merge(ctx, "o.rec", []string{"in.rec", path}) },
		"split": func(ctx context.Context, path string) error { return c.Split(ctx, "o.rec", path, 3) },
	} {
		if err := run(t.Context(), "bad.rec"); failure.CodeOf(err) != failure.Data {
			t.Errorf("%s of a damaged file: %v", name, err)
		}
		if err := run(interrupted, "in.rec"); err != failure.ErrInterrupted {
			t.Errorf("%s, interrupted: %v", name, err)
		}
		wantFiles(t, "bad.rec", "in.rec")
	}
	if err := c.Recover(interrupted, "in.rec", "o.rec"); err != failure.ErrInterrupted {
		t.Errorf("recover, interrupted: %v", err)
	}
	wantFiles(t, "bad.rec", "in.rec")
}

func TestMergeAndSplit(t *testing.T) {
	t.Chdir(t.TempDir())
	numbers(t, "a.rec", 0, 2000)
	c, _, stderr := command("")
	if err := c.Split(t.Context(), "b.rec", "a.rec", 3); err != nil {
		t.Fatal(err)
	}
	wantNumbers(t, 2000, "b-1.rec", "b-2.rec", "b-3.rec")
	if err := c.Merge(t.Context(), "c.rec", []string{"b-1.rec", "b-2.rec", "b-3.rec"}); err != nil {
		t.Fatal(err)
	}
	wantNumbers(t, 2000, "c.rec")
	for _, want := range []string{"octet: record: split: 2,000 records in 3 files, b-1.rec to b-3.rec, ", "octet: record: merge: 2,000 records in c.rec, "} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("%s, want %s", stderr, want)
		}
	}
	numbers(t, "long.rec", 0, 10000)
	if err := c.Split(t.Context(), "d.rec", "long.rec", 12); err != nil {
		t.Fatal(err)
	}
	sorted, err := filepath.Glob("d-*.rec")
	if err != nil || len(sorted) < 10 {
		t.Fatalf("%d files, %v", len(sorted), err)
	}
	wantNumbers(t, 10000, sorted...)
	if err := c.Merge(t.Context(), "c.rec", []string{"a.rec"}); failure.CodeOf(err) != failure.Access || err.Error() != "c.rec: file exists" {
		t.Errorf("an existing output: %v", err)
	}
	wantNumbers(t, 2000, "c.rec")
}

// TestSplitJoined divides files that were joined by a command such as cat. There are not more new files than asked for, and
// none is empty.
func TestSplitJoined(t *testing.T) {
	for _, parts := range []int{2, 3, 7} {
		for n := 1; n <= 9; n++ {
			t.Chdir(t.TempDir())
			var file []byte
			for i := range parts {
				numbers(t, "part.rec", 5000*i, 5000*i+5000)
				part, err := os.ReadFile("part.rec")
				if err := errors.Join(err, os.Remove("part.rec")); err != nil {
					t.Fatal(err)
				}
				file = append(file, part...)
			}
			if err := os.WriteFile("all.rec", file, 0o666); err != nil {
				t.Fatal(err)
			}
			c, _, _ := command("")
			if err := c.Split(t.Context(), "new.rec", "all.rec", n); err != nil {
				t.Fatal(err)
			}
			want := []string{"all.rec"}
			for i := range n {
				name := fmt.Sprintf("new-%d.rec", i+1)
				want = append(want, name)
				f, err := record.Open(name, nil)
				if err != nil {
					t.Fatalf("%d parts, %d files: %v", parts, n, err)
				}
				if f.Len() == 0 || f.Len() > int64(5000*parts/n+5000) {
					t.Errorf("%d parts, %d files: %s has %d records", parts, n, name, f.Len())
				}
				f.Close()
			}
			wantFiles(t, want...)
			wantNumbers(t, 5000*parts, want[1:]...)
		}
	}
}

// TestMetadata requires that new files have the metadata and the schema of the first
// file, and that info shows both.
func TestMetadata(t *testing.T) {
	t.Chdir(t.TempDir())
	for i, name := range []string{"a.rec", "b.rec", "none.rec"} {
		own := &schema.Type{Kind: msgpack.FormOwn, Name: name}
		w, err := record.Create(name, &record.Options{
			Metadata: map[string]any{"name": name},
			Schema: &schema.Schema{Root: schema.Value{Type: &schema.Type{
				Kind: msgpack.FormStruct, Name: "Event", Length: -1, Fields: []schema.Field{{Value: schema.Value{Type: own}, Name: "id"}},
			}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 - i {
			if err := errors.Join(w.Write(i), w.Flush()); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile("b.rec")
	if err != nil {
		t.Fatal(err)
	}
	c, stdout, _ := command(string(file))
	if err := c.Info(t.Context(), []string{"a.rec"}); err != nil {
		t.Fatal(err)
	}
	if want := "schema    struct Event\n            id  a.rec\n"; !strings.HasSuffix(stdout.String(), want) {
		t.Errorf("info printed\n%s\nwant it to end with\n%s", stdout, want)
	}
	for name, run := range map[string]func() error{
		"merge.rec":   func() error { return c.Merge(t.Context(), "merge.rec", []string{"a.rec", "b.rec"}) },
		"split-1.rec": func() error { return c.Split(t.Context(), "split.rec", "a.rec", 2) },
		"cat.rec":     func() error { return c.Cat(t.Context(), Cat{Output: "cat.rec"}, []string{"a.rec", "b.rec"}) },
		"rotate-1.rec": func() error {
			return c.Cat(t.Context(), Cat{Output: "rotate.rec", Rotate: 1}, []string{"a.rec", "b.rec"})
		},
	} {
		if err := run(); err != nil {
			t.Fatal(name, err)
		}
		wantMetadata(t, name, "a.rec")
	}
	if err := c.Cat(t.Context(), Cat{Output: "stdin.rec"}, []string{"-", "a.rec"}); err != nil {
		t.Fatal(err)
	}
	wantMetadata(t, "split-2.rec", "a.rec")
	wantMetadata(t, "stdin.rec", "b.rec")
	if err := c.Cat(t.Context(), Cat{Output: "empty.rec"}, []string{"none.rec"}); err != nil {
		t.Fatal(err)
	}
	wantMetadata(t, "empty.rec", "none.rec")
}

func wantMetadata(t *testing.T, path, want string) {
	t.Helper()
	f, err := record.Open(path, nil)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	if got := f.Metadata()["name"]; got != want {
		t.Errorf("%s has the metadata of %v, want %s", path, got, want)
	}
	if s, err := f.Schema(); err != nil || s == nil || s.Root.Type.Fields[0].Type.Name != want {
		t.Errorf("%s has the schema %v, %v, want that of %s", path, s, err, want)
	}
}

// TestOddMetadata shows and copies metadata that JSON cannot represent, or that cannot be decoded.
func TestOddMetadata(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, c := range map[string]struct {
		value any
		want  string
	}{
		"nan":   {math.NaN(), `{"$f64":"7ff8000000000001"}`},
		"bytes": {"\xff", `{"$str":"/w=="}`},
		"key":   {msgpack.Raw{0x81, 0xc4, 1, 'a', 1}, `{"YQ==":1}`},
		"twice": {msgpack.Raw{0x82, 0xc4, 1, 'a', 1, 0xc4, 1, 'a', 1}, ""},
	} {
		w, err := record.Create(name+".rec", &record.Options{Metadata: map[string]any{"m": c.value}})
		if err != nil || w.Close() != nil {
			t.Fatal(name, err)
		}
		command, stdout, _ := command("")
		if err := command.Merge(t.Context(), name+"-2.rec", []string{name + ".rec"}); err != nil {
			t.Fatal(name, err)
		}
		if err := command.Info(t.Context(), []string{name + "-2.rec"}); err != nil || !strings.Contains(stdout.String(), "\nmetadata  ") || !strings.Contains(stdout.String(), c.want) {
			t.Errorf("%s: %v, info printed\n%s\nwant metadata with %s", name, err, stdout, c.want)
		}
	}
}

// TestVerify checks a whole, a torn and a damaged file, and what can be copied of the
// last.
func TestVerify(t *testing.T) {
	t.Chdir(t.TempDir())
	numbers(t, "whole.rec", 0, 3000)
	file, err := os.ReadFile("whole.rec")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("torn.rec", file[:5000], 0o666); err != nil {
		t.Fatal(err)
	}
	file[3000] ^= 1
	if err := os.WriteFile("bad.rec", file, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, f := range []struct {
		paths, report, info string
		code                failure.Code
	}{
		{"whole.rec", "whole.rec: ", "state     complete, with an index\n", failure.OK},
		{"torn.rec", "torn", "state     torn: ", failure.Finding},
		{"bad.rec", "1 damaged place", "records   3,000\n", failure.Data},
		{"bad.rec torn.rec whole.rec", "whole.rec: ", "", failure.Data},
		{"torn.rec none.rec whole.rec", "\nwhole.rec: ", "", failure.Access},
		{"none.rec bad.rec", "\nbad.rec: ", "", failure.Data},
	} {
		c, stdout, _ := command("")
		paths := strings.Fields(f.paths)
		if err := c.Verify(t.Context(), paths); failure.CodeOf(err) != f.code || !strings.Contains(stdout.String(), f.report) {
			t.Errorf("%s: %v, %s", f.paths, err, stdout)
		}
		stdout.Reset()
		if paths[0] == "none.rec" {
			continue
		}
		if err := c.Info(t.Context(), paths[:1]); err != nil || !strings.Contains(stdout.String(), f.info) {
			t.Errorf("%s: %v, %s", f.paths, err, stdout)
		}
	}
	c, stdout, stderr := command("")
	if err := c.Recover(t.Context(), "bad.rec", "new.rec"); err != nil || !strings.Contains(stderr.String(), " in new.rec\n") {
		t.Fatalf("%v, %s", err, stderr)
	}
	stdout.Reset()
	if err := c.Verify(t.Context(), []string{"new.rec"}); err != nil || !strings.HasPrefix(stdout.String(), "new.rec: ") {
		t.Errorf("%v, %s", err, stdout)
	}
}

func TestIndex(t *testing.T) {
	t.Chdir(t.TempDir())
	numbers(t, "a.rec", 0, 3000)
	whole, err := os.ReadFile("a.rec")
	if err != nil {
		t.Fatal(err)
	}
	f, err := record.Open("a.rec", nil)
	if err != nil {
		t.Fatal(err)
	}
	end := f.Range().End
	f.Close()
	c, stdout, _ := command("")
	if err := c.Blocks(t.Context(), "a.rec"); err != nil || !strings.HasPrefix(stdout.String(), "        offset         record   records    content     stored\n") ||
		strings.Count(stdout.String(), "\n") < 5 {
		t.Errorf("%v, %s", err, stdout)
	}
	if err := os.Truncate("a.rec", end); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteIndex(t.Context(), "a.rec"); err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile("a.rec"); err != nil || !bytes.Equal(now, whole) {
		t.Errorf("%d bytes, %v, want %d", len(now), err, len(whole))
	}
	// The torn end of a file is kept, and the user is told where.
	if err := os.WriteFile("a.rec", append(bytes.Clone(whole), "cut off"...), 0o666); err != nil {
		t.Fatal(err)
	}
	c, _, stderr := command("")
	if err := c.WriteIndex(t.Context(), "a.rec"); err != nil {
		t.Fatal(err)
	}
	aside := "a.rec.torn-" + strconv.Itoa(len(whole))
	if b, err := os.ReadFile(aside); err != nil || string(b) != "cut off" || stderr.String() != "octet: record: index: a.rec was torn: 7 bytes are moved to "+aside+"\n" {
		t.Errorf("%q, %v, %s", b, err, stderr)
	}
}

// TestIndexOfJoined adds no index to a file that was joined, which would not be one of all blocks, and does not change it.
func TestIndexOfJoined(t *testing.T) {
	t.Chdir(t.TempDir())
	numbers(t, "a.rec", 0, 10)
	whole, err := os.ReadFile("a.rec")
	if err != nil {
		t.Fatal(err)
	}
	joined := bytes.Repeat(whole, 2)
	if err := os.WriteFile("a.rec", joined, 0o666); err != nil {
		t.Fatal(err)
	}
	c, _, _ := command("")
	if err := c.WriteIndex(t.Context(), "a.rec"); failure.CodeOf(err) != failure.Finding || !strings.Contains(err.Error(), "joined from 2 files") {
		t.Error(err)
	}
	if now, err := os.ReadFile("a.rec"); err != nil || !bytes.Equal(now, joined) {
		t.Errorf("%d bytes, %v, want %d", len(now), err, len(joined))
	}
	// What merge makes of it has one.
	if err := c.Merge(t.Context(), "b.rec", []string{"a.rec"}); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteIndex(t.Context(), "b.rec"); err != nil {
		t.Error(err)
	}
}

// TestFollow follows a file into another one until the interrupt. What was written stays,
// and is complete.
func TestFollow(t *testing.T) {
	t.Chdir(t.TempDir())
	numbers(t, "a.rec", 0, 10)
	c, _, _ := command("")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error)
	go func() { ended <- c.Cat(ctx, Cat{Output: "b.rec", Follow: true}, []string{"a.rec"}) }()
	for there := int64(0); there < 10; {
		if f, err := record.Open("b.rec", nil); err == nil {
			there = f.Len()
			f.Close()
		}
		select {
		case err := <-ended:
			t.Fatal(err)
		case <-time.After(20 * time.Millisecond):
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	wantNumbers(t, 10, "b.rec")
	wantFiles(t, "a.rec", "b.rec")
}
