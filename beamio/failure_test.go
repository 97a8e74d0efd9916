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
	"sync"
	"sync/atomic"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/octet-go/octet/record"
)

// failFn fails at some of the elements.
type failFn struct {
	Every int64
}

func (fn *failFn) ProcessElement(v visit, emit func(visit)) error {
	emit(v)
	if v.ID%fn.Every == fn.Every-1 {
		return errors.New("it was told to fail")
	}
	return nil
}

// TestFailingPipeline requires that a pipeline with failing bundles leaves nothing under
// a final name.
func TestFailingPipeline(t *testing.T) {
	input := filepath.Join(t.TempDir(), "in.rec")
	writeVisits(t, input, 5000, 0, small)
	onRunners(t, func(t *testing.T, r runner) {
		dir := t.TempDir()
		p, s := beam.NewPipelineWithRoot()
		visits := beam.ParDo(s, &failFn{Every: 3000}, Read[visit](s, input, &Options{SplitSize: 20_000}))
		Write(s, filepath.Join(dir, "out.rec"), visits, &Options{Shards: 3, ShardSize: 5000})
		if err := r.run(t, p); err == nil || !strings.Contains(err.Error(), "told to fail") && r.name == "prism" {
			t.Errorf("error %v", err)
		}
		for _, name := range files(t, dir) {
			if !strings.HasPrefix(name, ".out.rec.") {
				t.Errorf("the file %s is left", name)
			}
		}
	})
}

// failOnceFn fails once, at the element number At that it processes.
type failOnceFn struct {
	ID string
	At int64
}

// processed has the number of elements by ID. Workers run in the process of the tests.
var processed sync.Map

func (fn *failOnceFn) ProcessElement(v beam.X, emit func(beam.X)) error {
	emit(v)
	n, _ := processed.LoadOrStore(fn.ID, new(atomic.Int64))
	if n.(*atomic.Int64).Add(1) == fn.At {
		return errors.New("it was told to fail")
	}
	return nil
}

// TestFlinkRetries lets Flink repeat a pipeline, once because a bundle has failed that was
// writing, and once because a later step has failed when all files were complete. Prism
// does not repeat.
func TestFlinkRetries(t *testing.T) {
	const n = 5000
	input := filepath.Join(t.TempDir(), "in.rec")
	writeVisits(t, input, n, 0, small)
	for name, at := range map[string]struct{ visit, name int64 }{"while writing": {3000, 0}, "after writing": {0, 2}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			id := fmt.Sprintf("%s %p", t.Name(), t)
			p, s := beam.NewPipelineWithRoot()
			visits := beam.ParDo(s, &failOnceFn{id, at.visit}, Read[visit](s, input, &Options{SplitSize: 20_000}))
			names := Write(s, filepath.Join(dir, "out.rec"), visits, &Options{Shards: 3, ShardSize: 5000})
			beam.ParDo(s, &failOnceFn{id + " names", at.name}, names)
			if err := onFlink(t, p); err != nil {
				t.Fatal(err)
			}
			want := []string{"out-00000-of-00003.rec", "out-00001-of-00003.rec", "out-00002-of-00003.rec"}
			got := files(t, dir)
			if !slices.Equal(got, want) {
				t.Fatalf("files %q, want %q", got, want)
			}
			for i := range got {
				got[i] = filepath.Join(dir, got[i])
			}
			checkIDs(t, readAll(t, got...), n)
			if count, _ := processed.Load(id); count.(*atomic.Int64).Load() <= n {
				t.Errorf("%d elements were processed: nothing was repeated", count.(*atomic.Int64).Load())
			}
		})
	}
}

// A bundle calls a writeFn as Beam does.
func bundle(t *testing.T, fn *writeFn, visits []visit) (shards map[int][]string, err error) {
	t.Helper()
	ctx := context.Background()
	shards = map[int][]string{}
	emit := func(i int, path string) { shards[i] = append(shards[i], path) }
	if err := fn.StartBundle(ctx, emit); err != nil {
		return nil, err
	}
	for _, v := range visits {
		if err := fn.ProcessElement(ctx, v, emit); err != nil {
			return nil, err
		}
	}
	return shards, fn.FinishBundle(ctx, emit)
}

func iterate(list []string) func(*string) bool {
	return func(s *string) bool {
		if len(list) == 0 {
			return false
		}
		*s, list = list[0], list[1:]
		return true
	}
}

func someVisits(first, n int) []visit {
	list := make([]visit, n)
	for i := range list {
		id := first + i
		list[i] = visit{ID: int64(id), User: fmt.Sprint("user", id%10), Tags: map[string]string{"page": fmt.Sprint("/", id%7)}}
	}
	return list
}

