package scan

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/octet-go/octet/msgpack/wire"
)

// longestKey is the maximum number of bytes of a map key in a path.
const longestKey = 48

// KeyBytes is the number of bytes of an encoded key from which paths are made. 5 is the size of the
// longest header, that of a str 32.
const KeyBytes = longestKey + 5

// A key holds the first bytes of the last key of a map, as encoded in the input.
// Paths are made from it.
type key struct {
	raw [KeyBytes]byte
	n   int
}

func (k *key) reset() { k.n = 0 }

func (k *key) record(b []byte) { k.n += copy(k.raw[k.n:], b) }

// recordKey stores bytes of the token if it is a map key.
func (s *Scanner) recordKey(b []byte) {
	if s.token.Role == Key {
		s.keys[s.token.Depth-1].record(b)
	}
}

// Path returns the position of the token in its top-level value, in Go
// notation: users[2].name, or ["…"] for a key that is not an identifier. The
// path of a key itself ends in the number of its pair, as in users{3}. The path of
// a value whose key is neither a str nor an integer ends in the same way.
func (s *Scanner) Path() string { return string(s.AppendPath(nil)) }

// AppendPath appends the result of [Scanner.Path] to dst.
func (s *Scanner) AppendPath(dst []byte) []byte {
	around := s.h.Around()
	for d := range around {
		c := &around[d]
		dst = AppendStep(dst, c.Header, c.Begun()-1, func() []byte { return s.keys[d].raw[:s.keys[d].n] })
	}
	return dst
}

// AppendStep appends the step from a container to value i in it, where keys and values
// count separately. key returns the encoded key of a value of a map, or the beginning
// of it.
func AppendStep(dst []byte, container wire.Header, i uint64, key func() []byte) []byte {
	switch {
	case container.Format.Kind() == wire.KindArray:
		return appendNumber(dst, '[', i, ']')
	case i&1 == 0:
		return appendNumber(dst, '{', i/2, '}')
	}
	return AppendKeyStep(dst, key(), i/2)
}

// AppendKeyStep appends the step of a path from a map to the value of a key. raw
// is the encoded key or the beginning of it, and pair the number of the pair.
func AppendKeyStep(dst, raw []byte, pair uint64) []byte {
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
	return appendNumber(dst, '{', pair, '}')
}

func appendNumber(dst []byte, open byte, n uint64, end byte) []byte {
	return append(strconv.AppendUint(append(dst, open), n, 10), end)
}

func appendName(dst, name []byte, cut bool) []byte {
	if !cut && IsIdentifier(name) {
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

// IsIdentifier reports whether a path writes the key without quotes: whether it
// consists of letters, digits and underscores and does not begin with a digit.
func IsIdentifier(name []byte) bool {
	for i := 0; i < len(name); {
		r, size := utf8.DecodeRune(name[i:])
		if r == utf8.RuneError || r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
		i += size
	}
	return len(name) > 0
}
