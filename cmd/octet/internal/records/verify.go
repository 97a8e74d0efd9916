package records

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/recordfile"
	"github.com/octet-go/octet/record"
)

// Verify reads every byte of the files, and prints a line for each file and each
// damaged place. It checks all files, and returns the worst of their errors. The path "-"
// means standard input.
func (c *Command) Verify(ctx context.Context, paths []string) error {
	o, err := recordfile.Options(false)
	if err != nil {
		return err
	}
	list, remove, err := c.sources(ctx, paths)
	if err != nil {
		return err
	}
	defer remove()
	on := make([]string, len(list))
	for i, s := range list {
		on[i] = s.path
	}
	var worst error
	before := int64(0) // bytes of the files that have been checked
	total, err := totalSize(ctx, on)
	if err != nil {
		return err
	}
	_, err = c.withMeter(ctx, total, nil, func(done *atomic.Int64) error {
		for _, s := range list {
			o.Progress = func(n int64) error {
				done.Store(before + n)
				return interruption(ctx)
			}
			r, err := record.Recover(s.path, "", &o)
			if err == failure.ErrInterrupted {
				return err
			}
			before += r.Size
			found := s.explain(Explain(s.path, err))
			if err == nil {
				found, err = c.reportVerified(s, r)
			} else {
				err = c.print(c.Visible(c.Stdout, found.Error()) + "\n")
			}
			if err != nil {
				return err // nothing more can be printed
			}
			if failure.CodeOf(found) > failure.CodeOf(worst) {
				worst = found
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return worst
}

// reportVerified prints what Recover has found, and returns it as an error. The second error is that of printing.
func (c *Command) reportVerified(s source, r record.Report) (found, err error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", c.Name(c.Stdout, s.name), r)
	for _, d := range r.Damage {
		fmt.Fprintf(&b, "  %s damaged: %s\n", console.Plural(d.Length, "byte"), plain(d.Err))
	}
	if err := c.print(b.String()); err != nil {
		return nil, err
	}
	switch {
	case r.Blocks == 0 && r.Damaged > 0:
		var place *record.Error
		errors.As(r.Damage[0].Err, &place)
		if other := notRecords(s.path, place); other != nil {
			return s.explain(other), nil
		}
		return failure.New(failure.Data, s.name, errors.New("the file has no whole block")), nil
	case r.Damaged > 0:
		return failure.New(failure.Data, s.name, fmt.Errorf("the file is damaged in %s", console.Plural(r.Damaged, "place"))), nil
	case r.Torn > 0:
		return failure.New(failure.Finding, s.name, fmt.Errorf("the file is torn: %s after the last whole block", console.Plural(r.Torn, "byte"))), nil
	}
	return nil, nil
}

// Recover copies every whole block of a file to a new one.
func (c *Command) Recover(ctx context.Context, path, output string) error {
	o, err := recordfile.Options(false)
	if err != nil {
		return err
	}
	total, err := totalSize(ctx, []string{path})
	if err != nil {
		return err
	}
	var r record.Report
	var files newFiles
	defer files.release()
	copied, err := files.begin(output)
	if err != nil {
		return err
	}
	_, err = c.withMeter(ctx, total, nil, func(done *atomic.Int64) error {
		o.Progress = func(n int64) error {
			done.Store(n)
			return interruption(ctx)
		}
		var err error
		r, err = record.Recover(path, copied, &o)
		if err != nil {
			files.remove()
		}
		return err
	})
	if err != nil {
		if err == failure.ErrInterrupted {
			files.abandon()
		}
		if access, ok := errors.AsType[*fs.PathError](err); ok && access.Path == copied {
			path = output
		}
		return files.explain(Explain(path, err)) // package record may name the new file
	}
	if r.Blocks == 0 && r.Damaged > 0 {
		files.remove() // nothing could be copied
		found, err := c.reportVerified(source{path, path}, r)
		return cmp.Or(err, found)
	}
	if err := files.publish(); err != nil {
		files.remove()
		return err
	}
	if !c.Quiet {
		if _, err := c.reportVerified(source{path, path}, r); err != nil {
			return err // the new file is complete
		}
		c.Note("octet: record: recover: %s in %s", console.Plural(r.Records, "record"), output)
	}
	return nil
}
