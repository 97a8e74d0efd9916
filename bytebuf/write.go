package bytebuf

import "unicode/utf8"

// Write and WriteString could call extend and then copy. They check for room themselves because this saves a call.
// They also know the data, so long first contents go to memory that need not be cleared first.

// Write appends p to the contents. It returns len(p), nil. It panics with [ErrTooLarge] if the Buffer cannot grow.
func (b *Buffer) Write(p []byte) (n int, err error) {
	b.last = opOther
	l, e := len(b.buf), int(b.end)
	switch {
	case len(p) <= cap(b.buf)-l:
		b.buf = b.buf[:l+len(p)]
		return copy(b.buf[l:], p), nil
	case b.buf == nil && len(p) <= innerSize-e:
		b.room = innerSize
		b.end = uint8(e + len(p))
		return copy(b.inner[e:], p), nil
	case b.buf == nil && b.room == 0:
		b.buf = append([]byte(nil), p...)
		return len(p), nil
	}
	return copy(b.extend(len(p)), p), nil
}

// WriteString appends s to the contents. It returns len(s), nil. It panics with [ErrTooLarge] if the Buffer cannot
// grow.
func (b *Buffer) WriteString(s string) (n int, err error) {
	b.last = opOther
	l, e := len(b.buf), int(b.end)
	switch {
	case len(s) <= cap(b.buf)-l:
		b.buf = b.buf[:l+len(s)]
		return copy(b.buf[l:], s), nil
	case b.buf == nil && len(s) <= innerSize-e:
		b.room = innerSize
		b.end = uint8(e + len(s))
		return copy(b.inner[e:], s), nil
	case b.buf == nil && b.room == 0:
		b.buf = append([]byte(nil), s...)
		return len(s), nil
	}
	return copy(b.extend(len(s)), s), nil
}

// WriteByte appends c to the contents. The error is always nil. It panics with [ErrTooLarge] if the Buffer cannot
// grow.
func (b *Buffer) WriteByte(c byte) error {
	b.last = opOther
	if l := len(b.buf); l < cap(b.buf) {
		b.buf = b.buf[:l+1]
		b.buf[l] = c
	} else if e := b.end; b.room != 0 && e < innerSize {
		b.inner[e] = c
		b.end = e + 1
	} else {
		b.extend(1)[0] = c
	}
	return nil
}

// WriteRune appends the UTF-8 encoding of r, or of U+FFFD if r is invalid. It returns the length of the encoding,
// nil. It panics with [ErrTooLarge] if the Buffer cannot grow.
func (b *Buffer) WriteRune(r rune) (n int, err error) {
	// The unsigned comparison makes negative runes take the slow path.
	if uint32(r) < utf8.RuneSelf {
		b.WriteByte(byte(r))
		return 1, nil
	}
	n = utf8.EncodeRune(b.extend(utf8.UTFMax), r)
	b.cut(utf8.UTFMax - n)
	return n, nil
}
