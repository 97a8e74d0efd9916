package report

import (
	"image/color"
	"math"
	"slices"

	"github.com/octet-go/octet/bench/engine"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A scale computes the coordinates of a row in a line chart.
type scale struct {
	x, y string
	of   func(c engine.Case, r row) (x, y float64)
}

var (
	perElement = scale{"elements", "ns per element", func(c engine.Case, r row) (float64, float64) {
		return float64(c.N), r.time.Median / float64(c.N)
	}}
	perByte = scale{"bytes", "ns per byte", func(c engine.Case, r row) (float64, float64) {
		return float64(c.N), r.time.Median / float64(c.N)
	}}
	perOperation = scale{"goroutines", "ns per operation", func(c engine.Case, r row) (float64, float64) {
		return float64(c.N), r.time.Median
	}}
	// One byte per nanosecond is one gigabyte per second.
	throughput = scale{"size in bytes", "GB/s", func(c engine.Case, r row) (float64, float64) {
		return float64(r.Size), float64(r.Size) / r.time.Median
	}}
)

// scaleOf returns the scale for a series.
func scaleOf(group, shape string) scale {
	switch {
	case group == "arrays":
		return throughput
	case shape == "goroutines":
		return perOperation
	case shape == "string":
		return perByte
	}
	return perElement
}

// linePanel draws a line for each library of a series.
func linePanel(s series, of scale, looks looks) (panel, bool) {
	var l lines
	low, high := vec{math.Inf(1), math.Inf(1)}, vec{}
	for _, c := range s.cases {
		for _, r := range timed(c) {
			var at vec
			if at.x, at.y = of.of(c, r); at.x <= 0 || at.y <= 0 {
				continue
			}
			i := slices.IndexFunc(l, func(l curve) bool { return l.library == r.Library })
			if i < 0 {
				i, l = len(l), append(l, curve{library: r.Library})
			}
			l[i].points = append(l[i].points, at)
			low, high = vec{min(low.x, at.x), min(low.y, at.y)}, vec{max(high.x, at.x), max(high.y, at.y)}
		}
	}
	if len(l) == 0 || low.x == high.x {
		return panel{}, false
	}
	p := emptyPlot(of.x, of.y)
	p.X.Min, p.X.Max = low.x/1.1, high.x*1.1
	p.Y.Min, p.Y.Max = low.y/1.2, high.y*1.2
	p.X.Tick.Marker, p.Y.Tick.Marker = logTicks{short}, logTicks{short}
	for i := range l {
		l[i].look = looks.of(l[i].library)
	}
	p.Add(gridLines{x: true, y: true}, l)
	return panel{title: s.title(), about: s.cases[0].About, plot: p, left: 6, right: nameRoom, height: max(230, vg.Length(len(l))*namePitch+50)}, true
}

const namePitch = vg.Length(13) // distance between names

type vec struct{ x, y float64 }

// A curve shows one library over the cases of a series.
type curve struct {
	library string
	points  []vec
	look    look
}

type lines []curve

// A look is the style of the line of a library.
type look struct {
	line  draw.LineStyle
	glyph draw.GlyphDrawer // nil for no marks
}

// looks maps each library to its look in all panels of a group.
type looks map[string]look

// of returns the look of a library. A new library gets the next color; when all colors are used, the marks change.
func (l looks) of(library string) look {
	if found, ok := l[library]; ok {
		return found
	}
	switch {
	case library == engine.Ours:
		return look{draw.LineStyle{Color: blue, Width: 2.4}, draw.CircleGlyph{}}
	case engine.IsOurs(library):
		return look{draw.LineStyle{Color: blue, Width: 1.2}, draw.RingGlyph{}}
	case library == engine.Limit:
		return look{line: draw.LineStyle{Color: ink, Width: 1.4, Dashes: []vg.Length{5, 3}}}
	}
	glyphs := []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}}
	i := len(l)
	l[library] = look{
		line:  draw.LineStyle{Color: peerColours[i%len(peerColours)], Width: 1.4},
		glyph: glyphs[i/len(peerColours)%len(glyphs)],
	}
	return l[library]
}

func (l lines) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var names []nameTag
	for _, curve := range l {
		var points []vg.Point
		for _, at := range curve.points {
			points = append(points, vg.Point{X: x(at.x), Y: y(at.y)})
		}
		c.StrokeLines(curve.look.line, points)
		if curve.look.glyph != nil {
			for _, at := range points {
				c.DrawGlyph(draw.GlyphStyle{Color: curve.look.line.Color, Radius: 2.6, Shape: curve.look.glyph}, at)
			}
		}
		names = append(names, nameTag{curve.library, points[len(points)-1]})
	}
	writeNames(c, names)
}

// A nameTag is the label at the end of a curve.
type nameTag struct {
	text string
	end  vg.Point
}

// writeNames writes the names to the right of the plot. Each name is as close to the end of its line as possible
// without overlapping another name, and a thin line connects them.
func writeNames(c draw.Canvas, names []nameTag) {
	slices.SortStableFunc(names, func(a, b nameTag) int { return int(math.Copysign(1, float64(b.end.Y-a.end.Y))) })
	heights := make([]vg.Length, len(names))
	for i, n := range names {
		heights[i] = n.end.Y
		if i > 0 {
			heights[i] = min(heights[i], heights[i-1]-namePitch)
		}
	}
	// Move names that are below the plot back up.
	floor := c.Min.Y + 4
	for i := len(heights) - 1; i >= 0; i-- {
		heights[i] = max(heights[i], floor)
		floor = heights[i] + namePitch
	}
	for i, n := range names {
		f := sans
		var color color.Color = ink
		if engine.IsOurs(n.text) {
			color = blue
		}
		if n.text == engine.Ours {
			f = boldSans
		}
		at := vg.Point{X: c.Max.X + 26, Y: heights[i]}
		tie := draw.LineStyle{Color: faint, Width: 0.6, Dashes: []vg.Length{1, 2}}
		c.StrokeLines(tie, []vg.Point{{X: n.end.X + 4, Y: n.end.Y}, {X: c.Max.X + 4, Y: n.end.Y}, {X: at.X - 3, Y: at.Y}})
		c.FillText(lettering(f, 10.5, color, draw.XLeft), at, n.text)
	}
}
