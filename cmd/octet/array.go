package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/cmd/octet/internal/arrayfile"
	"github.com/octet-go/octet/cmd/octet/internal/arrays"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
)

var arrayHelp = `The array commands work on arrays of numbers in files: the .npy and .npz files
of numpy, raw numbers, and arrays in CSV, JSON and MessagePack. They process a
part of an array at a time, so memory use does not depend on its length.

Elements are bool, int8 to int64, uint8 to uint64, float32, float64, complex64
or complex128. A .npy file contains its type; raw numbers need --type and
--order. Numbers in CSV, JSON and MessagePack are float64. --type converts the
elements of all formats but raw to another type. A number that the type cannot
represent is an error; only a fraction in CSV and JSON is rounded to the nearest
float.

The file extension or the first bytes select the format:
  npy      ` + arrays.Extensions(arrays.NPY) + `
  npz      ` + arrays.Extensions(arrays.NPZ) + `; --name selects the array
  raw      ` + arrays.Extensions(arrays.Raw) + `
  csv      ` + arrays.Extensions(arrays.CSV) + `
  json     ` + arrays.Extensions(arrays.JSON) + `
  msgpack  ` + arrays.Extensions(arrays.Msgpack) + `
--from selects another format.

In JSON and MessagePack, an array of several dimensions consists of nested
arrays. In CSV, a line has the elements of the last dimension. Complex numbers
are text in these formats, such as 1+2i.`

func (a *app) arrayCommand() *cobra.Command {
	c := &cobra.Command{
		GroupID: groupFiles,
		Use:     "array",
		Short:   "Show, convert and compare arrays of numbers",
		Long:    arrayHelp,
		Example: `  seq 100 | octet array convert --from csv -o samples.npy
  octet array info samples.npy
  octet array cat --limit 10 samples.npy
  octet array convert samples.npy -o samples.csv
  octet array stats samples.npy
  octet array diff samples.npy samples.csv`,
		Args: knownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.arrayInfoCommand(), a.arrayCatCommand(), a.arrayConvertCommand(), a.arrayStatsCommand(), a.arrayDiffCommand())
	return c
}

// An arrayInput holds the flags that describe an input.
type arrayInput struct {
	path       string
	from, kind flags.Choice
	order      flags.Choice
	name       string
	header     bool
	quiet      bool
}

// byteOrders are the values of the flags for byte orders.
var byteOrders = []string{"little", "big"}

func orderNamed(name string) binary.ByteOrder {
	if name == "big" {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// arrayFormats are the values of --from.
var arrayFormats = []string{arrays.NPY, arrays.NPZ, arrays.Raw, arrays.CSV, arrays.JSON, arrays.Msgpack}

// flags defines the flags of v.
func (v *arrayInput) flags(c *cobra.Command) {
	v.from = flags.Choice{Words: arrayFormats, Name: "FORMAT"}
	v.kind = flags.Choice{Words: arrays.Names(), Name: "TYPE"}
	v.order = flags.Choice{Value: "little", Words: byteOrders}
	f := c.Flags()
	f.SortFlags = false
	f.Var(&v.from, "from", "format of the input")
	f.Var(&v.kind, "type", "type of the elements; those of another type are converted")
	f.Var(&v.order, "order", "byte order of raw numbers in the input")
	f.StringVar(&v.name, "name", "", "`NAME` of the array in a .npz file")
	f.BoolVar(&v.header, "header", false, "skip the first line of CSV")
	flags.Complete(c, "from", arrayFormats)
	flags.Complete(c, "type", arrays.Names())
	flags.Complete(c, "order", byteOrders)
}

// oneFile returns a check that a command has one argument, or reads standard
// input if that is not a terminal.
func (a *app) oneFile(v *arrayInput) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		v.path = "-"
		switch {
		case len(args) > 1:
			return fmt.Errorf("unexpected argument %q; %s takes one file", args[1], c.Name())
		case len(args) == 1:
			v.path = args[0]
		case a.IsTerminal(a.Stdin):
			return errors.New("missing file name; use - for standard input")
		}
		return nil
	}
}

// file returns the input that the flags describe.
func (v *arrayInput) file() *arrayfile.File {
	return &arrayfile.File{Source: arrays.Source{
		Path: v.path, Entry: v.name, Format: v.from.Value, Kind: arrays.Named(v.kind.Value), Order: orderNamed(v.order.Value), Header: v.header,
	}}
}

// arrays returns the work of a command with the flags.
func (a *app) arrays(v *arrayInput) *arrayfile.Command {
	return &arrayfile.Command{Console: a.Console, Quiet: v.quiet}
}

func (a *app) arrayInfoCommand() *cobra.Command {
	var v arrayInput
	asJSON := false
	c := &cobra.Command{
		Use:   "info [FILE]",
		Short: "Show the type, shape and layout of an array",
		Long: `Info prints the content of the header of a .npy file, or of the headers of all
arrays in a .npz file. For raw numbers, it calculates the length from the size
of the file.`,
		Example: `  seq 100 | octet array convert --from csv -o samples.npy
  octet array info samples.npy
  zip -q samples.npz samples.npy
  octet array info --json samples.npz
  octet array convert samples.npy --type int16 --to-order big -o recording.raw
  octet array info --type int16 --order big recording.raw`,
		RunE: func(c *cobra.Command, _ []string) error { return a.arrays(&v).Info(c.Context(), v.file(), asJSON) },
	}
	v.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per array")
	c.Args = a.oneFile(&v)
	return c
}

