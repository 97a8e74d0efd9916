// Package conversion does the work of octet convert: it finds out the formats of the
// inputs and of the output, creates the output, and explains what went wrong. Package
// convert converts the values.
package conversion

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/convert"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/recordfile"
	"github.com/octet-go/octet/cmd/octet/internal/records"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/output"
	"github.com/octet-go/octet/record"
)

// Record is the value of the flag --to for record files.
const Record = "record"

// A Conversion is one run of the command.
type Conversion struct {
	*console.Console
	convert.Options
	Args       []string // the command line, for hints
	Inputs     []string // paths; "-" is standard input
	Output     string   // a path; "-" is standard output
	FromName   string   // the format of the inputs; if empty, it is found out
	ToName     string   // the format of the output, Record or Parquet; if empty, it is found out
	Compress   bool     // compress the blocks of a record file
	Force      bool     // write MessagePack to a terminal
	Quiet      bool     // print no progress and no summary
	NoProgress bool     // print no progress
	Painted    bool     // color JSON on standard output
	Schema     string   // of a Parquet file: the path of its schema
	Infer      bool     // make the columns of a Parquet file from all values
	Lossy      bool     // write a Parquet file although values fit no column

	out    *output.File
	into   *tally.Writer      // counts the bytes of the output
	values io.Writer          // of the values: into or file
	file   *recordfile.Writer // nil if the output is not a record file
	asFile bool               // the output is a record file
	meter  *task.Progress
	read   int64 // bytes of the inputs that are complete
	total  int64 // bytes of all inputs, 0 if it is not known
	result convert.Result
}

// Run converts the inputs.
func (r *Conversion) Run(ctx context.Context) error {
	if r.Output == "" {
		return failure.ErrNoName
	}
	if len(r.Inputs) == 0 {
		r.Inputs = []string{"-"}
	}
	if err := input.NotOutput(r.Inputs, r.Stdin, r.Output, true); err != nil {
		return err
	}
	if r.isParquet() {
		return r.parquet(ctx)
	}
	if name := r.onlyParquet(); name != "" {
		return fmt.Errorf("%s is for Parquet files: use it with --to parquet", name)
	}
	r.total = input.Total(r.Inputs, r.Stdin)
	if r.IsTerminal(r.Stdin) && slices.Contains(r.Inputs, "-") {
		r.Note("octet: convert: reading from the terminal; press Ctrl-D to end the input or Ctrl-C to cancel")
	}
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
	switch err := r.out.Commit(ctx); {
	case errors.Is(err, context.Canceled):
		return task.Interrupted(r.read, r.total, r.out.Name)
	case err != nil:
		return failure.Accessing(r.out.Name, err)
	}
	if r.result.Skipped > 0 {
		r.Note("octet: convert: left out %s with errors; the first: %v", console.Plural(r.result.Skipped, "value"), r.result.First)
	}
	if !r.Quiet {
		r.summarize()
	}
	return nil
}

// all converts all inputs.
func (r *Conversion) all(ctx context.Context) error {
	o := input.Options{Args: r.Args, Format: sniff.Named(r.FromName)}
	first, left := true, len(r.Inputs)
	for in, err := range input.All(ctx, r.Console, r.Inputs, o) {
		if err != nil {
			return err
		}
		if left--; in.Format == sniff.Unknown && (left > 0 || !first) {
			continue // an empty input says nothing about the formats of the others
		}
		if err := r.choose(in, first); err != nil {
			return err
		}
		if first {
			if err := r.create(ctx, in); err != nil {
				return err
			}
			defer r.meter.Clear()
			first = false
		}
		result, err := r.stream(ctx, in)
		if result.First != nil {
			result.First = failure.New(failure.Data, in.Name, input.Brief(result.First))
		}
		r.result.Add(result)
		r.read += in.Consumed()
		if err != nil {
			return r.explain(err, in)
		}
	}
	return nil
}

