package stat

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/svg"

	"github.com/octet-go/octet/msgpack/wire"
)

// The size of a treemap and of what is drawn in it, in pixels.
const (
	mapWidth   = 1200
	mapHeight  = 800
	headHeight = 40
	titleSize  = 16 // height of the title of a rectangle with others inside
	margin     = 2  // around a rectangle inside another one
	minSide    = 3  // rectangles with a shorter side are not drawn
	charWidth  = 7  // average width of a character
)

// A rect is a rectangle.
type rect struct{ x, y, w, h float64 }

// Treemap draws the nodes as nested rectangles whose areas are their bytes. The
// SVG is complete and needs no other file. See also [Counter.Figure].
func (c *Counter) Treemap(w io.Writer, title string) error {
	b := bufio.NewWriter(w)
	// A bufio.Writer keeps its first error, which Flush returns.
	_, _ = fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">
<style>
text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: #1b1f24; pointer-events: none }
.head { font-size: 16px; font-weight: 600 }
svg { background: #fff }
rect { stroke: #fff; stroke-width: 1 }
.map { fill: #d0d7de } .array { fill: #c6d3e1 } .str { fill: #9ed29a } .bin { fill: #c9b6e4 }
.int { fill: #f2c879 } .float { fill: #eeb08f } .ext { fill: #8fcfd6 } .bool, .nil { fill: #e6a6bd }
rect:hover { stroke: #0b5cad; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
svg { background: #16191d } text { fill: #f0f3f6 } rect { stroke: #16191d }
.map { fill: #3b424b } .array { fill: #364655 } .str { fill: #2e6b37 } .bin { fill: #5d4587 }
.int { fill: #85601b } .float { fill: #8a4d2c } .ext { fill: #20676f } .bool, .nil { fill: #7d3350 }
}
</style>
`, mapWidth, mapHeight, svg.Escape(title))
	_, _ = fmt.Fprintf(b, "<text class=\"head\" x=\"8\" y=\"26\">%s</text>\n", svg.Escape(title))
	c.draw(b, rect{margin, headHeight, mapWidth - 2*margin, mapHeight - headHeight - margin})
	return b.Flush()
}

// Figure draws the same treemap without a title and without styles, for a page that
// defines the styles. The size is in pixels, so that the text is readable on a
// narrow screen.
func (c *Counter) Figure(w io.Writer, label string, width, height int) error {
	b := bufio.NewWriter(w)
	_, _ = fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">`+"\n", width, height, svg.Escape(label))
	c.draw(b, rect{0, 0, float64(width), float64(height)})
	return b.Flush()
}

// draw draws the rectangles and ends the SVG.
func (c *Counter) draw(b *bufio.Writer, r rect) {
	d := drawing{w: b, total: float64(max(c.Root.Total, 1))}
	d.node(c.Root, r)
	_, _ = b.WriteString("</svg>\n")
}

type drawing struct {
	w     *bufio.Writer
	total float64
}

// node draws a node and the nodes below.
func (d *drawing) node(n *Node, r rect) {
	if r.w < minSide || r.h < minSide {
		return
	}
	path := n.Path
	if path == "" {
		path = "."
	}
	note := fmt.Sprintf("%s: %s, %.1f %%, %s × %s", path, size(n.Total),
		100*float64(n.Total)/d.total, comma(n.Count), kinds(n))
	_, _ = fmt.Fprintf(d.w, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"><title>%s</title></rect>`+"\n",
		mainKind(n), r.x, r.y, r.w, r.h, svg.Escape(note))
	if r.h >= titleSize && r.w >= 4*charWidth {
		label := n.Step
		if label == "" {
			label = "."
		}
		if bytes := " " + size(n.Total); (len([]rune(label))+len(bytes))*charWidth < int(r.w) {
			label += bytes
		}
		if most := int(r.w)/charWidth - 1; len([]rune(label)) > most {
			label = string([]rune(label)[:max(most, 1)]) + "…"
		}
		_, _ = fmt.Fprintf(d.w, `<text x="%.1f" y="%.1f">%s</text>`+"\n", r.x+4, r.y+titleSize-3, svg.Escape(label))
	}
	inside := rect{r.x + margin, r.y + titleSize, r.w - 2*margin, r.h - titleSize - margin}
	if len(n.Children) > 0 && inside.w >= minSide && inside.h >= minSide {
		d.children(n, inside)
	}
}

// children draws the nodes below n in rows whose rectangles are nearly squares. The
// space that remains represents the bytes of n itself.
func (d *drawing) children(n *Node, r rect) {
	scale := r.w * r.h / float64(max(n.Total, 1))
	list := n.Children // the largest first
	for len(list) > 0 && list[0].Total > 0 {
		side := min(r.w, r.h)
		if side < minSide {
			return
		}
		// Add nodes to the row until the most elongated rectangle gets longer.
		count, sum := 0, 0.0
		worst := 0.0
		for i, child := range list {
			area := float64(child.Total) * scale
			next := worstRatio(float64(list[0].Total)*scale, area, sum+area, side)
			if i > 0 && next > worst || area == 0 {
				break
			}
			count, sum, worst = i+1, sum+area, next
		}
		depth := sum / side // of the row
		at := 0.0
		for _, child := range list[:count] {
			length := float64(child.Total) * scale / depth
			if r.w >= r.h {
				d.node(child, rect{r.x, r.y + at, depth, length})
			} else {
				d.node(child, rect{r.x + at, r.y, length, depth})
			}
			at += length
		}
		if r.w >= r.h {
			r.x, r.w = r.x+depth, r.w-depth
		} else {
			r.y, r.h = r.y+depth, r.h-depth
		}
		list = list[count:]
	}
}

// worstRatio returns the greatest ratio of the sides of the rectangles in a row. The
// row lies along a side with this length. largest and smallest are areas of
// rectangles, sum is the area of the row.
func worstRatio(largest, smallest, sum, side float64) float64 {
	s := side * side / (sum * sum)
	return max(largest*s, 1/(smallest*s))
}

// mainKind returns the kind of the most frequent format at the path.
func mainKind(n *Node) string {
	if used := n.Used(); len(used) > 0 {
		return used[0].Format.Kind().String()
	}
	return wire.KindNil.String()
}

// kinds lists the kinds of the values at the path.
func kinds(n *Node) string {
	var names []string
	for _, f := range n.Used() {
		name := f.Format.Kind().String()
		if !strings.Contains(strings.Join(names, " ")+" ", name+" ") {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// size formats a number of bytes, such as 1.2 kB.
func size(n int64) string {
	units := [...]string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}
	f, unit := float64(n), 0
	for f >= 1000 && unit < len(units)-1 {
		f, unit = f/1000, unit+1
	}
	if unit > 0 && f < 9.95 {
		return fmt.Sprintf("%.1f %s", f, units[unit])
	}
	return fmt.Sprintf("%.0f %s", f, units[unit])
}

// comma formats a number with commas between groups of three digits.
func comma(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
