package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/recordfile"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
	"github.com/octet-go/octet/msgpack"
	records "github.com/octet-go/octet/record"
)

// copyFlags holds the flags of commands that write record files.
type copyFlags struct {
	output   string
	rotate   flags.Size
	compress bool
	follow   bool
	quiet    bool
}

func (a *app) recordCatCommand() *cobra.Command {
	var v copyFlags
	c := &cobra.Command{
		Use: "cat [FILE...]", Short: "Print the records of files, or write them to a new one",
		Long: `Cat reads the records of all files, one file after the other. Without a file, or
if a name is -, it reads standard input.

It prints the records as a sequence of MessagePack values. With -o it writes a new
record file instead, in blocks of the usual size. With --rotate it begins another
file when the records in one have reached the size: out.rec is followed by
out-1.rec, out-2.rec and so on. If it fails, the new files are removed.

With --follow it waits for more records at the end of the last file, as tail -f
does, until you press Ctrl-C. With -o, each record is in the file and synced after
a second at most, and stays there if an error ends the command.`,
		Example: `  octet record cat events.rec | octet inspect
  octet record cat a.rec b.rec -o all.rec --compress
  octet record cat --follow events.rec | octet convert --from msgpack`,
		Args: fileArgs(0, 0),
		RunE: func(c *cobra.Command, args []string) error { return a.recordCat(c.Context(), &v, args) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&v.output, "output", "o", "", "record `FILE` to write; it must not exist")
	f.Var(&v.rotate, "rotate", "begin a new file when the records in one have this size")
	f.BoolVar(&v.compress, "compress", false, "compress the blocks with zstd")
	f.BoolVar(&v.follow, "follow", false, "wait for more records at the end")
	quietFlags(c, &v.quiet)
	return c
}

func (a *app) recordCat(ctx context.Context, v *copyFlags, args []string) error {
	switch {
	case v.output == "" && (v.rotate > 0 || v.compress):
		return errors.New("--rotate and --compress require -o FILE")
	case v.output == "" && a.IsTerminal(a.Stdout):
		return errors.New("refusing to write MessagePack to a terminal; use -o FILE or a pipe")
	case len(args) == 0 && a.IsTerminal(a.Stdin):
		return errors.New("missing file name; use - for standard input")
	case len(args) == 0:
		args = []string{"-"}
	}
	o, err := recordfile.Options(v.compress)
	if err != nil {
		return err
	}
	to := &rotation{v: v, o: o, stdout: a.Stdout}
	if v.follow {
		to.o.SyncEvery = time.Second // the next record may take long to come
	}
	p, err := a.withMeter(ctx, v.quiet, totalSize(args), to.meterOutput(), func(done *atomic.Int64) error {
		var err error
		for i, path := range args {
			if err = a.catFile(ctx, path, v.follow && i == len(args)-1, o, to, done); err != nil {
				break
			}
		}
		if v.follow && err == failure.ErrInterrupted {
			err = nil // this is how following ends
		}
		// This goroutine closes the file, because after Ctrl-C it may still be writing.
		if closed := to.close(); err == nil {
			err = closed
		}
		if err != nil && !v.follow { // what was followed for hours is not thrown away
			to.files.remove()
		}
		return err
	})
	switch {
	case err == failure.ErrInterrupted && v.follow:
		// Ctrl-C is the normal end of --follow. Each record has already been written to
		// standard output, so nothing has to be flushed.
		return to.files.keep()
	case err == failure.ErrInterrupted:
		to.files.abandon()
	}
	if err == nil && !v.quiet && v.output != "" {
		a.Note("octet: record: cat: %s, %s in %s, %s", console.Plural(to.records, "record"), humanize.Bytes(uint64(to.bytes)),
			to.files.list(), p.Rate(to.bytes))
	}
	return err
}

// catFile copies the records of one file.
func (a *app) catFile(ctx context.Context, path string, follow bool, o records.Options, to *rotation, done *atomic.Int64) error {
	name, in := "standard input", a.Stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return failure.Accessing(path, err)
		}
		defer file.Close()
		name, in = path, file
	}
	from := &tally.Reader{R: in}
	s := records.NewScanner(from, &o)
	if follow {
		s = records.NewScanner(in, &o) // a tally.Reader cannot seek, but a file can
		s.Follow(ctx, 0)
	}
	before := done.Load()
	for s.Scan() {
		if ctx.Err() != nil {
			return failure.ErrInterrupted
		}
		done.Store(before + from.N())
		if err := to.write(s.Raw(), follow); err != nil {
			return err
		}
	}
	switch {
	case from.Err() != nil:
		return failure.Accessing(name, from.Err())
	case s.Err() != nil:
		return recordFailure(name, s.Err())
	}
	if torn := s.Report().Torn; torn > 0 && !follow {
		a.Note("octet: record: cat: %s: %s at the end are not a whole block", name, console.Plural(torn, "byte"))
	}
	return nil
}

