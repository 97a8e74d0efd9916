package task

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/output"
)

// A Target is where a command writes its result.
type Target struct {
	Path    string   // "-" for standard output
	Painted bool     // the result is JSON, colored on standard output
	Visible bool     // the result is text: a terminal gets escapes for what cannot be seen
	Plain   bool     // with Visible, the text is neither JSON nor colored
	Binary  bool     // the result is MessagePack, which is not written to a terminal
	Force   bool     // a terminal gets MessagePack and Plain text as they are
	Input   bool     // the file is an input of the command too
	InPlace *InPlace // the file that the command rewrites instead; may be nil

	// Done returns the number of bytes of the input that were read, for the progress. Total
	// is the number of all, 0 if it is not known. Nil shows no progress.
	Done  func() int64
	Total int64
}

// ErrTerminal is the error for MessagePack that would be written to a terminal.
var ErrTerminal = errors.New("refusing to write MessagePack to a terminal; use -o FILE, a pipe, or --force")

// Produce runs work, which writes to the target. A file is replaced if work returns
// nil or an error with the code Finding, with which the result is complete too. An Input is
// not replaced with such an error, because the values that the result lacks would be lost.
func (t *Target) Produce(ctx context.Context, c *console.Console, work func(w io.Writer) error) error {
	if t.Path == "" {
		return failure.ErrNoName
	}
	out, err := output.Create(ctx, t.Path, c.Stdout)
	if err != nil {
		return failure.Accessing(t.Path, err)
	}
	if t.Binary && !t.Force && c.IsTerminal(out.Writer) {
		out.Discard()
		return ErrTerminal
	}
	to := &tally.Writer{W: out.Writer}
	var tick func()
	if t.Done != nil {
		p := NewProgress(c, t.Total, nil, false)
		defer p.Clear()
		tick = p.Tick(t.Done)
		if c.IsTerminal(out.Writer) {
			to.W = p.Writer(out.Writer)
		}
	}
	var w io.Writer = to
	flush := func() error { return nil }
	if t.Visible && !(t.Plain && t.Force) && c.IsTerminal(out.Writer) {
		escaper := &console.Escaper{W: to, Plain: t.Plain}
		w, flush = escaper, escaper.Flush
	}
	if t.Painted && out.Writer == c.Stdout {
		w = console.NewJSONPainter(w, console.NewPalette(true))
	}
	_, err = Await(ctx, nil, tick, func() (struct{}, error) {
		err := work(w)
		if unwritten := flush(); err == nil {
			err = unwritten
		}
		return struct{}{}, err
	})
	found := failure.CodeOf(err) == failure.Finding
	kept := found && t.Input && !out.Direct()
	if err == nil || found && !kept {
		unwritten := out.Commit(ctx)
		if unwritten == nil {
			return err
		}
		if err = unwritten; !errors.Is(err, context.Canceled) {
			return failure.Accessing(out.Name, err)
		}
	}
	out.Discard()
	if f, ok := errors.AsType[*failure.Error](err); ok && kept {
		unchanged := fmt.Errorf("%w; %s, which is also the input, is unchanged", f, errtext.Line(out.Name))
		return &failure.Error{Code: f.Code, Err: unchanged, Detail: f.Detail, Exit: f.Exit}
	}
	if errors.Is(err, failure.ErrInterrupted) || errors.Is(err, context.Canceled) { // work may still run and rewrite a file in place
		if t.InPlace != nil {
			t.InPlace.stop()
		}
		name := ""
		if !out.Direct() {
			name = out.Name
		}
		if t.Done == nil {
			return Interrupted(0, 0, name)
		}
		return Interrupted(t.Done(), t.Total, name)
	}
	if to.Err() != nil {
		return failure.Accessing(out.Name, to.Err())
	}
	return err
}

// Write replaces a file with what write writes, unless ctx is canceled. An error names the
// file. stdout stands for the name "-".
func Write(ctx context.Context, path string, stdout io.Writer, write func(w io.Writer) error) error {
	out, err := output.Create(ctx, path, stdout)
	if err != nil {
		return failure.Accessing(path, err)
	}
	if err := write(out); err != nil {
		out.Discard()
		return failure.Accessing(path, err)
	}
	err = out.Commit(ctx)
	if errors.Is(err, context.Canceled) {
		return failure.ErrInterrupted
	}
	if err != nil {
		return failure.Accessing(path, err)
	}
	return nil
}
