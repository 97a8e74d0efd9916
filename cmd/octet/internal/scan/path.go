package scan

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/octet-go/octet/msgpack/wire"
)

// longestKey is how much of a map key a path shows, in bytes.
const longestKey = 48

// A key is what is remembered of the last key of a map, for paths: the first
// bytes of it as they stand in the input.
type key struct {
	raw [longestKey + 5]byte
	n   int
}

func (k *key) reset() { k.n = 0 }

func (k *key) record(b []byte) { k.n += copy(k.raw[k.n:], b) }

// recordKey keeps what has been read of the token, if it is a key.
func (s *Scanner) recordKey(b []byte) {
	if s.token.Role == Key {
		s.stack[s.token.Depth-1].key.record(b)
	}
}

// Path returns where the token stands within its value of the stream, as a Go
// programmer would write it: users[2].name, with ["…"] around a key that is no
// identifier. A key has no path of its own but the number of its pair, as in
// users{3}; so has a value under a key that is neither str nor integer.
func (s *Scanner) Path() string { return string(s.AppendPath(nil)) }

// AppendPath appends [Scanner.Path] to dst.
func (s *Scanner) AppendPath(dst []byte) []byte {
	for i := range s.token.Depth {
		dst = s.stack[i].appendStep(dst)
	}
	return dst
}

// appendStep appends the way from a container to the value last begun in it.
func (f *frame) appendStep(dst []byte) []byte {
	i := f.count - f.left - 1
	if f.format.Kind() == wire.KindArray {
		return appendNumber(dst, '[', i, ']')
	}
	if i&1 == 0 {
		return appendNumber(dst, '{', i/2, '}')
	}
	raw := f.key.raw[:f.key.n]
	h, n, err := wire.ConsumeHeader(raw)
	if err == nil {
		switch h.Format.Kind() {
		case wire.KindStr:
			return appendName(dst, raw[n:], int64(h.Payload) > int64(len(raw)-n))
		case wire.KindInt:
			if v, _, err := wire.ConsumeInt(raw); err == nil {
				return append(strconv.AppendInt(append(dst, '['), v, 10), ']')
			}
			if v, _, err := wire.ConsumeUint(raw); err == nil {
				return appendNumber(dst, '[', v, ']')
			}
		}
	}
	return appendNumber(dst, '{', i/2, '}')
}

func appendNumber(dst []byte, open byte, n uint64, end byte) []byte {
	return append(strconv.AppendUint(append(dst, open), n, 10), end)
}

func appendName(dst, name []byte, cut bool) []byte {
	if !cut && isIdentifier(name) {
		if len(dst) > 0 {
			dst = append(dst, '.')
		}
		return append(dst, name...)
	}
	if len(name) > longestKey {
		name, cut = name[:longestKey], true
	}
	text := string(name)
	if cut {
		text += "…"
	}
	return append(strconv.AppendQuote(append(dst, '['), text), ']')
}

func isIdentifier(name []byte) bool {
	for i := 0; i < len(name); {
		r, size := utf8.DecodeRune(name[i:])
		if r == utf8.RuneError || r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
		i += size
	}
	return len(name) > 0
}
