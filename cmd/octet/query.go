package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/query"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/transcode"
)

const queryHelp = `Query runs a program in the language of jq on each value of the input, and prints
the results as JSON, one per line. The manual of the language is at
https://jqlang.org/manual; the implementation is gojq.

A program sees a value as the JSON that octet convert writes for it:

  integer              exact, with all of its 64 bits
  timestamp            string in RFC 3339: select(.at > "2026-01-01")
  bin                  string in base64
  non-str key          string: ."7" is the value of the key 7
  other ext            {"$ext": {"type": 5, "data": "AQI="}}

With --reversible, values that JSON lacks are objects, as in octet convert, and
such objects in the results become these values again:

  {"$time": "2026-11-21T08:00:00Z"}   {"$bin": "AQI="}   {"$f32": 0.1}
  {"$ext": {"type": 5, "data": "AQI="}}   {"$map": [[7, "value of the key 7"]]}

Arrays and maps of the input that the program returns unchanged keep their types,
formats and order with all flags. Maps that the program makes or changes have their
keys sorted. With --to msgpack or -o FILE.msgpack, query prints on standard error
how many values became text for the program.

If the program fails on a value, query reports it on standard error, continues with
the next value, and exits with 1 at the end. With --exit-status the exit code is
also 1 if the last result is false or null, or if there is none.

Query keeps one value and its results in memory, and all values with --slurp. A
program can read the environment of the process (env), but no files. It may run
for any time and use any amount of memory, so run only programs that you trust.`

const queryExamples = `  octet query '.[0].ImportPath' std.msgpack
  go list -json std | octet query 'select(.Name == "main") | .Dir'
  octet query 'select(.level == "error")' events.msgpack -o errors.msgpack
  octet query -r '.users[] | "\(.id) \(.name)"' users.msgpack
  octet query -n '[inputs.size] | add' a.msgpack b.ndjson
  octet query --reversible '.photo["$bin"]' user.msgpack
  octet query --arg day=2026-11-21 'select(.at >= $day)' events.msgpack`

// queryFlags holds the flags of the query command.
type queryFlags struct {
	reading
	task.Target
	query.Options
	program, file                     string
	args, jsonArgs                    []string
	to                                flags.Choice
	json, pretty, null, slurp, status bool
}

func (a *app) queryCommand() *cobra.Command {
	formats := []string{sniff.JSON.String(), sniff.MessagePack.String()}
	v := queryFlags{to: flags.Choice{Words: formats}}
	c := &cobra.Command{
		Use:     "query PROGRAM [FILE]...",
		GroupID: groupLook,
		Short:   "Filter and compute with a program in the language of jq",
		Long:    queryHelp,
		Example: queryExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if v.file == "" {
				if len(args) == 0 {
					return errors.New("missing program, such as '.name'")
				}
				if err := checkNotFile("query", "program", args); err != nil {
					return err
				}
				v.program, args = args[0], args[1:]
			}
			if v.null && len(args) == 0 && a.IsTerminal(a.Stdin) {
				return nil // the program may not read the input at all
			}
			return a.setPaths(&v.reading, args)
		},
		RunE: func(c *cobra.Command, _ []string) error { return a.query(c.Context(), &v) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&v.Path, "output", "o", "-", "`FILE` to write, - for standard output")
	v.readFlags(c)
	f.Var(&v.to, "to", "format of the results (default: by the file extension of -o, otherwise json)")
	f.BoolVar(&v.json, "json", false, "the same as --to json")
	f.BoolVar(&v.pretty, "pretty", false, "indent JSON (default: one result per line)")
	f.BoolVarP(&v.Raw, "raw-output", "r", false, "print a result that is a string without quotes")
	f.BoolVar(&v.Reversible, "reversible", false, "see values that JSON lacks (bin, ext, timestamps, ...) as objects,\nand convert such objects back")
	f.BoolVarP(&v.null, "null-input", "n", false, "run the program once, on null; input and inputs read the values")
	f.BoolVarP(&v.slurp, "slurp", "s", false, "run the program once, on an array of all values")
	f.BoolVarP(&v.status, "exit-status", "e", false, "exit with 1 if the last result is false or null, or there is none")
	f.StringArrayVar(&v.args, "arg", nil, "`NAME=TEXT` defines the variable $NAME as a string")
	f.StringArrayVar(&v.jsonArgs, "argjson", nil, "`NAME=JSON` defines the variable $NAME")
	f.StringVar(&v.file, "from-file", "", "`FILE` that contains the program")
	f.BoolVarP(&v.Force, "force", "f", false, "write MessagePack to a terminal")
	flags.Complete(c, "to", formats)
	return c
}

