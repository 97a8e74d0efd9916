package console

import "io"

// A JSONPainter is a writer that colors JSON. It writes what it gets at once, so
// a value from a slow pipe appears as soon as it arrives. The JSON must be valid.
type JSONPainter struct {
	w     io.Writer
	begin [colors]string // escape sequences
	end   string

	color  int    // of the token that is being written
	stack  []byte // the open brackets
	key    bool   // the next string is a name
	escape bool   // the last byte was a backslash in a string
	out    []byte
}

// The colors of tokens.
const (
	none = iota
	nameColor
	stringColor
	numberColor
	literalColor
	colors
)

// NewJSONPainter returns a writer to w with the colors of the palette.
func NewJSONPainter(w io.Writer, p *Palette) *JSONPainter {
	split := func(paint Paint) string {
		s := paint("x")
		for i := range len(s) {
			if s[i] == 'x' {
				return s[:i]
			}
		}
		return ""
	}
	return &JSONPainter{w: w, end: "\x1b[0m", begin: [colors]string{
		nameColor: split(p.Key), stringColor: split(p.Text), numberColor: split(p.Number), literalColor: split(p.Nothing),
	}}
}

// Write writes text with colors. It returns the number of bytes of text.
func (j *JSONPainter) Write(text []byte) (int, error) {
	j.out = j.out[:0]
	for _, c := range text {
		j.next(c)
	}
	if _, err := j.w.Write(j.out); err != nil {
		return 0, err
	}
	return len(text), nil
}

// next writes one byte.
func (j *JSONPainter) next(c byte) {
	switch {
	case j.color == nameColor || j.color == stringColor:
		j.out = append(j.out, c)
		switch {
		case j.escape:
			j.escape = false
		case c == '\\':
			j.escape = true
		case c == '"':
			j.switchTo(none)
		}
		return
	case c == '"':
		if j.key {
			j.switchTo(nameColor)
		} else {
			j.switchTo(stringColor)
		}
	case c == '-' || c >= '0' && c <= '9':
		if j.color == none {
			j.switchTo(numberColor)
		}
	case c >= 'a' && c <= 'z':
		if j.color == none {
			j.switchTo(literalColor)
		}
	case c == '.' || c == '+' || c == 'E': // inside a number
	default:
		j.switchTo(none)
		j.punctuation(c)
	}
	j.out = append(j.out, c)
}

// punctuation keeps track of whether the next string is a name.
func (j *JSONPainter) punctuation(c byte) {
	switch c {
	case '{', '[':
		j.stack = append(j.stack, c)
		j.key = c == '{'
	case '}', ']':
		j.stack = j.stack[:max(len(j.stack)-1, 0)]
		j.key = false
	case ':':
		j.key = false
	case ',':
		j.key = len(j.stack) > 0 && j.stack[len(j.stack)-1] == '{'
	}
}

// switchTo ends the current color and begins another one.
func (j *JSONPainter) switchTo(color int) {
	if j.color == color {
		return
	}
	if j.color != none {
		j.out = append(j.out, j.end...)
	}
	j.color = color
	j.out = append(j.out, j.begin[color]...)
}
