package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/query"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

const queryHelp = `Query runs a program in the language of jq on each value of the input, and
prints the results as JSON, one per line. The manual of the language is at
https://jqlang.org/manual; the implementation is gojq.

A program sees a value as the JSON that octet convert writes for it:

  integer              exact, with all of its 64 bits
  NaN, infinity        a number that JSON cannot hold: an error in a result
  timestamp            string in RFC 3339: select(.at > "2026-01-01")
  bin                  string in base64
  non-str key          string: ."7" is the value of the key 7
  other ext            {"$ext": {"type": 5, "data": "AQI="}}

With --reversible, values that JSON lacks are objects, as in octet convert, and
such objects in the results become these values again:

  {"$time": "2026-11-21T08:00:00Z"}   {"$bin": "AQI="}   {"$f32": 0.1}
  {"$ext": {"type": 5, "data": "AQI="}}   {"$map": [[7, "value of the key 7"]]}

Arrays and maps of the input that the program returns unchanged keep their
types, formats and order with all flags but --sort-keys. Maps that the program
makes or changes have their keys sorted. Query prints on standard error how many
values of the results lost their type. In text that the program makes (tostring,
tojson, @csv), NaN is null and infinity the largest number, as in jq.

The flags of jq have the same meaning here, with two differences: results are
compact unless --pretty, --tab or --indent is set, and -f is --force, so the
program in a file is --from-file. Query has no modules (-L). With --raw-input
the input is text: the program runs on each line, or with --slurp on all of the
text. With --stream, a MessagePack value need not fit in memory; of JSON, the
encoded value must.

A terminal gets escapes such as \x1b for control characters, because they could
change what it shows. With --raw-output --force it gets the text.

If the program fails on a value, query reports it on standard error, continues
with the next value, and exits with 1 at the end. As in jq, halt_error ends it
at once with the exit code 5, and halt_error(N) with N; halt_error(0) is a
success, whose message is printed alone.
With --exit-status the exit code is also 1 if the last result is false or null,
or if there is none, unless halt or halt_error ends the program.
If the exit code is not 0, a file of -o that is also the input is unchanged.

Query runs the program on as many values at a time as there are processors, and
prints the results in order. It keeps these values in memory, and all values
with --slurp. Parts of a MessagePack value at which the program does not look
are neither decoded nor checked, unless they are printed as JSON. A program that
uses input, input_filename, debug, stderr or halt runs on one value after
another.

The variable $ARGS has the variables of the command line as $ARGS.named, and the
arguments after --args and --jsonargs as $ARGS.positional. The files of
--slurpfile have the formats of the input. If flags define a variable twice, the
first one counts.

A program can read the environment of the process (env), but no files. It may
run for any time and use any amount of memory, so run only programs that you
trust.`

const queryExamples = `  octet query .ImportPath std.msgpack
  go list -json std | octet query 'select(.Name == "sort") | .Doc'
  octet query 'select(.Standard)' std.msgpack -o standard.msgpack
  octet query -r '.Imports[]? | "import \(.)"' std.msgpack
  octet query -n '[inputs.Name] | length' std.msgpack standard.msgpack
  octet query --arg name bytes 'select(.Name == $name)' std.msgpack
  octet query 'select(.Name | IN($ARGS.positional[]))' std.msgpack --args io os
  echo '["AQI="]' | octet query --reversible '{"$bin": .[0]}' --to msgpack`

// queryFlags holds the flags of the query command.
type queryFlags struct {
	query.Session
	task.Target
	variables
	file string
	to   flags.Choice
	json bool

	unbuffered bool
}