// TestRetries repeats bundles and joins, as runners do after a failure. The result has no
// record twice. A bundle has more bytes than a Writer lets wait, which makes files of
// more than ShardSize.
func TestRetries(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	checked, err := check(&Options{Shards: 2, ShardSize: 3000, BlockSize: 1 << 10})
	if err != nil {
		t.Fatal(err)
	}
	to := target{filepath.Join(dir, "out.rec"), "RUN", checked}
	fn := &writeFn{target: to}
	shards := map[int][]string{}
	for i := range 4 {
		visits := someVisits(i*2000, 2000)
		// The first attempt fails before its end: some files are complete.
		if err := fn.StartBundle(ctx, nil); err != nil {
			t.Fatal(err)
		}
		for _, v := range visits[:1900] {
			if err := fn.ProcessElement(ctx, v, nil); err != nil {
				t.Fatal(err)
			}
		}
		if len(fn.done) == 0 || fn.out == nil {
			t.Fatal("the bundle has no complete file and a current one")
		}
		if i == 0 { // its worker ends without a word
			fn = &writeFn{target: to}
		}
		attempt, err := bundle(t, fn, visits)
		if err == nil && i%2 == 1 { // the runner does not hear of the success, and repeats it
			attempt, err = bundle(t, fn, visits)
		}
		if err != nil {
			t.Fatal(err)
		}
		for shard, paths := range attempt {
			shards[shard] = append(shards[shard], paths...)
		}
	}
	var names []string
	emit := func(_ int, name string) { names = append(names, name) }
	for shard, paths := range shards {
		doubled := slices.Concat(paths, []string{""}, paths) // as if it were delivered twice
		for range 2 {
			if err := (&joinFn{to}).ProcessElement(ctx, shard, iterate(doubled), emit); err != nil {
				t.Fatal(err)
			}
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	checkIDs(t, readAll(t, names...), 8000)
	before := len(files(t, dir))
	if err := (&cleanFn{to}).ProcessElement(ctx, 0, iterate(nil), nil); err != nil {
		t.Fatal(err)
	}
	if got := files(t, dir); before < 10 || len(got) != 2 {
		t.Errorf("%d files, then %q", before, got)
	}
}

// TestIncompleteFile cuts off a temporary file, as the power loss of a worker can after its bundle has ended. The
// step that joins it must fail: package record reads the file without an error.
func TestIncompleteFile(t *testing.T) {
	ctx := context.Background()
	checked, err := check(&Options{BlockSize: 1 << 10})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	to := target{filepath.Join(dir, "out.rec"), "RUN", checked}
	shards, err := bundle(t, &writeFn{target: to}, someVisits(0, 200))
	if err != nil || len(shards[0]) != 1 {
		t.Fatal(shards, err)
	}
	temporary := shards[0][0]
	whole, err := os.ReadFile(temporary)
	if err != nil {
		t.Fatal(err)
	}
	f, err := record.Open(temporary, nil)
	if err != nil {
		t.Fatal(err)
	}
	cuts := []int{0, 10, len(whole) / 2, len(whole) - 1}
	for b, err := range f.Blocks(f.Range()) {
		if err != nil {
			t.Fatal(err)
		}
		cuts = append(cuts, int(b.Offset))
	}
	f.Close()
	for _, cut := range cuts {
		write(t, temporary, whole[:cut])
		emit := func(_ int, name string) { t.Errorf("cut to %d bytes: %s", cut, name) }
		if err := (&joinFn{to}).ProcessElement(ctx, 0, iterate([]string{temporary}), emit); !errors.Is(err, errIncomplete) {
			t.Errorf("cut to %d bytes: %v", cut, err)
		}
		if got := files(t, dir); len(got) != 1 {
			t.Errorf("cut to %d bytes: files %q", cut, got)
		}
	}
	write(t, temporary, whole)
	if err := (&joinFn{to}).ProcessElement(ctx, 0, iterate([]string{temporary}), func(int, string) {}); err != nil {
		t.Fatal(err)
	}
	checkIDs(t, readAll(t, to.Path), 200)
}

// TestFailingFilesystem lets each operation fail in turn. After each failure the step is
// repeated as a runner does, and the result must be complete.
func TestFailingFilesystem(t *testing.T) {
	total := failingRun(t, "fault://out.rec", 5000, -1)
	if total < 100 {
		t.Fatalf("%d operations", total)
	}
	for i := range total {
		failingRun(t, "fault://out.rec", 5000, i)
	}
}

// failingRun writes two bundles to two shards while the operation number failAt of the
// filesystem fails, and returns how many there were.
func failingRun(t *testing.T, path string, shardSize, failAt int64) (operations int64) {
	t.Helper()
	ctx := context.Background()
	faults.files, faults.count, faults.at = map[string][]byte{}, 0, failAt
	checked, err := check(&Options{Shards: 2, ShardSize: shardSize, BlockSize: 1 << 10})
	if err != nil {
		t.Fatal(err)
	}
	to := target{path, "RUN", checked}
	shards := map[int][]string{0: {""}, 1: {""}}
	for i := range 2 {
		fn := &writeFn{target: to}
		attempt, err := bundle(t, fn, someVisits(i*900, 900))
		if err != nil {
			if i == 0 {
				_ = fn.Teardown(ctx) // the second worker dies instead
			}
			if attempt, err = bundle(t, &writeFn{target: to}, someVisits(i*900, 900)); err != nil {
				t.Fatal(err)
			}
		}
		for shard, paths := range attempt {
			shards[shard] = append(shards[shard], paths...)
		}
	}
	final := func() (names []string) {
		for name, b := range faults.files {
			if !isHidden(name) {
				names = append(names, name)
				if f, err := record.NewFile(bytes.NewReader(b), int64(len(b)), nil); err != nil || shardSize == 5000 && f.Len() < 100 {
					t.Errorf("%s is not complete: %v", name, err)
				} else if r, err := f.Report(); err != nil || !r.Indexed {
					t.Errorf("%s has no index: %v, %v", name, r, err)
				}
			}
		}
		return names
	}
	var names []string
	for shard, paths := range shards {
		emit := func(_ int, name string) { names = append(names, name) }
		for range 3 { // it is also repeated without need
			err := (&joinFn{to}).ProcessElement(ctx, shard, iterate(paths), emit)
			if err != nil && !errors.Is(err, errFault) {
				t.Fatal(err)
			}
			final()
		}
	}
	clean := func() error { return (&cleanFn{to}).clean(ctx) }
	if clean() != nil {
		if err := clean(); err != nil {
			t.Fatal(err)
		}
	}
	if got := final(); len(got) != 2 || len(faults.files) != 2 {
		t.Fatalf("files %q and others, %d in all", got, len(faults.files))
	}
	var all []visit
	for _, b := range faults.files {
		f, err := record.NewFile(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for v, err := range record.All[visit](f) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, v)
		}
	}
	checkIDs(t, all, 1800)
	return faults.count
}

// faults is a filesystem whose operation number at fails.
var faults = &faultFS{}

type faultFS struct {
	mu    sync.Mutex // of files: the goroutine of a record.Writer writes one while others are read
	files map[string][]byte
	count int64
	at    int64
}

var errFault = errors.New("it was told to fail")

func (fs *faultFS) fail() error {
	if atomic.AddInt64(&fs.count, 1)-1 == fs.at {
		return errFault
	}
	return nil
}

func (fs *faultFS) file(name string) (b []byte, ok bool) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	b, ok = fs.files[name]
	return b, ok
}

