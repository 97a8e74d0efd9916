package main

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/cmd/octet/internal/arrays"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

var arrayHelp = `The array commands work on arrays of numbers in files: the .npy and .npz files of
numpy, raw numbers, and arrays in CSV, JSON and MessagePack. They process a part
of an array at a time, so memory use does not depend on its length.

Elements are bool, int8 to int64, uint8 to uint64, float32, float64, complex64 or
complex128. A .npy file contains its type; raw numbers need --type and --order.
Numbers in CSV, JSON and MessagePack are float64, unless --type selects another
type. A number that does not fit the type is an error.

The file extension or the first bytes select the format:
  npy      ` + arrays.Extensions(arrays.NPY) + `
  npz      ` + arrays.Extensions(arrays.NPZ) + `; --name selects the array
  raw      ` + arrays.Extensions(arrays.Raw) + `
  csv      ` + arrays.Extensions(arrays.CSV) + `
  json     ` + arrays.Extensions(arrays.JSON) + `
  msgpack  ` + arrays.Extensions(arrays.Msgpack) + `
--from selects another format.

In JSON and MessagePack, an array of several dimensions consists of nested arrays.
In CSV, a line has the elements of the last dimension. Complex numbers are text in
these formats, such as 1+2i.`

func (a *app) arrayCommand() *cobra.Command {
	c := &cobra.Command{
		GroupID: groupFiles,
		Use:     "array",
		Short:   "Show, convert and compare arrays of numbers",
		Long:    arrayHelp,
		Example: `  octet array info samples.npy
  octet array cat --limit 10 samples.npy
  octet array convert samples.npy -o samples.csv
  octet array stats --type int16 --order big recording.raw
  octet array diff before.npy after.npy`,
		Args: knownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.arrayInfoCommand(), a.arrayCatCommand(), a.arrayConvertCommand(), a.arrayStatsCommand(), a.arrayDiffCommand())
	return c
}

// An arrayInput holds the flags that describe an input, and what has been read of it.
type arrayInput struct {
	path         string
	from, kind   flags.Choice
	order        flags.Choice
	name         string
	header       bool
	quiet        bool
	read         tally.Reader
	size, passes int64
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
	v.passes = 1
	v.from = flags.Choice{Words: arrayFormats, Name: "FORMAT"}
	v.kind = flags.Choice{Words: arrays.Names(), Name: "TYPE"}
	v.order = flags.Choice{Value: "little", Words: byteOrders}
	f := c.Flags()
	f.SortFlags = false
	f.Var(&v.from, "from", "format of the input")
	f.Var(&v.kind, "type", "type of the elements, if the input does not contain it")
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

// source returns the input for package arrays. It counts the bytes that are read, for
// the progress.
func (a *app) source(v *arrayInput) (arrays.Source, error) {
	if v.path == "" {
		return arrays.Source{}, failure.ErrNoName
	}
	s := arrays.Source{
		Path: v.path, Entry: v.name, Format: v.from.Value, Kind: arrays.Named(v.kind.Value), Order: orderNamed(v.order.Value), Header: v.header,
	}
	s.Begin = func() (io.Reader, io.Closer, error) {
		if v.path == "-" {
			v.read.R = a.Stdin
			return &v.read, io.NopCloser(nil), nil
		}
		f, err := os.Open(v.path)
		if err != nil {
			return nil, nil, failure.Accessing(v.path, err)
		}
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			v.size = info.Size()
		}
		v.read.R = f
		return &v.read, f, nil
	}
	return s, nil
}

// withProgress runs a task on v. On a terminal it shows the progress after one second.
func withProgress[R any](ctx context.Context, a *app, v *arrayInput, out any, work func() (R, error)) (R, error) {
	size := int64(0)
	if info, err := os.Stat(v.path); err == nil && info.Mode().IsRegular() {
		size = info.Size() * v.passes
	}
	p := task.NewProgress(a.Console, size, out, v.quiet)
	defer p.Clear()
	return task.Await(ctx, nil, p.Tick(v.read.N), work)
}

// usageError returns an error that the user corrects by another flag or argument.
func usageError(text string) error { return failure.New(failure.Usage, "", errors.New(text)) }

// explainArray converts an error of package arrays into one that the user
// understands.
func explainArray(v *arrayInput, err error) error {
	var known *failure.Error
	var path *fs.PathError
	var arrayErr *array.Error
	name := v.path
	if name == "-" {
		name = "standard input"
	}
	switch {
	case err == nil || err == failure.ErrInterrupted || errors.As(err, &known):
		return err // it already has a text and an exit code for the user
	case errors.Is(err, arrays.ErrUsage) || errors.Is(err, failure.ErrNoName):
		return err // the flags are wrong, so the name of the file would not help
	case errors.As(err, &arrayErr):
		text := arrayErr.Err.Error()
		if arrayErr.Offset >= 0 {
			text = fmt.Sprintf("offset %d: %s", arrayErr.Offset, text)
		}
		return failure.New(failure.Data, name, errors.New(text))
	case errors.As(err, &path):
		return failure.Accessing(name, err)
	case errors.Is(err, zip.ErrFormat):
		return failure.New(failure.Data, name, errors.New("malformed zip file"))
	}
	return failure.New(failure.Data, name, err)
}

