package records

import (
	"context"
	"strconv"
	"sync/atomic"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/recordfile"
	"github.com/octet-go/octet/record"
)

// Merge copies the blocks of all files to a new one.
func (c *Command) Merge(ctx context.Context, output string, paths []string) error {
	total, err := totalSize(ctx, paths)
	if err != nil {
		return err
	}
	return c.copyRanges(ctx, "merge", total, func(r *rangeCopy) error { return r.merge(output, paths) })
}

// Split copies the blocks of a file to n new files of about the same size, or fewer if
// the file has fewer blocks. They are named after output, with numbers of the same length.
func (c *Command) Split(ctx context.Context, output, path string, n int) error {
	total, err := totalSize(ctx, []string{path})
	if err != nil {
		return err
	}
	return c.copyRanges(ctx, "split", total, func(r *rangeCopy) error {
		f, err := open(path)
		if err != nil {
			return err
		}
		groups, err := divide(f, n)
		if err != nil {
			f.Close()
			return Explain(path, err)
		}
		return r.split(output, path, f, groups)
	})
}

// divide makes n groups of the ranges of a file. Without the blocks of a file that could not be read, Split would make
// one range.
func divide(f *record.File, n int) ([][]record.Range, error) {
	if _, err := f.Report(); err != nil {
		return nil, err
	}
	return group(f.Split(n), n), nil
}

// group makes n groups of about the same size of adjacent ranges, or fewer if there are
// fewer ranges. A file that was joined from several can have more.
func group(ranges []record.Range, n int) [][]record.Range {
	size := ranges[len(ranges)-1].End
	var groups [][]record.Range
	for i, r := range ranges {
		begun := len(groups)
		middle := r.Start + (r.End-r.Start)/2
		if begun < n && (begun == 0 || len(ranges)-i <= n-begun || middle >= size/int64(n)*int64(begun)) {
			groups = append(groups, nil)
			begun++
		}
		groups[begun-1] = append(groups[begun-1], r)
	}
	return groups
}

// copyRanges runs work, which copies ranges of files of total bytes. If it fails, the new files are
// removed. name is that of the command.
func (c *Command) copyRanges(ctx context.Context, name string, total int64, work func(*rangeCopy) error) error {
	r := &rangeCopy{ctx: ctx}
	defer r.files.release()
	p, err := c.withMeter(ctx, total, nil, func(done *atomic.Int64) error {
		r.done = done
		err := work(r)
		if err != nil {
			r.files.remove()
		}
		return err
	})
	if err == failure.ErrInterrupted {
		r.files.abandon()
	}
	err = r.files.explain(err)
	for _, text := range r.torn {
		c.Note("octet: record: %s: %s", name, text)
	}
	if err == nil && !c.Quiet {
		c.Note("octet: record: %s: %s in %s, %s", name, console.Plural(r.records, "record"), r.files.list(), p.Rate(r.done.Load()))
	}
	return err
}

// A rangeCopy copies ranges of record files to new ones.
type rangeCopy struct {
	ctx     context.Context
	done    *atomic.Int64 // bytes that were copied
	files   newFiles
	records int64
	torn    []string // what is said about the ends that are not copied
}

// observe finds out whether the end of a file is not a whole block, which no range has.
func (r *rangeCopy) observe(path string, f *record.File) error {
	report, err := f.Report()
	if report.Torn > 0 {
		r.torn = append(r.torn, tornEnd(path, report.Torn))
	}
	return err
}

// merge copies files to a new one, which has the metadata of the first.
func (r *rangeCopy) merge(name string, paths []string) error {
	first, err := open(paths[0])
	if err != nil {
		return err
	}
	o := described(first)
	first.Close()
	return r.create(name, o, func(w *record.Writer) error {
		for _, path := range paths {
			f, err := open(path)
			if err != nil {
				return err
			}
			for _, part := range f.Split(int(f.Range().End/copyStep) + 1) {
				if err = r.copy(w, f, part); err != nil {
					break
				}
			}
			if unread := r.observe(path, f); err == nil {
				err = unread
			}
			f.Close()
			if err != nil {
				return Explain(path, err)
			}
		}
		return nil
	})
}

// split copies each group of ranges of a file to a new one, and closes the file. The file is not opened
// again by its name, which may be that of another one now.
func (r *rangeCopy) split(name, path string, f *record.File, groups [][]record.Range) error {
	defer f.Close()
	if err := r.observe(path, f); err != nil {
		return Explain(path, err)
	}
	width := len(strconv.Itoa(len(groups)))
	for i, ranges := range groups {
		err := r.create(numberedName(name, int64(i+1), width), described(f), func(w *record.Writer) error {
			for _, part := range ranges {
				if err := r.steps(w, f, part); err != nil {
					return Explain(path, err)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// described returns the options for a file with blocks of f.
func described(f *record.File) record.Options {
	o := record.Options{MaxBlock: recordfile.MaxBlock}
	recordfile.Describe(&o, f)
	return o
}

// create makes a file, which write fills.
func (r *rangeCopy) create(name string, o record.Options, write func(*record.Writer) error) error {
	w, err := r.files.create(name, o)
	if err != nil {
		return err
	}
	err = write(w)
	if err != nil {
		_ = w.Close() // it is removed
		return err
	}
	return r.files.close(w, name)
}

// copyStep is the number of bytes to copy until Ctrl-C is noticed and the progress is
// shown.
const copyStep = 16 << 20

// steps copies a range of Split in steps, unless the file was joined from several.
func (r *rangeCopy) steps(w *record.Writer, f *record.File, whole record.Range) error {
	report, err := f.Report()
	if err != nil || report.Parts > 1 {
		return r.copy(w, f, whole)
	}
	for step := whole; step.Start < whole.End; step.Start = step.End {
		step.End = min(step.Start+copyStep, whole.End)
		if err := r.copy(w, f, step); err != nil {
			return err
		}
	}
	return nil
}

// copy copies a range.
func (r *rangeCopy) copy(w *record.Writer, f *record.File, part record.Range) error {
	if r.ctx.Err() != nil {
		return failure.ErrInterrupted
	}
	n, err := w.Copy(f, part)
	r.records += n
	r.done.Add(part.End - part.Start)
	return err
}
