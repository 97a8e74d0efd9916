package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/diag"
	"github.com/octet-go/octet/cmd/octet/internal/diff"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/output"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/transcode"
)

const diffHelp = `Diff compares the values of two files, and prints one line for each difference
with its path. Values are in the notation of octet diag; see octet diag --help.

  ~ users[2].name: "Ada" → "Eve"      the values differ
  - users[2].mail: "ada@example.com"  only in the first file
  + users[3]: {"name": "Bob"}         only in the second file

Formats, the width of floats and the order of keys do not matter, and a file may
be JSON or MessagePack, compressed or not. An integer and a float are different,
even 1 and 1.0. A str and a bin are also different. In a stream of several values,
"value 3" precedes the path.

With --bytes, values that are equal but have different bytes are reported too:

  = id: cd 00 05 → 05                 the same value in another format
  = {1}: keys in another order        the rest of this value is not compared

Elements that were inserted or removed are recognized within 64 elements, so that
the elements after them are not reported as changed. The exit code is 1 if there
are differences.

Diff keeps up to 64 values and up to 16 MiB of each file in memory, but at least
one value. A value in memory takes up to 50 times its length.`

const diffExamples = `  octet diff old.msgpack new.msgpack
  octet diff config.json config.msgpack
  octet diff --bytes a.msgpack b.msgpack
  octet convert a.json | octet diff - b.msgpack
  octet diff --json a.msgpack b.msgpack | jq -r .path
  octet diff -q a.msgpack b.msgpack || echo different`

// diffFlags holds the flags of the diff command.
type diffFlags struct {
	reading
	diff.Options
	json, quiet bool
	limit       flags.Limit
}

func (a *app) diffCommand() *cobra.Command {
	v := diffFlags{limit: 1000}
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
			v.paths = args
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return a.diff(c.Context(), &v) },
	}
	f := c.Flags()
	f.SortFlags = false
	v.readFlags(c)
	f.BoolVar(&v.Bytes, "bytes", false, "also report equal values that have different bytes")
	f.Var(&v.limit, "limit", "print at most N differences")
	f.BoolVarP(&v.quiet, "quiet", "q", false, "print nothing, and return only the exit code")
	f.BoolVar(&v.json, "json", false, "print one JSON object per difference: op, path, a, b (in the notation of octet diag),\nvalue_a, value_b, path_b")
	return c
}

