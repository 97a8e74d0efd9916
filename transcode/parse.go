package transcode

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octet-go/octet/msgpack/wire"
)

// This file converts JSON to MessagePack in one pass that also checks the syntax.
// It only finds out that the syntax is wrong; jsonReader.explain then finds out
// why, with jsontext, which accepts exactly the same texts.

// These faults end a pass without saying where.
var (
	malformed = &Error{Err: ErrSyntax} // the syntax is wrong
	escaped   = &Error{Err: ErrEscape} // with Reversible: the value contains names with a dollar sign
)

// parse appends the value at src[i] and returns the offset after it. src[i] must
// exist. depth is the number of containers that may still be opened.
func (r *jsonReader) parse(dst []byte, i, depth int) ([]byte, int, *Error) {
	src := r.src
	switch src[i] {
	case '"':
		return r.parseString(dst, i)
	case '{':
		return r.parseObject(dst, i, depth)
	case '[':
		return r.parseArray(dst, i, depth)
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return r.parseNumber(dst, i)
	case 't':
		if len(src)-i >= 4 && string(src[i:i+4]) == "true" {
			return append(dst, byte(wire.True)), i + 4, nil
		}
	case 'f':
		if len(src)-i >= 5 && string(src[i:i+5]) == "false" {
			return append(dst, byte(wire.False)), i + 5, nil
		}
	case 'n':
		if len(src)-i >= 4 && string(src[i:i+4]) == "null" {
			return append(dst, byte(wire.Nil)), i + 4, nil
		}
	}
	return dst, i, malformed
}

// blank returns the offset of the next byte at or after src[i] that is not white
// space, or len(src).
func (r *jsonReader) blank(i int) int {
	for i < len(r.src) && r.src[i] <= ' ' && jsonClasses[r.src[i]] == classSpace {
		i++
	}
	return i
}

func (r *jsonReader) parseArray(dst []byte, at, depth int) ([]byte, int, *Error) {
	if depth == 0 {
		return dst, at, &Error{Offset: int64(at), Err: ErrDepth}
	}
	i := r.blank(at + 1)
	if i < len(r.src) && r.src[i] == ']' {
		return append(dst, byte(wire.FixArray)), i + 1, nil
	}
	head, count := r.heads.open(len(dst)), 0
	dst = append(dst, 0)
	for i < len(r.src) {
		var err *Error
		if dst, i, err = r.parse(dst, i, depth-1); err != nil {
			return dst, i, err
		}
		count++
		if i = r.blank(i); i == len(r.src) {
			break
		}
		switch r.src[i] {
		case ',':
			i = r.blank(i + 1)
		case ']':
			if !r.heads.close(dst, head, wire.FixArray, count) {
				return dst, i, &Error{Offset: int64(at), Err: ErrLimit}
			}
			return dst, i + 1, nil
		default:
			return dst, i, malformed
		}
	}
	return dst, i, malformed
}

func (r *jsonReader) parseObject(dst []byte, at, depth int) ([]byte, int, *Error) {
	i := r.blank(at + 1)
	if depth == 0 {
		if name := r.src[i:]; r.o.Reversible && len(name) > 1 && name[0] == '"' && (name[1] == '$' || name[1] == '\\') {
			return dst, at, escaped // perhaps an escape object, which can be a value without elements
		}
		return dst, at, &Error{Offset: int64(at), Err: ErrDepth}
	}
	if i < len(r.src) && r.src[i] == '}' {
		return append(dst, byte(wire.FixMap)), i + 1, nil
	}
	head, names, count := r.heads.open(len(dst)), len(r.names.open), 0
	dst = append(dst, 0)
	for i < len(r.src) && r.src[i] == '"' {
		key := name{offset: i, start: len(dst)}
		var err *Error
		if dst, i, err = r.parseString(dst, i); err != nil {
			return dst, i, err
		}
		key.end = len(dst)
		if r.o.Reversible {
			if text, _, _ := wire.ConsumeString(dst[key.start:]); len(text) > 0 && text[0] == '$' {
				return dst, i, escaped
			}
		}
		r.names.open = append(r.names.open, key)
		if i = r.blank(i); i == len(r.src) || r.src[i] != ':' {
			break
		}
		if i = r.blank(i + 1); i == len(r.src) {
			break
		}
		if dst, i, err = r.parse(dst, i, depth-1); err != nil {
			return dst, i, err
		}
		count++
		if i = r.blank(i); i == len(r.src) {
			break
		}
		if r.src[i] == '}' {
			return r.closeMap(dst, at, i+1, head, names, count)
		}
		if r.src[i] != ',' {
			break
		}
		i = r.blank(i + 1)
	}
	return dst, i, malformed
}

// Patterns for work on eight bytes at a time.
const (
	lows = 0x0101010101010101
	tops = 0x8080808080808080
)

