package inspect

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

const (
	formatWidth = len("positive fixint")
	lengthWidth = len("length")
	gap         = "  "
	minRoom     = 20 // minimum number of columns for a value if the format is shown
	narrowWidth = 100
	tinyRoom    = 6 // minimum number of columns for a value after its rail and label
)

// A tree prints one line per node:
//
//	offset  length  bytes           format    value
//	     0      17  82              fixmap    map of 2 pairs
//	     1       5  a4 6e 61 6d 65  fixstr    ├─ "name":
//	     6       4  a3 41 64 61     fixstr    │  "Ada"
//	    10       4  a3 61 67 65     fixstr    └─ "age":
//	    14       3  cd 01 00        uint 16      256
type tree struct {
	w           *bufio.Writer
	p           *console.Palette
	size        int64
	limited     bool
	offsetWidth int
	formatWidth int  // 0 if the column is not shown
	hexBytes    int  // maximum number of bytes of a value shown in hex
	room        int  // columns for rails, labels and values
	narrow      bool // values are cut so that no line is longer than the terminal is wide
	rails       int  // one tree line is drawn for so many columns of room

	begun  bool
	line   []byte
	levels []level // by depth
}

// A level is the state of one depth: what the last value shown there means for
// the lines that follow.
type level struct {
	more  bool // more siblings follow the value
	keyed bool // the value is a map key that is a container, or belongs to such a key
}

func newTree(w *bufio.Writer, o Options) *tree {
	t := &tree{w: w, p: o.Palette, size: o.Size, limited: o.Limit >= 0}
	t.narrow = o.Width < narrowWidth
	t.offsetWidth = max(len("offset"), len(strconv.FormatInt(o.Size, 10)))
	left := o.Width - t.offsetWidth - lengthWidth - 3*len(gap)
	if left-formatWidth-len(gap) >= 4*3+len(" +")+minRoom {
		t.formatWidth = formatWidth
		left -= formatWidth + len(gap)
		t.rails = 6
		t.hexBytes = min(max((left*2/5-1)/3, 4), 16)
	} else {
		t.rails = 9
		t.hexBytes = max((left/4-1)/3, 2)
	}
	t.room = max(left-t.hexWidth(), tinyRoom)
	return t
}

// hexWidth returns the width of the column of hex bytes, including the mark for
// omitted bytes.
func (t *tree) hexWidth() int { return 3*t.hexBytes - 1 + len(" +") }

func (t *tree) show(n *node) error {
	if !t.begun {
		t.begun = true
		t.heading()
	}
	t.enter(n)
	rail, label := t.rail(n), t.label(n)
	end, keyed := "", n.Role == scan.Key && !t.levels[n.Depth].keyed && !n.cut
	if keyed {
		end = ":"
	}
	room := t.room - utf8.RuneCountInString(rail) - utf8.RuneCountInString(label) - len(end)
	if t.narrow && n.finding != "" {
		room -= room / 3 // for the beginning of the finding
	}
	value, note, c := describe(n, max(room, tinyRoom), t.p)
	if keyed {
		c = t.p.Key
	}
	line := t.line[:0]
	line = append(append(line, t.p.Offset(right(n.Offset, t.offsetWidth))...), gap...)
	line = append(append(line, t.p.Offset(right(n.length, lengthWidth))...), gap...)
	line = append(t.appendHex(line, n, c), gap...)
	if t.formatWidth > 0 {
		format := ""
		if n.omitted == 0 {
			format = n.Format.String()
		}
		line = append(line, t.p.Format(format)...)
		line = append(appendSpace(line, formatWidth-len(format)), gap...)
	}
	if t.narrow && uniseg.StringWidth(value)+len(" ")+len(note) > room {
		value, note = console.Shorten(value, room), ""
	}
	line = append(append(line, t.p.Rail(rail)...), t.p.Note(label)...)
	line = append(line, c(value)...)
	if note != "" {
		line = append(append(line, ' '), t.p.Note(note)...)
	}
	line = append(line, c(end)...)
	if n.finding != "" {
		finding := "← " + n.finding
		if t.narrow {
			finding = console.Shorten(finding, t.room-utf8.RuneCountInString(rail+label+end)-uniseg.StringWidth(value)-len(note)-2)
		}
		line = append(append(line, ' '), t.p.Alarm(finding)...)
	}
	t.line = append(line, '\n')
	_, err := t.w.Write(t.line)
	return err
}

// right formats a number aligned to the right of a column, or "?" if it is
// negative.
func right(n int64, width int) string {
	s := "?"
	if n >= 0 {
		s = strconv.FormatInt(n, 10)
	}
	return strings.Repeat(" ", max(width-len(s), 0)) + s
}

