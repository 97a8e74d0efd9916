package report

import (
	"math"

	"github.com/octet-go/octet/bench/engine"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	barPitch = vg.Length(17)  // distance between bars
	nameRoom = vg.Length(112) // width of the names on the left
)

// barPanel draws the libraries of a case as bars that begin at octet's time. Slower libraries extend to the right,
// faster ones to the left. On a log scale, the length of a bar from the edge would have no meaning.
func barPanel(s series) (panel, bool) {
	rows := timed(s.cases[0])
	if len(rows) < 2 || !rows[0].compared {
		return panel{}, false
	}
	b := bars{low: 1, high: 1}
	for _, r := range rows {
		switch r.Library {
		case engine.Limit:
			b.limit = r.times.Median
		default:
			b.rows = append(b.rows, r)
		}
		b.low, b.high = min(b.low, r.times.Low), max(b.high, r.times.High)
	}
	p := emptyPlot("time ÷ octet's time", "")
	p.HideY()
	p.Y.Scale = plot.LinearScale{}
	p.Y.Min, p.Y.Max = 0, float64(len(b.rows))
	// The label of the longest bar is to its right and takes this share of the width.
	const figures = 0.13
	p.X.Min = min(b.low*0.8, 0.8)
	p.X.Max = p.X.Min * math.Pow(max(b.high, 2)/p.X.Min, 1/(1-figures))
	p.X.Tick.Marker = logTicks{func(x float64) string { return short(x) + "×" }}
	p.Add(gridLines{x: true}, b)
	height := vg.Length(len(b.rows))*barPitch + 34
	if b.limit > 0 {
		height += barPitch
		p.Y.Max++
	}
	return panel{title: s.title(), about: s.cases[0].About, plot: p, left: nameRoom, right: 16, height: height}, true
}

// bars draws rows from top to bottom, the fastest first.
type bars struct {
	rows      []row
	limit     float64 // relative to octet's time; 0 if there is no limit
	low, high float64
}

func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	top := p.Y.Max
	if b.limit > 0 {
		dashed := draw.LineStyle{Color: ink, Width: 1.2, Dashes: []vg.Length{4, 3}}
		c.StrokeLine2(dashed, x(b.limit), c.Min.Y, x(b.limit), y(top-0.9))
		style := lettering(sans, 10, ink, draw.XCenter)
		text := "limit " + engine.Digits(b.limit) + "×"
		// Keep the text inside the plot.
		half := style.Width(text) / 2
		at := min(max(x(b.limit), c.Min.X+half), c.Max.X-half)
		c.FillText(style, vg.Point{X: at, Y: y(top - 0.45)}, text)
		top--
	}
	c.StrokeLine2(draw.LineStyle{Color: blue, Width: 1.5}, x(1), y(top), x(1), c.Min.Y)
	for i, r := range b.rows {
		middle := y(top - float64(i) - 0.5)
		b.bar(c, r, x, middle)
	}
}

func (b bars) bar(c draw.Canvas, r row, x func(float64) vg.Length, middle vg.Length) {
	name, figure, fill := lettering(sans, 11, ink, draw.XRight), lettering(sans, 10, faint, draw.XLeft), grey
	text := times(r) + "×"
	switch {
	case r.Library == engine.Ours:
		name, figure = lettering(boldSans, 11, blue, draw.XRight), lettering(boldSans, 10, blue, draw.XLeft)
		text = engine.FormatTime(r.time.Median)
	case engine.IsOurs(r.Library):
		name.Color, figure.Color, fill = blue, blue, blue
	}
	c.FillText(name, vg.Point{X: c.Min.X - 8, Y: middle}, r.Library)
	from, to := x(1), x(r.times.Median)
	end := max(from, to)
	if r.Library == engine.Ours {
		c.DrawGlyph(draw.GlyphStyle{Color: blue, Radius: 4.5, Shape: draw.CircleGlyph{}}, vg.Point{X: from, Y: middle})
		end += 4
	} else {
		const half = 5
		c.FillPolygon(fill, []vg.Point{{X: from, Y: middle - half}, {X: to, Y: middle - half}, {X: to, Y: middle + half}, {X: from, Y: middle + half}})
		c.StrokeLine2(draw.LineStyle{Color: ink, Width: 1}, x(r.times.Low), middle, x(r.times.High), middle)
		end = max(end, x(r.times.High))
	}
	label(c, figure, vg.Point{X: end + 5, Y: middle}, text)
}
