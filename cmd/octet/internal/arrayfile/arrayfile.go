// Package arrayfile does the work of the commands for arrays: it opens the files that
// the flags describe, shows the progress of package arrays, and explains its errors.
package arrayfile

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/cmd/octet/internal/arrays"
	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/msgpack"
)

// A Command is a run of one of the commands.
type Command struct {
	*console.Console
	Quiet bool // print no progress and no summary
}

// A File is an input with what has been read of it. The Path "-" means standard input.
type File struct {
	arrays.Source
	name   string // if it is not Path: of the input that was copied to the file Path
	read   tally.Reader
	size   int64
	passes int64 // how often a command reads the file, if more than once
	rest   int64 // bytes after the array, which were noted
}

// title returns the name of the input in messages.
func (f *File) title() string {
	switch {
	case f.name != "":
		return f.name
	case f.Path == "-":
		return "standard input"
	}
	return f.Path
}

// spool copies an input that cannot be read again to a temporary file, and makes that
// the input. remove removes it.
func (c *Command) spool(ctx context.Context, f *File) (remove func(), err error) {
	info, err := os.Stat(f.Path)
	if f.Path != "-" && (err != nil || info.IsDir() || info.Mode().IsRegular()) {
		return func() {}, nil // opening it returns the error
	}
	name, r := f.title(), c.Stdin
	if f.Path != "-" {
		file, err := task.Await(ctx, nil, nil, func() (*os.File, error) { return os.Open(f.Path) }) // a named pipe may have no writer yet
		if err != nil {
			return nil, failure.Accessing(name, err)
		}
		defer file.Close()
		r = file
		if f.Format == "" {
			f.Format = arrays.ByName(f.Path)
		}
	}
	f.read.R = r
	p := task.NewProgress(c.Console, 0, nil, c.Quiet)
	defer p.Clear()
	path, remove, err := task.Spool(ctx, &f.read, name, p.Tick(f.read.N))
	if err == failure.ErrInterrupted {
		err = task.Interrupted(f.read.N(), 0, "")
	}
	if err != nil {
		return nil, err
	}
	f.read.Reset()
	f.Path, f.name = path, name
	return remove, nil
}

// source returns the input for package arrays. It counts the bytes that are read, for
// the progress.
func (c *Command) source(f *File) (arrays.Source, error) {
	if f.Path == "" {
		return arrays.Source{}, failure.ErrNoName
	}
	s := f.Source
	s.Begin = func() (io.Reader, io.Closer, error) {
		if f.Path == "-" {
			if file, ok := c.Stdin.(*os.File); ok && c.IsOutput(file) {
				return nil, nil, failure.OutputToo(f.title())
			}
			f.read.R = c.Stdin
			return &f.read, io.NopCloser(nil), nil
		}
		file, err := os.Open(f.Path)
		if err != nil {
			return nil, nil, failure.Accessing(f.Path, err)
		}
		if c.IsOutput(file) {
			file.Close()
			return nil, nil, failure.OutputToo(f.Path)
		}
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			f.size = info.Size()
		}
		f.read.R = file
		return &f.read, file, nil
	}
	s.Rest = func(n int64) {
		if n != f.rest { // noted once, however often the file is opened
			f.rest = n
			c.Note("octet: %s: ignored %s after the array", f.title(), console.Plural(n, "byte"))
		}
	}
	return s, nil
}

// withProgress runs a task on f, which writes to out while it runs; nil means that it
// writes at the end. On a terminal, withProgress shows the progress after one second.
func withProgress[R any](ctx context.Context, c *Command, f *File, out any, work func() (R, error)) (R, error) {
	size := int64(0)
	if info, err := os.Stat(f.Path); err == nil && info.Mode().IsRegular() {
		size = info.Size() * max(f.passes, 1)
	}
	p := task.NewProgress(c.Console, size, out, c.Quiet)
	defer p.Clear()
	result, err := task.Await(ctx, nil, p.Tick(f.read.N), work)
	if err == failure.ErrInterrupted {
		err = task.Interrupted(f.read.N(), size, "")
	}
	return result, err
}

// usageError returns an error that the user corrects by another flag or argument.
func usageError(text string) error { return failure.New(failure.Usage, "", errors.New(text)) }

// explain converts an error of package arrays into one that the user
// understands.
func explain(f *File, err error) error {
	var known *failure.Error
	var path *fs.PathError
	var arrayErr *array.Error
	var value *msgpack.Error
	name := f.title()
	switch {
	case err == nil || err == failure.ErrInterrupted || errors.As(err, &known):
		return err // it already has a text and an exit code for the user
	case errors.Is(err, arrays.ErrUsage) || errors.Is(err, failure.ErrNoName):
		return err // the flags are wrong, so the name of the file would not help
	case errors.As(err, &arrayErr):
		text := arrayErr.Err.Error()
		if arrayErr.Offset >= 0 {
			text = fmt.Sprintf("offset %d: %s", arrayErr.Offset, text)
		}
		return failure.New(failure.Data, name, errors.New(text))
	case errors.As(err, &value):
		return failure.New(failure.Data, name, errors.New(reason(value)))
	case errors.As(err, &path):
		return failure.Accessing(name, err)
	case errors.Is(err, zip.ErrFormat):
		return failure.New(failure.Data, name, errors.New("malformed zip file"))
	}
	return failure.New(failure.Data, name, err)
}

// reason words an error in MessagePack like the other commands.
func reason(e *msgpack.Error) string {
	text := fmt.Sprintf("offset %d: ", e.Offset)
	if e.Want != "" && e.Found != "" {
		text += "expected " + e.Want + ", found " + e.Found
	} else {
		text += strings.TrimPrefix(e.Err.Error(), "msgpack: ")
	}
	if hint := "; the input looks like JSON"; strings.HasSuffix(e.Error(), hint) {
		text += hint
	}
	return text
}
