package main

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/format"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

const fmtHelp = `Fmt rewrites values without changing between JSON and MessagePack. In
MessagePack, values get their shortest formats; floats keep their width, and
maps keep their order. JSON is written with one value per line, or indented with
--pretty; numbers keep their digits.

With --canonical, equal values become equal bytes. MessagePack then has the form
of Options.Canonical of the Go package msgpack:

  - the keys of maps are sorted: integers, floats, str and bin by their bytes,
    then all others by the bytes of the whole value
  - a float 64 that a float 32 holds exactly is a float 32
  - every NaN is the float 32 with the bits 7fc00000

JSON then has sorted names, the fewest possible escapes, and numbers with the
value that octet convert reads. With --canonical, duplicate keys are an error.

The result is written to standard output or -o FILE. --write replaces each file
with its result. --check only lists the files that would change; if there are
any, the exit code is 1.

Without --canonical, memory use does not depend on the size of the input. With
--canonical, it is up to 30 times the length of the largest value.`

const fmtExamples = `  octet fmt --canonical std.msgpack -o canonical.msgpack
  octet fmt --canonical std.msgpack | sha256sum  the same for equal values
  octet fmt --canonical --check *.msgpack        lists files that would change
  octet fmt --canonical --json -w std.msgpack    with the sizes before and after
  octet convert std.msgpack -o std.json
  octet fmt --pretty -w std.json`

func (a *app) fmtCommand() *cobra.Command {
	var r reading
	var t task.Target
	var o format.Options
	c := &cobra.Command{
		Use:     "fmt [FILE]...",
		GroupID: groupConvert,
		Short:   "Rewrite values in the shortest or canonical form",
		Long:    fmtHelp,
		Example: fmtExamples,
		Args:    a.pathArgs(&r),
		RunE:    func(c *cobra.Command, _ []string) error { return a.fmt(c.Context(), &r, t, &o) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&t.Path, "output", "o", "-", "`FILE` to write, - for standard output")
	r.readFlags(c)
	f.BoolVar(&o.Canonical, "canonical", false, "sort keys and write equal values as equal bytes")
	f.BoolVar(&o.Pretty, "pretty", false, "indent JSON (default: one value per line)")
	f.BoolVarP(&o.Write, "write", "w", false, "replace each file with its result")
	f.BoolVar(&o.Check, "check", false, "list the files that would change, and write nothing")
	f.BoolVar(&o.JSON, "json", false, "with --write or --check, print one JSON object per file: file, format, values,\nbytes_in, bytes_out, changed")
	f.BoolVarP(&t.Force, "force", "f", false, "write MessagePack to a terminal")
	return c
}

func (a *app) fmt(ctx context.Context, r *reading, t task.Target, o *format.Options) error {
	inFiles := o.Write || o.Check
	switch {
	case o.Write && o.Check:
		return errors.New("--write and --check cannot be used together")
	case inFiles && t.Path != "-":
		return errors.New("--output cannot be used with --write or --check")
	case o.Write && (len(r.paths) == 0 || slices.Contains(r.paths, "-")):
		return errors.New("--write needs files")
	case o.JSON && !inFiles:
		return errors.New("--json requires --write or --check")
	}
	// MessagePack is written to a terminal only with --force.
	t.Visible, t.Plain, t.Force = inFiles || !t.Force, inFiles && !o.JSON, t.Force && !inFiles
	return a.produce(ctx, t, func(w io.Writer) error {
		if inFiles {
			return o.Files(ctx, a.files(r), w, &a.rewritten)
		}
		o.Output = t.Path
		return o.Stream(ctx, a.files(r), w, t.Path == "-" && !t.Force && a.IsTerminal(a.Stdout))
	})
}