func (a *app) diff(ctx context.Context, v *diffFlags) error {
	d := differences{diffFlags: v, palette: console.NewPalette(a.Colored(a.color.Value, a.Stdout)), width: a.Width(a.Stdout)}
	err := a.produce(ctx, task.Target{Path: "-"}, func(w io.Writer) error {
		var in [2]*input.Input
		var s [2]*scan.Scanner
		out := bufio.NewWriterSize(w, 64<<10)
		d.w = out
		for i, path := range v.paths {
			var err error
			if in[i], err = input.Open(ctx, a.Console, path, a.options(&v.reading)); err != nil {
				return err
			}
			defer in[i].Close()
			values := in[i].MessagePack(transcode.Options{})
			defer values.Close()
			s[i] = scan.New(output.Flushing(out, values), 0)
		}
		side, err := diff.Streams(s[0], s[1], v.Options, d.print)
		if unwritten := out.Flush(); unwritten != nil {
			return unwritten
		}
		if err != nil && err != errEnough {
			return in[side].Explain(err)
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case d.total == 0:
		return nil
	case d.quiet:
		return failure.New(failure.Finding, "", errors.New("the files differ"))
	}
	text := console.Plural(d.total, "difference")
	if d.total > d.printed {
		text += fmt.Sprintf("; %d not shown, see --limit", d.total-d.printed)
	}
	return failure.New(failure.Finding, "", errors.New(text))
}

// errEnough stops the comparison after the first difference with --quiet.
var errEnough = errors.New("enough differences")

// differences prints differences.
type differences struct {
	*diffFlags
	w              *bufio.Writer
	palette        *console.Palette
	width          int
	total, printed int64
}

// A diffObject is one line of octet diff --json.
type diffObject struct {
	Op     diff.Op `json:"op"`
	ValueA *int64  `json:"value_a,omitempty"` // numbers of the top-level values, from 0
	ValueB *int64  `json:"value_b,omitempty"`
	Path   string  `json:"path"`
	PathB  string  `json:"path_b,omitempty"` // only if it differs from path
	A      string  `json:"a,omitempty"`
	B      string  `json:"b,omitempty"`
}

func (d *differences) print(x diff.Difference) error {
	d.total++
	if d.quiet {
		return errEnough
	}
	if d.limit != flags.All && d.total > int64(d.limit) {
		return nil
	}
	d.printed++
	path := x.Path[0]
	number := x.Value[0]
	if x.Op == diff.Add {
		path, number = x.Path[1], x.Value[1]
	}
	if d.json {
		o := diffObject{Op: x.Op, Path: path, A: notation(x.Data[0], 1<<20), B: notation(x.Data[1], 1<<20)}
		if x.Value[0] >= 0 {
			o.ValueA = &x.Value[0]
		}
		if x.Value[1] >= 0 {
			o.ValueB = &x.Value[1]
		}
		if x.Op != diff.Add && x.Op != diff.Remove && x.Path[1] != path {
			o.PathB = x.Path[1]
		}
		e := json.NewEncoder(d.w)
		e.SetEscapeHTML(false)
		return e.Encode(o)
	}
	place := path
	if number > 0 || path == "" {
		place = strings.TrimSuffix(fmt.Sprintf("value %d, %s", number+1, path), ", ")
	}
	room := max((d.width-len(place)-len("~ : "))/2-len(" → "), 20)
	if x.Op == diff.Add || x.Op == diff.Remove {
		room = 2*room + len(" → ")
	}
	text := ""
	paint := d.palette.Note
	switch x.Op {
	case diff.Change:
		paint = d.palette.Number
		text = "~ " + place + ": " + shorten(notation(x.Data[0], room), room) + " → " + shorten(notation(x.Data[1], room), room)
	case diff.Remove:
		paint = d.palette.Alarm
		text = "- " + place + ": " + shorten(notation(x.Data[0], room), room)
	case diff.Add:
		paint = d.palette.Text
		text = "+ " + place + ": " + shorten(notation(x.Data[1], room), room)
	case diff.Format:
		text = "= " + place + ": " + hexText(x.Data[0]) + " → " + hexText(x.Data[1])
	case diff.Order:
		text = "= " + place + ": keys in another order"
	}
	_, err := d.w.WriteString(paint(text) + "\n")
	return err
}

// notation returns at least the first room characters of a value in diagnostic
// notation.
func notation(data []byte, room int) string {
	var b bytes.Buffer
	w := diag.Writer{W: bufio.NewWriter(&limited{w: &b, left: 4*room + 64})}
	// The data is valid, so the only possible error is that limited is full.
	_ = w.Next(scan.New(bytes.NewReader(data), 0))
	_ = w.W.Flush()
	return b.String()
}

// A limited writer fails after a number of bytes.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(b []byte) (int, error) {
	if l.left < len(b) {
		_, _ = l.w.Write(b[:max(l.left, 0)])
		l.left = -1
		return 0, io.ErrShortWrite
	}
	l.left -= len(b)
	return l.w.Write(b)
}

// shorten cuts a text to a number of columns.
func shorten(text string, room int) string {
	if uniseg.StringWidth(text) <= room {
		return text
	}
	width, end := 0, 0
	for g := uniseg.NewGraphemes(text); g.Next(); {
		if width += g.Width(); width > room-1 {
			break
		}
		_, end = g.Positions()
	}
	return text[:end] + "…"
}

// hexText returns the first bytes in hex.
func hexText(data []byte) string {
	const shown = 12
	if len(data) > shown {
		return fmt.Sprintf("% x …", data[:shown])
	}
	return fmt.Sprintf("% x", data)
}
