package beamio

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"

	"github.com/octet-go/octet/beamio/internal/split"
	"github.com/octet-go/octet/record"
)

// Read returns the records of all files that match a pattern, as a PCollection of T.
// The pattern is that of the filesystem, such as gs://bucket/clicks-*.rec. A wildcard
// does not match names that begin with a dot. A pattern without a wildcard that matches
// no file is an error of the pipeline. One with a wildcard that matches no file is taken
// for the name of a file. [Register] or [RegisterFiles] must have been
// called for T. See [Options] for what can be chosen.
//
// Many workers read a file at the same time. Read divides it into ranges of
// Options.SplitSize bytes, and the runner divides these while they are read, at any
// block. Each record is returned once. A file that a crash has cut off ends without an
// error after its last whole block, and a damaged file is an error, as in package record.
// A file that was joined by a command such as cat is read as its parts.
//
// To begin in the middle of a file, the filesystem must return an [io.ReaderAt] or an
// [io.Seeker], as the local one and a [Store] do. A file in a Store that is replaced
// while it is read is an error. With other filesystems, such as gs and s3 of Beam's
// Go SDK, each range reads the file from its start up to the end of the range, and a
// warning is logged. Read then does not divide files unless SplitSize is set, so there
// should be as many files as workers.
func Read[T any](s beam.Scope, pattern string, o *Options) beam.PCollection {
	validate(pattern)
	s = s.Scope("beamio.Read")
	return read[T](s, beam.Create(s, pattern), o)
}

// ReadAll is like [Read] for the patterns of a PCollection of strings, such as the result
// of [Write].
func ReadAll[T any](s beam.Scope, patterns beam.PCollection, o *Options) beam.PCollection {
	return read[T](s.Scope("beamio.ReadAll"), patterns, o)
}

func read[T any](s beam.Scope, patterns beam.PCollection, o *Options) beam.PCollection {
	settings, err := check(o)
	if err != nil {
		panic(fmt.Errorf("beamio: Read: %w", err))
	}
	if !registered(&readFn[T]{}) {
		t := reflect.TypeFor[T]()
		panic(fmt.Sprintf("beamio: Read[%v] without a call of Register[%v] before beam.Init", t, t))
	}
	// The files go to different workers, which divide them, and so do the parts of each.
	files := beam.Reshuffle(s, beam.ParDo(s, &matchFn{}, patterns))
	parts := beam.Reshuffle(s, beam.ParDo(s, &divideFn{settings}, files))
	return beam.ParDo(s, &readFn[T]{settings}, parts)
}

// A part is a range of a file that begins at a block or file header. Its bytes can be
// divided further, unless it is Whole.
type part struct {
	Path    string
	Version string `msgpack:",omitempty"` // of the file in a Store
	Size    int64  // of the file
	Start   int64
	End     int64

	Header int64 // offset of the file header that applies at Start
	// Forward says that the filesystem reads files only from their start. Readers read
	// all file headers, so Header is not set.
	Forward bool
	// Whole says that the file was joined from too many files to list, and is read as
	// one part.
	Whole bool
}

// matchFn finds the files that match a pattern. They are parts without a range.
type matchFn struct{}

func (fn *matchFn) ProcessElement(ctx context.Context, pattern string, emit func(part)) error {
	fs, err := filesystemOf(ctx, pattern)
	if err != nil {
		return err
	}
	defer fs.Close()
	matched := false
	found := func(path string, size int64, version string) error {
		if isHidden(path) && !isHidden(pattern) {
			return nil
		}
		matched = true
		emit(part{Path: path, Version: version, Size: size})
		return nil
	}
	err = match(ctx, fs, pattern, found)
	if err != nil || matched {
		return err
	}
	if !strings.ContainsAny(pattern, "*?[") {
		return fmt.Errorf("beamio: no file %s", pattern)
	}
	if filepath.Separator == '/' && strings.Contains(pattern, `\`) {
		return nil // it has escapes, so it is not a name
	}
	return match(ctx, fs, escape(pattern), found) // it can be a name that Write has returned
}

// isHidden reports whether the last element of the path begins with a dot.
func isHidden(path string) bool {
	return strings.HasPrefix(path[strings.LastIndexAny(path, `/\`)+1:], ".")
}

// divideFn divides a file into parts. To open a file of an object store takes a fraction of
// a second, so one worker alone would need minutes for thousands of them.
type divideFn struct {
	Settings settings
}

func (fn *divideFn) ProcessElement(ctx context.Context, file part, emit func(part)) error {
	list, err := fn.parts(ctx, file.Path, file.Version, file.Size)
	for _, p := range list {
		emit(p)
	}
	return err
}

func (fn *divideFn) parts(ctx context.Context, path, version string, size int64) ([]part, error) {
	o, err := fn.Settings.record()
	if err != nil {
		return nil, err
	}
	f, err := open(ctx, path, version, size, o)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if !f.ranged {
		log.Warnf(ctx, "beamio: the filesystem of %s cannot read from an offset: each range of the file reads it from its start", path)
		return []part{{Path: path, Version: version, Size: size, End: size, Forward: true}}, nil
	}
	report, err := f.Report()
	if err != nil {
		return nil, inFile(path, err)
	}
	ranges := split.File(f.File, size, fn.Settings.SplitSize)
	if len(ranges) == 1 && report.Parts > 1 {
		return []part{{Path: path, Version: version, Size: size, End: 1, Whole: true}}, nil
	}
	// The torn end can have blocks, which a worker would find that begins there.
	end := size - report.Torn
	list := make([]part, len(ranges))
	for i, r := range ranges {
		r.End = max(min(r.End, end), r.Start+1)
		list[i] = part{Path: path, Version: version, Size: size, Start: r.Start, End: r.End, Header: r.Header}
	}
	return list, nil
}

// blocks returns the range to read for the bytes from start to end of p.
func (p *part) blocks(start, end int64) record.Range {
	switch {
	case p.Whole:
		return record.Range{End: p.Size}
	case p.Forward:
		return record.Range{End: end}
	}
	return record.Range{Start: start, End: end, Header: p.Header}
}
