package report

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"regexp"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

const (
	perRow     = 2 // panels per row
	headHeight = vg.Length(52)
	footHeight = vg.Length(6)
)

// svg returns the chart as a self-contained file: a title, a description, and the panels in rows.
func (c chart) svg() []byte {
	var rows [][]panel
	heights := headHeight + footHeight
	for i, p := range c.panels {
		if i%perRow == 0 {
			rows = append(rows, nil)
		}
		last := len(rows) - 1
		rows[last] = append(rows[last], p)
	}
	for _, r := range rows {
		heights += rowHeight(r)
	}
	return render(c.title, panelWidth*perRow, heights, func(canvas draw.Canvas) {
		canvas.SetColor(paper)
		canvas.Fill(canvas.Rectangle.Path())
		canvas.FillText(lettering(boldSans, 15, ink, draw.XLeft), vg.Point{X: 8, Y: canvas.Max.Y - 16}, c.title)
		canvas.FillText(lettering(sans, 11, faint, draw.XLeft), vg.Point{X: 8, Y: canvas.Max.Y - 36}, c.about)
		top := canvas.Max.Y - headHeight
		for _, r := range rows {
			width := panelWidth
			if len(c.panels) == 1 {
				width *= perRow
			}
			for i, p := range r {
				x := width * vg.Length(i)
				p.draw(draw.Canvas{Canvas: canvas.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x}, Max: vg.Point{X: x + width, Y: top}}})
			}
			top -= rowHeight(r)
		}
	})
}

func rowHeight(row []panel) (h vg.Length) {
	for _, p := range row {
		h = max(h, p.height+titleHeight+14)
	}
	return h
}

// svg returns the panel alone, without a background.
func (p panel) svg(name string) []byte {
	return render(name, panelWidth, p.height+titleHeight+4, p.draw)
}

var (
	head = regexp.MustCompile(`(?s)^.*?<svg[^>]*>`)
	// Attributes that the root element sets for all texts are removed from the texts.
	usual = regexp.MustCompile(`font-family:[^;"]*;font-variant:[^;"]*;font-weight:(normal|bold);font-style:[^;"]*;?`)
)

// render returns the SVG that paint draws on a canvas of the given size. One point becomes one pixel. The font is
// not embedded, because its usual substitutes have the same widths.
func render(name string, width, height vg.Length, paint func(draw.Canvas)) []byte {
	canvas := vgsvg.New(width, height)
	paint(draw.New(canvas))
	var b bytes.Buffer
	// Writing to memory does not fail.
	_, _ = canvas.WriteTo(&b)
	root := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %[1]g %[2]g" role="img" `+
		`font-family="Liberation Sans, Arial, Helvetica, sans-serif"><title>%s</title>`, width.Points(), height.Points(), html.EscapeString(name))
	text := head.ReplaceAllLiteralString(b.String(), root)
	text = usual.ReplaceAllStringFunc(text, func(s string) string {
		if strings.Contains(s, "font-weight:bold") {
			return "font-weight:bold;"
		}
		return ""
	})
	return []byte(text)
}

// hex formats a color for SVG.
func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
