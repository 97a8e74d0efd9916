package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/lint"
	"github.com/octet-go/octet/cmd/octet/internal/repair"
	"github.com/octet-go/octet/cmd/octet/internal/report"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

const lintHelp = `Lint checks well-formed values and prints one line per finding: the file, the
offset or, in JSON, the line and column, the path, the finding, and the rule in
square brackets.

  shortest   a format that is longer than necessary, such as 5 as uint 16
  duplicate  a key that the map already has, in whatever format
  utf8       a str that is not valid UTF-8
  timestamp  an ext of type -1 that is not a timestamp
  trailing   data after the first value, with --single
  order      keys that are not in the order of octet fmt --canonical, once per
             map, with --canonical
  canonical  a format that is not the canonical one of its length, or a float 64
             that a float 32 holds exactly, with --canonical
  number     a JSON number that MessagePack cannot represent
  malformed  the rest of the input is not valid; the exit code is then 4

For JSON, lint checks duplicate, utf8, trailing, order, number and malformed.

--fix rewrites MessagePack files with repairs that lose no data: it writes the
shortest formats, with --canonical also the canonical formats and order, and
keeps one of several pairs with the same key and value. With --lossy it also
keeps the last of several pairs with the same key, writes a str that is not
UTF-8 as bin, and drops trailing and malformed data. The exit code is 1 if
findings remain.

A map that is inside a key is not checked for duplicate keys and order.

Memory use does not depend on the size of the input, except for the hashes of
the keys of maps that are incomplete, about 64 bytes each. After 1,048,576 such
keys, lint does not compare further keys, and prints how many they are. --fix
needs up to 30 times the length of the largest value.`

const lintExamples = `  octet lint std.msgpack
  octet lint --canonical --limit 10 *.msgpack
  octet lint --canonical --ignore order std.msgpack
  octet lint --canonical --json std.msgpack | jq -r .rule
  octet lint --fix std.msgpack
  go list -json std | octet lint -`

func (a *app) lintCommand() *cobra.Command {
	var r reading
	v := repair.Run{Options: repair.Options{Options: lint.Options{Ignore: map[lint.Rule]bool{}}}, Found: report.Findings{Limit: 1000}}
	var ignore []string
	c := &cobra.Command{
		Use:     "lint [FILE]...",
		GroupID: groupCheck,
		Short:   "Find long formats, duplicate keys, invalid UTF-8 and other faults",
		Long:    lintHelp,
		Example: lintExamples,
		Args:    a.pathArgs(&r),
		RunE: func(c *cobra.Command, _ []string) error {
			for _, name := range ignore {
				if !slices.Contains(lint.Rules, name) {
					return fmt.Errorf("unknown rule %q; the rules are %s", name, strings.Join(lint.Rules, ", "))
				}
				v.Ignore[lint.Rule(name)] = true
			}
			switch {
			case v.Lossy && !v.Fix:
				return errors.New("--lossy requires --fix")
			case v.Fix && (len(r.paths) == 0 || slices.Contains(r.paths, "-")):
				return errors.New("--fix rewrites files; to rewrite a stream, use octet fmt")
			}
			v.Faults = a.Palette(a.Stderr)
			return a.produce(c.Context(), task.Target{Path: "-", Visible: true}, func(w io.Writer) error {
				return v.Files(c.Context(), a.files(&r), w, &a.rewritten)
			})
		},
	}
	f := c.Flags()
	f.SortFlags = false
	r.readFlags(c)
	f.BoolVar(&v.Canonical, "canonical", false, "also check the rules order and canonical")
	f.BoolVar(&v.Single, "single", false, "the input must be one value")
	f.StringSliceVar(&ignore, "ignore", nil, "`RULES` that are not checked, separated by commas")
	f.Var(&v.Found.Limit, "limit", "print at most N findings")
	f.BoolVar(&v.Found.JSON, "json", false, "print one JSON object per finding: file, value, offset, path, rule, message;\nfor JSON also line and column")
	f.BoolVar(&v.Fix, "fix", false, "rewrite the files with repairs that lose no data")
	f.BoolVar(&v.Lossy, "lossy", false, "with --fix, also make repairs that lose data")
	flags.CompleteList(c, "ignore", lint.Rules)
	return c
}