// A rotation writes records to standard output or to record files.
type rotation struct {
	v      *copyFlags
	o      records.Options
	stdout interface{ Write([]byte) (int, error) }
	buffer []byte

	w       *records.Writer
	name    string
	written int64 // bytes of records in w
	files   newFiles
	records int64
	bytes   int64
}

// meterOutput returns standard output if the records are written there, because a
// meter must not be mixed with them. Otherwise it returns nil.
func (r *rotation) meterOutput() any {
	if r.v.output == "" {
		return r.stdout
	}
	return nil
}

// write writes a record. If now is set, a record to standard output is not kept in the
// buffer, because the reader of a followed file waits for it.
func (r *rotation) write(raw msgpack.Raw, now bool) error {
	r.records++
	r.bytes += int64(len(raw))
	if r.v.output == "" {
		r.buffer = append(r.buffer, raw...)
		if now || len(r.buffer) >= 64<<10 {
			return r.flush()
		}
		return nil
	}
	if r.w != nil && r.v.rotate > 0 && r.written >= int64(r.v.rotate) {
		if err := r.close(); err != nil {
			return err
		}
	}
	if r.w == nil {
		if err := r.create(); err != nil {
			return err
		}
	}
	r.written += int64(len(raw))
	if err := r.w.WriteRaw(raw); err != nil {
		return recordFailure(r.name, err)
	}
	return nil
}

func (r *rotation) create() (err error) {
	r.name, r.written = numberedName(r.v.output, int64(len(r.files.names))), 0
	r.w, err = r.files.create(r.name, r.o)
	return err
}

// numberedName returns the name of an output file: out.rec, out-1.rec and so on.
func numberedName(name string, n int64) string {
	if n == 0 {
		return name
	}
	ext := filepath.Ext(name)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
}

func (r *rotation) flush() error {
	_, err := r.stdout.Write(r.buffer)
	r.buffer = r.buffer[:0]
	if err != nil {
		return failure.Accessing("standard output", err)
	}
	return nil
}

// close completes the current file. If no record was written at all, it creates a
// file without records.
func (r *rotation) close() error {
	if r.v.output == "" {
		return r.flush()
	}
	if r.w == nil && len(r.files.names) == 0 {
		if err := r.create(); err != nil {
			return err
		}
	}
	w := r.w
	r.w = nil
	if w == nil {
		return nil
	}
	return recordFailure(r.name, w.Close())
}

func (a *app) recordMergeCommand() *cobra.Command {
	var v copyFlags
	c := &cobra.Command{
		Use: "merge FILE... -o NEW", Short: "Join record files without decoding them",
		Long: `Merge copies the blocks of all files to a new one, in order. It does not decode
or compress them, so it is as fast as copying. If it fails, the new file is removed.`,
		Args: fileArgs(1, 0),
		RunE: func(c *cobra.Command, args []string) error {
			if v.output == "" {
				return errors.New("missing output file; use -o NEW.rec")
			}
			return a.copyRanges(c, &v, args, nil)
		},
	}
	c.Flags().StringVarP(&v.output, "output", "o", "", "record `FILE` to write; it must not exist")
	quietFlags(c, &v.quiet)
	return c
}