// parseString appends the string at src[i].
func (r *jsonReader) parseString(dst []byte, i int) ([]byte, int, *Error) {
	src, start := r.src, i+1
	i++
	var high uint64 // has a top bit set if a byte is not ASCII
	for {
		if i+8 > len(src) {
			for i < len(src) && src[i] != '"' && src[i] != '\\' && src[i] >= ' ' {
				high |= uint64(src[i])
				i++
			}
			if i == len(src) {
				return dst, i, malformed
			}
			break
		}
		// A byte of w^(…) is zero if that byte of w is a quote or a backslash. The
		// mask has the top bit of the lowest byte set that is one of these or a
		// control character.
		w := binary.LittleEndian.Uint64(src[i:])
		q, b := w^('"'*lows), w^('\\'*lows)
		mask := ((q-lows)&^q | (b-lows)&^b | (w-' '*lows)&^w) & tops
		if mask != 0 {
			n := bits.TrailingZeros64(mask) &^ 7
			high |= w & (1<<n - 1)
			i += n / 8
			break
		}
		high |= w
		i += 8
	}
	if src[i] != '"' {
		if src[i] == '\\' {
			return r.parseEscapes(dst, start, i)
		}
		return dst, i, malformed
	}
	text := src[start:i]
	if high&tops != 0 && !utf8.Valid(text) {
		return dst, i, malformed
	}
	const short = 16
	if p := len(dst); len(text) <= short && cap(dst)-p > short && len(src)-start >= short {
		dst = dst[:p+1+short]
		dst[p] = byte(wire.FixStr) | byte(len(text))
		binary.LittleEndian.PutUint64(dst[p+1:], binary.LittleEndian.Uint64(src[start:]))
		binary.LittleEndian.PutUint64(dst[p+9:], binary.LittleEndian.Uint64(src[start+8:]))
		return dst[:p+1+len(text)], i + 1, nil
	}
	return r.appendString(dst, text, start-1, i+1)
}

// parseEscapes appends the string whose text starts at src[start] and whose first
// escape is at src[i].
func (r *jsonReader) parseEscapes(dst []byte, start, i int) ([]byte, int, *Error) {
	src := r.src
	for i < len(src) && src[i] != '"' {
		if src[i] == '\\' {
			i++
		}
		i++
	}
	if i >= len(src) {
		return dst, len(src), malformed
	}
	var err error
	if r.scratch, err = jsontext.AppendUnquote(r.scratch[:0], src[start-1:i+1]); err != nil {
		return dst, i, malformed
	}
	return r.appendString(dst, r.scratch, start-1, i+1)
}

// parseNumber appends the number at src[i]. It computes numbers of up to 18
// digits itself, if the result is exact.
func (r *jsonReader) parseNumber(dst []byte, at int) ([]byte, int, *Error) {
	src, i := r.src, at
	negative := src[i] == '-'
	if negative {
		i++
	}
	first := i
	var u uint64
	for i < len(src) && src[i]-'0' <= 9 {
		u = u*10 + uint64(src[i]-'0')
		i++
	}
	digits := i - first
	switch {
	case digits == 0:
		return dst, i, malformed
	case src[first] == '0':
		i, u, digits = first+1, 0, 1 // no digit can follow a zero at the start
	}
	exponent, float := 0, false
	if i < len(src) && src[i] == '.' {
		float = true
		point := i
		for i++; i < len(src) && src[i]-'0' <= 9; i++ {
			u = u*10 + uint64(src[i]-'0')
		}
		exponent = point + 1 - i
		if digits -= exponent; exponent == 0 {
			return dst, i, malformed
		}
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		float = true
		end, ok := exponentEnd(src, i+1)
		if !ok {
			return dst, end, malformed
		}
		i, digits = end, 99 // left to strconv
	}
	const safe = 18 // digits that always fit in 63 bits
	switch {
	case digits > safe && float:
		return r.float(dst, at, false)
	case digits > safe:
		return r.number(dst, at)
	case float:
		return r.parseFloat(dst, at, i, u, -exponent, negative)
	case !negative:
		return wire.AppendUint(dst, u), i, nil
	case u == 0: // integers have no minus zero
		return wire.AppendFloat64(dst, math.Copysign(0, -1)), i, nil
	}
	return wire.AppendInt(dst, -int64(u)), i, nil
}

// powers are the powers of ten that a float 64 holds exactly.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

// parseFloat appends u / 10^scale, which is the number in src[at:end]. If both
// are exactly floats, so that one division rounds correctly, it divides.
func (r *jsonReader) parseFloat(dst []byte, at, end int, u uint64, scale int, negative bool) ([]byte, int, *Error) {
	if u >= 1<<53 {
		return r.float(dst, at, false)
	}
	f := float64(u) / powers[scale]
	if negative {
		f = -f
	}
	return wire.AppendFloat64(dst, f), end, nil
}

// exponentEnd returns the offset after the exponent whose sign or first digit is
// at src[i].
func exponentEnd(src []byte, i int) (end int, ok bool) {
	if i < len(src) && (src[i] == '+' || src[i] == '-') {
		i++
	}
	first := i
	for i < len(src) && src[i]-'0' <= 9 {
		i++
	}
	return i, i > first
}
