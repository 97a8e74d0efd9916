// Octet-parquet writes record files, MessagePack and JSON as columns, in the format
// Parquet:
//
//	octet-parquet clicks.rec -o clicks.parquet
//
// octet-parquet --help has all flags. The command octet starts it for octet convert with
// an output that is named .parquet.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/interrupt"
	"github.com/octet-go/octet/internal/output"
	"github.com/octet-go/octet/internal/version"
	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/record/parquet"
	"github.com/octet-go/octet/record/zstd"
	"github.com/octet-go/octet/transcode"
)

// The exit codes are those of the command octet.
const (
	exitUsage       = 2
	exitAccess      = 3
	exitData        = 4
	exitInterrupted = 130
)

// The parts of the help, which release.go arranges as a manual page.
const (
	short = `Octet-parquet writes records as columns, in the format Parquet.`

	synopsis = `octet-parquet [flags] FILE... -o FILE`

	about = `A FILE is a record file, a stream of MessagePack values or a stream of JSON
values such as NDJSON; - is standard input. Several files of one format become
one. Compressed JSON and MessagePack must be decompressed first.

The columns come from --schema, otherwise from the schema in the record file,
otherwise from all values, which are then read twice (JSON only if late values
differ from the first ones). Structs become groups, slices lists, times
timestamps in UTC with nanoseconds. Values that have no common type become JSON.

If a value fits no column, octet-parquet names it, writes no file and exits
with 4. With --lossy, it writes the file with null in its place. Use --infer for
a record file to which programs with newer schemas have appended.

The output file is replaced when the conversion is complete. Before, and after
an error, the old file is unchanged.`

	examples = `octet-parquet clicks.rec -o clicks.parquet
octet-parquet --schema click.schema.json 2025.rec 2026.rec -o clicks.parquet
octet-parquet events.ndjson -o events.parquet --compression zstd
duckdb -c "select user, count(*) from 'clicks.parquet' group by user"`

	exits = `0    success
2    a flag or argument is wrong
3    a file cannot be read or written
4    the input is malformed or exceeds a limit, or a value fits no column
130  interrupted`
)

