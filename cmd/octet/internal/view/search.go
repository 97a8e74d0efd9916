package view

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/msgpack/wire"
)

// A pattern is text or bytes to search for. It finds them as Boyer, Moore and Horspool
// do: the last byte of the place where the pattern could be says how far the next such
// place is.
type pattern struct {
	text    []byte
	fold    bool      // letters may have another case
	payload bool      // must be inside one payload
	last    [256]bool // bytes that the pattern can end with
	skip    [256]int  // by the last byte: the distance to the next place
}

// exactly returns a pattern of bytes that can be anywhere.
func exactly(data []byte) pattern {
	p := pattern{text: data}
	p.prepare(nil)
	return p
}

// newPattern returns a pattern of text in a payload. Unless sensitive is set, letters match
// letters of another case that have the same length in UTF-8.
func newPattern(text string, sensitive bool) pattern {
	p := pattern{text: []byte(text), payload: true, fold: !sensitive}
	if sensitive {
		p.prepare(nil)
		return p
	}
	// Other bytes that may stand at a position.
	others := make([][]byte, len(text))
	for i, r := range text {
		n := utf8.RuneLen(r)
		if r == utf8.RuneError {
			continue
		}
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			if utf8.RuneLen(other) != n {
				continue
			}
			var buf [utf8.UTFMax]byte
			for k, c := range buf[:utf8.EncodeRune(buf[:], other)] {
				others[i+k] = append(others[i+k], c)
			}
		}
	}
	p.prepare(others)
	return p
}

// prepare fills the tables. others has more bytes that can be at a position of the text.
func (p *pattern) prepare(others [][]byte) {
	n := len(p.text)
	for c := range p.skip {
		p.skip[c] = n
	}
	for i := range p.text {
		set := func(c byte) {
			if i == n-1 {
				p.last[c] = true
			} else {
				p.skip[c] = n - 1 - i
			}
		}
		set(p.text[i])
		if others != nil {
			for _, c := range others[i] {
				set(c)
			}
		}
	}
}

// equal reports whether data, which has the length of the pattern, matches.
func (p *pattern) equal(data []byte) bool {
	return bytes.Equal(data, p.text) || p.fold && equalFold(data, p.text)
}

// equalFold does the same as bytes.EqualFold, except that a character matches only one of
// the same length, and a byte that is not UTF-8 only itself.
func equalFold(a, b []byte) bool {
	for len(a) > 0 && len(b) > 0 {
		r, n := utf8.DecodeRune(a)
		q, m := utf8.DecodeRune(b)
		if n != m || r == utf8.RuneError && n == 1 && a[0] != b[0] {
			return false
		}
		for other := r; other != q; {
			if other = unicode.SimpleFold(other); other == r {
				return false
			}
		}
		a, b = a[n:], b[m:]
	}
	return len(a) == len(b)
}

// next returns the offset of the first match in data at or after from, or -1. The match
// begins before end.
func (p *pattern) next(data []byte, from, end int) int {
	n := len(p.text)
	end = min(end+n-1, len(data))
	for i := from + n - 1; i < end; {
		c := data[i]
		if p.last[c] && p.equal(data[i-n+1:i+1]) {
			return i - n + 1
		}
		i += p.skip[c]
	}
	return -1
}

// blockSize is the number of bytes that a search reads between two steps.
const blockSize = 64 << 10

// A search is a pattern in data.
type search struct {
	x         *index.Index
	text      string
	sensitive bool
	pattern   pattern

	cursor *index.Cursor // has read the value of the last match
	blocks []int         // matches that begin in each block, or nil if they are not counted
	total  int
}

// same reports whether the matches of two searches are the same.
func (f *search) same(o *search) bool {
	return f.x == o.x && f.text == o.text && f.sensitive == o.sensitive && f.pattern.payload == o.pattern.payload
}

// next returns the first match that begins at from or after, and before end, or -1.
func (f *search) next(from, end int) int {
	for from < end {
		at := f.pattern.next(f.x.Data, from, end)
		if at < 0 || !f.pattern.payload || f.inside(at) {
			return at
		}
		from = at + 1
	}
	return -1
}

// inside reports whether the match at an offset is inside one payload of text or bytes. In
// malformed data, which is not divided into values, it can be anywhere.
func (f *search) inside(at int) bool {
	if at >= f.x.End {
		return true
	}
	if f.cursor == nil || f.cursor.Token().Offset > at || at-f.cursor.Token().End() > blockSize {
		f.cursor = f.x.Before(at)
	} else if t := f.cursor.Token(); at < t.End() {
		return f.within(t, at)
	}
	f.cursor.Skim(at)
	for f.cursor.Next() {
		if t := f.cursor.Token(); at < t.End() {
			return f.within(t, at)
		}
	}
	return false
}

// within reports whether the match is inside the payload of a value.
func (f *search) within(t *index.Token, at int) bool {
	switch t.Format.Kind() {
	case wire.KindStr, wire.KindBin, wire.KindExt:
		return at >= t.Offset+int(t.Size) && at+len(f.pattern.text) <= t.End()
	}
	return false
}

// find returns the next match after the offset from, or the previous one, or -1 if there is
// none.
func (f *search) find(from int, back bool, watch index.Watch) (int, error) {
	size := len(f.x.Data)
	if back {
		at, err := f.previous(0, min(max(from, 0), size), watch)
		if at < 0 && err == nil {
			at, err = f.previous(max(from, 0), size, watch)
		}
		return at, err
	}
	from = min(max(from+1, 0), size)
	at, err := f.following(from, size, watch)
	if at < 0 && err == nil {
		at, err = f.following(0, from, watch)
	}
	return at, err
}

// following returns the first match that begins between two offsets, or -1.
func (f *search) following(from, end int, watch index.Watch) (int, error) {
	for ; from < end; from += blockSize {
		if err := watch.Call(from, len(f.x.Data)); err != nil {
			return -1, err
		}
		if at := f.next(from, min(from+blockSize, end)); at >= 0 {
			return at, nil
		}
	}
	return -1, nil
}

// previous returns the last match that begins between two offsets, or -1.
func (f *search) previous(from, end int, watch index.Watch) (int, error) {
	for end > from {
		begin := max(from, end-blockSize)
		if err := watch.Call(len(f.x.Data)-begin, len(f.x.Data)); err != nil {
			return -1, err
		}
		last := -1
		for at := begin; at >= 0; {
			if at = f.next(at, end); at >= 0 {
				last = at
				at++
			}
		}
		if last >= 0 {
			return last, nil
		}
		end = begin
	}
	return -1, nil
}

// count returns the number of the match at offset, from 1, and the number of all.
func (f *search) count(offset int, watch index.Watch) (n, total int, err error) {
	if f.blocks == nil {
		blocks := make([]int, 0, len(f.x.Data)/blockSize+1)
		total := 0
		for from := 0; from < len(f.x.Data); from += blockSize {
			if err := watch.Call(from, len(f.x.Data)); err != nil {
				return 0, 0, err
			}
			k := f.between(from, min(from+blockSize, len(f.x.Data)))
			blocks = append(blocks, k)
			total += k
		}
		f.blocks, f.total = blocks, total
	}
	block := min(offset/blockSize, len(f.blocks))
	for _, k := range f.blocks[:block] {
		n += k
	}
	return n + f.between(block*blockSize, min(offset+1, len(f.x.Data))), f.total, nil
}

// between returns the number of matches that begin between two offsets.
func (f *search) between(from, end int) (n int) {
	for from >= 0 {
		if from = f.next(from, end); from >= 0 {
			n++
			from++
		}
	}
	return n
}
