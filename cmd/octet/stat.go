package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/output"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/stat"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

const statHelp = `Stat shows which values take how many bytes. For each path it prints the number of
values, the bytes of these values with their keys and everything inside them, and
the formats of the values. Then it prints the number of values and bytes of each
format. JSON is counted as the MessagePack that octet convert writes.

All elements of an array share one path, such as users[].name. Keys that are
neither str nor integer share the path {}. If a map has more than 256 different keys
(--keys), the further keys share the path {other}. After 65,536 paths, all new keys
share it. Memory use is therefore limited for an input of any size.

The table has the 50 paths with the most bytes (--limit). --svg draws all paths as a
treemap: the area of a rectangle represents bytes, its color the kind of the values.
The file contains no scripts. Browsers show it in light or dark colors.`

const statExamples = `  octet stat std.msgpack
  octet stat --svg std.svg std.msgpack
  octet stat --depth 2 --limit all *.msgpack
  octet stat --json a.msgpack | jq '.paths[] | select(.bytes > 1e6) | .path'
  go list -json std | octet stat`

// statFlags holds the flags of the stat command.
type statFlags struct {
	reading
	json         bool
	svg          string
	depth, limit flags.Limit
	keys         flags.Number
}

func (a *app) statCommand() *cobra.Command {
	v := statFlags{depth: flags.All, limit: 50, keys: 256}
	c := &cobra.Command{
		Use:     "stat [FILE]...",
		GroupID: groupLook,
		Short:   "Count values and bytes by path and format, draw a treemap",
		Long:    statHelp,
		Example: statExamples,
		Args:    a.pathArgs(&v.reading),
		RunE:    func(c *cobra.Command, _ []string) error { return a.stat(c.Context(), &v) },
	}
	f := c.Flags()
	f.SortFlags = false
	v.readFlags(c)
	f.Var(&v.limit, "limit", "show at most N paths")
	f.Var(&v.depth, "depth", "show only paths of at most N steps")
	f.Var(&v.keys, "keys", "paths for at most N keys of one map")
	f.StringVar(&v.svg, "svg", "", "write a treemap to `FILE`, - for standard output instead of the tables")
	f.BoolVar(&v.json, "json", false, "print one JSON object: values, bytes, depth, paths, formats")
	return c
}

func (a *app) stat(ctx context.Context, v *statFlags) error {
	if v.json && v.svg == "-" {
		return fmt.Errorf("--json and --svg - cannot be used together")
	}
	c := stat.NewCounter(stat.Limits{Keys: int(max(v.keys, 1)), Paths: 1 << 16})
	var names []string
	err := a.produce(ctx, task.Target{Path: "-"}, func(w io.Writer) error {
		err := a.each(ctx, &v.reading, func(in *input.Input) error {
			names = append(names, in.Name)
			return v.msgpack(in, w, func(_ *bufio.Writer, r io.Reader) error { return c.Add(scan.New(r, 0)) })
		})
		if err != nil {
			return err
		}
		c.Finish()
		title := fmt.Sprintf("%s: %s, %s", title(names), console.Plural(c.Values, "value"), humanize.Bytes(uint64(c.Bytes)))
		switch {
		case v.svg == "-":
			return c.Treemap(w, title)
		case v.json:
			err = v.writeJSON(w, c)
		default:
			err = a.writeTables(w, v, c)
		}
		if err != nil || v.svg == "" {
			return err
		}
		return a.writeTreemap(v.svg, c, title)
	})
	if err == nil && c.LimitReached {
		a.Note("octet: stat: some keys share the path {other}; see --keys")
	}
	return err
}

// title returns the names of the inputs for the title of a treemap.
func title(names []string) string {
	if len(names) == 1 {
		return filepath.Base(names[0])
	}
	return console.Plural(int64(len(names)), "file")
}

func (a *app) writeTreemap(path string, c *stat.Counter, title string) error {
	out, err := output.Create(path, a.Stdout)
	if err != nil {
		return failure.Accessing(path, err)
	}
	if err := c.Treemap(out, title); err != nil {
		out.Discard()
		return failure.Accessing(path, err)
	}
	if err := out.Commit(); err != nil {
		return failure.Accessing(path, err)
	}
	return nil
}

// shown returns the paths that the flags select, parents first, and how many
// they leave out.
func (v *statFlags) shown(c *stat.Counter) (list []*stat.Node, left int64) {
	total := int64(0)
	c.Root.All(func(n *stat.Node) bool {
		total++
		if v.depth < 0 || int64(n.Depth) <= int64(v.depth) {
			list = append(list, n)
		}
		return true
	})
	if v.limit != flags.All && int64(len(list)) > int64(v.limit) {
		largest := slices.Clone(list)
		slices.SortStableFunc(largest, func(a, b *stat.Node) int { return cmp.Compare(b.Total, a.Total) })
		keep := map[*stat.Node]bool{}
		for _, n := range largest[:v.limit] {
			keep[n] = true
		}
		list = slices.DeleteFunc(list, func(n *stat.Node) bool { return !keep[n] })
	}
	return list, total - int64(len(list))
}

