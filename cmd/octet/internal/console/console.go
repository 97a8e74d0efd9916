// Package console gives the tool access to its standard streams, to the
// environment, and to terminal features such as colors, pagers and progress
// bars.
package console

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

// A Console holds the standard streams and the environment. Commands use it
// instead of the os package, so that tests can replace it.
type Console struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	LookupEnv      func(string) (string, bool)
	IsTerminal     func(stream any) bool

	meter *Meter // the last one that was made; may be nil
}

// System returns the console of this process.
func System() *Console {
	return &Console{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, LookupEnv: os.LookupEnv, IsTerminal: isTerminal}
}

func (c *Console) getenv(name string) string {
	v, _ := c.LookupEnv(name)
	return v
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// IsOutput reports whether a file is the regular file to which standard output goes.
// Reading it would return what has just been written, maybe without end.
func (c *Console) IsOutput(in *os.File) bool {
	f, ok := c.Stdout.(*os.File)
	if !ok {
		return false
	}
	info, err := in.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	out, err := f.Stat()
	return err == nil && os.SameFile(info, out)
}

// ColorModes lists the values of the --color flag.
var ColorModes = []string{"auto", "always", "never"}

// Colored reports whether output to the stream is colored. The mode always or
// never takes precedence over NO_COLOR, and NO_COLOR over CLICOLOR_FORCE and
// FORCE_COLOR. If none of them is set, output is colored if the stream is a
// terminal, TERM is not dumb and CLICOLOR is not 0.
func (c *Console) Colored(mode string, stream io.Writer) bool {
	switch {
	case mode == "always":
		return true
	case mode == "never" || c.getenv("NO_COLOR") != "":
		return false
	case isSet(c.getenv("CLICOLOR_FORCE")) || isSet(c.getenv("FORCE_COLOR")):
		return true
	}
	return c.supportsCursor(stream) && c.getenv("CLICOLOR") != "0"
}

func isSet(v string) bool { return v != "" && v != "0" }

// supportsCursor reports whether the stream is a terminal that understands
// escape sequences.
func (c *Console) supportsCursor(stream any) bool {
	return c.IsTerminal(stream) && c.getenv("TERM") != "dumb"
}

// defaultWidth is the width of output that does not go to a terminal.
const defaultWidth = 120

// Width returns the number of columns of a stream. If it is not a terminal,
// COLUMNS is used if it is set.
func (c *Console) Width(stream io.Writer) int {
	if f, ok := stream.(*os.File); ok && c.IsTerminal(f) {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	if width, err := strconv.Atoi(c.getenv("COLUMNS")); err == nil && width > 0 {
		return width
	}
	return defaultWidth
}

// Note writes a line to standard error. It escapes the ends of lines in strings and, on a
// terminal, what cannot be seen in strings and errors. It ignores write errors because there
// is no other place to report them.
func (c *Console) Note(format string, args ...any) {
	_, _ = fmt.Fprintf(c.Messages(), format+"\n", c.visible(args)...)
}

// Messages returns a writer to standard error that first removes a [Meter] from
// the terminal.
func (c *Console) Messages() io.Writer { return messages{c} }

type messages struct{ *Console }

func (m messages) Write(text []byte) (int, error) {
	if m.meter != nil {
		return m.meter.Write(m.Stderr, text)
	}
	return m.Stderr.Write(text)
}