func (a *app) arrayCatCommand() *cobra.Command {
	var v arrayInput
	limit := flags.All
	asJSON, asCSV := false, false
	c := &cobra.Command{
		Use:   "cat [FILE]",
		Short: "Print the elements of an array",
		Long: `Cat prints one element per line. For an array of several dimensions, a line has
the elements of the last dimension, with tabs between them.`,
		Example: `  seq 100 | octet array convert --from csv -o samples.npy
  octet array cat --limit 10 samples.npy
  octet array cat --json samples.npy
  zip -q samples.npz samples.npy
  octet array cat --csv --name samples samples.npz >x.csv`,
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
		return a.arrays(&v).Cat(c.Context(), v.file(), o)
	}
	return c
}

var arrayConvertHelp = `Convert writes an array in another format: .npy, raw, CSV, JSON or MessagePack.
The type of the elements stays the same, unless --type selects another one.

The file extensions select the formats, or --from and --to. The input can also
be an array of a .npz file. Raw and .npy numbers are written in little-endian
order unless --to-order big is given. An array in Fortran order keeps this order
in .npy, and is written in C order in the other formats.

The shape of CSV, JSON and MessagePack input, and the length of raw input, are
only known at its end. Convert therefore writes the elements to a temporary file
first if the output needs to know the shape.

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
		Example: `  seq 100 | octet array convert --from csv --type int32 -o table.npy
  octet array convert table.npy -o table.csv
  octet array convert table.csv --header --type int16 -o rest.npy
  octet array convert table.npy --type int16 --to-order big -o recording.raw
  octet array convert recording.raw --type int16 --order big -o recording.npy
  zip -q tables.npz table.npy rest.npy
  octet array convert tables.npz --name rest --to json`,
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
		return a.arrays(&v).Convert(c.Context(), v.file(), target, o, force)
	}
	return c
}

func (a *app) arrayStatsCommand() *cobra.Command {
	var v arrayInput
	bins := flags.Number(20)
	asJSON := false
	chart := ""
	c := &cobra.Command{
		Use:   "stats [FILE]",
		Short: "Show the distribution of the elements of an array",
		Long: `Stats prints the number of elements, the minimum, maximum and mean, the standard
deviation of the population, quantiles and a histogram. NaNs are counted, but
are not part of the other results. The quantiles are exact: each is the smallest
element for which at least the given part of all elements is not greater.

Stats reads the file two times, or four times for elements of 64 bits. It copies
standard input and pipes to a temporary file first. Complex numbers have no
order and no statistics.`,
		Example: `  seq 100 | octet array convert --from csv -o samples.npy
  octet array stats samples.npy
  seq 100 | octet array stats --from csv
  octet array stats --bins 50 --chart samples.svg samples.npy
  octet array convert samples.npy --type int16 --to-order big -o recording.raw
  octet array stats --json --type int16 --order big recording.raw`,
	}
	v.flags(c)
	f := c.Flags()
	f.Var(&bins, "bins", "number of bars of the histogram, at most 1000")
	f.StringVar(&chart, "chart", "", "also write the histogram to `FILE`, which ends in .svg")
	f.BoolVar(&asJSON, "json", false, "print a JSON object")
	f.BoolVarP(&v.quiet, "quiet", "q", false, "print no progress")
	c.Args = a.oneFile(&v)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if bins > 1000 {
			return errors.New("--bins must be at most 1000")
		}
		return a.arrays(&v).Stats(c.Context(), v.file(), int(bins), chart, asJSON)
	}
	return c
}

func (a *app) arrayDiffCommand() *cobra.Command {
	var v arrayInput
	other := ""
	limit := flags.Limit(10)
	tolerance := 0.0
	c := &cobra.Command{
		Use:   "diff FILE FILE",
		Short: "Compare two arrays element by element",
		Long: `Diff prints the elements that differ, with their index. If the arrays differ,
the exit code is 1. Types and shapes must be equal; formats and byte orders may
differ. NaNs are equal to each other. The flags for the input apply to both
files.`,
		Example: `  seq 100 | octet array convert --from csv -o before.npy
  seq 2 101 | octet array convert --from csv -o after.npy
  octet array diff before.npy after.npy
  octet array diff --limit all --tolerance 1e-9 before.npy after.npy
  octet array convert before.npy -o before.csv
  octet array diff --type float32 before.csv before.npy`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("diff takes two files, not %d", len(args))
			}
			v.path, other = args[0], args[1]
			if v.path == "-" && other == "-" {
				return errors.New("only one of the files can be standard input")
			}
			return nil
		},
	}
	v.flags(c)
	f := c.Flags()
	f.Var(&limit, "limit", "print at most N differences")
	f.Float64Var(&tolerance, "tolerance", 0, "numbers that differ by at most `X` are equal")
	f.BoolVarP(&v.quiet, "quiet", "q", false, "print no progress")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if math.IsNaN(tolerance) || tolerance < 0 {
			return errors.New("--tolerance must not be negative")
		}
		g := v.file() // it has the same flags
		g.Path = other
		return a.arrays(&v).Diff(c.Context(), v.file(), g, int64(limit), tolerance)
	}
	return c
}