func (a *app) recordSplitCommand() *cobra.Command {
	var v copyFlags
	n := flags.Number(2)
	c := &cobra.Command{
		Use: "split FILE [-n N]", Short: "Divide a record file into several without decoding it",
		Long: `Split copies the blocks of a file to N new files of about the same size, or fewer
if the file has fewer blocks. The new files for events.rec are events-1.rec,
events-2.rec and so on; with -o NAME.rec they are NAME-1.rec and so on. If it
fails, the new files are removed.`,
		Args: fileArgs(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if n < 1 {
				return errors.New("-n must be at least 1")
			}
			if v.output == "" {
				v.output = args[0]
			}
			f, err := openRecords(args[0])
			if err != nil {
				return err
			}
			ranges := f.Split(int(n))
			f.Close()
			return a.copyRanges(c, &v, args, ranges)
		},
	}
	c.Flags().VarP(&n, "number", "n", "number of files to write")
	c.Flags().StringVarP(&v.output, "output", "o", "", "`FILE` to name the new files after, with a number")
	quietFlags(c, &v.quiet)
	return c
}

// copyRanges copies whole files to one new file if ranges is nil, as merge does.
// Otherwise it copies each range of the only file to a new file, as split does. If it
// fails, the new files are removed.
func (a *app) copyRanges(c *cobra.Command, v *copyFlags, args []string, ranges []records.Range) error {
	ctx := c.Context()
	r := &rangeCopy{ctx: ctx}
	p, err := a.withMeter(ctx, v.quiet, totalSize(args), nil, func(done *atomic.Int64) error {
		r.done = done
		var err error
		if ranges == nil {
			err = r.merge(v.output, args)
		} else {
			err = r.split(v.output, args[0], ranges)
		}
		if err != nil {
			r.files.remove()
		}
		return err
	})
	if err == failure.ErrInterrupted {
		r.files.abandon()
	}
	if err == nil && !v.quiet {
		a.Note("octet: record: %s: %s in %s, %s", c.Name(), console.Plural(r.records, "record"), r.files.list(), p.Rate(r.done.Load()))
	}
	return err
}

// A rangeCopy copies ranges of record files to new ones.
type rangeCopy struct {
	ctx     context.Context
	done    *atomic.Int64 // bytes that were copied
	files   newFiles
	records int64
}

// merge copies files to a new one.
func (r *rangeCopy) merge(name string, paths []string) error {
	return r.create(name, func(w *records.Writer) error {
		for _, path := range paths {
			f, err := openRecords(path)
			if err != nil {
				return err
			}
			for _, part := range f.Split(int(f.Range().End/copyStep) + 1) {
				if err = r.copy(w, f, part); err != nil {
					break
				}
			}
			f.Close()
			if err != nil {
				return recordFailure(path, err)
			}
		}
		return nil
	})
}

// split copies each range of a file to a new one.
func (r *rangeCopy) split(name, path string, ranges []records.Range) error {
	f, err := openRecords(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for i, part := range ranges {
		err := r.create(numberedName(name, int64(i+1)), func(w *records.Writer) error {
			return recordFailure(path, r.steps(w, f, part))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// create makes a file, which write fills.
func (r *rangeCopy) create(name string, write func(*records.Writer) error) error {
	w, err := r.files.create(name, records.Options{})
	if err != nil {
		return err
	}
	err = write(w)
	if closed := w.Close(); err == nil {
		err = recordFailure(name, closed)
	}
	return err
}

// copyStep is the number of bytes to copy until Ctrl-C is noticed and the progress is
// shown.
const copyStep = 16 << 20

// steps copies a range of Split in steps, unless the file was joined from several.
func (r *rangeCopy) steps(w *records.Writer, f *records.File, whole records.Range) error {
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
func (r *rangeCopy) copy(w *records.Writer, f *records.File, part records.Range) error {
	if r.ctx.Err() != nil {
		return failure.ErrInterrupted
	}
	n, err := w.Copy(f, part)
	r.records += n
	r.done.Add(part.End - part.Start)
	return err
}
