package beamio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/octet-go/octet/record"
)

// joinFn joins the temporary files of a shard and gives the result its name. A runner can
// repeat it: the result is the same.
type joinFn struct {
	target
}

func (fn *joinFn) ProcessElement(ctx context.Context, shard int, files func(*string) bool, emit func(int, string)) error {
	var list []string
	for path := ""; files(&path); {
		if path != "" {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	fs, err := filesystemOf(ctx, fn.Path)
	if err != nil {
		return err
	}
	defer fs.Close()
	name := fn.shard(shard)
	store, isStore := fs.(kept)
	if isStore && len(list) == 1 {
		if store.Copy(ctx, list[0], name) == nil {
			emit(0, name)
			return nil
		}
		// The file can be too large to copy. If not, what follows has the same error.
	}
	path := name
	if !isStore {
		path = fn.temporary()
	}
	out, err := create(ctx, fs, path, &fn.Settings, true)
	if err != nil {
		return err
	}
	for _, path := range list {
		if err := fn.join(ctx, fs, out, path); err != nil {
			out.abandon(ctx, fs)
			return err
		}
	}
	if err := out.finish(); err != nil {
		if !isStore { // there, name can be the file of an earlier attempt
			remove(ctx, fs, out.path)
		}
		return err
	}
	if isStore {
		emit(0, name)
		return nil
	}
	if err := filesystem.Rename(ctx, fs, out.path, name); err != nil {
		remove(ctx, fs, out.path)
		return fmt.Errorf("beamio: rename %s to %s: %w", out.path, name, err)
	}
	emit(0, name)
	return nil
}

// join appends the blocks of a file to out.
func (fn *joinFn) join(ctx context.Context, fs filesystem.Interface, out *output, path string) error {
	o, err := fn.Settings.record()
	if err != nil {
		return err
	}
	f, err := openAll(ctx, fs, path, o)
	if err != nil {
		return err
	}
	defer f.Close()
	records, err := out.Copy(f.File, f.Range())
	if err != nil {
		return inFile(path, err)
	}
	if _, isStore := fs.(kept); isStore {
		return nil // its files have all bytes
	}
	if err := f.complete(records); err != nil {
		return inFile(path, err)
	}
	return nil
}

// errIncomplete: a machine that lost its power can leave a file that ends too early, which
// package record reads without an error.
var errIncomplete = errors.New("the temporary file is not complete any more")

// complete returns an error if the file, which has been read to its end, is not as it was when it was
// closed.
func (f *file) complete(records int64) error {
	r, err := f.Report()
	if err == nil && (r.Records != records || r.Torn > 0 || !r.Indexed && r.Blocks <= record.MaxIndexed) {
		err = errIncomplete
	}
	return err
}

// cleanFn removes temporary files, also those of bundles that failed, and emits the names
// of the shards.
type cleanFn struct {
	target
}

func (fn *cleanFn) ProcessElement(ctx context.Context, _ int, names func(*string) bool, emit func(string)) error {
	if err := fn.clean(ctx); err != nil {
		log.Warnf(ctx, "beamio: temporary files of %s are left: %v", fn.Path, err)
	}
	for name := ""; names(&name); {
		emit(name)
	}
	return nil
}

// clean removes temporary files. Its error names those that are left.
func (fn *cleanFn) clean(ctx context.Context) error {
	fs, err := filesystemOf(ctx, fn.Path)
	if err != nil {
		return err
	}
	defer fs.Close()
	r, ok := fs.(filesystem.Remover)
	if !ok {
		return errors.New("the filesystem cannot remove")
	}
	list, err := fs.List(ctx, escape(fn.prefix())+"*")
	list = slices.DeleteFunc(list, func(path string) bool {
		// The names have random parts, so a match that goes too far is impossible. Removing
		// is not a place to rely on it.
		return !strings.Contains(path, fn.Run) || !isHidden(path)
	})
	removers := 1
	if _, ok := fs.(kept); ok {
		removers = storeRemovers
	}
	err = errors.Join(err, removeAll(ctx, r, list, removers))
	if s, ok := fs.(kept); ok {
		dir, _ := splitPath(fn.Path)
		shards := make(map[string]bool, fn.Settings.Shards)
		for i := range fn.Settings.Shards {
			shards[fn.shard(i)] = true
		}
		err = errors.Join(err, s.DiscardUploads(ctx, dir, func(path string) bool {
			return shards[path] || strings.HasPrefix(path, fn.prefix())
		}))
	}
	return err
}

// storeRemovers is how many files are removed from a Store at the same time, because each
// one takes a request, and there can be tens of thousands.
const storeRemovers = 32

// removeAll removes files. Its error names those that are left.
func removeAll(ctx context.Context, r filesystem.Remover, paths []string, removers int) error {
	failed := make([]error, len(paths))
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(removers, len(paths)) {
		wait.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(paths) {
					return
				}
				if err := r.Remove(ctx, paths[i]); err != nil {
					failed[i] = fmt.Errorf("remove %s: %w", paths[i], err)
				}
			}
		})
	}
	wait.Wait()
	return errors.Join(failed...)
}

// escape makes a pattern that matches the path.
func escape(path string) string {
	var b strings.Builder
	for _, c := range path {
		if strings.ContainsRune("*?[", c) {
			b.WriteString("[" + string(c) + "]")
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// A counter counts the bytes that were written.
type counter struct {
	w io.Writer
	n atomic.Int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n.Add(int64(n))
	return n, err
}

// A syncer is a Writer that package record syncs.
type syncer struct {
	io.Writer
	sync func() error
}

func (s syncer) Sync() error { return s.sync() }
