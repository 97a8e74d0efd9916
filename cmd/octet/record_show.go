package main

import (
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/recordfile"
	"github.com/octet-go/octet/msgpack"
	records "github.com/octet-go/octet/record"
	"github.com/octet-go/octet/transcode"
)

func (a *app) recordInfoCommand() *cobra.Command {
	return &cobra.Command{
		Use: "info FILE...", Short: "Show what record files contain",
		Long: "Info prints the numbers of records, blocks and bytes, and whether a file is\ntorn or damaged. It reads the index of a file, or the headers of its blocks.",
		Args: fileArgs(1, 0),
		RunE: func(_ *cobra.Command, args []string) error {
			for i, path := range args {
				if i > 0 {
					fmt.Fprintln(a.Stdout)
				}
				if err := a.recordInfo(path); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func (a *app) recordInfo(path string) error {
	f, err := openRecords(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := f.Report()
	if err != nil {
		return recordFailure(path, err)
	}
	line := func(name, format string, args ...any) {
		fmt.Fprintf(a.Stdout, "%-9s "+format+"\n", append([]any{name}, args...)...)
	}
	line("file", "%s", path)
	line("size", "%s", size(r.Size))
	line("records", "%s", humanize.Comma(r.Records))
	line("content", "%s", size(r.Raw))
	line("blocks", "%s", humanize.Comma(r.Blocks))
	if r.Parts > 1 {
		line("joined", "from %d files", r.Parts)
	}
	state := "no index: not closed, or joined"
	switch {
	case r.Damaged > 0:
		state = "damaged: " + errorText(r.Damage[0].Err)
	case r.Torn > 0:
		state = "torn: " + console.Plural(r.Torn, "byte") + " after the last whole block"
	case r.Indexed:
		state = "complete, with an index"
	}
	line("state", "%s", state)
	if m := f.Metadata(); len(m) > 0 {
		raw, err := sortedKeys(m)
		if err != nil {
			return err
		}
		text, err := transcode.AppendJSON(nil, raw, nil)
		if err != nil {
			return err
		}
		line("metadata", "%s", text)
	}
	return nil
}

// size formats a number of bytes with a unit, followed by the exact number.
func size(n int64) string {
	if n < 1000 {
		return console.Plural(n, "byte")
	}
	return fmt.Sprintf("%s (%s bytes)", humanize.Bytes(uint64(n)), humanize.Comma(n))
}

// errorText returns the text of an error of package record without its prefix.
func errorText(err error) string {
	var place *records.Error
	if errors.As(err, &place) {
		err = &recordErrorWithoutNames{place}
	}
	return err.Error()
}

func sortedKeys(m map[string]any) ([]byte, error) {
	c, err := msgpack.New(msgpack.Options{SortKeys: true})
	if err != nil {
		return nil, err
	}
	return c.Marshal(m)
}

func (a *app) recordIndexCommand() *cobra.Command {
	write := false
	c := &cobra.Command{
		Use: "index FILE", Short: "List the blocks of a record file, or add an index to it",
		Long: `Index prints a line for each block: the offset of its header, the ordinal of its
first record, its number of records, the bytes of these records, and the bytes that
the records take in the file.

With --write, it adds the index and the seek table to a file that has none. A long
file with an index can be opened faster. A torn end is cut off.`,
		Args: fileArgs(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			if write {
				return a.writeIndex(args[0])
			}
			return a.listBlocks(args[0])
		},
	}
	c.Flags().BoolVar(&write, "write", false, "add an index to the file instead of printing")
	return c
}

func (a *app) listBlocks(path string) error {
	f, err := openRecords(path)
	if err != nil {
		return err
	}
	defer f.Close()
	f.Len() // so that ordinals are counted from the beginning of a joined file
	fmt.Fprintf(a.Stdout, "%14s %14s %9s %10s %10s\n", "offset", "record", "records", "content", "stored")
	for b, err := range f.Blocks(f.Range()) {
		if err != nil {
			return recordFailure(path, err)
		}
		if _, err := fmt.Fprintf(a.Stdout, "%14d %14d %9d %10d %10d\n", b.Offset, b.Ordinal, b.Records, b.Raw, b.Stored); err != nil {
			return failure.Accessing("standard output", err)
		}
	}
	return nil
}

func (a *app) writeIndex(path string) error {
	f, err := openRecords(path)
	if err != nil {
		return err
	}
	r, err := f.Report()
	f.Close()
	if err != nil {
		return recordFailure(path, err)
	}
	if r.Indexed {
		a.Note("octet: record: index: %s has an index", path)
		return nil
	}
	// Closing a Writer adds the index, also if it has written no records.
	w, err := records.Append(path, nil)
	if err != nil {
		return recordFailure(path, err)
	}
	return recordFailure(path, w.Close())
}

func (a *app) recordVerifyCommand() *cobra.Command {
	quiet := false
	c := &cobra.Command{
		Use: "verify FILE...", Short: "Check every byte of record files",
		Long: `Verify reads every block, checks all checksums, and checks that each record is a
MessagePack value. It prints a line for each file and each damaged place.

The exit code is 1 if a file is torn, and 4 if one is damaged.`,
		Args: fileArgs(1, 0),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := recordfile.Options(false)
			if err != nil {
				return err
			}
			// All files are checked, and the exit code is that of the worst one.
			var worst error
			before := int64(0) // bytes of the files that have been checked
			_, err = a.withMeter(c.Context(), quiet, totalSize(args), nil, func(done *atomic.Int64) error {
				for _, path := range args {
					o.Progress = func(n int64) error {
						done.Store(before + n)
						return interruption(c.Context())
					}
					r, err := records.Recover(path, "", &o)
					if err != nil {
						return recordFailure(path, err)
					}
					before += r.Size
					if found := a.reportVerified(path, r); failure.CodeOf(found) > failure.CodeOf(worst) {
						worst = found
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
			return worst
		},
	}
	quietFlags(c, &quiet)
	return c
}

// reportVerified prints what Recover has found, and returns it as an error.
func (a *app) reportVerified(path string, r records.Report) error {
	fmt.Fprintf(a.Stdout, "%s: %s\n", path, r)
	for _, d := range r.Damage {
		fmt.Fprintf(a.Stdout, "  %s damaged: %s\n", console.Plural(d.Length, "byte"), errorText(d.Err))
	}
	switch {
	case r.Blocks == 0 && r.Damaged > 0:
		var place *records.Error
		errors.As(r.Damage[0].Err, &place)
		if other := notRecords(path, place); other != nil {
			return other
		}
		return failure.New(failure.Data, path, errors.New("the file has no whole block"))
	case r.Damaged > 0:
		return failure.New(failure.Data, path, fmt.Errorf("the file is damaged in %s", console.Plural(r.Damaged, "place")))
	case r.Torn > 0:
		return failure.New(failure.Finding, path, fmt.Errorf("the file is torn: %s after the last whole block", console.Plural(r.Torn, "byte")))
	}
	return nil
}

func (a *app) recordRecoverCommand() *cobra.Command {
	quiet, out := false, ""
	c := &cobra.Command{
		Use: "recover FILE -o NEW", Short: "Copy the whole blocks of a damaged record file",
		Long: `Recover copies every complete block to a new file, also those after damaged places.
It prints which places it could not read. If it fails, or if there is no whole
block, the new file is removed.`,
		Args: fileArgs(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("missing output file; use -o NEW.rec")
			}
			o, err := recordfile.Options(false)
			if err != nil {
				return err
			}
			var r records.Report
			var files newFiles
			_, err = a.withMeter(c.Context(), quiet, totalSize(args), nil, func(done *atomic.Int64) error {
				o.Progress = func(n int64) error {
					files.made(out) // before the first block
					done.Store(n)
					return interruption(c.Context())
				}
				var err error
				r, err = records.Recover(args[0], out, &o)
				if err != nil {
					files.remove()
				}
				return err
			})
			if err != nil {
				if err == failure.ErrInterrupted {
					files.abandon()
				}
				// Only the new file can exist already or be locked by another program.
				if errors.Is(err, fs.ErrExist) || errors.Is(err, records.ErrLocked) {
					return recordFailure(out, err)
				}
				return recordFailure(args[0], err)
			}
			if r.Blocks == 0 && r.Damaged > 0 {
				files.remove() // nothing could be copied
				return a.reportVerified(args[0], r)
			}
			if !quiet {
				a.reportVerified(args[0], r)
				a.Note("octet: record: recover: %s in %s", console.Plural(r.Records, "record"), out)
			}
			return nil
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "`FILE` to write; it must not exist")
	quietFlags(c, &quiet)
	return c
}
