package arrays

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// blocks are the eighths of a character cell.
var blocks = []rune(" ▏▎▍▌▋▊▉█")

// Text returns the statistics as lines for a terminal of the given width.
func (o *Statistics) Text(width int) string {
	var b strings.Builder
	line := func(name, value string) { fmt.Fprintf(&b, "%-9s %s\n", name, value) }
	line("type", o.Type)
	line("count", humanize.Comma(o.Count))
	if o.NaN > 0 {
		line("NaN", humanize.Comma(o.NaN))
	}
	if o.Count == 0 {
		return b.String()
	}
	line("min", o.Min)
	line("max", o.Max)
	line("mean", number(o.Mean))
	line("deviation", number(o.Deviation))
	for _, q := range o.Quantiles {
		line(strconv.FormatFloat(100*q.Part, 'g', 3, 64)+" %", q.Value)
	}
	most, edge, digits := int64(1), 0, 0
	for _, bin := range o.Bins {
		most = max(most, bin.Count)
		edge = max(edge, len(number(bin.Low)), len(number(bin.High)))
		digits = max(digits, len(humanize.Comma(bin.Count)))
	}
	room := max(0, min(60, width-2*edge-digits-8))
	if len(o.Bins) > 0 {
		b.WriteByte('\n')
	}
	for _, bin := range o.Bins {
		eighths := int(float64(bin.Count) / float64(most) * float64(8*room))
		if bin.Count > 0 {
			eighths = max(1, eighths)
		}
		bar := strings.Repeat("█", eighths/8)
		if eighths%8 > 0 {
			bar += string(blocks[eighths%8])
		}
		row := fmt.Sprintf("%*s … %*s  %*s  %s", edge, number(bin.Low), edge, number(bin.High), digits, humanize.Comma(bin.Count), bar)
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	return b.String()
}

// number returns a calculated number with the digits that a person reads.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