func (a *app) arrayInfoCommand() *cobra.Command {
	var v arrayInput
	asJSON := false
	c := &cobra.Command{
		Use:   "info [FILE]",
		Short: "Show the type, shape and layout of an array",
		Long: `Info prints the content of the header of a .npy file, or of the headers of all
arrays in a .npz file. For raw numbers, it calculates the length from the size of
the file.`,
		Example: `  octet array info samples.npy
  octet array info --json samples.npz
  octet array info --type float32 recording.raw`,
		RunE: func(c *cobra.Command, _ []string) error { return explainArray(&v, a.arrayInfo(&v, asJSON)) },
	}
	v.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per array")
	c.Args = a.oneFile(&v)
	return c
}

// description is what info prints.
type description struct {
	Name    string `json:"name,omitempty"`
	Format  string `json:"format"`
	Version string `json:"version,omitempty"`
	Type    string `json:"type"`
	Order   string `json:"order,omitempty"`
	Shape   []int  `json:"shape"`
	Fortran bool   `json:"fortran"`
	Len     int    `json:"elements"`
	Offset  int64  `json:"offset"`
	Bytes   int64  `json:"bytes"`
}

func describe(name string, i array.Info) description {
	d := description{
		Name: name, Format: i.Format.String(), Type: i.Kind.String(), Shape: i.Shape, Fortran: i.Fortran,
		Len: i.Len, Offset: i.Offset, Bytes: int64(i.Len) * int64(i.ElementSize()),
	}
	if i.Format.String() == arrays.NPY {
		d.Version = fmt.Sprintf("%d.%d", i.Version[0], i.Version[1])
	}
	if i.ElementSize() > 1 {
		d.Order = "little"
		if i.Order == binary.ByteOrder(binary.BigEndian) {
			d.Order = "big"
		}
	}
	return d
}

func (a *app) arrayInfo(v *arrayInput, asJSON bool) error {
	s, err := a.source(v)
	if err != nil {
		return err
	}
	list, err := descriptions(s, v)
	if err != nil {
		return err
	}
	for i, d := range list {
		if asJSON {
			text, err := json.Marshal(d)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.Stdout, "%s\n", text)
			continue
		}
		if i > 0 {
			fmt.Fprintln(a.Stdout)
		}
		fmt.Fprint(a.Stdout, d.text())
	}
	return nil
}

// descriptions reads the headers.
func descriptions(s arrays.Source, v *arrayInput) ([]description, error) {
	in, err := s.Open(false)
	if err == nil {
		defer in.Close()
		switch in.Format {
		case arrays.NPY, arrays.NPZ:
			if in.Format == arrays.NPY && v.path != "-" {
				if _, err := array.Stat(v.path); err != nil {
					return nil, err // the file is too short
				}
			}
			return []description{describe(v.name, in.Info)}, nil
		case arrays.Raw:
			if v.path == "-" {
				return nil, usageError("info of raw numbers needs a file, not standard input")
			}
			info := in.Info
			if info.Len = int(v.size) / info.ElementSize(); v.size%int64(info.ElementSize()) != 0 {
				return nil, failure.New(failure.Data, v.path, fmt.Errorf("%d bytes are not a multiple of %d, the size of %s", v.size, info.ElementSize(), in.Kind.Name()))
			}
			info.Shape = []int{info.Len}
			return []description{describe("", info)}, nil
		}
		return nil, usageError("info reads .npy, .npz and raw files; " + v.path + " has no header")
	}
	// Opening a .npz file fails without a name if it has several arrays. Then all of
	// them are described.
	if v.name != "" || !strings.HasSuffix(strings.ToLower(v.path), ".npz") {
		return nil, err
	}
	z, err := zip.OpenReader(v.path)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	var list []description
	for _, name := range array.NamesNPZ(&z.Reader) {
		info, err := array.StatNPZ(&z.Reader, name)
		if err != nil {
			return nil, err
		}
		list = append(list, describe(name, info))
	}
	if len(list) == 0 {
		return nil, errors.New("the file has no arrays")
	}
	return list, nil
}

func (d description) text() string {
	var b strings.Builder
	line := func(name, value string) { fmt.Fprintf(&b, "%-9s %s\n", name, value) }
	if d.Name != "" {
		line("name", d.Name)
	}
	line("format", strings.TrimSpace(d.Format+" "+d.Version))
	kind := d.Type
	if d.Order != "" {
		kind += ", " + d.Order + "-endian"
	}
	line("type", kind)
	shape := strings.Trim(strings.ReplaceAll(fmt.Sprint(d.Shape), " ", " × "), "[]")
	switch {
	case len(d.Shape) == 0:
		shape = "a single element"
	case len(d.Shape) > 1 && d.Fortran:
		shape += ", Fortran order"
	case len(d.Shape) > 1:
		shape += ", C order"
	}
	line("shape", shape)
	line("elements", humanize.Comma(int64(d.Len)))
	line("bytes", fmt.Sprintf("%s from offset %d", humanize.Comma(d.Bytes), d.Offset))
	return b.String()
}
