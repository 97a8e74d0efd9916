package beamio

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// A Store is a filesystem of Beam for an object store, such as a Store of package
// beamio/objects. A file that it writes appears when the result of OpenWrite is closed
// without an error, with all bytes, or not at all. What OpenWrite returns has a method
// Abort() error, which gives the file up. All methods are safe for concurrent use.
type Store interface {
	filesystem.Interface
	filesystem.Remover
	filesystem.Copier

	// Visit calls found for each file that matches a pattern, with its size in bytes
	// and what distinguishes the file from another one of the same name.
	Visit(ctx context.Context, pattern string, found func(path string, size int64, version string) error) error
	// OpenVersion opens a file that Visit has found, and returns an io.ReaderAt. If it is
	// another file by now, OpenVersion or reading fails. If the result has a method
	// Expect(from, to int64), it is told which bytes will be read.
	OpenVersion(ctx context.Context, path, version string, size int64) (io.ReadCloser, error)
	// DiscardUploads removes what workers that ended while they were writing have left
	// under paths that begin with prefix, if remove returns true for them.
	DiscardUploads(ctx context.Context, prefix string, remove func(path string) bool) error
}

// RegisterStore makes [Read], [ReadAll] and [Write] use a Store for the paths of a
// scheme, such as s3, instead of the filesystem that Beam has for it, which package
// beamx registers for gs. The Store is never closed. Like all registrations, it is for
// each worker, before beam.Init. It panics if the scheme is not a word, or has a Store
// already, because this is an error of the program.
func RegisterStore(scheme string, s Store) {
	if scheme == "" || strings.ContainsAny(scheme, ":/") || s == nil {
		panic(fmt.Sprintf("beamio: RegisterStore(%q, %T)", scheme, s))
	}
	if _, doubled := stores.LoadOrStore(scheme, s); doubled {
		panic(fmt.Sprintf("beamio: RegisterStore: scheme %q has a Store already", scheme))
	}
}

// stores has the Store of each scheme.
var stores sync.Map

// storeOf returns the Store for a path, or nil.
func storeOf(path string) Store {
	if scheme, _, ok := strings.Cut(path, "://"); ok {
		if s, ok := stores.Load(scheme); ok {
			return s.(Store)
		}
	}
	return nil
}

// A kept Store is not closed.
type kept struct{ Store }

func (kept) Close() error { return nil }

// filesystemOf returns the Store or the filesystem of Beam for a path.
func filesystemOf(ctx context.Context, path string) (filesystem.Interface, error) {
	if s := storeOf(path); s != nil {
		return kept{s}, nil
	}
	return filesystem.New(ctx, path)
}

// validate panics if there is no filesystem for a path.
func validate(path string) {
	if storeOf(path) == nil {
		filesystem.ValidateScheme(path)
	}
}

// An aborter is a file of a Store that is being written.
type aborter interface{ Abort() error }

// match calls found for each file that matches a pattern. The version is "" in
// filesystems without versions.
func match(ctx context.Context, fs filesystem.Interface, pattern string, found func(path string, size int64, version string) error) error {
	if s, ok := fs.(kept); ok {
		return s.Visit(ctx, pattern, found)
	}
	paths, err := fs.List(ctx, pattern)
	if err != nil {
		return fmt.Errorf("beamio: list %s: %w", pattern, err)
	}
	for _, path := range paths {
		size, err := fs.Size(ctx, path)
		if err != nil {
			return fmt.Errorf("beamio: size of %s: %w", path, err)
		}
		if err := found(path, size, ""); err != nil {
			return err
		}
	}
	return nil
}