func (a *app) queryCommand() *cobra.Command {
	formats := []string{sniff.JSON.String(), sniff.MessagePack.String()}
	var r reading
	v := queryFlags{to: flags.Choice{Words: formats}}
	c := &cobra.Command{
		Use:     "query PROGRAM [FILE]...",
		GroupID: groupLook,
		Short:   "Filter and compute with a program in the language of jq",
		Long:    queryHelp,
		Example: queryExamples,
		Args: func(_ *cobra.Command, args []string) error {
			n := len(args)
			if v.file == "" {
				if len(args) == 0 {
					return errors.New("missing program, such as '.name'")
				}
				if err := checkNotFile("query", "program", args[:1]); err != nil {
					return err
				}
				v.Program, args = args[0], args[1:]
			}
			args, err := v.take(args, n-len(args))
			if err != nil {
				return err
			}
			if v.Null && len(args) == 0 && a.IsTerminal(a.Stdin) {
				return nil // the program may not read the input at all
			}
			return a.setPaths(&r, args)
		},
		RunE: func(c *cobra.Command, _ []string) error { return a.query(c.Context(), &r, &v) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&v.Path, "output", "o", "-", "`FILE` to write, - for standard output")
	r.readFlags(c)
	f.Var(&v.to, "to", "format of the results (default: by the file extension of -o, otherwise json)")
	f.BoolVar(&v.json, "json", false, "the same as --to json")
	indent := func(by string) func(string) error {
		return func(string) error { v.Indent = by; return nil }
	}
	f.BoolFunc("pretty", "indent JSON (default: one result per line)", indent("  "))
	f.BoolFunc("tab", "indent JSON by tabs", indent("\t"))
	f.Func("indent", "indent JSON by `N` spaces, at most 7", func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > 7 {
			return errors.New("must be a number from 0 to 7")
		}
		v.Indent = strings.Repeat(" ", n)
		return nil
	})
	f.BoolFuncP("compact-output", "c", "one result per line, which is the default", indent(""))
	f.BoolVarP(&v.Raw, "raw-output", "r", false, "print a result that is a string without quotes")
	f.BoolVarP(&v.Join, "join-output", "j", false, "like --raw-output, without a newline after each result")
	f.BoolVar(&v.Zero, "raw-output0", false, "like --raw-output, with a zero byte instead of the newline")
	f.BoolVarP(&v.ASCII, "ascii-output", "a", false, "write characters that are not ASCII as escapes of JSON")
	f.BoolVar(&v.Separated, "seq", false, "read and write JSON with a record separator before each value (RFC 7464)")
	f.BoolVar(&v.unbuffered, "unbuffered", false, "has no effect: a result never waits for the next value")
	f.BoolVarP(&v.Sorted, "sort-keys", "S", false, "sort the keys of all maps of the results")
	f.BoolFuncP("color-output", "C", "the same as --color always", func(string) error { return a.Color.Set("always") })
	f.BoolFuncP("monochrome-output", "M", "the same as --color never", func(string) error { return a.Color.Set("never") })
	f.BoolVar(&v.Reversible, "reversible", false, "see values that JSON lacks (bin, ext, timestamps, ...) as objects, and convert such objects back")
	f.BoolVarP(&v.Null, "null-input", "n", false, "run the program once, on null; input and inputs read the values")
	f.BoolVarP(&v.Text, "raw-input", "R", false, "read each line of the input as a string")
	f.BoolVarP(&v.Slurp, "slurp", "s", false, "run the program once, on an array of all values")
	f.BoolVar(&v.Stream, "stream", false, "run the program on [PATH, VALUE] of each scalar, and on [PATH] at the end of each array and map")
	f.BoolVarP(&v.Status, "exit-status", "e", false, "exit with 1 if the last result is false or null, or there is none")
	v.flags(c)
	f.StringVar(&v.file, "from-file", "", "`FILE` that contains the program")
	f.BoolVarP(&v.Force, "force", "f", false, "write MessagePack and raw text to a terminal")
	flags.Complete(c, "to", formats)
	return c
}

// prepare checks the flags.
func (v *queryFlags) prepare(r *reading) error {
	to := sniff.Named(v.to.Value)
	if v.json && to == sniff.MessagePack {
		return errors.New("--json and --to msgpack cannot be used together")
	}
	if v.json {
		to = sniff.JSON
	}
	if to == sniff.Unknown {
		to = sniff.ByName(v.Path)
	}
	v.MessagePack = to == sniff.MessagePack
	v.Raw = v.Raw || v.Join || v.Zero
	v.Binary, v.Painted = v.MessagePack, !v.MessagePack && !v.Raw
	v.Visible, v.Plain = !v.MessagePack, v.Raw
	if v.MessagePack && (v.Indent != "" || v.Raw || v.ASCII || v.Separated) {
		return errors.New("indentation, --raw-output, --ascii-output and --seq require JSON output, but the output is MessagePack")
	}
	format := sniff.JSON
	switch {
	case v.MessagePack:
		format = sniff.MessagePack
	case v.Raw:
		format = sniff.Unknown
	}
	if err := checkOutput(v.Path, format); err != nil {
		return err
	}
	if v.Text && r.from.Value != "" {
		return errors.New("--raw-input and --from cannot be used together")
	}
	switch {
	case v.Text && v.Stream:
		return errors.New("--raw-input and --stream cannot be used together")
	case v.Text && v.Separated:
		return errors.New("--raw-input and --seq cannot be used together")
	case v.Reversible && v.Stream:
		return errors.New("--reversible and --stream cannot be used together")
	}
	return nil
}

func (a *app) query(ctx context.Context, r *reading, v *queryFlags) error {
	if err := v.prepare(r); err != nil {
		return err
	}
	if v.file != "" {
		text, err := task.Await(ctx, nil, nil, func() ([]byte, error) { return os.ReadFile(v.file) })
		if err != nil {
			return failure.Accessing(v.file, err)
		}
		v.Program = string(text)
	}
	var err error
	if v.Variables, v.Slurped, err = a.values(ctx, &v.variables, v.Reversible); err != nil {
		return err
	}
	v.Positional, v.Input = v.positional, v.read(v.Path)
	files := a.files(r)
	files.Separators = v.Separated
	if err := v.Open(ctx, files); err != nil {
		return err
	}
	return a.produce(ctx, v.Target, func(w io.Writer) error { return v.Run(ctx, w) })
}