func (a *app) writeTables(w io.Writer, v *statFlags, c *stat.Counter) error {
	p := console.NewPalette(a.Colored(a.color.Value, a.Stdout))
	b := bufio.NewWriter(w)
	// A bufio.Writer keeps its first error, which Flush returns.
	_, _ = fmt.Fprintf(b, "%s, %s, nested %d deep\n", console.Plural(c.Values, "value"), console.Plural(c.Bytes, "byte"), c.Deepest)
	if c.Values == 0 {
		return b.Flush()
	}
	percent := func(bytes int64) float64 { return 100 * float64(bytes) / float64(max(c.Bytes, 1)) }
	list, left := v.shown(c)
	width := len("path")
	for _, n := range list {
		width = max(width, min(uniseg.StringWidth(pathOf(n)), 60))
	}
	_, _ = fmt.Fprintf(b, "\n%s\n", p.Heading(fmt.Sprintf("%15s  %5s  %13s  %-*s  formats", "bytes", "%", "count", width, "path")))
	for _, n := range list {
		path := shorten(pathOf(n), 60)
		_, _ = fmt.Fprintf(b, "%15s  %5.1f  %13s  %s%s  %s\n", humanize.Comma(n.Total), percent(n.Total), humanize.Comma(n.Count),
			p.Key(path), strings.Repeat(" ", max(width-uniseg.StringWidth(path), 0)), usedFormats(n))
	}
	if left > 0 {
		_, _ = fmt.Fprintf(b, "%15s  %s\n", "", p.Note(console.Plural(left, "more path")))
	}
	_, _ = fmt.Fprintf(b, "\n%s\n", p.Heading(fmt.Sprintf("%15s  %5s  %13s  format", "bytes", "%", "count")))
	for _, f := range c.Formats() {
		_, _ = fmt.Fprintf(b, "%15s  %5.1f  %13s  %s\n", humanize.Comma(f.Bytes), percent(f.Bytes), humanize.Comma(f.Count), f.Format)
	}
	return b.Flush()
}

func pathOf(n *stat.Node) string {
	if n.Path == "" {
		return "."
	}
	return n.Path
}

// usedFormats returns the most frequent formats of the values at a path.
func usedFormats(n *stat.Node) string {
	const maxShown = 4
	var texts []string
	used := n.Used()
	for i, f := range used {
		if i == maxShown {
			texts = append(texts, "…")
			break
		}
		text := f.Format.String()
		if len(used) > 1 {
			text += " " + humanize.Comma(f.Count)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

// A statObject is the object that octet stat --json prints.
type statObject struct {
	Values  int64        `json:"values"`
	Bytes   int64        `json:"bytes"`
	Depth   int          `json:"depth"`
	Paths   []pathStat   `json:"paths"`
	Left    int64        `json:"paths_left,omitempty"` // paths that the flags leave out
	Formats []formatStat `json:"formats"`
}

type pathStat struct {
	Path    string           `json:"path"`
	Count   int64            `json:"count"`
	Bytes   int64            `json:"bytes"`      // with keys and everything inside
	Self    int64            `json:"bytes_self"` // without them
	Keys    int64            `json:"bytes_keys"`
	Kinds   map[string]int64 `json:"kinds"`
	Formats map[string]int64 `json:"formats"`
}

type formatStat struct {
	Name  string `json:"format"`
	Count int64  `json:"count"`
	Bytes int64  `json:"bytes"`
}

func (v *statFlags) writeJSON(w io.Writer, c *stat.Counter) error {
	o := statObject{Values: c.Values, Bytes: c.Bytes, Depth: c.Deepest, Paths: []pathStat{}, Formats: []formatStat{}}
	list, left := v.shown(c)
	o.Left = left
	for _, n := range list {
		s := pathStat{n.Path, n.Count, n.Total, n.Self, n.Keys, map[string]int64{}, map[string]int64{}}
		for _, f := range n.Used() {
			s.Kinds[f.Format.Kind().String()] += f.Count
			s.Formats[f.Format.String()] = f.Count
		}
		o.Paths = append(o.Paths, s)
	}
	for _, f := range c.Formats() {
		o.Formats = append(o.Formats, formatStat{f.Format.String(), f.Count, f.Bytes})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(o)
}
