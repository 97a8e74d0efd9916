package diag

import (
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// An escaper writes the content of strings that arrive in parts. It escapes
// quotes, backslashes, characters that cannot be seen, and bytes that are not
// UTF-8.
type escaper struct {
	held [utf8.UTFMax]byte // the bytes of a character that is split between two parts
	n    int
}

// append writes the next part. It may keep the last bytes until more arrive.
func (e *escaper) append(dst, part []byte) []byte {
	for e.n > 0 && len(part) > 0 {
		e.held[e.n] = part[0]
		e.n++
		part = part[1:]
		if !utf8.FullRune(e.held[:e.n]) {
			continue
		}
		// The last byte may not belong to the character.
		held := e.held
		n := e.n
		e.n = 0
		for i := 0; i < n; {
			if !utf8.FullRune(held[i:n]) {
				e.n = copy(e.held[:], held[i:n])
				break
			}
			size := 0
			dst, size = appendRune(dst, held[i:n])
			i += size
		}
	}
	for len(part) > 0 {
		// Most text needs no escapes. It is copied together.
		n := 0
		for n < len(part) && part[n] >= ' ' && part[n] < 0x7f && part[n] != '"' && part[n] != '\\' {
			n++
		}
		if n > 0 {
			dst, part = append(dst, part[:n]...), part[n:]
			continue
		}
		if !utf8.FullRune(part) {
			e.n = copy(e.held[:], part)
			break
		}
		size := 0
		dst, size = appendRune(dst, part)
		part = part[size:]
	}
	return dst
}

// flush writes what append has kept.
func (e *escaper) flush(dst []byte) []byte {
	for _, b := range e.held[:e.n] {
		dst = fmt.Appendf(dst, `\x%02x`, b)
	}
	e.n = 0
	return dst
}

// appendRune writes the first character of text and returns its length.
func appendRune(dst, text []byte) ([]byte, int) {
	c := text[0]
	r, size := utf8.DecodeRune(text)
	switch {
	case r == utf8.RuneError && size == 1:
		return fmt.Appendf(dst, `\x%02x`, c), 1
	case r == '"' || r == '\\':
		return append(dst, '\\', c), 1
	case r == '\n':
		return append(dst, `\n`...), 1
	case r == '\r':
		return append(dst, `\r`...), 1
	case r == '\t':
		return append(dst, `\t`...), 1
	case unicode.IsPrint(r):
		return append(dst, text[:size]...), size
	case r > 0xffff:
		high, low := utf16.EncodeRune(r)
		return fmt.Appendf(dst, `\u%04x\u%04x`, high, low), size
	}
	return fmt.Appendf(dst, `\u%04x`, r), size
}