// indented returns text with each line indented.
func indented(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

// help writes the help.
func help(w io.Writer, flags *flag.FlagSet) {
	fmt.Fprintf(w, "%s\n\nUsage:\n%s\n\n%s\n\nExamples:\n%s\n\nExit codes:\n%s\n\nFlags:\n", short, indented(synopsis), about, indented(examples), indented(exits))
	flags.SetOutput(w)
	flags.PrintDefaults()
}

func main() {
	ctx, _ := interrupt.Notify(context.Background())
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// A failure is an error with its exit code.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string { return f.err.Error() }

// config is the command line.
type config struct {
	output, from, schema, compression string
	rowGroup                          int
	infer, lossy, reversible, round   bool
	quiet, version                    bool
	progress                          string
	inputs                            []string
}

func run(ctx context.Context, args []string, stdin *os.File, stdout *os.File, screen io.Writer) int {
	var c config
	stderr := errtext.Messages(screen)
	flags := flag.NewFlagSet("octet-parquet", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // an error is one line, without the usage text
	flags.StringVar(&c.output, "o", "", "`FILE` to write, - for standard output")
	flags.StringVar(&c.output, "output", "", "`FILE`: the same as -o")
	flags.StringVar(&c.from, "from", "", "`FORMAT` of the input: record, msgpack or json (default: detected)")
	flags.StringVar(&c.schema, "schema", "", "`FILE` with a schema, as octet schema prints it")
	flags.BoolVar(&c.infer, "infer", false, "make the columns from all values, although a record file has a schema")
	flags.BoolVar(&c.lossy, "lossy", false, "write the file although values fit no column")
	flags.StringVar(&c.compression, "compression", "snappy", "`NAME`: snappy, zstd, gzip or none")
	flags.IntVar(&c.rowGroup, "row-group", 32<<20, "`BYTES` of records after which a row group ends")
	flags.BoolVar(&c.reversible, "reversible", false, "read JSON that octet convert --reversible has written")
	flags.BoolVar(&c.round, "round", false, "round JSON numbers that MessagePack cannot hold, instead of failing")
	flags.BoolVar(&c.quiet, "quiet", false, "print no progress and no summary")
	flags.StringVar(&c.progress, "progress", "auto", "auto or never: show the progress on a terminal")
	flags.BoolVar(&c.version, "version", false, "print the version, and do nothing else")
	flags.Usage = func() {}
	if len(args) == 2 && args[0] == "release" { // is not in the help, as that of octet is not
		if err := release(flags, args[1]); err != nil {
			fmt.Fprintln(stderr, "octet-parquet:", err)
			return exitAccess
		}
		return 0
	}
	for {
		err := flags.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			var text strings.Builder
			help(&text, flags)
			return printed(stdout, stderr, text.String())
		}
		if err != nil {
			fmt.Fprintf(stderr, "octet-parquet: %v; try octet-parquet --help\n", err)
			return exitUsage
		}
		taken := args[:len(args)-flags.NArg()]
		if args = flags.Args(); len(args) == 0 || len(taken) > 0 && taken[len(taken)-1] == "--" {
			c.inputs = append(c.inputs, args...)
			break
		}
		c.inputs = append(c.inputs, args[0]) // flags may follow files
		args = args[1:]
	}
	if c.version {
		return printed(stdout, stderr, version.Of("octet-parquet")+"\n")
	}
	var err error
	flags.Visit(func(f *flag.Flag) {
		if what, _ := flag.UnquoteUsage(f); what == "FILE" && f.Value.String() == "" { // of a variable that is not set
			err = &failure{exitUsage, fmt.Errorf("%s: the file name is empty", spelled(f))}
		}
	})
	if err == nil {
		err = c.export(ctx, stdin, stdout, stderr, screen)
	}
	if err == nil {
		return 0
	}
	var f *failure
	if !errors.As(err, &f) {
		f = &failure{codeOf(err), err}
	}
	if output.IsClosedPipe(f.err) { // a reader that closes the pipe is not a failure
		return 0
	}
	text := strings.TrimPrefix(err.Error(), "parquet: ")
	var access *fs.PathError
	if errors.As(f.err, &access) && err.Error() == access.Error() {
		text = access.Path + ": " + access.Err.Error() // not how the file was used
	}
	fmt.Fprintln(stderr, "octet-parquet:", text)
	return f.code
}

// printed prints a text and returns the exit code.
func printed(stdout, stderr io.Writer, text string) int {
	if _, err := io.WriteString(stdout, text); err != nil && !output.IsClosedPipe(err) {
		fmt.Fprintln(stderr, "octet-parquet: standard output:", err)
		return exitAccess
	}
	return 0
}

// codeOf returns the exit code for an error of Export.
func codeOf(err error) int {
	var damage *record.Error
	var invalid *transcode.Error
	var malformed wire.Error
	switch {
	case errors.Is(err, parquet.ErrOptions):
		return exitUsage
	case errors.As(err, &damage), errors.As(err, &invalid), errors.As(err, &malformed), errors.Is(err, parquet.ErrLimit), errors.Is(err, parquet.ErrColumns):
		return exitData
	}
	return exitAccess
}

// options returns the options of Export, without the format.
func (c *config) options() (o parquet.Options, err error) {
	o = parquet.Options{Infer: c.infer, RowGroup: c.rowGroup, Reversible: c.reversible, RoundNumbers: c.round}
	usage := func(format string, args ...any) (parquet.Options, error) {
		return o, &failure{exitUsage, fmt.Errorf(format, args...)}
	}
	switch {
	case c.output == "":
		return usage("the flag -o is missing; try octet-parquet --help")
	case len(c.inputs) == 0:
		return usage("no input; try octet-parquet --help")
	case c.infer && c.schema != "":
		return usage("--infer and --schema cannot be used together")
	case c.progress != "auto" && c.progress != "never":
		return usage("--progress must be auto or never")
	case c.rowGroup < 64<<10 || c.rowGroup > 1<<30:
		return usage("--row-group must be from %d to %d", 64<<10, 1<<30)
	}
	for o.Compression.String() != c.compression {
		if o.Compression++; o.Compression > parquet.Uncompressed {
			return usage("there is no compression %q: snappy, zstd, gzip or none", c.compression)
		}
	}
	if c.schema != "" {
		text, err := os.ReadFile(c.schema)
		if err != nil {
			return o, &failure{exitAccess, err}
		}
		if o.Schema, err = schema.Parse(text); err != nil {
			return o, &failure{exitData, fmt.Errorf("%s: %w", c.schema, err)}
		}
	}
	o.Decompressor, err = zstd.New(zstd.Default)
	return o, err
}

// export does the work. It writes messages to stderr, and the progress to screen.
func (c *config) export(ctx context.Context, stdin, stdout *os.File, stderr, screen io.Writer) (err error) {
	o, err := interrupt.Await(ctx, c.options)
	if errors.Is(err, context.Canceled) {
		return c.interrupted()
	}
	if err != nil {
		return err
	}
	in, err := interrupt.Await(ctx, func() (*inputs, error) { return openInputs(c.inputs, c.from, stdin) })
	if errors.Is(err, context.Canceled) {
		return c.interrupted()
	}
	if err != nil {
		return err
	}
	defer in.close()
	o.Format = in.format
	if in.contain(c.output, stdout) {
		return &failure{exitAccess, fmt.Errorf("the output %s is also an input; write to another file", c.output)}
	}
	out, err := create(ctx, c.output, stdout)
	if errors.Is(err, context.Canceled) {
		return c.interrupted()
	}
	if err != nil {
		return &failure{exitAccess, err}
	}
	defer func() {
		if err != nil {
			out.Discard()
		}
	}()
	show := newMeter(screen, c.quiet || c.progress == "never", in, o.Schema != nil)
	report, err := interrupt.Await(ctx, func() (parquet.Report, error) { return parquet.Export(out, in, &o) })
	show.stop()
	switch {
	case errors.Is(err, context.Canceled):
		return c.interrupted()
	case err != nil && out.err != nil:
		return &failure{exitAccess, out.err}
	case err != nil:
		name, err := in.locate(c.inputs, err)
		return fmt.Errorf("%s: %w", name, err)
	}
	in.torn[len(in.torn)-1] = report.Torn
	for i, n := range in.torn {
		if n > 0 {
			fmt.Fprintf(stderr, "octet-parquet: %s at the end of %s are not a whole block and were left out\n", plural(n, "byte"), c.inputs[i])
		}
	}
	for i, l := range report.Lost {
		if i == 20 {
			fmt.Fprintf(stderr, "octet-parquet: %d more places\n", len(report.Lost)-i)
			break
		}
		fmt.Fprintln(stderr, "octet-parquet:", l)
	}
	if n := report.LostValues(); n > 0 && !c.lossy {
		fits, hint := plural(n, "value")+" fit", ""
		if n == 1 {
			fits += "s"
		}
		if o.Format == parquet.Record && o.Schema == nil && !c.infer {
			hint = "; --infer makes columns from all values"
		}
		return &failure{exitData, fmt.Errorf("%s no column%s; --lossy writes the others", fits, hint)}
	}
	switch err := out.Commit(ctx); {
	case errors.Is(err, context.Canceled):
		return c.interrupted()
	case err != nil:
		return &failure{exitAccess, err}
	}
	if !c.quiet {
		c.summarize(stderr, &report, in, out)
	}
	return nil
}

func (c *config) interrupted() error {
	text := "interrupted"
	if c.output != "-" {
		text += "; " + c.output + " is unchanged"
	}
	return &failure{exitInterrupted, errors.New(text)}
}

// summarize prints what was written.
func (c *config) summarize(stderr io.Writer, r *parquet.Report, in *inputs, out *result) {
	fmt.Fprintf(stderr, "octet-parquet: wrote %s of %s, %s of Parquet from %s of %s\n", plural(r.Rows, "row"), plural(int64(r.Columns), "column"), size(out.written), size(in.length), in.format)
	if len(r.JSON) > 0 {
		list := strings.Join(r.JSON[:min(len(r.JSON), 10)], ", ")
		if len(r.JSON) > 10 {
			list += fmt.Sprintf(" and %d more", len(r.JSON)-10)
		}
		fmt.Fprintf(stderr, "octet-parquet: JSON, because the values have no common type: %s\n", list)
	}
}
