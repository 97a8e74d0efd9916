package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/records"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
)

const recordHelp = `A record file holds many MessagePack values and survives a crash of the program
that writes it. It is made by octet convert -o FILE.rec, by octet record cat,
and by programs with the Go package record. All commands of octet read it like a
stream of its values.

A file that ends with an incomplete block, as after a crash, is called torn. All
blocks before it can be read, and a program can continue to write the file. A
file with any other error is called damaged. Commands stop reading at the
damage; octet record recover copies all blocks that are not damaged.

Blocks may be compressed with zstd. The zstd command decompresses any record
file to the plain sequence of its values.`

// recordCommand returns the parent of the commands for record files.
func (a *app) recordCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "record", GroupID: groupFiles, Short: "Show, join, divide and repair record files", Long: recordHelp,
		Example: `  go list -json std | octet convert -o std.rec
  octet record info std.rec
  octet record cat std.rec std.rec -o twice.rec --rotate 1GB
  octet record verify std.rec
  octet record recover std.rec -o whole.rec`,
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

// recordStdin ends the help of the commands that use orStdin.
const recordStdin = `

Without a file, or if the name is -, it copies standard input to a temporary
file first.`

// orStdin returns the file names of a command, or - without a name.
func (a *app) orStdin(args []string) ([]string, error) {
	switch {
	case len(args) > 0:
		return args, nil
	case a.IsTerminal(a.Stdin):
		return nil, errors.New("missing file name; use - for standard input")
	}
	return []string{"-"}, nil
}

// checkRecords returns an error if the name of a new record file says another format, or means standard output or
// another file that cannot be synced.
func checkRecords(path string) error {
	if path == "-" {
		return errors.New("a record file cannot be written to standard output, which cannot be synced; ./- is the file with the name -")
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return fmt.Errorf("a record file cannot be written to %s, which is a device or a pipe and cannot be synced", path)
	}
	return input.NamesOther(path, sniff.MessagePack, true)
}

// recordFiles is fileArgs for commands that cannot read standard input.
func recordFiles(atLeast, atMost int) cobra.PositionalArgs {
	check := fileArgs(atLeast, atMost)
	return func(c *cobra.Command, args []string) error {
		if slices.Contains(args, "-") {
			return errors.New("cannot read standard input; ./- is the file with the name -")
		}
		return check(c, args)
	}
}

// quietFlags adds the flag --quiet of commands that may take long.
func quietFlags(c *cobra.Command, quiet *bool) {
	c.Flags().BoolVarP(quiet, "quiet", "q", false, "print no progress and no summary")
}

func (a *app) recordInfoCommand() *cobra.Command {
	r := records.Command{Console: a.Console}
	return &cobra.Command{
		Use: "info [FILE...]", Short: "Show what record files contain",
		Long: "Info prints the numbers of records, blocks and bytes, and whether a file is\ntorn or damaged. It reads the index of a file, or the headers of its blocks." + recordStdin,
		Args: fileArgs(0, 0),
		RunE: func(c *cobra.Command, args []string) error {
			paths, err := a.orStdin(args)
			if err != nil {
				return err
			}
			return r.Info(c.Context(), paths)
		},
	}
}

