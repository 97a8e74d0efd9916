package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/convert"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/output"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
)

var convertHelp = `Convert turns a stream of JSON values into MessagePack, or the reverse.

A stream is any number of values: JSON one after another or one a line,
MessagePack one after another. They pass one by one, so that memory stays the
same however long the stream is.

Formats are those of --from and --to, else those of the file endings:
  json     ` + strings.Join(sniff.Endings(sniff.JSON), " ") + `
  msgpack  ` + strings.Join(sniff.Endings(sniff.MessagePack), " ") + `
An input without a known ending is JSON if it begins like JSON and its first
bytes are mostly readable; other text is refused, all else is MessagePack. Small
integers of MessagePack may spell text: in doubt, --from decides. An output
without an ending gets the format that the input does not have.

From a format into itself, JSON gets another layout, with the same digits and
order; MessagePack gets the shortest format for each value.

The output file appears when it is complete. Until then, and after an error or
Ctrl-C, a file of that name stays as it was; so it may also be the input. On
standard output, the values before a fault have already been written.

A line on standard error sums up what was done, unless --quiet.`

const convertExamples = `  go list -json std | octet convert -o std.msgpack
  octet convert -i std.msgpack --pretty
  octet convert -i events.ndjson -o events.msgpack
  octet convert --from msgpack --reversible <in >out.json
  octet convert --to json --pretty -i config.json -o config.json`

// A conversion is what the flags of convert say.
type conversion struct {
	input, output string
	from, to      choice
	convert.Options
	force, quiet bool
	progress     choice
}

func (a *app) convertCommand() *cobra.Command {
	formats := []string{sniff.JSON.String(), sniff.MessagePack.String()}
	v := conversion{from: choice{"", formats}, to: choice{"", formats}, progress: choice{"auto", []string{"auto", "never"}}}
	c := &cobra.Command{
		Use:     "convert",
		Short:   "Convert JSON to MessagePack or MessagePack to JSON",
		Long:    convertHelp,
		Example: convertExamples,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("unexpected argument %q; files are named by -i and -o", args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return a.convert(c.Context(), &v) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&v.input, "input", "i", "-", "`FILE` to read, - for standard input")
	f.StringVarP(&v.output, "output", "o", "-", "`FILE` to write, - for standard output")
	f.Var(&v.from, "from", "format of the input")
	f.Var(&v.to, "to", "format of the output")
	f.BoolVar(&v.Pretty, "pretty", false, "indent JSON; otherwise one value a line")
	f.BoolVar(&v.Reversible, "reversible", false, "keep in JSON, as objects, what it has no notation for (bin, ext,\ntimestamps, ...), and read such objects back")
	f.BoolVar(&v.Round, "round", false, "round JSON numbers that MessagePack cannot hold, instead of failing")
	f.BoolVarP(&v.force, "force", "f", false, "write MessagePack even to a terminal")
	f.BoolVarP(&v.quiet, "quiet", "q", false, "no progress and no summary")
	f.Var(&v.progress, "progress", "progress of work over a second, on a terminal")
	complete(c, "from", formats)
	complete(c, "to", formats)
	complete(c, "progress", v.progress.of)
	return c
}

func (a *app) convert(ctx context.Context, v *conversion) error {
	if v.output == "" {
		return errNoName
	}
	in, err := open(v.input, a.Console)
	if err != nil {
		return err
	}
	defer in.close()
	if v.input == "-" && a.IsTerminal(a.Stdin) {
		a.Note("octet: convert: reading from the terminal; Ctrl-D ends the input, Ctrl-C gives up")
	}
	head, err := in.head(ctx)
	if err != nil {
		return err
	}
	if err := v.choose(in, head); err != nil {
		return err
	}
	out, err := output.Create(v.output, a.Stdout)
	if err != nil {
		return failure.Accessing(v.output, err)
	}
	if v.To == sniff.MessagePack && !v.force && a.IsTerminal(out.Writer) {
		out.Discard()
		return errors.New("MessagePack is not for reading on a terminal; write it to a file with -o, pipe it on, or --force it")
	}
	start := time.Now()
	from, to := &source{r: in}, &sink{w: out.Writer}
	values, err := a.stream(ctx, v, in.size, from, to)
	if err == nil && values == 0 {
		err = failure.New(failure.Data, in.name, errors.New("the input holds no value"))
	}
	if err != nil {
		out.Discard()
		return v.explain(err, in, out, from, to)
	}
	if err := out.Commit(); err != nil {
		return failure.Accessing(out.Name, err)
	}
	if !v.quiet {
		a.summarise(v, values, from.n.Load(), to.n.Load(), time.Since(start))
	}
	return nil
}

// choose settles both formats, from the flags, the file endings and the first
// bytes of the input, in this order.
func (v *conversion) choose(in *input, head []byte) error {
	v.From, v.To = sniff.Named(v.from.value), sniff.Named(v.to.value)
	if v.From == sniff.Unknown {
		v.From = sniff.ByName(in.path)
	}
	if v.From == sniff.Unknown {
		v.From = sniff.ByBytes(head)
	}
	switch v.From {
	case sniff.Gzip, sniff.Zstandard:
		return &failure.Error{
			Code: failure.Data, Subject: in.name,
			Err:    fmt.Errorf("this is %s data; unpack it first", v.From),
			Detail: fmt.Sprintf("Try: %s -dc %s | octet convert ...", v.From, in.path),
		}
	case sniff.Text:
		v.From = sniff.JSON // which will say at what byte it is none
	}
	if v.To == sniff.Unknown {
		v.To = sniff.ByName(v.output)
	}
	if v.To == sniff.Unknown {
		v.To = v.From.Other()
	}
	if v.Pretty && v.To != sniff.JSON {
		return errors.New("--pretty is for JSON, and the output is MessagePack")
	}
	return nil
}

// explain turns an error of the conversion into one for a person.
func (v *conversion) explain(err error, in *input, out *output.File, from *source, to *sink) error {
	var known *failure.Error
	switch {
	case err == errInterrupted && !out.Direct():
		return failure.New(failure.Interrupted, "", fmt.Errorf("%w; nothing was written to %s", err, out.Name))
	case errors.As(err, &known):
		return err
	case from.err != nil:
		return failure.Accessing(in.name, from.err)
	case to.err != nil:
		return failure.Accessing(out.Name, to.err)
	}
	f := failure.New(failure.Data, in.name, convert.Brief(err))
	if v.From == sniff.MessagePack && in.path != "-" {
		f.Detail = "See it with: octet inspect " + in.path
	}
	return f
}
