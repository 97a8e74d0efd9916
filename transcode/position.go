package transcode

import (
	"bytes"
	"unicode/utf8"
)

// A position is a place in a text.
type position struct {
	lines int64 // number of line ends before it
	runes int64 // number of characters between the last line end and it
}

// after returns the position after text, which begins at p. A byte order mark is
// not a character.
func (p position) after(text []byte) position {
	text = bytes.TrimPrefix(text, bom)
	if n := bytes.Count(text, []byte{'\n'}); n > 0 {
		p.lines += int64(n)
		p.runes = 0
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	p.runes += int64(utf8.RuneCount(text))
	return p
}

// add returns the position that is at q in a text that begins at p.
func (p position) add(q position) position {
	if q.lines == 0 {
		q.runes += p.runes
	}
	q.lines += p.lines
	return q
}

// locate sets Line and Column. The text that begins at p contains the error.
func (e *Error) locate(p position, text []byte) {
	p = p.after(text[:min(int(e.Offset), len(text))])
	e.Line, e.Column = p.lines+1, p.runes+1
}
