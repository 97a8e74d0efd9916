package records

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/recordfile"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
	"github.com/octet-go/octet/internal/interrupt"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/record"
)

// Cat says where the records of files go.
type Cat struct {
	Output   string // a record file; if empty, standard output
	Rotate   int64  // begin another file when the records in one have this size, unless 0
	Compress bool   // compress the blocks
	Follow   bool   // wait for more records at the end of the last file
}

// Cat copies the records of all files, one file after the other. The name "-" means
// standard input.
func (c *Command) Cat(ctx context.Context, v Cat, paths []string) error {
	o, err := recordfile.Options(v.Compress)
	if err != nil {
		return err
	}
	total, err := totalSize(ctx, paths)
	if err != nil {
		return err
	}
	to := &rotation{v: &v, o: o, stdout: c.Stdout}
	if v.Follow {
		to.o.SyncEvery = time.Second // the next record may take long to come
	}
	defer to.files.release()
	p, err := c.withMeter(ctx, total, to.meterOutput(), func(done *atomic.Int64) error {
		var err error
		for i, path := range paths {
			to.first = i == 0
			if err = c.catFile(ctx, path, v.Follow && i == len(paths)-1, o, to, done); err != nil {
				break
			}
		}
		if v.Follow && err == failure.ErrInterrupted {
			err = nil // this is how following ends
		}
		if err == nil && !v.Follow && interrupt.Err(ctx) != nil {
			err = failure.ErrInterrupted // Ctrl-C also ends the program that writes to our standard input
		}
		// This goroutine closes the file, because after Ctrl-C it may still be writing.
		if closed := to.close(err); err == nil {
			err = closed
		}
		if err != nil && !v.Follow { // what was followed for hours is not thrown away
			to.files.remove()
		}
		return err
	})
	switch {
	case err == failure.ErrInterrupted && v.Follow:
		// Ctrl-C is the normal end of --follow. Each record has already been written to
		// standard output, so nothing has to be flushed.
		return to.files.keep()
	case err == failure.ErrInterrupted:
		to.files.abandon()
	}
	err = to.files.explain(err)
	if err == nil && !c.Quiet && v.Output != "" {
		c.Note("octet: record: cat: %s, %s in %s, %s", console.Plural(to.records, "record"), humanize.Bytes(uint64(to.bytes)),
			to.files.list(), p.Rate(to.bytes))
	}
	return err
}

// catFile copies the records of one file.
func (c *Command) catFile(ctx context.Context, path string, follow bool, o record.Options, to *rotation, done *atomic.Int64) error {
	name, in := "standard input", c.Stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return failure.Accessing(path, err)
		}
		defer file.Close()
		name, in = path, file
	}
	if file, ok := in.(*os.File); ok && c.IsOutput(file) {
		return failure.OutputToo(name)
	}
	from := &tally.Reader{R: in}
	s := record.NewScanner(from, &o)
	if follow {
		s = record.NewScanner(in, &o) // a tally.Reader cannot seek, but a file can
		s.Follow(ctx, 0)
	}
	before := done.Load()
	for s.Scan() {
		to.describe(s)
		if ctx.Err() != nil {
			return failure.ErrInterrupted
		}
		done.Store(before + from.N())
		if err := to.write(s.Raw(), follow); err != nil {
			return err
		}
	}
	to.describe(s) // there may be no record
	switch {
	case from.Err() != nil:
		return failure.Accessing(name, from.Err())
	case s.Err() != nil:
		return Explain(name, s.Err())
	}
	if torn := s.Report().Torn; torn > 0 && !follow {
		c.Note("octet: record: cat: %s", tornEnd(name, torn))
	}
	return nil
}

// tornEnd says how many bytes at the end of a file are not copied.
func tornEnd(name string, torn int64) string {
	return fmt.Sprintf("%s: the last %s are not a whole block; the records before them were read", name, console.Plural(torn, "byte"))
}

// A rotation writes records to standard output or to record files.
type rotation struct {
	v      *Cat
	o      record.Options
	stdout interface{ Write([]byte) (int, error) }
	buffer []byte

	first   bool // the records are those of the first file
	w       *record.Writer
	name    string
	written int64 // bytes of records in w
	files   newFiles
	records int64
	bytes   int64
}

// meterOutput returns standard output if the records are written there, because a
// meter must not be mixed with them. Otherwise it returns nil.
func (r *rotation) meterOutput() any {
	if r.v.Output == "" {
		return r.stdout
	}
	return nil
}

// describe takes the metadata and the schema for the new files from the header that s has read, if it
// is that of the first file.
func (r *rotation) describe(s *record.Scanner) {
	if r.first {
		recordfile.Describe(&r.o, s)
		r.first = false
	}
}

// write writes a record. If now is set, a record to standard output is not kept in the
// buffer, because the reader of a followed file waits for it.
func (r *rotation) write(raw msgpack.Raw, now bool) error {
	r.records++
	r.bytes += int64(len(raw))
	if r.v.Output == "" {
		r.buffer = append(r.buffer, raw...)
		if now || len(r.buffer) >= 64<<10 {
			return r.flush()
		}
		return nil
	}
	if r.w != nil && r.v.Rotate > 0 && r.written >= r.v.Rotate {
		if err := r.close(nil); err != nil {
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
		return Explain(r.name, err)
	}
	return nil
}

func (r *rotation) create() (err error) {
	r.name, r.written = numberedName(r.v.Output, int64(len(r.files.names)), 1), 0
	if r.v.Follow {
		r.w, err = r.files.follow(r.name, r.o)
	} else {
		r.w, err = r.files.create(r.name, r.o)
	}
	return err
}

func (r *rotation) flush() error {
	_, err := r.stdout.Write(r.buffer)
	r.buffer = r.buffer[:0]
	if err != nil {
		return failure.Accessing("standard output", err)
	}
	return nil
}

// close completes the current file, unless that failed. If no record was written at all, it creates a
// file without record.
func (r *rotation) close(failed error) error {
	if r.v.Output == "" {
		return r.flush()
	}
	if failed != nil {
		if r.w == nil {
			return nil
		}
		return Explain(r.name, r.w.Close()) // without --follow, the file will be removed
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
	return r.files.close(w, r.name)
}
