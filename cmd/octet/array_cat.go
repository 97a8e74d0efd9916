package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/arrays"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/output"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

func (a *app) arrayCatCommand() *cobra.Command {
	var v arrayInput
	limit := flags.All
	asJSON, asCSV := false, false
	c := &cobra.Command{
		Use:   "cat [FILE]",
		Short: "Print the elements of an array",
		Long: `Cat prints one element per line. For an array of several dimensions, a line has the
elements of the last dimension, with tabs between them.`,
		Example: `  octet array cat --limit 10 samples.npy
  octet array cat --json matrix.npy
  octet array cat --csv --name x samples.npz >x.csv`,
	}
	v.flags(c)
	f := c.Flags()
	f.Var(&limit, "limit", "print at most N elements of the first dimension")
	f.BoolVar(&asJSON, "json", false, "print a JSON array")
	f.BoolVar(&asCSV, "csv", false, "print CSV")
	f.BoolVarP(&v.quiet, "quiet", "q", false, "print no progress")
	c.Args = a.oneFile(&v)
	c.RunE = func(c *cobra.Command, _ []string) error {
		o := arrays.Output{Format: arrays.Lines, Limit: int64(limit)}
		switch {
		case asJSON && asCSV:
			return errors.New("--json and --csv cannot be used together")
		case asJSON:
			o.Format = arrays.JSON
		case asCSV:
			o.Format = arrays.CSV
		}
		return explainArray(&v, a.arrayCat(c.Context(), &v, o))
	}
	return c
}

func (a *app) arrayCat(ctx context.Context, v *arrayInput, o arrays.Output) error {
	s, err := a.source(v)
	if err != nil {
		return err
	}
	to := &tally.Writer{W: a.Stdout} // tells errors of writing from errors of reading
	_, err = withProgress(ctx, a, v, a.Stdout, func() (int64, error) {
		in, err := s.Open(true) // in C order, because a line is a part of the last dimension
		if err != nil {
			return 0, err
		}
		defer in.Close()
		return arrays.Write(to, in, o)
	})
	if to.Err() != nil {
		return failure.Accessing("standard output", to.Err())
	}
	return err
}

var arrayConvertHelp = `Convert writes an array in another format: .npy, raw, CSV, JSON or MessagePack. The
type of the elements stays the same.

The file extensions select the formats, or --from and --to. The input can also be
an array of a .npz file. Raw and .npy numbers are written in little-endian order
unless --to-order big is given. An array in Fortran order keeps this order in .npy,
and is written in C order in the other formats.

The shape of CSV, JSON and MessagePack input, and the length of raw input, are only
known at its end. Convert therefore writes the elements to a temporary file first
if the output needs to know the shape.

The output file is replaced when the conversion is complete. If an error occurs
or you press Ctrl-C, the old file is unchanged.`

func (a *app) arrayConvertCommand() *cobra.Command {
	var v arrayInput
	targets := []string{arrays.NPY, arrays.Raw, arrays.CSV, arrays.JSON, arrays.Msgpack}
	to, toOrder := flags.Choice{Words: targets}, flags.Choice{Value: "little", Words: byteOrders}
	var target string
	var force bool
	c := &cobra.Command{
		Use:   "convert [FILE]",
		Short: "Convert an array to another format",
		Long:  arrayConvertHelp,
		Example: `  octet array convert samples.npy -o samples.csv
  octet array convert table.csv --header --type int32 -o table.npy
  octet array convert recording.raw --type int16 --order big -o recording.npy
  octet array convert samples.npz --name x --to json`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) == 1 && v.path == "-":
				v.path = args[0]
			case len(args) > 0:
				return fmt.Errorf("unexpected argument %q; convert takes one file, and -o names the output", args[len(args)-1])
			}
			return nil
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&v.path, "input", "i", "-", "`FILE` to read, like FILE without a flag; - for standard input")
	f.StringVarP(&target, "output", "o", "-", "`FILE` to write, - for standard output")
	f.Var(&to, "to", "format of the output")
	f.Var(&toOrder, "to-order", "byte order of .npy and raw output")
	v.flags(c)
	f.BoolVarP(&force, "force", "f", false, "write binary data to a terminal")
	f.BoolVarP(&v.quiet, "quiet", "q", false, "print no progress and no summary")
	flags.Complete(c, "to", targets)
	flags.Complete(c, "to-order", byteOrders)
	c.RunE = func(c *cobra.Command, _ []string) error {
		o := arrays.Output{Format: to.Value, Order: orderNamed(toOrder.Value), Limit: int64(flags.All)}
		return explainArray(&v, a.arrayConvert(c.Context(), &v, target, o, force))
	}
	return c
}

func (a *app) arrayConvert(ctx context.Context, v *arrayInput, target string, o arrays.Output, force bool) error {
	if target == "" {
		return failure.ErrNoName
	}
	s, err := a.source(v)
	if err != nil {
		return err
	}
	if o.Format == "" {
		o.Format = arrays.ByName(target)
	}
	switch o.Format {
	case "":
		return usageError("the format of the output is unknown; use --to")
	case arrays.NPZ:
		return usageError("convert does not write .npz files; choose .npy")
	}
	// Only .npy can keep Fortran order. Opening can wait for standard input, so Ctrl-C
	// must be able to end it.
	in, err := task.Await(ctx, nil, nil, func() (*arrays.Input, error) { return s.Open(o.Format != arrays.NPY) })
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := output.Create(target, a.Stdout)
	if err != nil {
		return failure.Accessing(target, err)
	}
	text := o.Format == arrays.CSV || o.Format == arrays.JSON
	if !text && !force && a.IsTerminal(out.Writer) {
		out.Discard()
		return usageError("refusing to write binary data to a terminal; use -o FILE, a pipe, or --force")
	}
	to := &tally.Writer{W: out.Writer}
	n, err := withProgress(ctx, a, v, out.Writer, func() (int64, error) { return arrays.Write(to, in, o) })
	switch {
	case err == failure.ErrInterrupted && !out.Direct():
		// A temporary file has all that was written, so the destination is unchanged.
		out.Discard()
		return failure.New(failure.Interrupted, "", fmt.Errorf("%w; nothing was written to %s", err, out.Name))
	case err != nil:
		out.Discard()
		if to.Err() != nil {
			return failure.Accessing(out.Name, to.Err())
		}
		return err
	}
	if err := out.Commit(); err != nil {
		return failure.Accessing(out.Name, err)
	}
	if !v.quiet {
		a.Note("octet: array: convert: %s of %s, %s → %s", plural(n, "element"), in.Kind.Name(), in.Format, o.Format)
	}
	return nil
}
