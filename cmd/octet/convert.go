package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/convert"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/output"
	"github.com/octet-go/octet/cmd/octet/internal/recordfile"
	"github.com/octet-go/octet/cmd/octet/internal/records"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/record"
)

var convertHelp = `Convert reads JSON and writes MessagePack, or the reverse.

A file is a stream: any number of values, one after another. JSON values may be
on one line or on several. The values of several files become one stream.
Convert processes a few values at a time, on all cores, so memory use does not
depend on the length of the stream. A value of more than 1 MiB, such as an array
that is the whole file, and the values after it are converted in parts. From JSON
to MessagePack, the parts of an array or object are stored in a temporary file
until the number of its elements is known. Convert keeps in memory the longest
string, the keys of long objects and, with --reversible, the longest object. Each
takes up to five times its length.

The flags --from and --to select the formats. Without a flag, the file name
selects the format:
  json     ` + strings.Join(sniff.Extensions(sniff.JSON), " ") + `
  msgpack  ` + strings.Join(sniff.Extensions(sniff.MessagePack), " ") + `
Otherwise convert looks at the first bytes. It refuses input that looks like
another format. It also refuses a stream of small integers, because almost any
file can be read as one. Input compressed by gzip or zstd is decompressed. JSON
may be in UTF-8, UTF-16 or UTF-32. The output gets the format that the input
does not have.

With --to record, or if the output has the extension .rec, convert writes a record
file of MessagePack values; see octet help record. It recognizes record files by
their first bytes and reads them like MessagePack.

If both formats are JSON, convert changes only the white space and the escapes
of strings; numbers keep their digits, and objects keep their order. If both
formats are MessagePack, convert writes each value in its shortest format.

The output file is replaced when the conversion is complete. If an error occurs
or you press Ctrl-C, the old file is unchanged. The input and the output may
therefore be the same file. On standard output, the values before an error have
already been written.

With --skip-bad, values with errors are left out and counted. If a line is not
valid JSON, convert leaves out this line and the lines after it that begin with
white space or punctuation. A reserved byte in MessagePack counts as one value.
With --skip-bad, convert uses one core if the input is JSON or if the output has
the format of the input.

Convert prints a summary on standard error, unless --quiet is given. If values
became values of another kind because JSON lacks theirs, a second line counts them.`

const convertExamples = `  go list -json std | octet convert -o std.msgpack
  octet convert std.msgpack --pretty
  octet convert monday.ndjson tuesday.ndjson.gz -o week.msgpack
  octet convert --reversible in.msgpack -o out.json
  octet convert --skip-bad events.ndjson -o events.msgpack
  octet convert events.ndjson -o events.rec --compress
  octet convert --to json --pretty config.json -o config.json`

// toRecord is the value of --to for record files.
const toRecord = "record"

// convertFlags holds the flags of the convert command.
type convertFlags struct {
	inputs   []string
	output   string
	from, to flags.Choice
	convert.Options
	compress     bool
	force, quiet bool
	progress     flags.Choice
}

