package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/notation"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

const diagHelp = `Diag writes MessagePack as lossless text: reading the text back with --reverse
gives the same bytes. Use it to look at a value, to change it in an editor, and
to write test data.

The notation looks like JSON, and JSON is valid notation, except for integers of
more than 64 bits. It adds:

  nil                                 null is accepted
  h'0102'  b64'AQI='                  bin
  time'2026-11-21T08:00:00Z'          timestamp; time(SECONDS, NANOSECONDS) for
                                      a year that is not 0 to 9999
  ext(5, h'0102')                     other ext
  1.5_f32  nan  inf  -inf             floats; without a suffix they have 64 bits
  "\xff"                              a byte that is not UTF-8
  {1: 2, nil: []}                     keys of every kind
  # comment                           to the end of the line

A suffix names a format that is not the shortest:

  5_u16  5_i64                        integer
  "a"_8  h'01'_16  [1]_32  {}_16      bits of the length or count
  ext(5, h'01')_8                     ext with a length of 8 bits
  time'2026-11-21T08:00:00Z'_96       timestamp with 96 bits

Diag writes one top-level value per line, or several lines with --pretty. It
needs constant memory. --reverse needs memory for the largest value, and accepts
any white space. Files named .diag are read as with --reverse.

In a repository with these settings, git diff, log and show print the changes of
MessagePack files as text. git diff --no-textconv compares the bytes, also those
of a malformed file.

  echo '*.msgpack diff=msgpack' >>.gitattributes
  git config diff.msgpack.textconv 'octet diag --pretty'

The page docs/diagnostic-notation.md has the grammar.`

const diagExamples = `  octet diag std.msgpack | less
  octet diag --pretty std.msgpack >std.diag      change std.diag, then:
  octet diag std.diag -o std.msgpack
  echo '{7: true, "n": 5_u64}' | octet diag -r | octet inspect -
  octet diag --json std.msgpack                  with offset and length`

func (a *app) diagCommand() *cobra.Command {
	var r reading
	var t task.Target
	var o notation.Options
	reverse := false
	c := &cobra.Command{
		Use:     "diag [FILE]...",
		GroupID: groupConvert,
		Short:   "Write MessagePack as lossless text, and read the text back",
		Long:    diagHelp,
		Example: diagExamples,
		Args:    a.pathArgs(&r),
		RunE:    func(c *cobra.Command, _ []string) error { return a.diag(c.Context(), &r, t, o, reverse) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&t.Path, "output", "o", "-", "`FILE` to write, - for standard output")
	r.readFlags(c)
	f.BoolVarP(&reverse, "reverse", "r", false, "read the notation and write MessagePack")
	f.BoolVar(&o.Pretty, "pretty", false, "write each element on a line of its own")
	f.BoolVar(&o.JSON, "json", false, "print one JSON object per top-level value: number, offset, length, diag")
	f.BoolVarP(&t.Force, "force", "f", false, "write MessagePack to a terminal")
	return c
}

func (a *app) diag(ctx context.Context, r *reading, t task.Target, o notation.Options, reverse bool) error {
	named := 0 // files that are named .diag
	for _, path := range r.paths {
		if notation.IsNamed(path) {
			named++
		}
	}
	if named > 0 && named == len(r.paths) {
		reverse = true
	}
	switch {
	case reverse && (o.JSON || o.Pretty):
		return errors.New("--reverse writes MessagePack, so it cannot be used with --json or --pretty")
	case reverse && r.from.Value != "":
		return errors.New("--reverse reads diagnostic notation, so it cannot be used with --from")
	case named > 0 && !reverse:
		return errors.New("some of the files are diagnostic notation and some are not; use two commands")
	}
	t.Binary, t.Visible = reverse, !reverse
	format := sniff.Text
	switch {
	case reverse:
		format = sniff.MessagePack
	case o.JSON:
		format = sniff.JSON
	}
	if err := checkOutput(t.Path, format); err != nil {
		return err
	}
	return a.produce(ctx, t, func(w io.Writer) error {
		if reverse {
			return notation.Encode(ctx, a.files(r), w)
		}
		return o.Write(ctx, a.files(r), w)
	})
}
