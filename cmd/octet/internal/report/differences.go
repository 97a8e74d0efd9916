package report

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/diff"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/notation"
	"github.com/octet-go/octet/internal/output"
)

// Differences prints how the values of two files differ.
type Differences struct {
	W       *bufio.Writer
	Palette *console.Palette
	Width   int         // columns of a line
	JSON    bool        // print objects
	Quiet   bool        // print nothing
	Limit   flags.Limit // how many differences are printed

	total, printed int64
}

// ErrEnough stops the comparison after the first difference with Quiet.
var ErrEnough = errors.New("enough differences")

// A differenceLine is one line of octet diff --json.
type differenceLine struct {
	Op     diff.Op `json:"op"`
	ValueA *int64  `json:"value_a,omitempty"` // numbers of the top-level values, from 0
	ValueB *int64  `json:"value_b,omitempty"`
	Path   string  `json:"path"`
	PathB  string  `json:"path_b,omitempty"` // only if it differs from path
	A      string  `json:"a,omitempty"`
	B      string  `json:"b,omitempty"`
}

// Print prints a difference.
func (d *Differences) Print(x diff.Difference) error {
	d.total++
	if d.Quiet {
		return ErrEnough
	}
	if d.Limit.Passed(d.total) {
		return nil
	}
	d.printed++
	path := x.Path[0]
	number := x.Value[0]
	if x.Op == diff.Add {
		path, number = x.Path[1], x.Value[1]
	}
	if d.JSON {
		o := differenceLine{Op: x.Op, Path: path, A: notation.Begin(x.Data[0], 1<<20), B: notation.Begin(x.Data[1], 1<<20)}
		if x.Value[0] >= 0 {
			o.ValueA = &x.Value[0]
		}
		if x.Value[1] >= 0 {
			o.ValueB = &x.Value[1]
		}
		if x.Op != diff.Add && x.Op != diff.Remove && x.Path[1] != path {
			o.PathB = x.Path[1]
		}
		return output.JSONLines(d.W).Encode(o)
	}
	place := path
	if number > 0 || path == "" {
		place = strings.TrimSuffix(fmt.Sprintf("value %d, %s", number+1, path), ", ")
	}
	room := max((d.Width-len(place)-len("~ : "))/2-len(" → "), 20)
	if x.Op == diff.Add || x.Op == diff.Remove {
		room = 2*room + len(" → ")
	}
	text := ""
	paint := d.Palette.Note
	switch x.Op {
	case diff.Change:
		paint = d.Palette.Number
		text = "~ " + place + ": " + console.Shorten(notation.Begin(x.Data[0], room), room) + " → " + console.Shorten(notation.Begin(x.Data[1], room), room)
	case diff.Remove:
		paint = d.Palette.Alarm
		text = "- " + place + ": " + console.Shorten(notation.Begin(x.Data[0], room), room)
	case diff.Add:
		paint = d.Palette.Text
		text = "+ " + place + ": " + console.Shorten(notation.Begin(x.Data[1], room), room)
	case diff.Format:
		text = "= " + place + ": " + hexText(x.Data[0]) + " → " + hexText(x.Data[1])
	case diff.Order:
		text = "= " + place + ": keys in another order"
	}
	_, err := d.W.WriteString(paint(text) + "\n")
	return err
}

// Result returns an error with the number of differences, or nil.
func (d *Differences) Result() error {
	switch {
	case d.total == 0:
		return nil
	case d.Quiet:
		return failure.New(failure.Finding, "", errors.New("the files differ"))
	}
	text := console.Plural(d.total, "difference")
	if d.total > d.printed {
		text += fmt.Sprintf("; %s not shown, see --limit", humanize.Comma(d.total-d.printed))
	}
	return failure.New(failure.Finding, "", errors.New(text))
}

// hexText returns the first bytes in hex.
func hexText(data []byte) string {
	const shown = 12
	if len(data) > shown {
		return fmt.Sprintf("% x …", data[:shown])
	}
	return fmt.Sprintf("% x", data)
}
