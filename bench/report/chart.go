package report

import (
	"fmt"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/octet-go/octet/bench/engine"
	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A chart shows some series of a group, with one panel for each.
type chart struct {
	group, file, title, about string
	panels                    []panel
}

// A panel is a plot with a title. Its size does not depend on the other panels, so that the page can place panels
// next to each other or below each other as space permits.
type panel struct {
	title, about string
	plot         *plot.Plot
	left, right  vg.Length // space next to the data, for names
	height       vg.Length // height of the plot
}

// charts returns the charts of r: one for each group, family and verb, in order of first appearance.
func charts(r *engine.Results) []chart {
	var list []chart
	for _, g := range engine.Groups {
		looks := make(looks)
		for _, s := range seriesOf(r, g.Name) {
			p, about, ok := panelOf(g.Name, s, looks)
			if !ok {
				continue
			}
			names := []string{g.Title, family(s.shape), s.verb}
			names = slices.DeleteFunc(names, func(name string) bool { return name == "" })
			title := names[0] + ": " + strings.Join(names[1:], ", ")
			names[0] = g.Name
			file := strings.Trim(notInFileNames.ReplaceAllString(strings.ToLower(strings.Join(names, "-")), "-"), "-") + ".svg"
			i := slices.IndexFunc(list, func(c chart) bool { return c.file == file })
			if i < 0 {
				i = len(list)
				list = append(list, chart{group: g.Name, file: file, title: title, about: about})
			}
			list[i].panels = append(list[i].panels, p)
		}
	}
	return list
}

// families maps the first part of the name of a shape to the chart that it is shown in.
var families = map[string]string{
	"struct": "structs", "array": "structs", "slice": "lists and maps", "map": "lists and maps", "document": "documents", "typed": "typed documents",
	"single": "single values", "foreign": "messages of others",
}

// family returns the family of a shape for the title of a chart, or "" if the name of the shape has only one part.
func family(shape string) string {
	first, _, ok := strings.Cut(shape, "/")
	if !ok {
		return ""
	}
	if name, ok := families[first]; ok {
		return name
	}
	return first
}

// panelOf returns the panel of a series. ok is false if the series has nothing to compare.
func panelOf(group string, s series, looks looks) (p panel, about string, ok bool) {
	if s.grows() {
		p, ok = linePanel(s, scaleOf(group, s.shape), looks)
		if group == "arrays" {
			return p, "throughput by size, both on log scales; higher is faster; the limit (dashed) is the necessary work alone", ok
		}
		return p, "time by number, both on log scales; lower is faster; the limit (dashed) is the necessary work alone", ok
	}
	p, ok = barPanel(s)
	return p, "time relative to octet's, on a log scale: bars to the right of the blue line are slower; whiskers show the quartiles; " +
		"the limit (dashed) is the necessary work alone", ok
}

// The colors of the charts. The colors of peers can be distinguished with red-green color blindness; most of them
// are from the palette of Okabe and Ito. None of them is blue. None is pure black, because the SVG renderer omits
// black as the default.
var (
	paper       = color.RGBA{0xff, 0xff, 0xfe, 0xff}
	ink         = color.RGBA{0x1f, 0x23, 0x28, 0xff}
	faint       = color.RGBA{0x59, 0x63, 0x6e, 0xff}
	grid        = color.RGBA{0xdd, 0xe1, 0xe6, 0xff}
	grey        = color.RGBA{0xa9, 0xb1, 0xba, 0xff} // bars of peers, which are labeled
	blue        = color.RGBA{0x00, 0x72, 0xb2, 0xff} // only octet
	peerColours = []color.RGBA{
		{0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff}, {0xe6, 0x9f, 0x00, 0xff},
		{0x94, 0x67, 0xbd, 0xff}, {0x8c, 0x6d, 0x31, 0xff},
	}
)

const (
	panelWidth  = vg.Length(430)
	titleHeight = vg.Length(22)
)

var (
	sans     = font.Font{Typeface: "Liberation", Variant: "Sans", Size: 11}
	boldSans = font.Font{Typeface: "Liberation", Variant: "Sans", Size: 11, Weight: xfont.WeightBold}

	panelTitle = lettering(boldSans, 12, ink, draw.XLeft)
	panelAbout = lettering(sans, 10, faint, draw.XRight)
)

// lettering returns the style of a text. x moves the text horizontally by 0 to -1 of its width.
func lettering(f font.Font, size vg.Length, c color.Color, x draw.XAlignment) draw.TextStyle {
	f.Size = size
	return draw.TextStyle{Color: c, Font: f, XAlign: x, YAlign: draw.YCenter, Handler: plot.DefaultTextHandler}
}

// label writes a text at pt on a background, so that no line crosses it.
func label(c draw.Canvas, style draw.TextStyle, pt vg.Point, text string) {
	const margin = 1.5
	width, half := style.Width(text), style.Font.Size/2
	c.FillPolygon(paper, []vg.Point{
		{X: pt.X - margin, Y: pt.Y - half}, {X: pt.X + width + margin, Y: pt.Y - half},
		{X: pt.X + width + margin, Y: pt.Y + half}, {X: pt.X - margin, Y: pt.Y + half},
	})
	c.FillText(style, pt, text)
}

// emptyPlot returns a plot with axes in the style of all charts.
func emptyPlot(x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Color, axis.Tick.Color = faint, faint
		axis.Padding = 0
		axis.Tick.Length = 4
		axis.Scale = plot.LogScale{}
		axis.Label.TextStyle.Font, axis.Label.TextStyle.Color = sans, faint
		axis.Label.Padding = 4
		axis.Tick.Label.Font, axis.Tick.Label.Color = sans, faint
		axis.Tick.Label.Font.Size = 10
	}
	p.X.Label.Text, p.Y.Label.Text = x, y
	return p
}

