package beamio

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/octet-go/octet/record"
)

// Write writes the elements of a bounded PCollection to record files, one record each. It
// returns the names of the files as a PCollection of strings, which has them when all
// files are complete. [Register] or [RegisterFiles] must have been called, for any type.
//
// By default there is one file, at path. With Options.Shards there are as many as it
// says, some of which may have no records: for clicks.rec and 2 shards they are
// clicks-00000-of-00002.rec and clicks-00001-of-00002.rec. Existing files of these names
// are replaced. There is no order among the records.
//
// Elements are not sent to other workers. Each bundle writes temporary files next to
// path, and one step for each shard joins them block by block, without decoding them, and
// renames the result. So a file with a final name is never incomplete, and no record is
// written twice if a bundle fails and is repeated. The names of temporary files begin
// with a dot. They are removed at the end of a pipeline that succeeds; one that fails can
// leave some. The filesystem must be able to rename or to remove, as those of Beam are.
//
// In a [Store], nothing is renamed. A shard that has one temporary file is copied by the
// store. The blocks of several are read and written again, because their headers change,
// and the file appears when all of them are written.
func Write(s beam.Scope, path string, col beam.PCollection, o *Options) beam.PCollection {
	validate(path)
	s = s.Scope("beamio.Write")
	settings, err := check(o)
	if err != nil {
		panic(fmt.Errorf("beamio: Write: %w", err))
	}
	if !registered(&writeFn{}) {
		panic("beamio: Write without a call of Register or RegisterFiles before beam.Init")
	}
	t := target{Path: path, Run: rand.Text(), Settings: settings}
	// A shard is one file, whatever the windows are.
	col = beam.WindowInto(s, window.NewGlobalWindows(), col)
	written := beam.ParDo(s, &writeFn{target: t}, col)
	// A shard without a temporary file must be made too.
	all := beam.ParDo(s, &shardsFn{t.Settings.Shards}, beam.Impulse(s))
	grouped := beam.GroupByKey(s, beam.Flatten(s, all, written))
	// Temporary files are removed after this GroupByKey, because until then a runner can
	// repeat the step before it.
	joined := beam.GroupByKey(s, beam.ParDo(s, &joinFn{t}, grouped))
	return beam.ParDo(s, &cleanFn{t}, joined)
}

// A target is what the steps of one Write have in common.
type target struct {
	Path     string
	Run      string // distinguishes the temporary files of pipelines
	Settings settings
}

// shard returns the name of a file.
func (t *target) shard(i int) string {
	if t.Settings.Shards == 1 {
		return t.Path
	}
	dir, base := splitPath(t.Path)
	stem, ext := base, ""
	if dot := strings.LastIndexByte(base, '.'); dot > 0 {
		stem, ext = base[:dot], base[dot:]
	}
	return fmt.Sprintf("%s%s-%05d-of-%05d%s", dir, stem, i, t.Settings.Shards, ext)
}

// prefix is how the names of all temporary files begin.
func (t *target) prefix() string {
	dir, base := splitPath(t.Path)
	return dir + "." + base + "." + t.Run + "-"
}

func (t *target) temporary() string { return t.prefix() + rand.Text() }

