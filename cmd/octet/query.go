package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
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
types, formats and order with all flags. Maps that the program makes or changes
have their keys sorted. Query prints on standard error how many values of the
results lost their type.

If the program fails on a value, query reports it on standard error, continues
with the next value, and exits with 1 at the end. With --exit-status the exit
code is also 1 if the last result is false or null, or if there is none.

Query keeps one value and its results in memory, and all values with --slurp. A
program can read the environment of the process (env), but no files. It may run
for any time and use any amount of memory, so run only programs that you trust.`

const queryExamples = `  octet query .ImportPath std.msgpack
  go list -json std | octet query 'select(.Name == "sort") | .Doc'
  octet query 'select(.Standard)' std.msgpack -o standard.msgpack
  octet query -r '.Imports[]? | "import \(.)"' std.msgpack
  octet query -n '[inputs.Name] | length' std.msgpack standard.msgpack
  octet query --arg name=bytes 'select(.Name == $name)' std.msgpack
  echo '["AQI="]' | octet query --reversible '{"$bin": .[0]}' --to msgpack`

// queryFlags holds the flags of the query command.
type queryFlags struct {
	query.Session
	task.Target
	file           string
	args, jsonArgs []string
	to             flags.Choice
	json, pretty   bool
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
			if v.file == "" {
				if len(args) == 0 {
					return errors.New("missing program, such as '.name'")
				}
				if err := checkNotFile("query", "program", args); err != nil {
					return err
				}
				v.Program, args = args[0], args[1:]
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
	f.BoolVar(&v.pretty, "pretty", false, "indent JSON (default: one result per line)")
	f.BoolVarP(&v.Raw, "raw-output", "r", false, "print a result that is a string without quotes")
	f.BoolVar(&v.Reversible, "reversible", false, "see values that JSON lacks (bin, ext, timestamps, ...) as objects,\nand convert such objects back")
	f.BoolVarP(&v.Null, "null-input", "n", false, "run the program once, on null; input and inputs read the values")
	f.BoolVarP(&v.Slurp, "slurp", "s", false, "run the program once, on an array of all values")
	f.BoolVarP(&v.Status, "exit-status", "e", false, "exit with 1 if the last result is false or null, or there is none")
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
	if v.Null && v.Slurp {
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

func (a *app) query(ctx context.Context, r *reading, v *queryFlags) error {
	if err := v.prepare(); err != nil {
		return err
	}
	if v.file != "" {
		text, err := os.ReadFile(v.file)
		if err != nil {
			return failure.Accessing(v.file, err)
		}
		v.Program = string(text)
	}
	if err := v.Open(ctx, a.files(r)); err != nil {
		return err
	}
	return a.produce(ctx, v.Target, func(w io.Writer) error { return v.Run(ctx, w) })
}
