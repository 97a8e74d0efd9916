package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"strconv"
	"unicode/utf8"

	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// A jsonText is JSON that is read token by token. Its methods accept less than JSON has. What
// they accept, they read as package transcode does. Everything else is left to that
// package.
type jsonText struct {
	data  []byte
	pos   int
	token []byte // a string with escapes, as MessagePack
}

// space skips white space, and returns the next byte or 0 at the end.
func (t *jsonText) space() byte {
	data := t.data
	for i := t.pos; i < len(data); i++ {
		switch c := data[i]; c {
		case ' ', '\t', '\r', '\n':
		default:
			t.pos = i
			return c
		}
	}
	t.pos = len(data)
	return 0
}

// next skips white space and the byte c, which must follow.
func (t *jsonText) next(c byte) bool {
	if t.pos < len(t.data) && t.data[t.pos] == c || t.space() == c {
		t.pos++
		return true
	}
	return false
}

// apart reports whether white space or the end follows. Another value may otherwise be
// part of the one before it.
func (t *jsonText) apart() bool {
	if t.pos == len(t.data) {
		return true
	}
	c := t.data[t.pos]
	return c == ' ' || c == '\t' || c == '\r' || c == '\n'
}

// word skips a literal.
func (t *jsonText) word(word string) bool {
	if rest := t.data[t.pos:]; len(rest) < len(word) || string(rest[:len(word)]) != word {
		return false
	}
	t.pos += len(word)
	return true
}

// Patterns for work on eight bytes at a time.
const (
	lows = 0x0101010101010101
	tops = 0x8080808080808080
)

// str reads a string, whose quote is the next byte. If it has escapes, s is valid until
// the next call.
func (t *jsonText) str() (s []byte, escaped, ok bool) {
	data, start := t.data, t.pos+1
	i := start
	var high uint64 // has a top bit set if a byte is not ASCII
	for {
		if i+8 > len(data) {
			for i < len(data) && data[i] != '"' && data[i] != '\\' && data[i] >= ' ' {
				high |= uint64(data[i])
				i++
			}
			if i == len(data) {
				return nil, false, false
			}
			break
		}
		// The mask has the top bit of the lowest byte set that is a quote, a backslash
		// or a control character.
		w := binary.LittleEndian.Uint64(data[i:])
		q, b := w^('"'*lows), w^('\\'*lows)
		if mask := ((q-lows)&^q | (b-lows)&^b | (w-' '*lows)&^w) & tops; mask != 0 {
			n := bits.TrailingZeros64(mask) &^ 7
			high |= w & (1<<n - 1)
			i += n / 8
			break
		}
		high |= w
		i += 8
	}
	if data[i] == '\\' {
		s, ok = t.unescape(i)
		return s, true, ok
	}
	if data[i] != '"' {
		return nil, false, false
	}
	t.pos = i + 1
	s = data[start:i]
	return s, false, high&tops == 0 || utf8.Valid(s)
}

// unescape reads a string whose first escape is at i.
func (t *jsonText) unescape(i int) (s []byte, ok bool) {
	for i < len(t.data) && t.data[i] != '"' {
		if t.data[i] == '\\' {
			i++
		}
		i++
	}
	if i >= len(t.data) {
		return nil, false
	}
	var err error
	if t.token, err = transcode.AppendMsgpack(t.token[:0], t.data[t.pos:i+1], nil); err != nil {
		return nil, false
	}
	s, _, err = wire.ConsumeString(t.token)
	t.pos = i + 1
	return s, err == nil
}

// A number is one of JSON: an integer or a float.
type number struct {
	whole bool
	i     int64
	f     float64
}

// powers are the powers of ten that a float 64 holds exactly, up to 18 digits.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// number reads a number. Integers have up to 18 digits.
func (t *jsonText) number() (n number, ok bool) {
	data, i := t.data, t.pos
	negative := i < len(data) && data[i] == '-'
	if negative {
		i++
	}
	first := i
	var u uint64
	for i < len(data) && data[i]-'0' <= 9 {
		u = u*10 + uint64(data[i]-'0')
		i++
	}
	digits := i - first
	if digits == 0 || digits > 1 && data[first] == '0' {
		return n, false
	}
	scale := 0
	n.whole = true
	if i < len(data) && data[i] == '.' {
		n.whole = false
		point := i + 1
		for i++; i < len(data) && data[i]-'0' <= 9; i++ {
			u = u*10 + uint64(data[i]-'0')
		}
		if scale = i - point; scale == 0 {
			return n, false
		}
		digits += scale
	}
	start := t.pos
	t.pos = i
	const safe = 18 // digits that always fit in 63 bits
	switch {
	case i < len(data) && data[i]|0x20 == 'e':
		return n, false
	case n.whole && digits > safe:
		return n, false
	case n.whole && negative && u == 0: // integers have no minus zero
		n.whole, n.f = false, math.Copysign(0, -1)
	case n.whole && negative:
		n.i = -int64(u)
	case n.whole:
		n.i = int64(u)
	case digits <= safe && u < 1<<53: // one division rounds correctly
		if n.f = float64(u) / powers[scale]; negative {
			n.f = -n.f
		}
	default:
		f, err := strconv.ParseFloat(string(data[start:i]), 64)
		if err != nil || f == 0 {
			return n, false
		}
		n.f = f
	}
	return n, true
}

// raw reads a value that is not looked at, and returns its text.
func (t *jsonText) raw() (value []byte, ok bool) {
	var s transcode.JSONSplitter
	start := t.pos
	n, whole, err := s.Next(t.data[start:])
	if err != nil {
		return nil, false
	}
	if !whole && (t.data[start] == '{' || t.data[start] == '[' || t.data[start] == '"') {
		return nil, false
	}
	t.pos += n
	return t.data[start:t.pos], true
}

// message converts the record at start to MessagePack, and returns the end of the record.
// Offsets in errors are those in data.
func (t *jsonText) message(dst []byte, start int, o *transcode.Options) (message []byte, end int, err error) {
	var s transcode.JSONSplitter
	end = len(t.data)
	if n, whole, err := s.Next(t.data[start:]); err == nil && whole {
		end = start + n
	}
	if bytes.HasPrefix(t.data[start:], byteOrderMark) { // not at the start of the input
		return dst, start, &transcode.Error{Offset: int64(start), Start: int64(start), Found: `'\ufeff'`, Want: "a value", Err: transcode.ErrSyntax}
	}
	message, err = transcode.AppendMsgpack(dst[:0], t.data[start:end], o)
	if err != nil {
		// What follows the end can show a better error.
		if _, all := transcode.AppendMsgpackValues(nil, t.data[start:], o); all != nil {
			err = all
		}
	}
	var fault *transcode.Error
	if errors.As(err, &fault) {
		fault.Offset += int64(start)
		fault.Start += int64(start)
	}
	return message, end, err
}