// prepare checks the flags.
func (v *queryFlags) prepare() error {
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
	v.Binary, v.Painted = v.MessagePack, !v.MessagePack && !v.Raw
	if v.MessagePack && (v.pretty || v.Raw) {
		return errors.New("--pretty and --raw-output require JSON output, but the output is MessagePack")
	}
	if v.null && v.slurp {
		return errors.New("--null-input and --slurp cannot be used together")
	}
	if v.pretty {
		v.Indent = "  "
	}
	v.Variables = map[string]string{}
	for _, list := range [][]string{v.args, v.jsonArgs} {
		for _, assignment := range list {
			name, value, ok := strings.Cut(assignment, "=")
			if !ok || name == "" {
				return fmt.Errorf("%q must be NAME=VALUE", assignment)
			}
			v.Variables[name] = value
		}
	}
	for _, assignment := range v.args {
		name, value, _ := strings.Cut(assignment, "=")
		text, _ := json.Marshal(value) // a string can always be encoded
		v.Variables[name] = string(text)
	}
	return nil
}

// A queried is one value of the inputs of a query.
type queried struct {
	in     *input.Input
	number int64
	data   []byte
}

// records returns the values of all inputs. Each value has memory of its own,
// because a program may keep what it has read.
func (a *app) records(ctx context.Context, r *reading) iter.Seq2[queried, error] {
	return func(yield func(queried, error) bool) {
		stopped := errors.New("stopped")
		err := a.files(r).Each(ctx, func(in *input.Input) error {
			for value, err := range in.Values(transcode.Options{}) {
				if err != nil {
					return err
				}
				if !yield(queried{in, value.Number, slices.Clone(value.Data)}, nil) {
					return stopped
				}
			}
			return nil
		})
		if err != nil && err != stopped {
			yield(queried{}, err)
		}
	}
}

// maxReported is the maximum number of failures that are reported one by one.
const maxReported = 20

func (a *app) query(ctx context.Context, v *queryFlags) error {
	if err := v.prepare(); err != nil {
		return err
	}
	if v.file != "" {
		text, err := os.ReadFile(v.file)
		if err != nil {
			return failure.Accessing(v.file, err)
		}
		v.program = string(text)
	}
	next, stop := iter.Pull2(a.records(ctx, &v.reading))
	var at queried
	advance := func() ([]byte, error) {
		r, err, ok := next()
		if !ok {
			return nil, io.EOF
		}
		if err == nil {
			at = r
		}
		return r.data, err
	}
	v.Environ = func() []string { return os.Environ() }
	v.Debug = a.Stderr
	v.Inputs = advance
	v.File = func() any {
		if at.in == nil {
			return nil
		}
		return at.in.Name
	}
	program, err := query.Compile(v.program, v.Options)
	if err != nil {
		stop()
		return err
	}
	failed := int64(0)
	err = a.produce(ctx, v.Target, func(w io.Writer) error {
		defer stop()
		out := bufio.NewWriterSize(w, 64<<10)
		run := func() error {
			switch {
			case v.null:
				return program.RunNull(ctx, out)
			case v.slurp:
				return program.RunAll(ctx, out, advance)
			}
			data, err := advance()
			if err != nil {
				return err
			}
			return program.Run(ctx, out, data)
		}
		for {
			err := run()
			// Results are written now because reading the next value may wait.
			if unwritten := out.Flush(); unwritten != nil {
				return unwritten
			}
			var wrong *query.RuntimeError
			switch {
			case errors.As(err, &wrong):
				if failed++; failed <= maxReported {
					a.Note("octet: query: %s%s", at.place(), wrong)
				}
			case err == io.EOF || err == query.ErrHalt:
				return nil
			case err != nil:
				return at.explain(err)
			}
			if v.null || v.slurp {
				return nil
			}
		}
	})
	if err != nil {
		return err
	}
	if n := program.ShownAsText(); n > 0 && v.MessagePack {
		a.Note("octet: query: for the program, %s became text, because JSON lacks their types; --reversible keeps them", console.Plural(n, "value"))
	}
	switch {
	case failed > 0:
		return failure.New(failure.Finding, "", fmt.Errorf("the program failed on %s", console.Plural(failed, "value")))
	case v.status && !program.Truth():
		return failure.New(failure.Finding, "", errors.New("the last result is false or null, or there is none"))
	}
	return nil
}

// place returns the position of the value for a message.
func (r *queried) place() string {
	if r.in == nil {
		return ""
	}
	return fmt.Sprintf("%s: value %d: ", r.in.Name, r.number+1)
}

// explain adds the name of the input and the number of the value to an error about
// the content of the value. It returns other errors unchanged.
func (r *queried) explain(err error) error {
	var content *transcode.Error
	if r.in == nil || !errors.As(err, &content) {
		return err
	}
	moved := *content
	moved.Value = r.number
	return r.in.ExplainJSON(&moved, 0, r.number)
}
