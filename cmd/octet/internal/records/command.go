package records

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/recordfile"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/record"
)

// A Command is a run of one of the commands.
type Command struct {
	*console.Console
	Quiet bool // print no progress and no summary
}

// open opens a record file.
func open(path string) (*record.File, error) {
	o, err := recordfile.Options(false)
	if err != nil {
		return nil, err
	}
	f, err := record.Open(path, &o)
	if err != nil {
		return nil, Explain(path, err)
	}
	return f, nil
}

// A source is a record file, or a copy of standard input, which has another path than name.
type source struct{ path, name string }

// sources returns the files with these paths. It copies standard input, which is called
// "-", to a temporary file, because package record reads files in any order. remove removes
// the copies.
func (c *Command) sources(ctx context.Context, paths []string) (list []source, remove func(), err error) {
	var copies []func()
	remove = func() {
		for _, f := range copies {
			f()
		}
	}
	for _, path := range paths {
		s := source{path, path}
		if path == "-" {
			s.name = "standard input"
			read := tally.Reader{R: c.Stdin}
			p := task.NewProgress(c.Console, 0, nil, c.Quiet)
			copied, done, err := task.Spool(ctx, &read, s.name, p.Tick(read.N))
			p.Clear()
			if err != nil {
				remove()
				if err == failure.ErrInterrupted {
					err = task.Interrupted(read.N(), 0, "")
				}
				return nil, nil, err
			}
			s.path, copies = copied, append(copies, done)
		}
		list = append(list, s)
	}
	return list, remove, nil
}

// explain returns an error about the source, without a path that the user does not know.
func (s source) explain(err error) error {
	var f *failure.Error
	if s.path != s.name && errors.As(err, &f) && f.Subject == s.path {
		return failure.New(f.Code, s.name, f.Err) // Detail names the file, too
	}
	return err
}

// each runs work on all files, one after another. It returns soon after an interrupt, also if work searches a long file
// for its blocks.
func (c *Command) each(ctx context.Context, paths []string, work func(s source) error) error {
	list, remove, err := c.sources(ctx, paths)
	if err != nil {
		return err
	}
	defer remove()
	for _, s := range list {
		err := interruption(ctx) // Settle waits for work, which is short for most files
		if err == nil {
			err = task.Settle(ctx, nil, func() error { return work(s) })
		}
		if err != nil {
			return s.explain(err)
		}
	}
	return nil
}

// interruption returns [failure.ErrInterrupted] after Ctrl-C.
func interruption(ctx context.Context) error {
	if ctx.Err() != nil {
		return failure.ErrInterrupted
	}
	return nil
}

// withMeter runs work, which adds to done, and shows its progress on a terminal. It
// returns the Progress, for the summary.
func (c *Command) withMeter(ctx context.Context, total int64, out any, work func(done *atomic.Int64) error) (*task.Progress, error) {
	var done atomic.Int64
	p := task.NewProgress(c.Console, total, out, c.Quiet)
	defer p.Clear()
	return p, task.Settle(ctx, p.Tick(done.Load), func() error { return work(&done) })
}

// totalSize returns the number of bytes of the files that can be opened.
func totalSize(ctx context.Context, paths []string) (int64, error) {
	var total atomic.Int64
	err := task.Settle(ctx, nil, func() error {
		for _, path := range paths {
			if f, err := record.Open(path, nil); err == nil {
				total.Add(f.Range().End)
				f.Close()
			}
		}
		return nil
	})
	return total.Load(), err
}
