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
// that the positions in it can be found. A Read into four bytes or more ends
// between two characters, because decoders name the character that is wrong.
type Reader struct {
	R        io.Reader
	Consumed func() int64 // offset of the text that the decoder has not consumed

	begin Position // of text
	text  []byte
	last  Position // the last result of At, from which a later one is found
	held  []byte   // the beginning of a character, for the next Read
}

// Read reads from R. It may return bytes that were read earlier.
func (r *Reader) Read(p []byte) (int, error) {
	n := int(r.Consumed() - r.begin.Offset)
	r.begin = r.begin.After(r.text[:n])
	r.text = r.text[:copy(r.text, r.text[n:])]
	n, err := r.readCharacters(p)
	r.text = append(r.text, p[:n]...)
	return n, err
}

// readCharacters reads into p. If p has room for any character, it holds back an
// incomplete one at the end.
func (r *Reader) readCharacters(p []byte) (int, error) {
	n := copy(p, r.held)
	r.held = r.held[n:]
	if len(p) < utf8.UTFMax {
		if n > 0 {
			return n, nil
		}
		return r.R.Read(p)
	}
	for {
		more, err := r.R.Read(p[n:])
		n += more
		if err != nil {
			return n, err
		}
		whole := n - incomplete(p[:n])
		if whole > 0 || more == 0 {
			r.held = append(r.held[:0], p[whole:n]...)
			return whole, nil
		}
	}
}

// incomplete returns the number of bytes at the end of text that begin a character
// and do not complete it.
func incomplete(text []byte) int {
	for n := 1; n <= min(len(text), utf8.UTFMax-1); n++ {
		if last := text[len(text)-n:]; utf8.RuneStart(last[0]) {
			if utf8.FullRune(last) {
				return 0
			}
			return n
		}
	}
	return 0
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
