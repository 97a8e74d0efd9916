package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/get"
	"github.com/octet-go/octet/cmd/octet/internal/locate"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

const getHelp = `Get prints the value at a path, for each top-level value of the input. Paths are
written as octet inspect and error messages write them:

  users[2].name        key "name" of element 2, the third, of key "users"
  ["full name"][-5]    the key "full name", then the integer key -5
  users[].name         the names of all elements
  limits{}             all values of a map
  limits{3}            the value of pair 3 of a map, whatever its key is
  .                    the whole value

The value is printed as JSON. With --raw, a str or bin is printed as its bytes,
without quotes. --to msgpack copies the bytes of the value, and --to diag writes
the notation of octet diag. --reversible writes values that JSON lacks as
objects, as in octet convert.

A terminal gets escapes such as \x1b for control characters, because they could
change what it shows. With --raw --force it gets the bytes.

If a top-level value has no value at the path, get prints nothing for it,
continues with the next one, and exits with 1 at the end. A file of -o that is
also the input is then unchanged. MessagePack and raw output need constant
memory; JSON output needs memory for the largest value that is printed.

To filter and compute, see octet query.`

const getExamples = `  octet get ImportPath std.msgpack | head -n 1   → "archive/tar"
  go list -json std | octet get ImportPath
  octet get --raw Doc std.msgpack >docs.txt      without quotes
  octet get --json 'Match[]' std.msgpack         with its offset and path
  octet get --to msgpack Match std.msgpack | octet inspect -`

func (a *app) getCommand() *cobra.Command {
	var r reading
	var t task.Target
	var o get.Options
	to := flags.Choice{Value: get.JSON, Words: get.Forms}
	c := &cobra.Command{
		Use:     "get PATH [FILE]...",
		GroupID: groupLook,
		Short:   "Print the value at a path such as users[3].name",
		Long:    getHelp,
		Example: getExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("missing path, such as users[3].name")
			}
			if err := checkNotFile("get", "path", args); err != nil {
				return err
			}
			var err error
			if o.Path, err = locate.Parse(args[0]); err != nil {
				return err
			}
			return a.setPaths(&r, args[1:])
		},
		RunE: func(c *cobra.Command, _ []string) error {
			o.To = to.Value
			switch {
			case o.JSON && (o.Raw || o.To != get.JSON):
				return errors.New("--json cannot be used with --raw or --to")
			case o.Raw && o.To != get.JSON:
				return errors.New("--raw and --to cannot be used together")
			}
			format := sniff.Named(o.To)
			switch {
			case o.Raw:
				format = sniff.Unknown
			case o.To == get.Diag:
				format = sniff.Text
			}
			if err := checkOutput(t.Path, format); err != nil {
				return err
			}
			t.Binary, t.Painted = o.To == get.MessagePack, o.To == get.JSON && !o.Raw
			t.Visible, t.Plain = !t.Binary, o.Raw
			return a.produce(c.Context(), t, func(w io.Writer) error { return get.Files(c.Context(), a.files(&r), w, &o) })
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&t.Path, "output", "o", "-", "`FILE` to write, - for standard output")
	r.readFlags(c)
	f.Var(&to, "to", "form of the output")
	f.BoolVarP(&o.Raw, "raw", "r", false, "print the bytes of a str or bin as they are")
	f.BoolVar(&o.Reversible, "reversible", false, "write values that JSON lacks (bin, ext, timestamps, ...) as objects")
	f.BoolVar(&o.JSON, "json", false, "print one JSON object per value found: its file, number, path, offset, length, json")
	f.BoolVarP(&t.Force, "force", "f", false, "write MessagePack and raw text to a terminal")
	flags.Complete(c, "to", get.Forms)
	return c
}
