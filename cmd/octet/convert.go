package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/conversion"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
)

var convertHelp = `Convert reads JSON and writes MessagePack, or the reverse.

A file is a stream: any number of values, one after another. JSON values may be
on one line or on several. The values of several files become one stream.
Convert processes a few values at a time, on all cores, so memory use does not
depend on the length of the stream. A value of more than 1 MiB, such as an array
that is the whole file, and the values after it are converted in parts. From
JSON to MessagePack, the parts of an array or object are stored in a temporary
file until the number of its elements is known. Convert keeps in memory the
longest string, the keys of long objects and, with --reversible, the longest
object. Each takes up to eight times its length. Keys of few bytes, and strings
of control characters, take up to 30 times.

The flags --from and --to select the formats. Without a flag, the file name
selects the format:
  json     ` + strings.Join(sniff.Extensions(sniff.JSON), " ") + `
  msgpack  ` + strings.Join(sniff.Extensions(sniff.MessagePack), " ") + `
Otherwise convert looks at the first bytes. It refuses input that looks like
another format. It also refuses a stream of small integers, because almost any
file can be read as one. Input compressed by gzip or zstd is decompressed. JSON
may be in UTF-8, UTF-16 or UTF-32. The output gets the format that the input
does not have.

With --to record, or if the output has the extension .rec, convert writes a
record file of MessagePack values; see octet help record. It recognizes record
files by their first bytes and reads them like MessagePack.

With --to parquet, or if the output has the extension .parquet, convert starts
the command octet-parquet, which writes the values as columns for DuckDB, Spark
or pandas. --schema, --infer and --lossy are its flags. It is installed by
  go install github.com/octet-go/octet/record/parquet/octet-parquet@latest

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
became values of another kind because JSON lacks theirs, a second line counts
them.`

const convertExamples = `  go list -json std | octet convert -o std.msgpack
  octet convert std.msgpack --pretty
  octet convert std.msgpack -o std.ndjson
  gzip std.ndjson
  octet convert std.msgpack std.ndjson.gz -o twice.msgpack
  octet convert --reversible twice.msgpack -o twice.json
  octet convert --skip-bad twice.json -o good.msgpack
  octet convert twice.json -o twice.rec --compress
  octet convert --to json --pretty twice.json -o twice.json`

func (a *app) convertCommand() *cobra.Command {
	formats := []string{sniff.JSON.String(), sniff.MessagePack.String()}
	v := conversion.Conversion{Console: a.Console}
	from, to := flags.Choice{Words: formats}, flags.Choice{Words: append(formats[:2:2], conversion.Record, conversion.Parquet)}
	progress := flags.Choice{Value: "auto", Words: []string{"auto", "never"}}
	c := &cobra.Command{
		Use:     "convert [FILE]...",
		GroupID: groupConvert,
		Short:   "Convert JSON to MessagePack or MessagePack to JSON",
		Long:    convertHelp,
		Example: convertExamples,
		RunE: func(c *cobra.Command, args []string) error {
			v.Inputs, v.FromName, v.ToName = append(v.Inputs, args...), from.Value, to.Value
			v.Args, v.NoProgress = a.line("convert"), progress.Value == "never"
			v.Painted = a.Colored(a.Color.Value, a.Stdout)
			return v.Run(c.Context())
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringArrayVarP(&v.Inputs, "input", "i", nil, "`FILE` to read, like FILE without a flag; - for standard input")
	f.StringVarP(&v.Output, "output", "o", "-", "`FILE` to write, - for standard output")
	f.Var(&from, "from", "format of the input")
	f.Var(&to, "to", "format of the output")
	f.BoolVar(&v.Pretty, "pretty", false, "indent JSON (default: one value per line)")
	f.BoolVar(&v.Reversible, "reversible", false, "write values that JSON lacks (bin, ext, timestamps, ...) as objects, and convert such objects back")
	f.BoolVar(&v.Round, "round", false, "round JSON numbers that MessagePack cannot hold, instead of failing")
	f.BoolVar(&v.SkipBad, "skip-bad", false, "leave out values with errors, and count them on standard error")
	f.BoolVar(&v.Compress, "compress", false, "compress the blocks of a record file with zstd")
	f.StringVar(&v.Schema, "schema", "", "`FILE` with the schema of a Parquet file, as octet schema prints it")
	f.BoolVar(&v.Infer, "infer", false, "make the columns of a Parquet file from all values, although a record file has a schema")
	f.BoolVar(&v.Lossy, "lossy", false, "write a Parquet file although values fit no column")
	f.BoolVarP(&v.Force, "force", "f", false, "write MessagePack to a terminal")
	f.BoolVarP(&v.Quiet, "quiet", "q", false, "print no progress and no summary")
	f.Var(&progress, "progress", "show progress on a terminal after one second")
	flags.Complete(c, "from", formats)
	flags.Complete(c, "to", to.Words)
	flags.Complete(c, "progress", progress.Words)
	return c
}
