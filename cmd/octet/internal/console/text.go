package console

import (
	"github.com/dustin/go-humanize"
	"github.com/rivo/uniseg"
)

// Plural returns a count with its noun, such as "2 values".
func Plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return humanize.Comma(n) + " " + noun + "s"
}

// Shorten cuts a text to a number of columns. An ellipsis replaces what is left out.
func Shorten(text string, room int) string {
	if uniseg.StringWidth(text) <= room {
		return text
	}
	width, end := 0, 0
	for g := uniseg.NewGraphemes(text); g.Next(); {
		if width += g.Width(); width > room-1 {
			break
		}
		_, end = g.Positions()
	}
	return text[:end] + "…"
}
