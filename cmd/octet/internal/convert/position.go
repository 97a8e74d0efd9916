package convert

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/octet-go/octet/transcode"
)

// A position is a place in a text.
type position struct {
	offset int64
	lines  int64 // number of line ends before it
	runes  int64 // number of characters between the last line end and it
}

// after returns the position after text, which begins at p.
func (p position) after(text []byte) position {
	p.offset += int64(len(text))
	if n := bytes.Count(text, []byte{'\n'}); n > 0 {
		p.lines += int64(n)
		p.runes = 0
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	p.runes += int64(utf8.RuneCount(text))
	return p
}

// A tracker remembers the text that a decoder has read and not yet consumed, so
// that the line and column of an error can be found.
type tracker struct {
	r        io.Reader
	consumed func() int64 // offset of the text that the decoder has not consumed
	begin    position     // of text
	text     []byte
}

func (t *tracker) Read(p []byte) (int, error) {
	n := int(t.consumed() - t.begin.offset)
	t.begin = t.begin.after(t.text[:n])
	t.text = t.text[:copy(t.text, t.text[n:])]
	n, err := t.r.Read(p)
	t.text = append(t.text, p[:n]...)
	return n, err
}

// at returns the position of an offset that the decoder has not consumed or has
// consumed last.
func (t *tracker) at(offset int64) position {
	n := min(max(offset-t.begin.offset, 0), int64(len(t.text)))
	return t.begin.after(t.text[:n])
}

// mistake returns the reason of a syntax error. It names a common mistake as
// package transcode does.
func (t *tracker) mistake(e *transcode.Error) error {
	i := e.Offset - t.begin.offset
	if i < 0 || i >= int64(len(t.text)) {
		return e.Err
	}
	rest := t.text[i:]
	if rest[0] == ',' {
		next := bytes.TrimLeft(rest[1:], " \t\r\n")
		if len(next) > 0 && (next[0] == ']' || next[0] == '}') {
			return fmt.Errorf("%w: trailing comma before %q", transcode.ErrSyntax, next[0])
		}
		return e.Err
	}
	// Only the messages of jsontext name the character.
	_, err := transcode.AppendMsgpack(nil, rest[:min(len(rest), 64)], transcode.Options{})
	if alone, ok := errors.AsType[*transcode.Error](err); ok && alone.Offset == 0 &&
		errors.Is(alone, transcode.ErrSyntax) && !strings.Contains(alone.Err.Error(), "character") {
		return alone.Err
	}
	return e.Err
}
