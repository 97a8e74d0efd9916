package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/octet-go/octet/bench/engine"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The page is docs/large-arrays.md. Its figures are between these marks.
const (
	LargePage  = "large-arrays"
	LargeBegin = "<!-- figures:begin -->\n"
	LargeEnd   = "<!-- figures:end -->\n"
)

// WriteLarge writes the figures into the page, and the charts beside it.
func WriteLarge(root string, r *engine.LargeRun) error {
	path := filepath.Join(root, "docs", LargePage+".md")
	page, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	before, rest, ok := strings.Cut(string(page), LargeBegin)
	_, after, ok2 := strings.Cut(rest, LargeEnd)
	if !ok || !ok2 {
		return fmt.Errorf("bench: %s has no marks for the figures", path)
	}
	if err := os.WriteFile(path, []byte(before+LargeBegin+largeMarkdown(r)+LargeEnd+after), 0o666); err != nil {
		return err
	}
	folder := filepath.Join(root, "docs", LargePage)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, c := range r.Cases {
		if err := os.WriteFile(filepath.Join(folder, LargeFile(c)), largeChart(c), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// LargeTitle describes the case, such as "Write and sync, on a file system".
func LargeTitle(c engine.LargeCase) string {
	text := strings.ToUpper(c.Task[:1]) + c.Task[1:] + ", on "
	if c.Disk == "tmpfs" {
		return text + "tmpfs"
	}
	return text + "a " + c.Disk
}

var notLetters = regexp.MustCompile(`[^a-z]+`)

// LargeFile returns the name of the chart.
func LargeFile(c engine.LargeCase) string {
	return notLetters.ReplaceAllString(strings.ToLower(c.Task+" "+c.Disk), "-") + ".svg"
}

// largeMarkdown returns the tables.
func largeMarkdown(r *engine.LargeRun) string {
	var b strings.Builder
	numpy := "numpy is not measured"
	if r.Numpy != "" {
		numpy = "numpy " + r.Numpy
	}
	fmt.Fprintf(&b, "%s numbers of 8 bytes, %s. %s, %s, %s, %s, %s. Medians of %d rounds; each way runs in its own process.\n",
		humanize.Comma(int64(r.N)), humanize.Bytes(uint64(8*r.N)), r.Processor, r.OS, r.Go, numpy, r.Date, r.Rounds)
	for _, c := range r.Cases {
		fmt.Fprintf(&b, "\n### %s\n\n", LargeTitle(c))
		fmt.Fprintf(&b, "| way | seconds | ÷ %s | lowest–highest | GB/s | CPU seconds | memory |\n|---|---:|---:|---:|---:|---:|---:|\n", engine.BaseOf(c.Task))
		for _, w := range c.Ways {
			seconds := w.Median(func(f engine.LargeFigures) float64 { return f.Seconds })
			cpu := w.Median(func(f engine.LargeFigures) float64 { return f.CPU })
			memory := w.Median(func(f engine.LargeFigures) float64 { return float64(f.Memory) })
			ratio, low, high := c.Ratio(w)
			name := w.Name
			if isOctet(name) {
				name = "**" + name + "**"
			}
			fmt.Fprintf(&b, "| %s | %.3g | %.2f | %.2f–%.2f | %.2f | %.3g | %s |\n",
				name, seconds, ratio, low, high, float64(8*r.N)/1e9/seconds, cpu, humanize.IBytes(uint64(max(0, memory))))
		}
		fmt.Fprintf(&b, "\n![%s](%s/%s)\n", LargeTitle(c), LargePage, LargeFile(c))
	}
	return b.String()
}

// isOctet reports whether a way uses a package of this repository.
func isOctet(name string) bool {
	return strings.HasPrefix(name, "array ") || strings.HasPrefix(name, "binary.")
}

// largeChart draws a bar for each way, as long as its ratio. Bars that are longer than
// the chart end with a point at its edge.
func largeChart(c engine.LargeCase) []byte {
	const longest = 4
	p := emptyPlot("time ÷ "+engine.BaseOf(c.Task), "")
	p.X.Scale, p.Y.Scale = plot.LinearScale{}, plot.LinearScale{}
	p.HideY()
	p.X.Min, p.X.Max = 0, longest*1.15
	p.X.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: 1, Label: "1×"}, {Value: 2, Label: "2×"}, {Value: 3, Label: "3×"}, {Value: 4, Label: "4×"}}
	p.Y.Min, p.Y.Max = 0, float64(len(c.Ways))
	p.Add(gridLines{x: true}, ratioBars{c, longest})
	about := "medians of the ratios of each round; shorter bars are faster"
	for _, w := range c.Ways {
		if ratio, _, _ := c.Ratio(w); ratio > longest {
			about += "; a bar with a point is longer than the chart"
			break
		}
	}
	height := vg.Length(len(c.Ways))*barPitch + headHeight + 44
	return render(LargeTitle(c), panelWidth*perRow, height, func(canvas draw.Canvas) {
		canvas.SetColor(paper)
		canvas.Fill(canvas.Rectangle.Path())
		canvas.FillText(lettering(boldSans, 15, ink, draw.XLeft), vg.Point{X: 8, Y: canvas.Max.Y - 16}, LargeTitle(c))
		canvas.FillText(lettering(sans, 11, faint, draw.XLeft), vg.Point{X: 8, Y: canvas.Max.Y - 36}, about)
		canvas.Min.X += 210
		canvas.Max.X -= 20
		canvas.Max.Y -= headHeight
		canvas.Min.Y += 8
		p.Draw(canvas)
	})
}

type ratioBars struct {
	engine.LargeCase
	longest float64
}

func (b ratioBars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	c.StrokeLine2(draw.LineStyle{Color: ink, Width: 1, Dashes: []vg.Length{4, 3}}, x(1), c.Min.Y, x(1), c.Max.Y)
	for i, w := range b.Ways {
		middle := y(float64(len(b.Ways)-i) - 0.5)
		ratio, _, _ := b.Ratio(w)
		name, fill := lettering(sans, 11, ink, draw.XRight), grey
		if isOctet(w.Name) {
			name.Color, fill = blue, blue
		}
		c.FillText(name, vg.Point{X: c.Min.X - 8, Y: middle}, w.Name)
		end := x(min(ratio, b.longest))
		tip := end // the right end of the bar
		if ratio > b.longest {
			tip += 8
		}
		c.FillPolygon(fill, []vg.Point{{X: x(0), Y: middle - 5}, {X: end, Y: middle - 5}, {X: tip, Y: middle}, {X: end, Y: middle + 5}, {X: x(0), Y: middle + 5}})
		// The figure stands to the right of the dashed line, not on it.
		figure := vg.Point{X: max(tip, x(1)) + 5, Y: middle}
		c.FillText(lettering(sans, 10, faint, draw.XLeft), figure, fmt.Sprintf("%.2f×", ratio))
	}
}

// LargeVerdict compares the ratios with the maximum ratios that the project aims at.
func LargeVerdict(r *engine.LargeRun) string {
	var b bytes.Buffer
	for _, m := range []struct {
		task, way string
		most      float64
	}{
		{engine.TaskWrite, "array Append", 1.1}, {engine.TaskSync, "array Append", 1.1},
		{engine.TaskWrite, "array Append, swapped", 1.2}, {engine.TaskSync, "array Append, swapped", 1.2},
		{engine.TaskWrite, "binary.WriteSlice, swapped", 1.1},
		{engine.TaskSum, "array All", 1.1}, {engine.TaskSum, "array Chunks, not mapped", 1.1}, {engine.TaskSum, "array Chunks", 1.1}, {engine.TaskSum, "array Slice, Populate", 1.1},
	} {
		for _, c := range r.Cases {
			for _, w := range c.Ways {
				if c.Task == m.task && w.Name == m.way {
					ratio, _, _ := c.Ratio(w)
					fmt.Fprintf(&b, "%-32s %-34s %.2f (at most %.1f)\n", w.Name, LargeTitle(c), ratio, m.most)
				}
			}
		}
	}
	return b.String()
}
