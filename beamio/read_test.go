package beamio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/record/zstd"
)

var small = record.Options{BlockSize: 1 << 10}

// inputs makes a folder with files of every kind and returns the number of visits in
// them: IDs are 0 to n-1.
func inputs(t *testing.T) (dir string, n int) {
	dir = t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	writeVisits(t, path("a.rec"), 3000, 0, small)
	codec, err := zstd.New(zstd.Default)
	if err != nil {
		t.Fatal(err)
	}
	writeVisits(t, path("compressed.rec"), 2000, 3000, record.Options{BlockSize: 1 << 10, Compressor: codec})
	writeVisits(t, path("empty.rec"), 0, 0, small)
	writeVisits(t, path("one.rec"), 1, 5000, small)
	// Joined by cat.
	var joined []byte
	for i, count := range []int{500, 0, 700, 1} {
		name := path("part.tmp")
		writeVisits(t, name, count, []int{5001, 5501, 5501, 6201}[i], small)
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		joined = append(joined, b...)
		os.Remove(name)
	}
	write(t, path("joined.rec"), joined)
	// Cut off.
	writeVisits(t, path("torn.rec"), 800, 6202, small)
	torn, err := os.ReadFile(path("torn.rec"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := record.Open(path("torn.rec"), nil)
	if err != nil {
		t.Fatal(err)
	}
	var last record.Block
	for b, err := range f.Blocks(f.Range()) {
		if err != nil {
			t.Fatal(err)
		}
		last = b
	}
	f.Close()
	write(t, path("torn.rec"), torn[:last.Offset+100])
	write(t, path("nothing.rec"), nil)
	n = 6202 + int(last.Ordinal)
	// A power loss has taken a sector of a block, and not those that follow.
	writeVisits(t, path("lost.rec"), 800, n, small)
	lost, err := os.ReadFile(path("lost.rec"))
	if err != nil {
		t.Fatal(err)
	}
	if f, err = record.Open(path("lost.rec"), nil); err != nil {
		t.Fatal(err)
	}
	blocks := 0
	var tear record.Block
	for b, err := range f.Blocks(f.Range()) {
		if err != nil {
			t.Fatal(err)
		}
		if blocks++; blocks == 20 {
			tear = b
		}
		last = b
	}
	f.Close()
	const sector = 512
	clear(lost[(tear.Offset+sector-1)/sector*sector:][:sector])
	write(t, path("lost.rec"), lost[:last.Offset+100])
	return dir, n + int(tear.Ordinal)
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestRead compares the records that a pipeline reads with those of record.Parallel.
func TestRead(t *testing.T) {
	dir, n := inputs(t)
	pattern := filepath.Join(dir, "*.rec")
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	codec, err := zstd.New(zstd.Default)
	if err != nil {
		t.Fatal(err)
	}
	var count atomic.Int64
	err = record.Parallel(context.Background(), paths, 2, func(_ context.Context, f *record.File, r record.Range) error {
		for _, err := range record.In[visit](f, r) {
			if err != nil {
				return err
			}
			count.Add(1)
		}
		return nil
	}, &record.Options{Decompressor: codec})
	if err != nil || count.Load() != int64(n) {
		t.Fatalf("record.Parallel reads %d records, want %d, %v", count.Load(), n, err)
	}
	onRunners(t, func(t *testing.T, r runner) {
		for _, size := range []int64{0, 5000} {
			got, bundles := collect[visit](t, r, func(s beam.Scope) beam.PCollection {
				return Read[visit](s, pattern, &Options{SplitSize: size})
			})
			checkIDs(t, got, n)
			t.Logf("SplitSize %d: %d bundles", size, bundles)
		}
	})
}

// TestReadForward reads from a filesystem that returns plain readers, in ranges.
func TestReadForward(t *testing.T) {
	dir, n := inputs(t)
	for _, name := range files(t, dir) {
		if filepath.Ext(name) == ".rec" {
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			memfs.Write("memfs://forward/"+name, b)
		}
	}
	onRunners(t, func(t *testing.T, r runner) {
		for _, size := range []int64{0, 20_000} {
			got, _ := collect[visit](t, r, func(s beam.Scope) beam.PCollection {
				return Read[visit](s, "memfs://forward/*.rec", &Options{SplitSize: size})
			})
			checkIDs(t, got, n)
		}
	})
}

// TestSplitWhileReading divides restrictions while they are read, at every fraction, and
// reads what is split off. It does so for all kinds of files and filesystems.
func TestSplitWhileReading(t *testing.T) {
	dir, n := inputs(t)
	ctx := context.Background()
	for _, forward := range []bool{false, true} {
		for _, fraction := range []float64{0, 0.01, 0.5, 0.9} {
			t.Run(fmt.Sprint("forward ", forward, ", ", fraction), func(t *testing.T) {
				var got []visit
				splits := 0
				for _, name := range files(t, dir) {
					path := filepath.Join(dir, name)
					if forward {
						b, err := os.ReadFile(path)
						if err != nil {
							t.Fatal(err)
						}
						path = "memfs://split/" + name
						memfs.Write(path, b)
					}
					var parts []part
					if err := divide(ctx, path, settings{SplitSize: 30_000}, func(p part) { parts = append(parts, p) }); err != nil {
						t.Fatal(err)
					}
					fn := &readFn[visit]{}
					for _, p := range parts {
						rest := []offsetrange.Restriction{fn.CreateInitialRestriction(p)}
						for len(rest) > 0 {
							rt := fn.CreateTracker(rest[0])
							rest = rest[1:]
							calls := 0
							err := fn.ProcessElement(ctx, rt, p, func(v visit) {
								got = append(got, v)
								if calls++; calls%20 == 5 && splits < 400 {
									_, residual, err := rt.TrySplit(fraction)
									if err != nil {
										t.Fatal(err)
									}
									if residual != nil {
										rest = append(rest, residual.(offsetrange.Restriction))
										splits++
									}
								}
							})
							if err != nil || !rt.IsDone() || rt.GetError() != nil {
								t.Fatalf("%s: %v, done %v, %v", name, err, rt.IsDone(), rt.GetError())
							}
						}
					}
				}
				checkIDs(t, got, n)
				if splits < 10 {
					t.Errorf("only %d splits", splits)
				}
			})
		}
	}
}

// waitFn does not let its first bundle end before a second one has begun, which has what
// the runner has split off.
type waitFn struct {
	waits bool
}

var waitBundles atomic.Int64

func (fn *waitFn) StartBundle(func(visit)) { fn.waits = waitBundles.Add(1) == 1 }

func (fn *waitFn) ProcessElement(v visit, emit func(visit)) error {
	for begin := time.Now(); fn.waits && waitBundles.Load() == 1; time.Sleep(10 * time.Millisecond) {
		if time.Since(begin) > time.Minute {
			return errors.New("the runner has not split the file")
		}
	}
	emit(v)
	return nil
}

// TestRunnerSplits lets prism divide the one range of a file while it is read.
func TestRunnerSplits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	writeVisits(t, path, 5000, 0, small)
	waitBundles.Store(0)
	got, bundles := collect[visit](t, runner{"prism", onPrism}, func(s beam.Scope) beam.PCollection {
		return beam.ParDo(s, &waitFn{}, Read[visit](s, path, nil))
	})
	checkIDs(t, got, 5000)
	if bundles < 2 {
		t.Errorf("%d bundles", bundles)
	}
}

// TestWhole reads a file that is not told apart into its parts.
func TestWhole(t *testing.T) {
	dir := t.TempDir()
	a, b, both := filepath.Join(dir, "a"), filepath.Join(dir, "b"), filepath.Join(dir, "both")
	writeVisits(t, a, 300, 0, small)
	writeVisits(t, b, 300, 300, small)
	var joined []byte
	for _, path := range []string{a, b} {
		bytes, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		joined = append(joined, bytes...)
	}
	write(t, both, joined)
	fn := &readFn[visit]{settings{SplitSize: 1000}}
	p := part{Path: both, Size: int64(len(joined)), End: 1, Whole: true}
	r := fn.CreateInitialRestriction(p)
	if split := fn.SplitRestriction(p, r); !slices.Equal(split, []offsetrange.Restriction{r}) {
		t.Errorf("split into %v", split)
	}
	if size := fn.RestrictionSize(p, r); size != float64(p.Size) {
		t.Errorf("size %g, want that of the file, %d", size, p.Size)
	}
	rt := fn.CreateTracker(r)
	var got []visit
	err := fn.ProcessElement(context.Background(), rt, p, func(v visit) {
		got = append(got, v)
		if _, residual, _ := rt.TrySplit(0.1); residual != nil {
			t.Fatalf("split off %v", residual)
		}
	})
	if err != nil || !rt.IsDone() {
		t.Fatal(err, rt)
	}
	checkIDs(t, got, 600)
}

// TestReadErrors requires errors for files that cannot be read, with the path.
func TestReadErrors(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	writeVisits(t, path("good"), 500, 0, small)
	good, err := os.ReadFile(path("good"))
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(good)
	damaged[len(damaged)/2] ^= 1
	write(t, path("damaged"), damaged)
	write(t, path("text"), []byte("this is no record file, but long enough to be one\n"))
	for _, c := range []struct{ name, want string }{
		{path("damaged"), "damaged: record: "},
		{path("text"), "text: record: "},
		{path("missing"), "no file " + path("missing")},
		{"memfs://missing", "no file memfs://missing"},
	} {
		var parts []part
		err := divide(context.Background(), c.name, settings{}, func(p part) { parts = append(parts, p) })
		for _, p := range parts {
			fn := &readFn[visit]{}
			err = fn.ProcessElement(context.Background(), fn.CreateTracker(fn.CreateInitialRestriction(p)), p, func(visit) {})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	fn := &readFn[string]{} // the records are no strings
	p := part{Path: path("good"), Size: int64(len(good)), End: int64(len(good))}
	err = fn.ProcessElement(context.Background(), fn.CreateTracker(fn.CreateInitialRestriction(p)), p, func(string) {})
	if err == nil || !strings.Contains(err.Error(), path("good")) {
		t.Errorf("visits as strings: error %v", err)
	}
	// A wildcard may match nothing.
	err = (&matchFn{}).ProcessElement(context.Background(), path("*.none"), func(p part) { t.Error(p) })
	if err != nil {
		t.Error(err)
	}
	// The error reaches the program.
	pipeline, s := beam.NewPipelineWithRoot()
	beam.ParDo0(s, &collectFn{ID: t.Name()}, Read[visit](s, path("damaged"), nil))
	if err := onPrism(t, pipeline); err == nil || !strings.Contains(err.Error(), "corrupt data") {
		t.Errorf("pipeline with a damaged file: %v", err)
	}
}

// divide emits the parts of all files that match a pattern.
func divide(ctx context.Context, pattern string, s settings, emit func(part)) (err error) {
	fn := &divideFn{s}
	matchErr := (&matchFn{}).ProcessElement(ctx, pattern, func(file part) {
		if err == nil {
			err = fn.ProcessElement(ctx, file, emit)
		}
	})
	return errors.Join(matchErr, err)
}

// TestHidden requires that a wildcard does not match temporary files.
func TestHidden(t *testing.T) {
	dir := t.TempDir()
	writeVisits(t, filepath.Join(dir, ".a.rec"), 1, 0, small)
	writeVisits(t, filepath.Join(dir, "a.rec"), 1, 0, small)
	for pattern, want := range map[string]int{"*.rec": 1, ".*.rec": 1, ".a.rec": 1} {
		got := 0
		if err := (&matchFn{}).ProcessElement(context.Background(), filepath.Join(dir, pattern), func(part) { got++ }); err != nil || got != want {
			t.Errorf("%s: %d files, %v, want %d", pattern, got, err, want)
		}
	}
}

// TestFileNames requires that the name of a file is a pattern for it, even if it has characters of patterns, because
// the names that Write returns are patterns for ReadAll.
func TestFileNames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "[2]")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "a[1].rec")
	writeVisits(t, name, 1, 0, small)
	for _, pattern := range []string{name, filepath.Join(filepath.Dir(dir), "*", "*.rec")} {
		var got []string
		err := (&matchFn{}).ProcessElement(context.Background(), pattern, func(p part) { got = append(got, p.Path) })
		if err != nil || !slices.Equal(got, []string{name}) {
			t.Errorf("%s: %q, %v, want %s", pattern, got, err, name)
		}
	}
	err := (&matchFn{}).ProcessElement(context.Background(), filepath.Join(filepath.Dir(dir), `\[3\]`, "*"), func(p part) { t.Error(p.Path) })
	if err != nil {
		t.Errorf("escaped, without a match: %v", err)
	}
}

// TestForwardReader reads at random offsets from a reader without ReadAt and compares.
func TestForwardReader(t *testing.T) {
	data := make([]byte, 5*forwardWindow+123)
	for i := range data {
		data[i] = byte(i * 7 >> 3)
	}
	opened := 0
	open := func() (io.ReadCloser, error) {
		opened++
		return io.NopCloser(bytes.NewReader(data)), nil
	}
	r, _ := open()
	f := &forwardReader{r: r, open: open}
	seed := uint64(1)
	for i := range 3000 {
		seed = seed*6364136223846793005 + 1442695040888963407
		offset, n := int64(seed>>33)%int64(len(data)+100), int(seed>>20)%70_000
		if i%3 > 0 {
			offset = min(max(f.pos-int64(n)+int64(seed>>40%100), 0), int64(len(data))) // near the position
		}
		want := make([]byte, n)
		wantN, wantErr := bytes.NewReader(data).ReadAt(want, offset)
		got := make([]byte, n)
		gotN, err := f.ReadAt(got, offset)
		if gotN != wantN || !bytes.Equal(got, want) || (err == nil) != (wantErr == nil) || err != nil && err != io.EOF {
			t.Fatalf("ReadAt(%d bytes, %d) = %d, %v, want %d, %v", n, offset, gotN, err, wantN, wantErr)
		}
	}
	if opened < 10 || len(f.window) > 3*forwardWindow || len(f.head) > 2*forwardWindow {
		t.Errorf("opened %d times, window of %d, head of %d", opened, len(f.window), len(f.head))
	}
	// A file that is read in order is opened once.
	path := filepath.Join(t.TempDir(), "a.rec")
	writeVisits(t, path, 100_000, 0, record.Options{})
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	opened = 0
	r, _ = open()
	rec, err := record.NewFile(&forwardReader{r: r, open: open}, int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	records := 0
	for b, err := range rec.Blocks(rec.Range()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range record.InBlock[msgpack.Raw](rec, b) {
			if err != nil {
				t.Fatal(err)
			}
			records++
		}
	}
	if records != 100_000 || opened != 1 {
		t.Errorf("%d records, opened %d times", records, opened)
	}
}

// TestSeekReader reads by Seek.
func TestSeekReader(t *testing.T) {
	s := &seekReader{r: strings.NewReader("0123456789")}
	b := make([]byte, 4)
	if n, err := s.ReadAt(b, 5); n != 4 || err != nil || string(b) != "5678" {
		t.Errorf("%d, %v, %q", n, err, b)
	}
	if n, err := s.ReadAt(b, 8); n != 2 || err != io.EOF || string(b[:n]) != "89" {
		t.Errorf("%d, %v, %q", n, err, b)
	}
}
