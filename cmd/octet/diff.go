package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/diff"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/report"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

const diffHelp = `Diff compares the values of two files, and prints one line for each difference
with its path. Values are in the notation of octet diag; see octet diag --help.

  ~ users[2].name: "Ada" → "Eve"      the values differ
  - users[2].mail: "ada@example.com"  only in the first file
  + users[3]: {"name": "Bob"}         only in the second file

Formats, the width of floats and the order of keys do not matter, and a file may
be JSON or MessagePack, compressed or not. An integer and a float are different,
even 1 and 1.0. A str and a bin are also different. In a stream of several
values, "value 3" precedes the path. {1} in a path is pair 1 of the map in the
file, as in octet get.

With --bytes, values that are equal but have different bytes are reported too:

  = id: cd 00 05 → 05                 the same value in another format
  = {1}: keys in another order        the rest of this value is not compared

Elements that were inserted or removed are recognized within 64 elements, so
that the elements after them are not reported as changed. The exit code is 1 if
there are differences.

Diff keeps up to 64 values and up to 16 MiB of each file in memory, but at least
one value. A value in memory takes up to 50 times its length.`

const diffExamples = `  octet query 'del(.Doc)' std.msgpack -o other.msgpack
  octet diff std.msgpack other.msgpack
  octet diff --bytes std.msgpack other.msgpack
  octet convert std.msgpack -o std.json
  octet diff std.json std.msgpack
  octet convert std.json | octet diff - other.msgpack
  octet diff --json std.msgpack other.msgpack | jq -r .path
  octet diff -q std.msgpack other.msgpack        only whether they differ`

func (a *app) diffCommand() *cobra.Command {
	var r reading
	var o diff.Options
	found := report.Differences{Limit: 1000}
	c := &cobra.Command{
		Use:     "diff A B",
		GroupID: groupCheck,
		Short:   "Compare two files by value and show the paths that differ",
		Long:    diffHelp,
		Example: diffExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("diff takes two files, not %d", len(args))
			}
			if args[0] == "-" && args[1] == "-" {
				return errors.New("only one of the two files can be standard input")
			}
			r.paths, a.inputs = args, args
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return a.diff(c.Context(), &r, o, &found) },
	}
	f := c.Flags()
	f.SortFlags = false
	r.readFlags(c)
	f.BoolVar(&o.Bytes, "bytes", false, "also report equal values that have different bytes")
	f.Var(&found.Limit, "limit", "print at most N differences")
	f.BoolVarP(&found.Quiet, "quiet", "q", false, "print only whether the files differ")
	f.BoolVar(&found.JSON, "json", false, "print one JSON object per difference: op, path, a, b (in the notation of octet diag),\nvalue_a, value_b, path_b")
	return c
}

func (a *app) diff(ctx context.Context, r *reading, o diff.Options, found *report.Differences) error {
	found.Palette, found.Width = a.Palette(a.Stdout), a.Width(a.Stdout)
	return a.produce(ctx, task.Target{Path: "-", Visible: true}, func(w io.Writer) error {
		var in [2]*input.Input
		var s [2]*scan.Scanner
		out := bufio.NewWriterSize(w, 64<<10)
		found.W = out
		for i, path := range r.paths {
			var err error
			if in[i], err = input.Open(ctx, a.Console, path, a.files(r).Options); err != nil {
				return err
			}
			defer in[i].Close()
			values := in[i].MessagePack()
			defer values.Close()
			s[i] = scan.New(tally.Flushing(out, values), 0)
		}
		side, err := diff.Streams(s[0], s[1], o, found.Print)
		if unwritten := out.Flush(); unwritten != nil {
			return unwritten
		}
		if err != nil && err != report.ErrEnough {
			return in[side].Explain(err)
		}
		return found.Result()
	})
}