// draw puts the panel at the top of c.
func (p panel) draw(c draw.Canvas) {
	c.FillText(panelTitle, vg.Point{X: c.Min.X + 8, Y: c.Max.Y - 11}, p.title)
	c.FillText(panelAbout, vg.Point{X: c.Max.X - 8, Y: c.Max.Y - 11}, p.about)
	c.Min.Y = c.Max.Y - titleHeight - p.height
	p.plot.Draw(draw.Crop(c, p.left, -p.right, 0, -titleHeight))
}

// logTicks labels the powers of ten between two values. If there are few, it also labels 2 and 5 times these
// powers.
type logTicks struct {
	label func(float64) string
}

func (t logTicks) Ticks(low, high float64) []plot.Tick {
	steps := []float64{1, 2, 5}
	switch decades := math.Log10(high / low); {
	case decades > 2.5:
		steps = []float64{1}
	case decades > 1.3:
		steps = []float64{1, 3}
	}
	var list []plot.Tick
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for _, s := range steps {
			v := s * math.Pow(10, e)
			if low*0.999 <= v && v <= high*1.001 {
				list = append(list, plot.Tick{Value: v, Label: t.label(v)})
			}
		}
	}
	return list
}

// short formats a number with a metric prefix.
func short(x float64) string {
	for _, s := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if x >= s.size*0.9995 {
			return fmt.Sprintf("%.3g%s", x/s.size, s.name)
		}
	}
	return fmt.Sprintf("%.3g", x)
}

// gridLines draws a line across the plot at each tick of the selected axes.
type gridLines struct{ x, y bool }

func (g gridLines) Plot(c draw.Canvas, p *plot.Plot) {
	style := draw.LineStyle{Color: grid, Width: 0.7}
	toX, toY := p.Transforms(&c)
	if g.x {
		for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
			c.StrokeLine2(style, toX(t.Value), c.Min.Y, toX(t.Value), c.Max.Y)
		}
	}
	if g.y {
		for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
			c.StrokeLine2(style, c.Min.X, toY(t.Value), c.Max.X, toY(t.Value))
		}
	}
}

// notInFileNames matches what the name of a chart's file does not contain.
var notInFileNames = regexp.MustCompile(`[^a-z0-9]+`)

// Fits reports whether a title and its description fit above a panel.
func Fits(title, about string) bool {
	return panelTitle.Width(title)+panelAbout.Width(about) <= panelWidth-26
}