// splitPath divides a path before its last element.
func splitPath(path string) (dir, base string) {
	i := strings.LastIndexAny(path, `/\`) + 1
	return path[:i], path[i:]
}

// shardsFn emits each shard without a file.
type shardsFn struct {
	Shards int
}

func (fn *shardsFn) ProcessElement(_ []byte, emit func(int, string)) {
	for i := range fn.Shards {
		emit(i, "")
	}
}

// writeFn writes the elements of a bundle to temporary files. Each of them belongs to one
// shard.
type writeFn struct {
	target

	fs    filesystem.Interface
	out   *output
	shard int      // of out
	done  []string // files of the bundle that are complete
	next  []int    // their shards
}

// StartBundle begins without files. It removes what a failed bundle has left.
func (fn *writeFn) StartBundle(ctx context.Context, _ func(int, string)) error {
	err := fn.Teardown(ctx)
	if err == nil {
		fn.fs, err = filesystemOf(ctx, fn.Path)
	}
	// Bundles begin with different shards, so that small ones do not all get the first.
	fn.shard = mathrand.IntN(fn.Settings.Shards)
	return err
}

// ProcessElement writes one record.
func (fn *writeFn) ProcessElement(ctx context.Context, v beam.X, _ func(int, string)) error {
	if fn.out == nil {
		var err error
		if fn.out, err = create(ctx, fn.fs, fn.temporary(), &fn.Settings, false); err != nil {
			return err
		}
	}
	if err := fn.out.Write(v); err != nil {
		return inFile(fn.Path, err)
	}
	if fn.out.written.n.Load() < fn.Settings.ShardSize {
		return nil
	}
	return fn.endFile()
}

// endFile completes the current file.
func (fn *writeFn) endFile() error {
	out := fn.out
	fn.out = nil
	if err := out.finish(); err != nil {
		return err
	}
	fn.done, fn.next = append(fn.done, out.path), append(fn.next, fn.shard)
	fn.shard = (fn.shard + 1) % fn.Settings.Shards
	return nil
}

// FinishBundle emits the files. If the bundle fails, no step learns of them.
func (fn *writeFn) FinishBundle(_ context.Context, emit func(int, string)) error {
	if fn.out != nil {
		if err := fn.endFile(); err != nil {
			return err
		}
	}
	for i, path := range fn.done {
		emit(fn.next[i], path)
	}
	fn.done, fn.next = nil, nil
	return fn.closeFS()
}

func (fn *writeFn) closeFS() error {
	if fn.fs == nil {
		return nil
	}
	fs := fn.fs
	fn.fs = nil
	return fs.Close()
}

// Teardown removes the files of a bundle that has failed.
func (fn *writeFn) Teardown(ctx context.Context) error {
	if fn.out != nil {
		fn.out.abandon(ctx, fn.fs)
	}
	for _, path := range fn.done {
		remove(ctx, fn.fs, path)
	}
	fn.out, fn.done, fn.next = nil, nil, nil
	return fn.closeFS()
}

// remove removes a file if the filesystem can. A file that is left does no harm.
func remove(ctx context.Context, fs filesystem.Interface, path string) {
	if r, ok := fs.(filesystem.Remover); ok {
		_ = r.Remove(ctx, path)
	}
}

// An output is a record file that is being written.
type output struct {
	*record.Writer
	path    string
	written *counter
	w       io.WriteCloser
}

// create makes a file. A durable one is synced if the filesystem can.
func create(ctx context.Context, fs filesystem.Interface, path string, s *settings, durable bool) (*output, error) {
	o, err := s.record()
	if err != nil {
		return nil, err
	}
	w, err := fs.OpenWrite(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("beamio: create %s: %w", path, err)
	}
	out := &output{path: path, w: w, written: &counter{w: w}}
	var to io.Writer = out.written
	if s, ok := w.(interface{ Sync() error }); ok && durable {
		to = syncer{out.written, s.Sync}
	}
	if out.Writer, err = record.NewWriter(to, &o); err != nil {
		if a, ok := w.(aborter); ok {
			return nil, errors.Join(inFile(path, err), a.Abort())
		}
		return nil, errors.Join(inFile(path, err), w.Close())
	}
	return out, nil
}

// finish completes the file.
func (o *output) finish() error {
	err := o.Writer.Close()
	if a, ok := o.w.(aborter); ok && err != nil {
		_ = a.Abort() // the file is not complete
	} else if e := o.w.Close(); err == nil {
		err = e
	}
	if err != nil {
		return inFile(o.path, err)
	}
	return nil
}

// abandon closes the file and removes it.
func (o *output) abandon(ctx context.Context, fs filesystem.Interface) {
	if a, ok := o.w.(aborter); ok {
		_ = a.Abort() // before closing, which would make the file appear
		_ = o.Writer.Close()
		return
	}
	_ = o.finish()
	remove(ctx, fs, o.path)
}