func (a *app) convertCommand() *cobra.Command {
	formats := []string{sniff.JSON.String(), sniff.MessagePack.String()}
	v := convertFlags{from: flags.Choice{Words: formats}, to: flags.Choice{Words: append(formats[:2:2], toRecord)}, progress: flags.Choice{Value: "auto", Words: []string{"auto", "never"}}}
	c := &cobra.Command{
		Use:     "convert [FILE]...",
		GroupID: groupConvert,
		Short:   "Convert JSON to MessagePack or MessagePack to JSON",
		Long:    convertHelp,
		Example: convertExamples,
		RunE: func(c *cobra.Command, args []string) error {
			v.inputs = append(v.inputs, args...)
			return a.convert(c.Context(), &v)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringArrayVarP(&v.inputs, "input", "i", nil, "`FILE` to read, like FILE without a flag; - for standard input")
	f.StringVarP(&v.output, "output", "o", "-", "`FILE` to write, - for standard output")
	f.Var(&v.from, "from", "format of the input")
	f.Var(&v.to, "to", "format of the output")
	f.BoolVar(&v.Pretty, "pretty", false, "indent JSON (default: one value per line)")
	f.BoolVar(&v.Reversible, "reversible", false, "write values that JSON lacks (bin, ext, timestamps, ...) as objects,\nand convert such objects back")
	f.BoolVar(&v.Round, "round", false, "round JSON numbers that MessagePack cannot hold, instead of failing")
	f.BoolVar(&v.SkipBad, "skip-bad", false, "leave out values with errors, and count them on standard error")
	f.BoolVar(&v.compress, "compress", false, "compress the blocks of a record file with zstd")
	f.BoolVarP(&v.force, "force", "f", false, "write MessagePack to a terminal")
	f.BoolVarP(&v.quiet, "quiet", "q", false, "print no progress and no summary")
	f.Var(&v.progress, "progress", "show progress on a terminal after one second")
	flags.Complete(c, "from", formats)
	flags.Complete(c, "to", v.to.Words)
	flags.Complete(c, "progress", v.progress.Words)
	return c
}

func (a *app) convert(ctx context.Context, v *convertFlags) error {
	if v.output == "" {
		return failure.ErrNoName
	}
	if len(v.inputs) == 0 {
		v.inputs = []string{"-"}
	}
	if a.IsTerminal(a.Stdin) && slices.Contains(v.inputs, "-") {
		a.Note("octet: convert: reading from the terminal; press Ctrl-D to end the input or Ctrl-C to cancel")
	}
	r := &conversionRun{app: a, convertFlags: v}
	err := r.all(ctx)
	if !errors.Is(err, failure.ErrInterrupted) {
		err = r.complete(err) // after an interrupt, the conversion may still be writing
	}
	if err != nil {
		if r.out != nil {
			r.out.Discard()
		}
		return err
	}
	if err := r.out.Commit(); err != nil {
		return failure.Accessing(r.out.Name, err)
	}
	if r.result.Skipped > 0 {
		a.Note("octet: convert: left out %s with errors; the first: %v", console.Plural(r.result.Skipped, "value"), r.result.First)
	}
	if !v.quiet {
		r.summarize()
	}
	return nil
}

// A conversionRun is one run of the convert command.
type conversionRun struct {
	*app
	*convertFlags
	out    *output.File
	into   *tally.Writer      // counts the bytes of the output
	values io.Writer          // of the values: into or record
	record *recordfile.Writer // nil if the output is not a record file
	asFile bool               // the output is a record file
	meter  *task.Progress
	read   int64 // bytes of the inputs that are complete
	result convert.Result
}

// all converts all inputs.
func (r *conversionRun) all(ctx context.Context) error {
	o := input.Options{Args: r.line("convert"), Format: sniff.Named(r.from.Value)}
	first := true
	for in, err := range input.All(ctx, r.Console, r.inputs, o) {
		if err != nil {
			return err
		}
		if err := r.choose(in, first); err != nil {
			return err
		}
		if first {
			if err := r.create(); err != nil {
				return err
			}
			defer r.meter.Clear()
			first = false
		}
		result, err := r.stream(ctx, in)
		if result.First != nil {
			result.First = fmt.Errorf("%s: %w", in.Name, input.Brief(result.First))
		}
		r.result.Add(result)
		r.read += in.Consumed()
		if err != nil {
			return r.explain(err, in)
		}
	}
	return nil
}

// choose determines the format of an input and, with the first one, that of the
// output: from the flags, then from the file names, then from the first bytes.
func (r *conversionRun) choose(in *input.Input, first bool) error {
	r.From = in.Format
	if !first {
		if r.From == r.To && r.convertFlags.to.Value == "" && !r.asFile && sniff.ByName(r.output) == sniff.Unknown {
			return fmt.Errorf("%s is %s, but the inputs before it are not; use --to to name the format of the output", in.Name, r.From.Title())
		}
		return nil
	}
	r.asFile = r.convertFlags.to.Value == toRecord || r.convertFlags.to.Value == "" && sniff.HasRecordExtension(r.output)
	if r.compress && !r.asFile {
		return errors.New("--compress requires a record file as output")
	}
	r.To = sniff.Named(r.convertFlags.to.Value)
	if r.asFile {
		r.To = sniff.MessagePack
	}
	if r.To == sniff.Unknown {
		r.To = sniff.ByName(r.output)
	}
	if r.To == sniff.Unknown && r.Pretty && r.From == sniff.Unknown {
		r.To = sniff.JSON
	}
	if r.To == sniff.Unknown {
		r.To = r.From.Other()
	}
	if r.From == sniff.Unknown {
		r.From = r.To.Other() // an empty input
	}
	if r.Pretty && r.To != sniff.JSON {
		return errors.New("--pretty requires JSON output, but the output is MessagePack")
	}
	return input.NamesOther(r.output, r.To, r.asFile)
}

// create creates the output.
func (r *conversionRun) create() error {
	out, err := output.Create(r.output, r.Stdout)
	if err != nil {
		return failure.Accessing(r.output, err)
	}
	r.out = out
	if r.To == sniff.MessagePack && !r.force && r.IsTerminal(out.Writer) {
		return task.ErrTerminal
	}
	r.into = &tally.Writer{W: out.Writer}
	if r.To == sniff.JSON && out.Writer == r.Stdout && r.Colored(r.color.Value, r.Stdout) {
		r.into.W = console.NewJSONPainter(out.Writer, console.NewPalette(true))
	}
	r.values = r.into
	if r.asFile {
		if r.record, err = recordfile.NewWriter(r.into, r.compress); err != nil {
			return failure.Accessing(r.out.Name, err)
		}
		r.values = r.record
	}
	r.meter = task.NewProgress(r.Console, sizeOf(r.inputs), out.Writer, r.quiet || r.progress.Value == "never")
	return nil
}

// complete completes a record file. err is the error of the conversion. If there is
// one, the file has the values before it.
func (r *conversionRun) complete(err error) error {
	if r.record == nil {
		return err
	}
	if closed := r.record.Close(); err == nil && closed != nil {
		return r.explainWrite(closed)
	}
	return err
}

// explainWrite converts an error of the output into one that the user understands.
func (r *conversionRun) explainWrite(err error) error {
	if r.into.Err() == nil {
		return records.Explain(r.out.Name, err) // a record is too long
	}
	return failure.Accessing(r.out.Name, r.into.Err())
}

// sizeOf returns the size of all files together, and 0 if one is not a regular
// file.
func sizeOf(paths []string) (size int64) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		size += info.Size()
	}
	return size
}

// explain converts an error of the conversion into one that the user
// understands.
func (r *conversionRun) explain(err error, in *input.Input) error {
	var known *failure.Error
	switch {
	case err == failure.ErrInterrupted && !r.out.Direct():
		return failure.New(failure.Interrupted, "", fmt.Errorf("%w; nothing was written to %s", err, r.out.Name))
	case errors.As(err, &known):
		return err
	case r.into.Err() != nil || r.record != nil && errors.Is(err, record.ErrLimit) && in.Explain(err) == err:
		return r.explainWrite(err)
	}
	explained := in.Explain(err)
	if errors.As(explained, &known) && known.Code == failure.Data {
		if flag := convert.Remedy(err); flag != "" {
			known.Detail = strings.TrimSpace("Try: " + input.WithFlag(r.line("convert"), flag) + "\n" + known.Detail)
		}
	}
	return explained
}
