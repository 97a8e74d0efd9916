// Package position finds the lines and columns of places in a text that a decoder
// reads as a stream.
package position

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// A Position is a place in a text.
type Position struct {
	Offset int64
	Lines  int64 // number of line ends before it
	Runes  int64 // number of characters between the last line end and it
}

// After returns the position after text, which begins at p.
func (p Position) After(text []byte) Position {
	p.Offset += int64(len(text))
	if n := bytes.Count(text, []byte{'\n'}); n > 0 {
		p.Lines += int64(n)
		p.Runes = 0
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	p.Runes += int64(utf8.RuneCount(text))
	return p
}

// Join returns the position that is at q in a text that begins at p.
func (p Position) Join(q Position) Position {
	if q.Lines == 0 {
		q.Runes += p.Runes
	}
	return Position{p.Offset + q.Offset, p.Lines + q.Lines, q.Runes}
}

// A Reader remembers the text that a decoder has read and not yet consumed, so
// that the positions in it can be found.
type Reader struct {
	R        io.Reader
	Consumed func() int64 // offset of the text that the decoder has not consumed

	begin Position // of text
	text  []byte
	last  Position // the last result of At, from which a later one is found
}

// Read reads from R.
func (r *Reader) Read(p []byte) (int, error) {
	n := int(r.Consumed() - r.begin.Offset)
	r.begin = r.begin.After(r.text[:n])
	r.text = r.text[:copy(r.text, r.text[n:])]
	n, err := r.R.Read(p)
	r.text = append(r.text, p[:n]...)
	return n, err
}

// At returns the position of an offset that the decoder has not consumed or has
// consumed last.
func (r *Reader) At(offset int64) Position {
	offset = min(max(offset, r.begin.Offset), r.begin.Offset+int64(len(r.text)))
	from := r.begin
	if r.last.Offset > from.Offset && r.last.Offset <= offset {
		from = r.last
	}
	r.last = from.After(r.text[from.Offset-r.begin.Offset : offset-r.begin.Offset])
	return r.last
}

// From returns the text from an offset on, as far as it was read. It returns
// nothing if the text at the offset is not in memory.
func (r *Reader) From(offset int64) []byte {
	i := offset - r.begin.Offset
	if i < 0 || i > int64(len(r.text)) {
		return nil
	}
	return r.text[i:]
}
