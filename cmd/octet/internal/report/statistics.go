package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/rivo/uniseg"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/stat"
	"github.com/octet-go/octet/internal/output"
)

// Statistics prints which values take how many bytes.
type Statistics struct {
	Depth flags.Limit // print only paths of at most this many steps
	Limit flags.Limit // print at most this many paths, those with the most bytes
	Width int         // of the terminal in columns; 0 if it does not matter
}

// shown returns the paths that the flags select, parents first, and how many
// they leave out.
func (v *Statistics) shown(c *stat.Counter) (list []*stat.Node, left int64) {
	total := int64(0)
	c.Root.All(func(n *stat.Node) bool {
		total++
		if v.Depth < 0 || int64(n.Depth) <= int64(v.Depth) {
			list = append(list, n)
		}
		return true
	})
	if v.Limit.Passed(int64(len(list))) {
		largest := slices.Clone(list)
		slices.SortStableFunc(largest, func(a, b *stat.Node) int { return cmp.Compare(b.Total, a.Total) })
		keep := map[*stat.Node]bool{}
		for _, n := range largest[:v.Limit] {
			keep[n] = true
		}
		list = slices.DeleteFunc(list, func(n *stat.Node) bool { return !keep[n] })
	}
	return list, total - int64(len(list))
}

// Tables prints a table of the paths and one of the formats.
func (v *Statistics) Tables(w io.Writer, c *stat.Counter, p *console.Palette) error {
	b := bufio.NewWriter(w)
	// A bufio.Writer keeps its first error, which Flush returns.
	_, _ = fmt.Fprintf(b, "%s, %s, nested %d deep\n", console.Plural(c.Values, "value"), console.Plural(c.Bytes, "byte"), c.Deepest)
	if c.Values == 0 {
		return b.Flush()
	}
	percent := func(bytes int64) float64 { return 100 * float64(bytes) / float64(max(c.Bytes, 1)) }
	list, left := v.shown(c)
	size, count, longest := 15, 13, 60 // the widths of the columns
	width := len("path")
	for _, n := range list {
		width = max(width, min(uniseg.StringWidth(pathOf(n)), longest))
	}
	// Columns are only as wide as they must be if the terminal has no room for more.
	const others = len("  100.0      positive fixint")
	if v.Width > 0 && v.Width < size+count+others+width {
		size, count = max(len("bytes"), len(humanize.Comma(c.Root.Total))), len("count")
		for _, f := range c.Formats() {
			count = max(count, len(humanize.Comma(f.Count)))
		}
		for _, n := range list {
			count = max(count, len(humanize.Comma(n.Count)))
		}
		longest = min(max(v.Width-size-count-others, 10), longest)
		width = min(width, longest)
	}
	_, _ = fmt.Fprintf(b, "\n%s\n", p.Heading(fmt.Sprintf("%*s  %5s  %*s  %-*s  formats", size, "bytes", "%", count, "count", width, "path")))
	for _, n := range list {
		path := console.Shorten(pathOf(n), longest)
		_, _ = fmt.Fprintf(b, "%*s  %5.1f  %*s  %s%s  %s\n", size, humanize.Comma(n.Total), percent(n.Total), count, humanize.Comma(n.Count),
			p.Key(path), strings.Repeat(" ", max(width-uniseg.StringWidth(path), 0)), usedFormats(n))
	}
	if left > 0 {
		_, _ = fmt.Fprintf(b, "%*s  %s\n", size, "", p.Note(console.Plural(left, "more path")))
	}
	_, _ = fmt.Fprintf(b, "\n%s\n", p.Heading(fmt.Sprintf("%*s  %5s  %*s  format", size, "bytes", "%", count, "count")))
	for _, f := range c.Formats() {
		_, _ = fmt.Fprintf(b, "%*s  %5.1f  %*s  %s\n", size, humanize.Comma(f.Bytes), percent(f.Bytes), count, humanize.Comma(f.Count), f.Format)
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

// A statistics is the object that octet stat --json prints.
type statistics struct {
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

// JSON prints an object.
func (v *Statistics) JSON(w io.Writer, c *stat.Counter) error {
	o := statistics{Values: c.Values, Bytes: c.Bytes, Depth: c.Deepest, Paths: []pathStat{}, Formats: []formatStat{}}
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
	return output.JSONLines(w).Encode(o)
}
