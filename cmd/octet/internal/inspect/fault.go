package inspect

import (
	"errors"
	"fmt"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// Explain describes a fault: what was expected, what was found, and a hex dump
// of the bytes around it that marks the bytes at fault. A dump in fewer than 80
// columns has rows of 8 bytes instead of 16.
func Explain(f *scan.Fault, p *console.Palette, width int) string {
	var b strings.Builder
	bytesPerRow := int64(16)
	if width < 80 {
		bytesPerRow = 8
	}
	fmt.Fprintf(&b, "  %s  %s\n  %s     %s\n\n", p.Note("expected"), f.Expected, p.Note("found"), f.Found)
	end := max(f.Start+int64(len(f.Window)), f.End+1) // one more, to mark the end of the input
	for row := f.Start - f.Start%bytesPerRow; row < end; row += bytesPerRow {
		fmt.Fprintf(&b, "  %s  %s\n", p.Offset(fmt.Sprintf("%8d", row)), dump(f, row, bytesPerRow, p))
		if marks := marks(f, row, bytesPerRow); marks != "" {
			fmt.Fprintf(&b, "  %8s  %s\n", "", p.Alarm(marks))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// dump returns one row of the hex dump, in hex and in ASCII.
func dump(f *scan.Fault, row, bytesPerRow int64, p *console.Palette) string {
	var hex, text strings.Builder
	for at := row; at < row+bytesPerRow; at++ {
		if at == row+bytesPerRow/2 {
			hex.WriteByte(' ')
		}
		i := at - f.Start
		if i < 0 || i >= int64(len(f.Window)) {
			hex.WriteString("   ")
			text.WriteByte(' ')
			continue
		}
		c, digits := dots(f.Window[i:i+1]), fmt.Sprintf("%02x", f.Window[i])
		if at >= f.Offset && at < f.End {
			c, digits = p.Alarm(c), p.Alarm(digits)
		}
		hex.WriteString(digits + " ")
		text.WriteString(c)
	}
	return hex.String() + " " + p.Rail("|") + text.String() + p.Rail("|")
}

// marks returns the line below a row that marks the bytes at fault and the end
// of the input.
func marks(f *scan.Fault, row, bytesPerRow int64) string {
	var b strings.Builder
	point := func(at int64, mark string) {
		column := 3 * int(at-row)
		if at >= row+bytesPerRow/2 {
			column++
		}
		b.WriteString(strings.Repeat(" ", column-b.Len()) + mark)
	}
	for at := max(f.Offset, row, f.Start); at < min(f.End, row+bytesPerRow); at++ {
		point(at, "^^")
	}
	if errors.Is(f.Err, wire.ErrTruncated) && f.End >= row && f.End < row+bytesPerRow {
		point(f.End, "^ the input ends here")
	}
	return b.String()
}