func (a *app) recordCatCommand() *cobra.Command {
	r := records.Command{Console: a.Console}
	var v records.Cat
	var rotate flags.Size
	c := &cobra.Command{
		Use: "cat [FILE...]", Short: "Print the records of files, or write them to a new one",
		Long: `Cat reads the records of all files, one file after the other. Without a file, or
if a name is -, it reads standard input.

It prints the records as a sequence of MessagePack values. With -o it writes a
new record file instead, in blocks of the usual size. With --rotate it begins
another file when the records in one have reached the size: out.rec is followed
by out-1.rec, out-2.rec and so on. If it fails, the new files are removed.

New files have the metadata and schema of the first file, also if others
differ.

With --follow it waits for more records at the end of the last file, as tail -f
does, until you press Ctrl-C. With -o, each record is in the file and synced
after a second at most, and stays there if an error ends the command.`,
		Example: `  go list -json std | octet convert -o std.rec
  octet record cat std.rec | octet inspect -
  octet record cat std.rec std.rec -o twice.rec --compress
  octet record cat --follow std.rec | octet convert --from msgpack`,
		Args: fileArgs(0, 0),
		RunE: func(c *cobra.Command, args []string) error {
			v.Rotate = int64(rotate)
			switch {
			case v.Output == "" && (v.Rotate > 0 || v.Compress):
				return errors.New("--rotate and --compress require -o FILE")
			case v.Output == "" && a.IsTerminal(a.Stdout):
				return errors.New("refusing to write MessagePack to a terminal; use -o FILE or a pipe")
			}
			paths, err := a.orStdin(args)
			if err != nil {
				return err
			}
			if err := checkRecords(v.Output); err != nil {
				return err
			}
			return r.Cat(c.Context(), v, paths)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&v.Output, "output", "o", "", "record `FILE` to write; it must not exist")
	f.Var(&rotate, "rotate", "begin a new file when the records in one have this size")
	f.BoolVar(&v.Compress, "compress", false, "compress the blocks with zstd")
	f.BoolVar(&v.Follow, "follow", false, "wait for more records at the end")
	quietFlags(c, &r.Quiet)
	return c
}

func (a *app) recordMergeCommand() *cobra.Command {
	r := records.Command{Console: a.Console}
	output := ""
	c := &cobra.Command{
		Use: "merge FILE... -o NEW", Short: "Join record files without decoding them",
		Long: `Merge copies the blocks of all files to a new one, in order. It does not decode
or compress them, so it is as fast as copying. If it fails, the new file is
removed.

The new file has the metadata and schema of the first file, also if others
differ.`,
		Args: recordFiles(1, 0),
		RunE: func(c *cobra.Command, args []string) error {
			if output == "" {
				return errors.New("missing output file; use -o NEW.rec")
			}
			if err := checkRecords(output); err != nil {
				return err
			}
			return r.Merge(c.Context(), output, args)
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "", "record `FILE` to write; it must not exist")
	quietFlags(c, &r.Quiet)
	return c
}

func (a *app) recordSplitCommand() *cobra.Command {
	r := records.Command{Console: a.Console}
	output := ""
	n := flags.Number(2)
	c := &cobra.Command{
		Use: "split FILE [-n N]", Short: "Divide a record file into several without decoding it",
		Long: `Split copies the blocks of a file to N new files of about the same size, or
fewer if the file has fewer blocks. The new files for events.rec are
events-1.rec, events-2.rec and so on; with -o NAME.rec they are NAME-1.rec and
so on. The numbers of 10 and more files begin with zeros, so that the names
sort in order. The new files have the metadata of the file. If it fails, they
are removed.`,
		Args: recordFiles(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if n < 1 {
				return errors.New("-n must be at least 1")
			}
			if err := checkRecords(output); err != nil {
				return err
			}
			if output == "" {
				output = args[0]
			}
			return r.Split(c.Context(), output, args[0], int(n))
		},
	}
	c.Flags().VarP(&n, "number", "n", "number of files to write")
	c.Flags().StringVarP(&output, "output", "o", "", "`FILE` to name the new files after, with a number")
	quietFlags(c, &r.Quiet)
	return c
}

func (a *app) recordVerifyCommand() *cobra.Command {
	r := records.Command{Console: a.Console}
	c := &cobra.Command{
		Use: "verify [FILE...]", Short: "Check every byte of record files",
		Long: `Verify reads every block, checks all checksums, and checks that each record is a
MessagePack value. It prints a line for each file and each damaged place.

The exit code is 1 if a file is torn, and 4 if one is damaged.` + recordStdin,
		Args: fileArgs(0, 0),
		RunE: func(c *cobra.Command, args []string) error {
			paths, err := a.orStdin(args)
			if err != nil {
				return err
			}
			return r.Verify(c.Context(), paths)
		},
	}
	quietFlags(c, &r.Quiet)
	return c
}

func (a *app) recordRecoverCommand() *cobra.Command {
	r := records.Command{Console: a.Console}
	out := ""
	c := &cobra.Command{
		Use: "recover FILE -o NEW", Short: "Copy the whole blocks of a damaged record file",
		Long: `Recover copies every complete block to a new file, also those after damaged
places. It prints which places it could not read. If it fails, or if there is no
whole block, the new file is removed.`,
		Args: recordFiles(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("missing output file; use -o NEW.rec")
			}
			if err := checkRecords(out); err != nil {
				return err
			}
			return r.Recover(c.Context(), args[0], out)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "`FILE` to write; it must not exist")
	quietFlags(c, &r.Quiet)
	return c
}
func (a *app) recordIndexCommand() *cobra.Command {
	r := records.Command{Console: a.Console}
	write := false
	c := &cobra.Command{
		Use: "index FILE", Short: "List the blocks of a record file, or add an index to it",
		Long: `Index prints a line for each block: the offset of its header, the ordinal of its
first record, its number of records, the bytes of these records, and the bytes
that the records take in the file.

With --write, it adds the index and the seek table to a file that has none. A
long file with an index can be opened faster. A torn end is moved to a file
beside it, whose name is printed.

Without --write, the name - means standard input, which is copied to a temporary
file first.`,
		Args: fileArgs(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if write {
				if err := recordFiles(1, 1)(c, args); err != nil {
					return err
				}
				return r.WriteIndex(c.Context(), args[0])
			}
			return r.Blocks(c.Context(), args[0])
		},
	}
	c.Flags().BoolVar(&write, "write", false, "add an index to the file instead of printing")
	return c
}
