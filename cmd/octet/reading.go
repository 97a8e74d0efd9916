package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

// A reading holds the arguments that all commands that read values have: their files,
// and the flag for the format of the files.
type reading struct {
	of      *cobra.Command
	command string // its name
	paths   []string
	from    flags.Choice
}

// readFlags defines the flags of a reading.
func (r *reading) readFlags(c *cobra.Command) {
	r.of, r.command = c, c.Name()
	flags.From(c, &r.from)
}

// setPaths sets the paths from arguments. Without a path, the input is standard
// input, unless that is a terminal.
func (a *app) setPaths(r *reading, args []string) error {
	if len(args) == 0 && a.IsTerminal(a.Stdin) {
		return errors.New("missing file name; use - for standard input")
	}
	r.paths, a.inputs = args, args
	return nil
}

// checkNotFile returns an error if the only argument is the name of a file, but the
// command takes another argument before the files. what is the name of that argument.
func checkNotFile(command, what string, args []string) error {
	if len(args) != 1 {
		return nil
	}
	path := args[0]
	if sniff.ByName(path) == sniff.Unknown && !sniff.IsCompressed(path) && !sniff.HasRecordExtension(path) {
		return nil
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%s is a file, and the %s is missing before it; for example: octet %s . %s", path, what, command, input.Quote(path))
}

// pathArgs returns a check of the arguments for a command whose arguments are all
// paths.
func (a *app) pathArgs(r *reading) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error { return a.setPaths(r, args) }
}

// files returns the inputs of a command.
func (a *app) files(r *reading) *input.Files {
	o := input.Options{Args: a.line(r.command), Format: sniff.Named(r.from.Value), Read: &a.read}
	return &input.Files{Console: a.Console, Paths: r.paths, Report: func(err error) { a.Print(r.of, err) }, Options: o}
}

// produce runs work, which writes to the target and reads a.inputs. It colors JSON if the
// flags ask for it, and shows the progress.
func (a *app) produce(ctx context.Context, t task.Target, work func(w io.Writer) error) error {
	if err := input.NotOutput(a.inputs, a.Stdin, t.Path, true); err != nil {
		return err
	}
	t.Painted = t.Painted && a.Colored(a.Color.Value, a.Stdout)
	t.InPlace = &a.rewritten
	t.Input = t.Path != "-" && (t.Input || input.IsOutput(a.inputs, a.Stdin, t.Path))
	t.Done, t.Total = a.read.Load, input.Total(a.inputs, a.Stdin)
	return t.Produce(ctx, a.Console, work)
}

// checkOutput returns an error if the name of an output file says another format than
// the one that is written. It accepts every extension but those of compressed files if
// the format is Unknown, as for the bytes of a string.
func checkOutput(path string, format sniff.Format) error {
	if format == sniff.Unknown && !sniff.IsCompressed(path) {
		return nil
	}
	if format == sniff.Unknown {
		format = sniff.Text
	}
	return input.NamesOther(path, format, false)
}
