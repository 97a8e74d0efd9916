package console

import "github.com/fatih/color"

// A Paint adds a color to a text.
type Paint func(string) string

// A Palette has a color for each role of a byte and each kind of value.
type Palette struct {
	Heading, Offset, Rail, Note Paint // what surrounds the values
	Format, Size                Paint // a header: its first byte, and its length, count or ext type
	Container, Key, Text        Paint
	Number, Nothing             Paint
	Binary, Instant             Paint
	Alarm                       Paint // errors and findings
}

// NewPalette returns a palette. If on is false, its paints return the text
// unchanged.
func NewPalette(on bool) *Palette {
	paint := func(attributes ...color.Attribute) Paint {
		c := color.New(attributes...)
		c.EnableColor()
		return func(s string) string {
			if !on || s == "" {
				return s
			}
			return c.Sprint(s)
		}
	}
	faint := paint(color.Faint)
	return &Palette{
		Heading: paint(color.Faint, color.Underline), Offset: faint, Rail: faint, Note: faint,
		Format: paint(color.FgBlue, color.Bold), Size: paint(color.FgMagenta),
		Container: paint(color.Bold), Key: paint(color.FgCyan, color.Bold), Text: paint(color.FgGreen),
		Number: paint(color.FgYellow), Nothing: paint(color.FgMagenta),
		Binary: paint(color.FgHiBlack), Instant: paint(color.FgHiYellow),
		Alarm: paint(color.FgRed, color.Bold),
	}
}
