package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/inspect"
	"github.com/octet-go/octet/cmd/octet/internal/lint"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
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
  canonical  a format that is not the canonical one of its length, or a float 64 that
             a float 32 holds exactly, with --canonical
  number     a JSON number that MessagePack cannot represent
  malformed  the rest of the input is not valid; the exit code is then 4

For JSON, lint checks duplicate, utf8, trailing, order, number and malformed.

--fix rewrites MessagePack files with repairs that lose no data: it writes the
shortest formats, with --canonical also the canonical formats and order, and keeps
one of several pairs with the same key and value. With --lossy it also keeps the
last of several pairs with the same key, writes a str that is not UTF-8 as bin,
and drops trailing and malformed data. The exit code is 1 if findings remain.

Memory use does not depend on the size of the input, except for the hashes of the
keys of maps that are incomplete, about 64 bytes each. After 1,048,576 such keys,
lint does not compare further keys, and prints how many they are. --fix needs up to
20 times the length of the largest value.`

const lintExamples = `  octet lint std.msgpack
  octet lint --canonical --limit 10 *.msgpack
  octet lint --ignore shortest,utf8 events.msgpack
  octet lint --json a.msgpack | jq -r .rule | sort | uniq -c
  octet lint --fix a.msgpack
  curl -s https://example.com/data.json | octet lint --single -`

// lintFlags holds the flags of the lint command.
type lintFlags struct {
	reading
	lint.Options
	json, fix, lossy bool
	limit            flags.Limit
	ignore           []string
}

func (a *app) lintCommand() *cobra.Command {
	v := lintFlags{limit: 1000}
	c := &cobra.Command{
		Use:     "lint [FILE]...",
		GroupID: groupCheck,
		Short:   "Find long formats, duplicate keys, invalid UTF-8 and other faults",
		Long:    lintHelp,
		Example: lintExamples,
		Args:    a.pathArgs(&v.reading),
		RunE:    func(c *cobra.Command, _ []string) error { return a.lint(c.Context(), &v) },
	}
	f := c.Flags()
	f.SortFlags = false
	v.readFlags(c)
	f.BoolVar(&v.Canonical, "canonical", false, "also check the rules order and canonical")
	f.BoolVar(&v.Single, "single", false, "the input must be one value")
	f.StringSliceVar(&v.ignore, "ignore", nil, "`RULES` that are not checked, separated by commas")
	f.Var(&v.limit, "limit", "print at most N findings")
	f.BoolVar(&v.json, "json", false, "print one JSON object per finding: file, value, offset, path, rule, message;\nfor JSON also line and column")
	f.BoolVar(&v.fix, "fix", false, "rewrite the files with repairs that lose no data")
	f.BoolVar(&v.lossy, "lossy", false, "with --fix, also make repairs that lose data")
	flags.Complete(c, "ignore", lint.Rules)
	return c
}