// stream converts one input and shows the progress on a terminal.
func (r *Conversion) stream(ctx context.Context, in *input.Input) (convert.Result, error) {
	return task.Await(ctx, nil, r.meter.Tick(func() int64 { return r.read + in.Consumed() }), func() (convert.Result, error) {
		return convert.Stream(r.values, in, r.Options)
	})
}

// choose determines the format of an input and, with the first one, that of the
// output: from the flags, then from the file names, then from the first bytes.
func (r *Conversion) choose(in *input.Input, first bool) error {
	r.From = in.Format
	if !first {
		if r.From == r.To && r.ToName == "" && !r.asFile && sniff.ByName(r.Output) == sniff.Unknown {
			return fmt.Errorf("%s is %s, but the inputs before it are not; use --to to name the format of the output", errtext.Line(in.Name), r.From.Title())
		}
		return nil
	}
	r.asFile = r.ToName == Record || r.ToName == "" && sniff.HasRecordExtension(r.Output)
	if r.Compress && !r.asFile {
		return errors.New("--compress requires a record file as output")
	}
	r.To = sniff.Named(r.ToName)
	if r.asFile {
		r.To = sniff.MessagePack
	}
	if r.To == sniff.Unknown {
		r.To = sniff.ByName(r.Output)
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
	return input.NamesOther(r.Output, r.To, r.asFile)
}

// create creates the output. A record file gets the metadata and the schema of the first input, if that is one.
func (r *Conversion) create(ctx context.Context, first *input.Input) error {
	out, err := output.Create(ctx, r.Output, r.Stdout)
	if err != nil {
		return failure.Accessing(r.Output, err)
	}
	r.out = out
	if r.To == sniff.MessagePack && !r.Force && r.IsTerminal(out.Writer) {
		return task.ErrTerminal
	}
	r.into = &tally.Writer{W: out.Writer}
	if r.To == sniff.JSON && r.IsTerminal(out.Writer) {
		r.into.W = &console.Escaper{W: out.Writer} // JSON ends in a newline, so nothing is left in it
	}
	if r.To == sniff.JSON && out.Writer == r.Stdout && r.Painted {
		r.into.W = console.NewJSONPainter(r.into.W, console.NewPalette(true))
	}
	r.values = r.into
	if r.asFile {
		if r.file, err = recordfile.NewWriter(r.into, r.Compress, first.Described()); err != nil {
			return failure.Accessing(r.out.Name, err)
		}
		r.values = r.file
	}
	r.meter = task.NewProgress(r.Console, r.total, out.Writer, r.Quiet || r.NoProgress)
	return nil
}

// complete completes a record file. err is the error of the conversion. If there is
// one, the file has the values before it.
func (r *Conversion) complete(err error) error {
	if r.file == nil {
		return err
	}
	if closed := r.file.Close(); err == nil && closed != nil {
		return r.explainWrite(closed)
	}
	return err
}

// explainWrite converts an error of the output into one that the user understands.
func (r *Conversion) explainWrite(err error) error {
	if r.into.Err() == nil {
		return records.Explain(r.out.Name, err) // a record is too long
	}
	return failure.Accessing(r.out.Name, r.into.Err())
}

// explain converts an error of the conversion into one that the user
// understands.
func (r *Conversion) explain(err error, in *input.Input) error {
	var known *failure.Error
	switch {
	case err == failure.ErrInterrupted && r.out.Direct():
		return task.Interrupted(r.read, r.total, "")
	case err == failure.ErrInterrupted:
		return task.Interrupted(r.read, r.total, r.out.Name)
	case errors.As(err, &known):
		return err
	case r.into.Err() != nil || r.file != nil && errors.Is(err, record.ErrLimit) && in.Explain(err) == err:
		return r.explainWrite(err)
	}
	explained := in.Explain(err)
	if errors.As(explained, &known) && known.Code == failure.Data {
		if flag := convert.Remedy(err); flag != "" {
			known.Detail = strings.TrimSpace("Try: " + input.WithFlag(r.Args, flag) + "\n" + known.Detail)
		}
	}
	return explained
}