func appendSpace(dst []byte, n int) []byte {
	for ; n > 0; n-- {
		dst = append(dst, ' ')
	}
	return dst
}

// enter records the state of the node's depth for the lines that follow.
func (t *tree) enter(n *node) {
	if n.Depth == len(t.levels) {
		t.levels = append(t.levels, level{})
	}
	l := &t.levels[n.Depth]
	l.more = !n.Last
	if n.Role != scan.Value {
		kind := n.Format.Kind()
		l.keyed = n.Role == scan.Key && (kind == wire.KindArray || kind == wire.KindMap)
	}
}

func (t *tree) heading() {
	format := ""
	if t.formatWidth > 0 {
		format = fmt.Sprintf("%-*s%s", formatWidth, "format", gap)
	}
	fmt.Fprintf(t.w, "%s\n", t.p.Heading(fmt.Sprintf("%*s%s%s%s%-*s%s%s%s",
		t.offsetWidth, "offset", gap, "length", gap, t.hexWidth(), "bytes", gap, format, "value")))
}

// appendHex appends the bytes in hex. The format byte, the rest of the header
// and the payload have different colors.
func (t *tree) appendHex(dst []byte, n *node, payload console.Paint) []byte {
	shown := n.bytes[:min(len(n.bytes), t.hexBytes)]
	if n.omitted > 0 {
		return appendSpace(dst, t.hexWidth())
	}
	header := min(int(n.Size), len(shown))
	dst = append(dst, t.p.Format(spaced(shown[:1]))...)
	if header > 1 {
		dst = append(append(dst, ' '), t.p.Size(spaced(shown[1:header]))...)
	}
	if len(shown) > header {
		dst = append(append(dst, ' '), payload(spaced(shown[header:]))...)
	}
	width := 3*len(shown) - 1
	if int64(len(shown)) < int64(n.Size)+int64(n.Payload) && !n.cut {
		dst = append(dst, t.p.Note(" …")...)
		width += 2
	}
	return appendSpace(dst, t.hexWidth()-width)
}

// spaced formats bytes in hex with spaces between them.
func spaced(data []byte) string {
	const digits = "0123456789abcdef"
	var room [3 * 16]byte
	s := room[:0]
	for _, b := range data {
		s = append(s, digits[b>>4], digits[b&15], ' ')
	}
	return string(s[:len(s)-1])
}

// rail returns the tree lines that lead to a value. A map value is below its
// key. If the value is deeply nested, rail draws only the innermost lines and
// writes the number of omitted lines before them.
func (t *tree) rail(n *node) string {
	if n.Depth == 0 {
		return ""
	}
	var b strings.Builder
	first, note := t.innermost(n.Depth)
	b.WriteString(note)
	for _, l := range t.levels[first:n.Depth] {
		b.WriteString(branch(l.more, "│  ", "   "))
	}
	if n.Role == scan.Value {
		b.WriteString(branch(!n.Last, "│  ", "   "))
	} else {
		b.WriteString(branch(!n.Last, "├─ ", "└─ "))
	}
	return b.String()
}

// innermost returns the first depth whose tree line has room before a value at this
// depth, and a note with the number of lines that have none.
func (t *tree) innermost(depth int) (first int, note string) {
	if most := max(t.room/t.rails, 2); depth > most {
		first = depth - most + 1
		return first, fmt.Sprintf("(%d) ", first-1)
	}
	return 1, ""
}

// label returns the text before a value: its index in an array, or "key " or
// "value " if the key of the map entry is a container.
func (t *tree) label(n *node) string {
	switch {
	case n.omitted > 0:
		return ""
	case n.inner:
		return "↳ "
	case n.Role == scan.Element:
		return fmt.Sprintf("[%d] ", n.Index)
	case n.Role == scan.Key && t.levels[n.Depth].keyed:
		return "key "
	case n.Role == scan.Value && t.levels[n.Depth].keyed:
		return "value "
	}
	return ""
}

// end prints a note about the values that a limit excluded.
func (t *tree) end(offset, values int64) error {
	if !t.limited || t.size > 0 && offset >= t.size {
		return nil
	}
	note := "stopped after " + console.Plural(values, "value")
	if t.size > 0 {
		note += ", " + console.Plural(t.size-offset, "byte") + " not shown"
	}
	_, err := fmt.Fprintln(t.w, t.p.Note(note))
	return err
}

func branch(more bool, yes, no string) string {
	if more {
		return yes
	}
	return no
}
