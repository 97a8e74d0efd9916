package records

import (
	"context"
	"sync/atomic"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/recordfile"
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
func totalSize(paths []string) (total int64) {
	for _, path := range paths {
		if f, err := record.Open(path, nil); err == nil {
			total += f.Range().End
			f.Close()
		}
	}
	return total
}
