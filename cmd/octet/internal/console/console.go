// Package console is what the tool knows of the world around it: its standard
// streams, the environment, and whether a person sits at a terminal.
package console

import (
	"fmt"
	"io"
	"os"

	"github.com/dustin/go-humanize"
	"golang.org/x/term"
)

// A Console is handed to every command, so that a test can put another in its
// place.
type Console struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	LookupEnv      func(string) (string, bool)
	IsTerminal     func(stream any) bool
}

// System returns the console of this process.
func System() *Console {
	return &Console{os.Stdin, os.Stdout, os.Stderr, os.LookupEnv, isTerminal}
}

func (c *Console) getenv(name string) string {
	v, _ := c.LookupEnv(name)
	return v
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Colours lists the values of --color.
var Colours = []string{"auto", "always", "never"}

// Coloured reports whether output to the stream is coloured. An explicit choice
// goes first, then NO_COLOR, CLICOLOR_FORCE and FORCE_COLOR; without any, a
// terminal that is not dumb is coloured.
func (c *Console) Coloured(choice string, stream io.Writer) bool {
	switch {
	case choice == "always":
		return true
	case choice == "never" || c.getenv("NO_COLOR") != "":
		return false
	case isSet(c.getenv("CLICOLOR_FORCE")) || isSet(c.getenv("FORCE_COLOR")):
		return true
	}
	return c.clever(stream)
}

func isSet(v string) bool { return v != "" && v != "0" }

// clever reports whether the stream is a terminal that can do more than print
// one line after the other.
func (c *Console) clever(stream any) bool {
	return c.IsTerminal(stream) && c.getenv("TERM") != "dumb"
}

// plainWidth is that of output which no terminal limits.
const plainWidth = 120

// Width returns how many columns a line of standard output has.
func (c *Console) Width() int {
	if f, ok := c.Stdout.(*os.File); ok && c.IsTerminal(f) {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return plainWidth
}

// Note writes a line to standard error. That it may fail is of no concern: there
// is nowhere left to say so.
func (c *Console) Note(format string, args ...any) {
	_, _ = fmt.Fprintf(c.Stderr, format+"\n", args...)
}

// Plural returns a count with its noun.
func Plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return humanize.Comma(n) + " " + noun + "s"
}
