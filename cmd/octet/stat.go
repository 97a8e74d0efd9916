package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/report"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/stat"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/internal/errtext"
)

const statHelp = `Stat shows which values take how many bytes. For each path it prints the number
of values, the bytes of these values with their keys and everything inside them,
and the formats of the values. Then it prints the number of values and bytes of
each format. JSON is counted as the MessagePack that octet convert writes.

All elements of an array share one path, such as users[].name. Keys that are
neither str nor integer share the path {}. If a map has more than 256 different
keys (--keys), the further keys share the path {other}. After 65,536 paths, all
new keys share it. Memory use is therefore limited for an input of any size.

The table has the 50 paths with the most bytes (--limit). --svg draws all paths
as a treemap: the area of a rectangle represents bytes, its color the kind of
the values. The file contains no scripts. Browsers show it in light or dark
colors.`

const statExamples = `  octet stat std.msgpack
  octet stat --svg std.svg std.msgpack
  octet stat --depth 1 --limit all *.msgpack
  octet stat --json std.msgpack | jq '.paths[] | select(.bytes > 1e4) | .path'
  go list -json std | octet stat`

// statFlags holds the flags of the stat command.
type statFlags struct {
	report.Statistics
	json bool
	svg  string
	keys flags.Number
}

func (a *app) statCommand() *cobra.Command {
	var r reading
	v := statFlags{Statistics: report.Statistics{Depth: flags.All, Limit: 50}, keys: 256}
	c := &cobra.Command{
		Use:     "stat [FILE]...",
		GroupID: groupLook,
		Short:   "Count values and bytes by path and format, draw a treemap",
		Long:    statHelp,
		Example: statExamples,
		Args:    a.pathArgs(&r),
		RunE:    func(c *cobra.Command, _ []string) error { return a.stat(c.Context(), &r, &v) },
	}
	f := c.Flags()
	f.SortFlags = false
	r.readFlags(c)
	f.Var(&v.Limit, "limit", "show at most N paths")
	f.Var(&v.Depth, "depth", "show only paths of at most N steps")
	f.Var(&v.keys, "keys", "paths for at most N keys of one map")
	f.StringVar(&v.svg, "svg", "", "write a treemap to `FILE`, - for standard output instead of the tables")
	f.BoolVar(&v.json, "json", false, "print one JSON object: values, bytes, depth, paths, formats")
	return c
}

func (a *app) stat(ctx context.Context, r *reading, v *statFlags) error {
	if v.json && v.svg == "-" {
		return fmt.Errorf("--json and --svg - cannot be used together")
	}
	if extension := strings.ToLower(filepath.Ext(v.svg)); extension != "" && extension != ".svg" {
		return fmt.Errorf("--svg writes SVG, but the name %s says %s", errtext.Line(v.svg), extension[1:])
	}
	const paths = 1 << 16
	c := stat.NewCounter(stat.Limits{Keys: int(min(v.keys, paths)), Paths: paths})
	var names []string
	err := a.produce(ctx, task.Target{Path: "-", Visible: true}, func(w io.Writer) error {
		err := a.files(r).Each(ctx, func(in *input.Input) error {
			names = append(names, in.Name)
			return in.Stream(w, func(_ *bufio.Writer, r io.Reader) error { return c.Add(scan.New(r, 0)) })
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
			err = v.JSON(w, c)
		default:
			v.Width = a.Width(a.Stdout)
			err = v.Tables(w, c, a.Palette(a.Stdout))
		}
		if err != nil || v.svg == "" {
			return err
		}
		drawing, err := a.rewritten.Create(v.svg, a.Stdout)
		if err == nil {
			defer a.rewritten.Discard()
			err = c.Treemap(drawing, title)
		}
		if err != nil {
			return err
		}
		return a.rewritten.Commit(ctx)
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