func (fs *faultFS) Close() error { return nil }

func (fs *faultFS) List(_ context.Context, pattern string) (names []string, err error) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for name := range fs.files {
		if ok, _ := filepath.Match(pattern, name); ok {
			names = append(names, name)
		}
	}
	return names, fs.fail()
}

func (fs *faultFS) OpenRead(_ context.Context, name string) (io.ReadCloser, error) {
	b, ok := fs.file(name)
	if !ok {
		return nil, os.ErrNotExist
	}
	return io.NopCloser(bytes.NewReader(b)), fs.fail()
}

func (fs *faultFS) OpenWrite(_ context.Context, name string) (io.WriteCloser, error) {
	if err := fs.fail(); err != nil {
		return nil, err
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.files[name] = nil
	return &faultFile{fs, name}, nil
}

func (fs *faultFS) Size(_ context.Context, name string) (int64, error) {
	b, ok := fs.file(name)
	if !ok {
		return 0, os.ErrNotExist
	}
	return int64(len(b)), fs.fail()
}

func (fs *faultFS) Remove(_ context.Context, name string) error {
	if err := fs.fail(); err != nil {
		return err
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	delete(fs.files, name)
	return nil
}

func (fs *faultFS) Rename(_ context.Context, from, to string) error {
	if err := fs.fail(); err != nil {
		return err
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.files[to] = fs.files[from]
	delete(fs.files, from)
	return nil
}

type faultFile struct {
	fs   *faultFS
	name string
}

func (f *faultFile) Write(b []byte) (int, error) {
	n := len(b)
	err := f.fs.fail()
	if err != nil {
		n /= 2
	}
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	f.fs.files[f.name] = append(f.fs.files[f.name], b[:n]...)
	return n, err
}

func (f *faultFile) Sync() error  { return f.fs.fail() }
func (f *faultFile) Close() error { return f.fs.fail() }

func registerFaults() {
	RegisterStore("faultstore", faultStore{faults})
	filesystem.Register("fault", func(context.Context) filesystem.Interface { return faults })
}
