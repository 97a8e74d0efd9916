package main

import (
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// chartFile is the name of the chart, in the folder that has the name of the page.
const chartFile = "workers.svg"

// The colors are those of the charts of bench.
var (
	paper  = color.RGBA{0xff, 0xff, 0xfe, 0xff}
	faint  = color.RGBA{0x59, 0x63, 0x6e, 0xff}
	blue   = color.RGBA{0x00, 0x72, 0xb2, 0xff}
	orange = color.RGBA{0xd5, 0x5e, 0x00, 0xff}
	grid   = color.RGBA{0xdd, 0xe1, 0xe6, 0xff}
)

// chart writes the time by the number of workers as SVG.
func (s *study) chart(w io.Writer, results []result) error {
	p, err := s.plot(results)
	if err != nil {
		return err
	}
	canvas := vgsvg.New(chartWidth, chartHeight)
	canvas.SetColor(paper)
	canvas.Fill(vg.Rectangle{Max: vg.Point{X: chartWidth, Y: chartHeight}}.Path())
	p.Draw(draw.Crop(draw.New(canvas), 10, -30, 8, -8))
	_, err = canvas.WriteTo(w)
	return err
}

const chartWidth, chartHeight = vg.Length(720), vg.Length(380)

func (s *study) plot(results []result) (*plot.Plot, error) {
	p := plot.New()
	p.BackgroundColor = nil // the canvas has it
	p.Title.Text = "Reading " + bytesText(float64(s.bytes)) + " from an object store, simulated"
	p.Title.TextStyle.Font.Variant, p.Title.Padding = "Sans", 8
	p.X.Label.Text, p.Y.Label.Text = "workers", "time to list, divide and read"
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Scale = plot.LogScale{}
		a.Label.TextStyle.Font.Variant, a.Tick.Label.Font.Variant = "Sans", "Sans"
		a.Color, a.Tick.Color, a.Tick.Label.Color, a.Label.TextStyle.Color = faint, faint, faint, faint
	}
	p.X.Tick.Marker = plot.ConstantTicks{{Value: 10, Label: "10"}, {Value: 100, Label: "100"}, {Value: 1000, Label: "1,000"}, {Value: 10_000, Label: "10,000"}}
	p.Y.Tick.Marker = plot.ConstantTicks{
		{Value: 60, Label: "1 min"}, {Value: 600, Label: "10 min"}, {Value: 3600, Label: "1 h"}, {Value: 10 * 3600, Label: "10 h"}, {Value: 100 * 3600, Label: "100 h"},
	}
	p.Y.Min, p.Y.Max = 20, 100*3600
	lines := plotter.NewGrid()
	lines.Horizontal.Color, lines.Vertical.Color = grid, grid
	p.Add(lines)
	ideal, divided, fixed := plotter.XYs{}, plotter.XYs{}, plotter.XYs{}
	for _, r := range results {
		x := float64(r.workers)
		at := plotter.XY{X: x, Y: r.plan + r.time}
		if !r.divides {
			fixed = append(fixed, at)
			continue
		}
		divided = append(divided, at)
		ideal = append(ideal, plotter.XY{X: x, Y: r.ideal})
	}
	// Text to the right of the samples can have any width.
	p.Legend.Left, p.Legend.YOffs, p.Legend.XOffs = true, 8, 8
	p.Legend.TextStyle.Font.Variant, p.Legend.Padding = "Sans", 4
	for _, c := range []struct {
		name   string
		points plotter.XYs
		color  color.Color
		dashed bool
	}{{"the runner does not divide ranges (Flink)", fixed, orange, false}, {"the runner divides ranges", divided, blue, false}, {"ideal", ideal, faint, true}} {
		line, dots, err := plotter.NewLinePoints(c.points)
		if err != nil {
			return nil, err
		}
		line.Color, line.Width, dots.Color, dots.Shape = c.color, 2, c.color, draw.CircleGlyph{}
		if c.dashed {
			line.Dashes = []vg.Length{5, 3}
			p.Add(line)
			p.Legend.Add(c.name, line)
			continue
		}
		p.Add(line, dots)
		p.Legend.Add(c.name, line, dots)
	}
	return p, nil
}
