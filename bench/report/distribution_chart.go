package report

import (
	"fmt"
	"image/color"
	"math"

	"github.com/octet-go/octet/bench/engine"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// headlineVerbs are the operations in the first chart, which README shows.
var headlineVerbs = []string{"Marshal", "MarshalAppend", "Unmarshal, new", "Unmarshal, used"}

// distributionChart returns the chart of the ratios of some verbs, a panel for each verb and a curve for each peer.
func distributionChart(title string, list []engine.Ratios, verbs []string) chart {
	c := chart{title: title, about: "each point of a curve is one type; above the blue line Octet is slower than the library, below it is faster; on the left are the types that suit Octet best"}
	looks := make(looks)
	for _, verb := range verbs {
		var curves sortedRatios
		low, high := 0.5, 2.0
		for _, r := range list {
			if r.Verb == verb {
				curves = append(curves, sortedCurve{r, looks.of(r.Peer)})
				low, high = min(low, r.Ratios[0]), max(high, r.At(1))
			}
		}
		if len(curves) > 0 {
			c.panels = append(c.panels, curves.panel(verb, low, high))
		}
	}
	return c
}

// peerLabel returns the name of a peer that fits beside a panel.
func peerLabel(r engine.Ratios) string {
	switch {
	case r.Libraries > 1:
		return "best by " + r.Kind
	case r.Kind != "":
		return r.Peer + ", " + r.Kind
	}
	return r.Peer
}

// A sortedCurve has the ratios of one peer.
type sortedCurve struct {
	engine.Ratios
	look look
}

type sortedRatios []sortedCurve

func (s sortedRatios) panel(verb string, low, high float64) panel {
	p := emptyPlot("share of the types", "")
	p.X.Scale = plot.LinearScale{}
	p.X.Min, p.X.Max = 0, 1
	var shares []plot.Tick
	for percent := 0; percent <= 100; percent += 25 {
		shares = append(shares, plot.Tick{Value: float64(percent) / 100, Label: fmt.Sprintf("%d%%", percent)})
	}
	p.X.Tick.Marker = plot.ConstantTicks(shares)
	p.Y.Min, p.Y.Max = low/1.15, high*1.15
	p.Y.Tick.Marker = plot.ConstantTicks(speedTicks(p.Y.Min, p.Y.Max))
	p.Add(gridLines{x: true, y: true}, s)
	most := 0
	for _, c := range s {
		most = max(most, len(c.Ratios.Ratios))
	}
	return panel{title: verb, about: engine.Plural(most, "type"), plot: p, left: 6, right: nameRoom, height: 230}
}

// speedTicks returns the powers of two between two ratios, with labels such as "2× slower". If there are many, only
// every second one has a label.
func speedTicks(low, high float64) (list []plot.Tick) {
	first, last := int(math.Ceil(math.Log2(low))), int(math.Floor(math.Log2(high)))
	step := 1 + (last-first)/7
	for e := first; e <= last; e++ {
		if e%step != 0 {
			continue
		}
		t := plot.Tick{Value: math.Exp2(float64(e))}
		switch {
		case e < 0:
			t.Label = fmt.Sprintf("%.0f× faster ", 1/t.Value)
		case e == 0:
			t.Label = "equal "
		default:
			t.Label = fmt.Sprintf("%.0f× slower ", t.Value)
		}
		list = append(list, t)
	}
	return list
}

func (s sortedRatios) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	c.StrokeLine2(draw.LineStyle{Color: blue, Width: 2.4}, c.Min.X, y(1), c.Max.X, y(1))
	var names []nameTag
	for _, curve := range s {
		var points []vg.Point
		for i, ratio := range curve.Ratios.Ratios {
			share := (float64(i) + 0.5) / float64(len(curve.Ratios.Ratios))
			points = append(points, vg.Point{X: x(share), Y: y(ratio)})
		}
		style := curve.look.line
		style.Width = 2
		if len(points) == 1 {
			c.DrawGlyph(draw.GlyphStyle{Color: style.Color, Radius: 3, Shape: draw.CircleGlyph{}}, points[0])
		} else {
			c.StrokeLines(style, points)
		}
		names = append(names, nameTag{peerLabel(curve.Ratios), points[len(points)-1]})
	}
	// The shares are written last, so that no curve crosses them.
	for _, curve := range s {
		n := len(curve.Ratios.Ratios)
		faster := n - curve.Slower()
		if faster == 0 || faster == n {
			continue
		}
		at := vg.Point{X: x(float64(faster) / float64(n)), Y: y(1)}
		c.DrawGlyph(draw.GlyphStyle{Color: curve.look.line.Color, Radius: 4, Shape: draw.CircleGlyph{}}, at)
		text := fmt.Sprintf("Octet faster on %.0f%%", 100*float64(faster)/float64(n))
		style := lettering(boldSans, 10.5, curve.look.line.Color.(color.RGBA), draw.XLeft)
		// Below the line on the left, so that the text is beside the curve and not on it.
		width := style.Width(text)
		left := at.X - width - 6
		below := at.Y + 11
		if left < c.Min.X+4 {
			left, below = at.X+8, at.Y-11
		}
		label(c, style, vg.Point{X: left, Y: below}, text)
	}
	writeNames(c, names)
}
