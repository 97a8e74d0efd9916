package transcode

import (
	"bytes"
	"strconv"

	"github.com/octet-go/octet/msgpack/wire"
)

// number appends the JSON number at src[i]: as an int if it is written as an
// integer and fits in 64 bits, otherwise as a float 64.
func (r *jsonReader) number(dst []byte, i int) ([]byte, int, *Error) {
	src, at := r.src, i
	negative := src[i] == '-'
	if negative {
		i++
	}
	first := i
	var u uint64
	for ; i < len(src); i++ {
		digit := src[i] - '0'
		if digit > 9 {
			if c := src[i]; c == '.' || c == 'e' || c == 'E' {
				return r.float(dst, at, false)
			}
			break
		}
		u = u*10 + uint64(digit)
	}
	const safe = 19 // number of digits that always fit in 64 bits
	if i-first > safe {
		var err error
		if u, err = strconv.ParseUint(string(src[first:i]), 10, 64); err != nil {
			return r.float(dst, at, true)
		}
	}
	switch {
	case !negative:
		return wire.AppendUint(dst, u), i, nil
	case u == 0 || u > 1<<63: // minus zero is a float because integers have no minus zero
		return r.float(dst, at, true)
	default:
		return wire.AppendInt(dst, -int64(u)), i, nil
	}
}

// float appends the JSON number at src[i] as a float 64. integer says that it
// is written as an integer.
func (r *jsonReader) float(dst []byte, i int, integer bool) ([]byte, int, *Error) {
	text := r.src[i:numberEnd(r.src, i)]
	f, err := strconv.ParseFloat(string(text), 64)
	want := ""
	switch {
	case err != nil:
		want = "a number that float 64 can hold"
	case r.o.RoundNumbers:
	case f == 0 && bytes.ContainsAny(mantissa(text), "123456789"):
		want = "a number that float 64 does not round to zero, or RoundNumbers"
	case integer && !sameInteger(text, f):
		want = "an integer that fits in 64 bits or equals a float 64, or RoundNumbers"
	}
	if want != "" {
		return dst, i, &Error{Offset: int64(i), Found: clip(string(text)), Want: want, Err: ErrNumber}
	}
	return wire.AppendFloat64(dst, f), i + len(text), nil
}

// numberEnd returns the offset after the number at src[i].
func numberEnd(src []byte, i int) int {
	for i < len(src) {
		switch c := src[i]; {
		case c-'0' <= 9, c == '.', c == 'e', c == 'E', c == '+', c == '-':
			i++
		default:
			return i
		}
	}
	return i
}

// mantissa returns a number without its exponent.
func mantissa(text []byte) []byte {
	if i := bytes.IndexAny(text, "eE"); i >= 0 {
		return text[:i]
	}
	return text
}

// sameInteger reports whether f is exactly the integer in text. text has at
// most 309 digits, because f would be infinite otherwise.
func sameInteger(text []byte, f float64) bool {
	return bytes.Equal(text, strconv.AppendFloat(nil, f, 'f', 0, 64))
}