func (a *app) lint(ctx context.Context, v *lintFlags) error {
	v.Ignore = map[lint.Rule]bool{}
	for _, name := range v.ignore {
		if !slices.Contains(lint.Rules, name) {
			return fmt.Errorf("unknown rule %q; the rules are %s", name, strings.Join(lint.Rules, ", "))
		}
		v.Ignore[lint.Rule(name)] = true
	}
	switch {
	case v.lossy && !v.fix:
		return errors.New("--lossy requires --fix")
	case v.fix && (len(v.paths) == 0 || slices.Contains(v.paths, "-")):
		return errors.New("--fix rewrites files; to rewrite a stream, use octet fmt")
	}
	r := reporter{lintFlags: v, rules: map[lint.Rule]int64{}}
	err := a.produce(ctx, task.Target{Path: "-"}, func(w io.Writer) error {
		return a.each(ctx, &v.reading, func(in *input.Input) error {
			out, from := bufferedInput(w, in)
			r.w, r.in = out, in
			s, err := r.check(from)
			if unwritten := out.Flush(); unwritten != nil {
				return unwritten
			}
			a.noteLint(v, in, s)
			if err != nil && !(v.fix && v.lossy) {
				return a.pointAt(in, err)
			}
			if v.fix && (r.inFile > 0 || err != nil) {
				return a.fix(in, &r)
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	return r.result()
}

// pointAt adds the bytes around the fault to an error about malformed MessagePack.
func (a *app) pointAt(in *input.Input, err error) error {
	var fault *scan.Fault
	if !errors.As(err, &fault) {
		return err
	}
	f := failure.New(failure.Data, in.Name, input.Brief(err))
	f.Detail = inspect.Explain(fault, console.NewPalette(a.Colored(a.color.Value, a.Stderr)), a.Width(a.Stderr))
	return f
}

// noteLint prints how many keys were not compared.
func (a *app) noteLint(v *lintFlags, in *input.Input, s lint.Summary) {
	if s.Unchecked > 0 && !v.Ignore[lint.Duplicate] {
		a.Note("octet: lint: %s: %s were not compared, because maps have more than %s",
			in.Name, console.Plural(s.Unchecked, "key"), console.Plural(lint.MaxKeys, "key"))
	}
}

// A reporter prints findings.
type reporter struct {
	*lintFlags
	w      *bufio.Writer
	in     *input.Input
	total  int64
	inFile int64
	fixed  int64
	files  int64 // with findings
	rules  map[lint.Rule]int64
}

// check checks one input.
func (r *reporter) check(from io.Reader) (lint.Summary, error) {
	r.inFile = 0
	var s lint.Summary
	var err error
	if r.in.Format == sniff.JSON {
		s, err = lint.RunJSON(bufio.NewReader(from), r.Options, r.print)
	} else {
		s, err = lint.Run(scan.New(from, 0), r.Options, r.print)
	}
	if r.inFile > 0 {
		r.files++
	}
	return s, err
}

// A lintObject is one line of octet lint --json.
type lintObject struct {
	File    string    `json:"file"`
	Value   int64     `json:"value"` // number of the top-level value, from 0
	Offset  int64     `json:"offset"`
	Line    int64     `json:"line,omitempty"`   // in JSON, counted from 1
	Column  int64     `json:"column,omitempty"` // the same, in characters
	Path    string    `json:"path"`
	Rule    lint.Rule `json:"rule"`
	Message string    `json:"message"`
}

func (r *reporter) print(f lint.Finding) error {
	r.total++
	r.inFile++
	r.rules[f.Rule]++
	if r.limit != flags.All && r.total > int64(r.limit) {
		return nil
	}
	if !r.json {
		place := ""
		if f.Value > 0 {
			place = fmt.Sprintf("value %d, ", f.Value+1)
		}
		at := scan.Place(f.Offset, f.Path)
		if f.Line > 0 {
			at = scan.WithPath(fmt.Sprintf("line %d, column %d", f.Line, f.Column), f.Path)
		}
		_, err := fmt.Fprintf(r.w, "%s: %s%s: %s [%s]\n", r.in.Name, place, at, f.Message, f.Rule)
		return err
	}
	e := json.NewEncoder(r.w)
	e.SetEscapeHTML(false)
	return e.Encode(lintObject{r.in.Name, f.Value, f.Offset, f.Line, f.Column, f.Path, f.Rule, f.Message})
}

// result returns an error with the number of findings that remain, or nil.
func (r *reporter) result() error {
	left := r.total - r.fixed
	if left <= 0 {
		return nil
	}
	text := console.Plural(left, "finding")
	if r.fixed > 0 {
		text += " left"
	}
	var counts []string
	for _, name := range lint.Rules {
		if n := r.rules[lint.Rule(name)]; n > 0 {
			counts = append(counts, fmt.Sprintf("%s %d", name, n))
		}
	}
	if len(counts) > 1 && r.fixed == 0 {
		text += " (" + strings.Join(counts, ", ") + ")"
	}
	if r.files > 1 {
		text += " in " + console.Plural(r.files, "file")
	}
	if r.limit != flags.All && r.total > int64(r.limit) {
		text += fmt.Sprintf("; %d not shown, see --limit", r.total-int64(r.limit))
	}
	return failure.New(failure.Finding, "", errors.New(text))
}
