package arrays

import (
	"bufio"
	"fmt"
	"io"
	"math"

	"github.com/dustin/go-humanize"

	"github.com/octet-go/octet/cmd/octet/internal/svg"
)

// The size of a chart and of the space around its bars, in pixels.
const (
	chartWidth   = 800
	chartHeight  = 480
	chartTop     = 48
	chartRight   = 24
	chartBottom  = 64
	digitWidth   = 7 // average width of a character of a label
	ticks        = 6 // the usual number of labels of an axis
	tickDistance = 6 // between an axis and its labels
)

// Chart writes the histogram as an SVG, which is complete and needs no other file.
func (o *Statistics) Chart(w io.Writer, title string) error {
	b := bufio.NewWriter(w)
	// A bufio.Writer keeps its first error, which Flush returns.
	_, _ = fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">
<style>
text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: #1b1f24 }
.head { font-size: 16px; font-weight: 600 }
.y { text-anchor: end } .x { text-anchor: middle }
svg { background: #fff } line { stroke: #d0d7de } rect { fill: #3b6ea8; stroke: #fff; stroke-width: 1 }
@media (prefers-color-scheme: dark) {
svg { background: #16191d } text { fill: #f0f3f6 } line { stroke: #3b424b } rect { fill: #6f9fd8; stroke: #16191d }
}
</style>
<text class="head x" x="%d" y="28">%[3]s</text>
`, chartWidth, chartHeight, svg.Escape(title), chartWidth/2)
	switch {
	case o.infinite:
		_, _ = fmt.Fprintf(b, `<text class="x" x="%d" y="%d">no histogram, because elements are infinite</text>`+"\n", chartWidth/2, chartHeight/2)
	case len(o.Bins) > 0:
		o.bars(b)
	}
	_, _ = b.WriteString("</svg>\n")
	return b.Flush()
}

// bars draws the axes, and a bar for each bin.
func (o *Statistics) bars(w io.Writer) {
	most := int64(1)
	for _, b := range o.Bins {
		most = max(most, b.Count)
	}
	low, high := o.Bins[0].Low, o.Bins[len(o.Bins)-1].High
	left := float64(digitWidth*len(humanize.Comma(most)) + 40)
	bottom := float64(chartHeight - chartBottom)
	x := func(v float64) float64 {
		part := (v - low) / (high - low)
		switch {
		case low == high:
			part = 0.5 // all elements are equal
		case math.IsInf(high-low, 0):
			part = (v/2 - low/2) / (high/2 - low/2)
		}
		return left + (chartWidth-chartRight-left)*part
	}
	y := func(n float64) float64 { return bottom - (bottom-chartTop)*n/float64(most) }

	for _, n := range marks(0, float64(most)) {
		if n != math.Trunc(n) {
			continue // there is no half of an element
		}
		_, _ = fmt.Fprintf(w, `<line x1="%.1f" y1="%.1f" x2="%d" y2="%.1[2]f"/><text class="y" x="%.1[4]f" y="%.1[5]f">%[6]s</text>`+"\n",
			left, y(n), chartWidth-chartRight, left-tickDistance, y(n)+4, humanize.Comma(int64(n)))
	}
	for _, v := range marks(low, high) {
		_, _ = fmt.Fprintf(w, `<line x1="%.1f" y1="%.1f" x2="%.1[1]f" y2="%.1[3]f"/><text class="x" x="%.1[1]f" y="%.1[4]f">%[5]s</text>`+"\n",
			x(v), bottom, bottom+tickDistance, bottom+3*tickDistance, number(v))
	}
	for _, b := range o.Bins {
		from, to := x(b.Low), x(b.High)
		if low == high {
			from, to = left, chartWidth-chartRight // a bar needs a width
		}
		_, _ = fmt.Fprintf(w, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f"><title>%s … %s: %s</title></rect>`+"\n",
			from, y(float64(b.Count)), to-from, bottom-y(float64(b.Count)), number(b.Low), number(b.High), humanize.Comma(b.Count))
	}
	_, _ = fmt.Fprintf(w, `<text class="x" x="%.1f" y="%d">%s</text>`+"\n", (left+chartWidth-chartRight)/2, chartHeight-16, svg.Escape(o.Type))
	middle := (bottom + chartTop) / 2
	_, _ = fmt.Fprintf(w, `<text class="x" transform="translate(20 %.1f) rotate(-90)">elements</text>`+"\n", middle)
}

// marks returns about as many round numbers from low to high as an axis has labels.
func marks(low, high float64) []float64 {
	if low == high {
		return []float64{low}
	}
	step := high/ticks - low/ticks
	power := math.Pow(10, math.Floor(math.Log10(step)))
	for _, factor := range []float64{1, 2, 5, 10} {
		if factor*power >= step || factor == 10 {
			step = factor * power
			break
		}
	}
	if step <= 0 || math.IsInf(step, 0) || math.IsNaN(step) {
		return []float64{low, high}
	}
	var list []float64
	for i := math.Ceil(low / step); i*step <= high && len(list) < 2*ticks; i++ {
		list = append(list, i*step+0) // no negative zero
	}
	return list
}
