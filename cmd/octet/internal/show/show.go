// Package show prints files with package inspect: one after another, in a pager on a
// terminal. It explains what stops it, and sums up what was found.
package show

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/inspect"
	"github.com/octet-go/octet/cmd/octet/internal/locate"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/internal/output"
	"github.com/octet-go/octet/layout/formats"
)

// Options select what is shown.
type Options struct {
	JSON    bool   // print JSON objects
	All     bool   // show all elements of long arrays and maps
	Nested  bool   // show MessagePack inside bin and ext values
	NoPager bool   // do not start a pager
	Force   bool   // show input that looks like another format
	Path    string // show only the value at this path
	Depth   int64  // show only values inside at most this many containers, unless negative
	Limit   int64  // show at most this many top-level values, unless negative
	Offset  int64  // begin at this byte

	Palette *console.Palette // of standard output
	Faults  *console.Palette // of standard error

	tick func() // shows the progress
}

// Values shows the values of files. If something is wrong with them, or if no value is at
// the path, the error has the code Finding.
func (v *Options) Values(ctx context.Context, files *input.Files) error {
	path, err := onePath(v.Path)
	if err != nil {
		return fmt.Errorf("--path: %w", err)
	}
	f := *files
	f.Only, f.Anyway, f.Raw = sniff.MessagePack, "--force", v.Force
	if v.Force || v.Offset > 0 {
		f.Format = sniff.MessagePack
	}
	// A format that has a layout is shown with it, unless a flag is about values.
	f.Layouts = path == nil && v.Offset == 0 && !v.Nested && !v.All && !v.Force
	var read atomic.Int64
	f.Read = &read
	total := input.Total(f.Paths, f.Console.Stdin)
	progress := task.NewProgress(f.Console, total, f.Console.Stdout, false)
	defer progress.Clear()
	v.tick = progress.Tick(read.Load)
	var found inspect.Result
	var name string // of the only file
	err = v.each(ctx, &f, func(in *input.Input, to *screen) error {
		if len(f.Paths) < 2 {
			name = in.Name
		}
		if layout := in.Foreign.Layout; layout != "" {
			f.Console.Note("octet: inspect: %s looks like %s and is shown with --layout %s", in.Name, in.Foreign.Name, layout)
			format, _ := formats.Lookup(layout)
			return v.messages(ctx, &f, in, format, to)
		}
		return v.one(ctx, &f, in, path, to, &found)
	})
	switch {
	case err == failure.ErrInterrupted:
		return task.Interrupted(read.Load(), total, "")
	case err != nil:
		return err
	}
	switch {
	case len(path) > 0 && found.Selected == 0:
		return failure.New(failure.Finding, "", fmt.Errorf("no value at %s", v.Path))
	case found.Findings == 0:
		return nil
	}
	var finding error = errors.New(found.Finding)
	if found.Findings > 1 {
		finding = fmt.Errorf("%s, the first: %w", console.Plural(found.Findings, "finding"), finding)
	}
	return failure.New(failure.Finding, name, finding)
}

// each calls show for each input.
func (v *Options) each(ctx context.Context, files *input.Files, show func(in *input.Input, to *screen) error) error {
	var to *screen
	for in, err := range input.All(ctx, files.Console, files.Paths, files.Options) {
		if err != nil {
			return err
		}
		if to == nil {
			to = &screen{Writer: tally.Writer{W: files.Console.Stdout}}
			if pager := v.pager(files.Console); pager != nil {
				to.quit, to.W = pager.Done(), pager
				defer func() {
					pager.Close()
					<-pager.Done()
				}()
			}
			if v.JSON && files.Console.IsTerminal(files.Console.Stdout) {
				to.W = &console.Escaper{W: to.W} // JSON ends in a newline, so nothing is left in it
			}
		}
		if err := show(in, to); err != nil {
			return err
		}
	}
	return nil
}

// onePath returns a path that selects at most one value.
func onePath(text string) (locate.Path, error) {
	path, err := locate.Parse(text)
	if err == nil && path.Many() {
		err = fmt.Errorf("%s selects many values, and inspect shows one; octet get prints them all", path)
	}
	return path, err
}

// pager starts a pager, or returns nil.
func (v *Options) pager(c *console.Console) *console.Pager {
	if v.NoPager {
		return nil
	}
	return c.NewPager()
}

// one shows one input and adds its result to found.
func (v *Options) one(ctx context.Context, files *input.Files, in *input.Input, path locate.Path, to *screen, found *inspect.Result) error {
	if err := v.skipTo(ctx, in); err != nil {
		return err
	}
	o := v.options(files)
	o.All, o.Nested, o.Path = v.All, v.Nested, path
	if in.Plain() {
		o.Size = in.Size()
	}
	if len(files.Paths) > 1 {
		o.File = in.Name
		if err := v.heading(to, files.Console.Name(files.Console.Stdout, in.Name)); err != nil {
			return to.explain(err, in)
		}
	}
	result, err := task.Await(ctx, to.quit, v.tick, func() (inspect.Result, error) {
		return inspect.Run(to, in, v.Offset, o)
	})
	if found.Findings == 0 && result.Findings > 0 {
		found.Finding = result.Finding
		if len(files.Paths) > 1 {
			found.Finding = in.Name + ": " + found.Finding
		}
	}
	found.Findings += result.Findings
	found.Selected += result.Selected
	var fault *scan.Fault
	if errors.As(err, &fault) {
		return &failure.Error{
			Code: failure.Data, Subject: in.Name,
			Err:    fmt.Errorf("%s: %s", fault.Place(), fault.Reason()),
			Detail: inspect.Explain(fault, v.Faults, files.Console.Width(files.Console.Stderr)),
		}
	}
	return to.explain(err, in)
}

// options returns the options of package inspect that values and messages share.
func (v *Options) options(files *input.Files) inspect.Options {
	return inspect.Options{
		JSON: v.JSON, Depth: v.Depth, Limit: v.Limit,
		Width: files.Console.Width(files.Console.Stdout), Palette: v.Palette,
	}
}

// A screen is what is written to: the pager, if one is started, and otherwise standard
// output.
type screen struct {
	tally.Writer
	quit <-chan struct{} // closed when the pager exits; nil if there is none
}

// heading prints the name of a file, with an empty line before it unless it is
// the first output. JSON objects have the name themselves.
func (v *Options) heading(to *screen, name string) error {
	if v.JSON {
		return nil
	}
	space := "\n"
	if to.N() == 0 {
		space = ""
	}
	_, err := io.WriteString(to, space+v.Palette.Container(name)+"\n")
	return err
}

// explain converts an error of showing an input into one that the user understands.
func (s *screen) explain(err error, in *input.Input) error {
	switch {
	case err == nil || err == failure.ErrInterrupted || err == task.ErrQuit:
		return err
	case s.quit != nil && (errors.Is(s.Err(), os.ErrClosed) || output.IsClosedPipe(s.Err())):
		return task.ErrQuit // the pipe to the pager is closed as soon as the pager exits
	case s.Err() != nil:
		return failure.Accessing("standard output", s.Err())
	}
	return in.Explain(err)
}
