package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/recordfile"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	records "github.com/octet-go/octet/record"
)

const recordHelp = `A record file holds many MessagePack values and survives a crash of the program
that writes it. It is made by octet convert -o FILE.rec, by octet record cat, and
by programs with the Go package record. All commands of octet read it like a
stream of its values.

A file that ends with an incomplete block, as after a crash, is called torn. All
blocks before it can be read, and a program can continue to write the file. A file
with any other error is called damaged. Commands stop reading at the damage; octet
record recover copies all blocks that are not damaged.

Blocks may be compressed with zstd. The zstd command decompresses any record
file to the plain sequence of its values.`

// recordCommand returns the parent of the commands for record files.
func (a *app) recordCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "record", GroupID: groupFiles, Short: "Show, join, divide and repair record files", Long: recordHelp,
		Example: `  octet record info events.rec
  octet record cat events-*.rec -o all.rec --rotate 1GB
  octet record verify events.rec
  octet record recover damaged.rec -o whole.rec`,
		Args: knownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.recordInfoCommand(), a.recordCatCommand(), a.recordSplitCommand(), a.recordMergeCommand(),
		a.recordVerifyCommand(), a.recordRecoverCommand(), a.recordIndexCommand())
	return c
}

// fileArgs returns a check that a command has at least atLeast and at most atMost file
// names. If atMost is 0, there is no maximum.
func fileArgs(atLeast, atMost int) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < atLeast:
			return errors.New("missing file name")
		case atMost > 0 && len(args) > atMost:
			return fmt.Errorf("unexpected argument %q", args[atMost])
		}
		for _, name := range args {
			if name == "" {
				return errors.New("the file name is empty")
			}
		}
		return nil
	}
}

// quietFlags adds the flag --quiet of commands that may take long.
func quietFlags(c *cobra.Command, quiet *bool) {
	c.Flags().BoolVarP(quiet, "quiet", "q", false, "print no progress and no summary")
}

// openRecords opens a record file.
func openRecords(path string) (*records.File, error) {
	o, err := recordfile.Options(false)
	if err != nil {
		return nil, err
	}
	f, err := records.Open(path, &o)
	if err != nil {
		return nil, recordFailure(path, err)
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

// recordFailure converts an error of package record about a file. If the error names
// another one, such as the output of a copy, that takes its place.
func recordFailure(path string, err error) error {
	var known *failure.Error
	var place *records.Error
	if errors.As(err, &place) && place.Path != "" {
		path = place.Path
	}
	switch {
	case err == nil || err == failure.ErrInterrupted || errors.As(err, &known):
		return err
	case errors.Is(err, records.ErrCorrupt), errors.Is(err, records.ErrVersion), errors.Is(err, records.ErrLimit):
		if errors.As(err, &place) {
			err = &recordErrorWithoutNames{place}
		}
		f := failure.New(failure.Data, path, err)
		if other := notRecords(path, place); other != nil {
			return other
		}
		if errors.Is(err, records.ErrCorrupt) {
			f.Detail = "To copy what can be read: octet record recover " + path + " -o NEW.rec"
		}
		return f
	case errors.Is(err, fs.ErrExist):
		return failure.New(failure.Access, path, errors.New("file exists"))
	}
	return failure.Accessing(path, err)
}

// notRecords returns the error for a file that has never been a record file, as far as
// its first bytes tell, or nil. place is where reading has failed.
func notRecords(path string, place *records.Error) *failure.Error {
	if place == nil || place.Offset != 0 {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	head := make([]byte, sniff.MaxHead)
	n, _ := io.ReadFull(file, head)
	head = head[:n]
	if len(head) == 0 || sniff.IsRecord(head) {
		return nil
	}
	name, detail := sniff.ForeignByBytes(head, n < sniff.MaxHead).Name, ""
	if looks := sniff.ByBytes(head); name == "" && (looks == sniff.JSON || looks == sniff.MessagePack && sniff.ByName(path) == looks) {
		name, detail = looks.Title(), "To make one: octet convert "+input.Quote(path)+" -o NEW.rec"
	}
	if name == "" {
		return nil
	}
	f := failure.New(failure.Data, path, fmt.Errorf("this looks like %s, not a record file", name))
	f.Detail = detail
	return f
}

// A recordErrorWithoutNames is an error of package record without the names of the
// package and of the file.
type recordErrorWithoutNames struct{ place *records.Error }

func (e *recordErrorWithoutNames) Error() string {
	plain := *e.place
	plain.Path = ""
	return strings.TrimPrefix(plain.Error(), "record: ")
}

func (e *recordErrorWithoutNames) Unwrap() error { return e.place }

// withMeter runs work, which adds to done, and shows its progress on a terminal. It
// returns the Progress, for the summary.
func (a *app) withMeter(ctx context.Context, quiet bool, total int64, out any, work func(done *atomic.Int64) error) (*task.Progress, error) {
	var done atomic.Int64
	p := task.NewProgress(a.Console, total, out, quiet)
	defer p.Clear()
	return p, task.Settle(ctx, p.Tick(done.Load), func() error { return work(&done) })
}

// totalSize returns the number of bytes of the files that can be opened.
func totalSize(paths []string) (total int64) {
	for _, path := range paths {
		if f, err := records.Open(path, nil); err == nil {
			total += f.Range().End
			f.Close()
		}
	}
	return total
}
