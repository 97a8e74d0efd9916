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

var convertHelp = `Convert reads a stream of JSON values and writes MessagePack, or the reverse.

A stream is any number of values, one after another. JSON values may be on one
line or on several. Convert processes one value at a time, so memory use does
not depend on the length of the stream.

The flags --from and --to select the formats. Without a flag, the file extension
selects the format:
  json     ` + strings.Join(sniff.Endings(sniff.JSON), " ") + `
  msgpack  ` + strings.Join(sniff.Endings(sniff.MessagePack), " ") + `
If the input has no known extension, convert looks at its first bytes. Readable
text that begins like JSON is JSON. Other readable text is an error. Everything
else is MessagePack. Some MessagePack files begin with bytes that are also
readable text; use --from msgpack for them. If the output has no known
extension, JSON input becomes MessagePack and MessagePack input becomes JSON.

If both formats are JSON, convert changes only the white space and the escapes
of strings; numbers keep their digits, and objects keep their order. If both
formats are MessagePack, convert writes each value in its shortest format.

The output file is replaced when the conversion is complete. If an error occurs
or you press Ctrl-C, the old file is unchanged. The input and the output may
therefore be the same file. On standard output, the values before an error have
already been written.

Convert prints a one-line summary on standard error, unless --quiet is given.`

const convertExamples = `  go list -json std | octet convert -o std.msgpack
  octet convert -i std.msgpack --pretty
  octet convert -i events.ndjson -o events.msgpack
  octet convert --from msgpack --reversible <in >out.json
  octet convert --to json --pretty -i config.json -o config.json`

// A conversion holds the flags of the convert command.
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
				return fmt.Errorf("unexpected argument %q; use -i and -o to name files", args[0])
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
	f.BoolVar(&v.Pretty, "pretty", false, "indent JSON (default: one value per line)")
	f.BoolVar(&v.Reversible, "reversible", false, "write values that JSON lacks (bin, ext, timestamps, ...) as objects,\nand convert such objects back")
	f.BoolVar(&v.Round, "round", false, "round JSON numbers that MessagePack cannot hold, instead of failing")
	f.BoolVarP(&v.force, "force", "f", false, "write MessagePack to a terminal")
	f.BoolVarP(&v.quiet, "quiet", "q", false, "print no progress and no summary")
	f.Var(&v.progress, "progress", "show progress on a terminal after one second")
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
		a.Note("octet: convert: reading from the terminal; press Ctrl-D to end the input or Ctrl-C to cancel")
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
		return errors.New("refusing to write MessagePack to a terminal; use -o FILE, a pipe, or --force")
	}
	start := time.Now()
	from, to := &source{r: in}, &sink{w: out.Writer}
	values, err := a.stream(ctx, v, in.size, from, to)
	if err == nil && values == 0 {
		err = failure.New(failure.Data, in.name, errors.New("the input contains no value"))
	}
	if err != nil {
		out.Discard()
		return v.explain(err, in, out, from, to)
	}
	if err := out.Commit(); err != nil {
		return failure.Accessing(out.Name, err)
	}
	if !v.quiet {
		a.summarize(v, values, from.n.Load(), to.n.Load(), time.Since(start))
	}
	return nil
}

// choose determines both formats. It uses the flags first, then the file
// extensions, then the first bytes of the input.
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
			Err:    fmt.Errorf("this is %s data; decompress it first", v.From),
			Detail: fmt.Sprintf("Try: %s -dc %s | octet convert ...", v.From, in.path),
		}
	case sniff.Text:
		v.From = sniff.JSON // the JSON decoder reports the offset of the first bad byte
	}
	if v.To == sniff.Unknown {
		v.To = sniff.ByName(v.output)
	}
	if v.To == sniff.Unknown {
		v.To = v.From.Other()
	}
	if v.Pretty && v.To != sniff.JSON {
		return errors.New("--pretty requires JSON output, but the output is MessagePack")
	}
	return nil
}

// explain converts an error of the conversion into one that the user
// understands.
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
		f.Detail = "To see the bytes: octet inspect " + in.path
	}
	return f
}
