package arrayfile

import (
	"context"
	"errors"
	"fmt"

	"github.com/octet-go/octet/cmd/octet/internal/arrays"
	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/internal/output"
)

// Cat prints the elements.
func (c *Command) Cat(ctx context.Context, f *File, o arrays.Output) error {
	return explain(f, c.cat(ctx, f, o))
}

func (c *Command) cat(ctx context.Context, f *File, o arrays.Output) error {
	s, err := c.source(f)
	if err != nil {
		return err
	}
	to := &tally.Writer{W: c.Stdout} // tells errors of writing from errors of reading
	_, err = withProgress(ctx, c, f, c.Stdout, func() (int64, error) {
		in, err := s.Open(true) // in C order, because a line is a part of the last dimension
		if err != nil {
			return 0, err
		}
		defer in.Close()
		return arrays.Write(to, in, o)
	})
	if to.Err() != nil {
		return failure.Accessing("standard output", to.Err())
	}
	return err
}

// Convert writes an array to the file target. Binary data is written to a terminal only
// if force is set.
func (c *Command) Convert(ctx context.Context, f *File, target string, o arrays.Output, force bool) error {
	return explain(f, c.convert(ctx, f, target, o, force))
}

func (c *Command) convert(ctx context.Context, f *File, target string, o arrays.Output, force bool) error {
	if target == "" {
		return failure.ErrNoName
	}
	if err := input.NotOutput([]string{f.Path}, c.Stdin, target, true); err != nil {
		return err
	}
	s, err := c.source(f)
	if err != nil {
		return err
	}
	if o.Format == "" {
		o.Format = arrays.ByName(target)
	}
	switch o.Format {
	case "":
		return usageError("the format of the output is unknown; use --to")
	case arrays.NPZ:
		return usageError("convert does not write .npz files; choose .npy")
	}
	switch named := arrays.ByName(target); {
	case sniff.IsCompressed(target):
		return usageError("the output is not compressed, but the name " + target + " says so; compress it through a pipe")
	case named != "" && named != o.Format:
		return usageError("the output is " + o.Format + ", but the name " + target + " says " + named)
	}
	// Only .npy can keep Fortran order. Opening can wait for standard input, so Ctrl-C
	// must be able to end it.
	in, err := task.Await(ctx, nil, nil, func() (*arrays.Input, error) { return s.Open(o.Format != arrays.NPY) })
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := output.Create(ctx, target, c.Stdout)
	if err != nil {
		return failure.Accessing(target, err)
	}
	text := o.Format == arrays.CSV || o.Format == arrays.JSON
	if !text && !force && c.IsTerminal(out.Writer) {
		out.Discard()
		return usageError("refusing to write binary data to a terminal; use -o FILE, a pipe, or --force")
	}
	to := &tally.Writer{W: out.Writer}
	n, err := withProgress(ctx, c, f, out.Writer, func() (int64, error) { return arrays.Write(to, in, o) })
	committed := false
	if err == nil {
		err, committed = out.Commit(ctx), true
	}
	switch {
	case err == nil:
	case committed && errors.Is(err, context.Canceled):
		return task.Interrupted(f.read.N(), 0, out.Name)
	case committed:
		return failure.Accessing(out.Name, err)
	case errors.Is(err, failure.ErrInterrupted) && !out.Direct():
		// A temporary file has all that was written, so the destination is unchanged.
		out.Discard()
		return failure.New(failure.Interrupted, "", fmt.Errorf("%w; nothing was written to %s", err, out.Name))
	case err != nil:
		out.Discard()
		if to.Err() != nil && !errors.Is(err, failure.ErrInterrupted) { // after an interrupt, it is only that the pipe is closed
			return failure.Accessing(out.Name, to.Err())
		}
		return err
	}
	if !c.Quiet {
		c.Note("octet: array: convert: %s of %s, %s → %s", console.Plural(n, "element"), in.Kind.Name(), in.Format, o.Format)
	}
	return nil
}
