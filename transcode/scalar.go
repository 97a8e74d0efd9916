package transcode

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octet-go/octet/msgpack/wire"
)

// This file converts values that are not containers to JSON, in both forms.

// str appends the str with payload text. offset is the offset of text in the
// input.
func (r *msgpackReader) str(dst []byte, offset int, text []byte) ([]byte, *Error) {
	if out, ok := appendPlain(dst, text); ok {
		return out, nil
	}
	at := len(dst)
	dst, err := jsontext.AppendQuote(dst, text)
	if err == nil {
		return dst, nil
	}
	if r.o.Reversible {
		return append(appendBase64(append(dst[:at], `{"$str":`...), text), '}'), nil
	}
	return dst, &Error{Offset: int64(offset + validUTF8(text)), Found: "a str that is not UTF-8", Err: ErrUTF8}
}

// appendPlain appends text as a JSON string if no character needs an escape and
// the text is valid UTF-8. Otherwise it returns dst.
func appendPlain(dst, text []byte) (out []byte, ok bool) {
	var high, special uint64
	i := 0
	for ; i+8 <= len(text); i += 8 {
		w := binary.LittleEndian.Uint64(text[i:])
		high |= w
		special |= escapes(w)
	}
	if i < len(text) {
		var w uint64
		switch {
		case i > 0:
			w = binary.LittleEndian.Uint64(text[len(text)-8:])
		case cap(text) >= 8: // the bytes after the text become spaces
			bits := 8 * len(text)
			w = binary.LittleEndian.Uint64(text[:8])&(1<<bits-1) | ' '*lows>>bits<<bits
		default:
			w = ' ' * lows
			for _, c := range text {
				w = w<<8 | uint64(c)
			}
		}
		high |= w
		special |= escapes(w)
	}
	if special&tops != 0 || high&tops != 0 && !utf8.Valid(text) {
		return dst, false
	}
	const short = 16
	if p, n := len(dst), len(text); n <= short && cap(text) >= short && cap(dst)-p >= short+2 {
		dst = dst[:p+short+2]
		dst[p] = '"'
		binary.LittleEndian.PutUint64(dst[p+1:], binary.LittleEndian.Uint64(text[:8]))
		binary.LittleEndian.PutUint64(dst[p+9:], binary.LittleEndian.Uint64(text[8:16]))
		dst[p+1+n] = '"'
		return dst[:p+2+n], true
	}
	dst = append(dst, '"')
	dst = append(dst, text...)
	return append(dst, '"'), true
}

// escapes has the top bit of a byte set if a byte of w is a quote, a backslash or
// a control character. It may be set for bytes above that byte, too.
func escapes(w uint64) uint64 {
	q, b := w^('"'*lows), w^('\\'*lows)
	return (q-lows)&^q | (b-lows)&^b | (w-' '*lows)&^w
}

// validUTF8 returns the length of the longest valid prefix of text.
func validUTF8(text []byte) int {
	n := 0
	for n < len(text) {
		c, size := utf8.DecodeRune(text[n:])
		if c == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}

// bin appends a bin.
func (r *msgpackReader) bin(dst, data []byte) []byte {
	if !r.o.Reversible {
		r.changed.Bins++
		return appendBase64(dst, data)
	}
	return append(appendBase64(append(dst, `{"$bin":`...), data), '}')
}

// float appends the float 32 or 64 at src[i:end].
func (r *msgpackReader) float(dst []byte, i, end int) ([]byte, *Error) {
	f, _, _ := wire.ConsumeFloat64(r.src[i:end]) // the header was checked
	single := wire.Format(r.src[i]) == wire.Float32
	finite := !math.IsNaN(f) && !math.IsInf(f, 0)
	switch {
	case !r.o.Reversible && !finite:
		return dst, &Error{Offset: int64(i), Found: strconv.FormatFloat(f, 'g', -1, 64), Err: ErrNaN}
	case finite && !(r.o.Reversible && single):
		if single {
			r.changed.Floats++
		}
		return appendFloat(dst, f, 64), nil
	case single:
		dst = append(dst, `{"$f32":`...)
	default:
		dst = append(dst, `{"$f64":`...)
	}
	if finite {
		dst = appendFloat(dst, f, 32)
	} else {
		dst = hex.AppendEncode(append(dst, '"'), r.src[i+1:end])
		dst = append(dst, '"')
	}
	return append(dst, '}'), nil
}

// appendFloat appends f as the shortest number that reads back as f. The number
// has a point or an exponent, so that readers that distinguish floats from
// integers read it as a float. The exponent begins where it does in JavaScript and in
// package json.
func appendFloat(dst []byte, f float64, bits int) []byte {
	small, large := 1e-6, 1e21
	if bits == 32 { // the float 32 nearest to them
		small, large = float64(float32(small)), float64(float32(large))
	}
	if abs := math.Abs(f); abs != 0 && (abs < small || abs >= large) {
		dst = strconv.AppendFloat(dst, f, 'e', -1, bits)
		if n := len(dst); dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' { // e-09 becomes e-9
			dst[n-2] = dst[n-1]
			dst = dst[:n-1]
		}
		return dst
	}
	at := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, bits)
	if bytes.IndexByte(dst[at:], '.') < 0 {
		dst = append(dst, ".0"...)
	}
	return dst
}

// RFC 3339 can represent the years 0000 to 9999. These are their limits in
// seconds since 1970.
var (
	firstSecond = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	lastSecond  = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).Unix()
)

// ext appends the ext whose header is at src[i].
func (r *msgpackReader) ext(dst []byte, i int, typ int8, data []byte) ([]byte, *Error) {
	if typ == wire.TimestampType {
		sec, nsec, err := wire.ParseTimestamp(data)
		if err != nil && !r.o.Reversible {
			return dst, &Error{Offset: int64(i), Err: err}
		}
		if err == nil && sec >= firstSecond && sec <= lastSecond {
			return r.time(dst, time.Unix(sec, int64(nsec)).UTC()), nil
		}
	}
	if !r.o.Reversible {
		r.changed.Exts++
	}
	dst = append(dst, `{"$ext":{"type":`...)
	dst = strconv.AppendInt(dst, int64(typ), 10)
	dst = append(dst, `,"data":`...)
	return append(appendBase64(dst, data), "}}"...), nil
}

func (r *msgpackReader) time(dst []byte, t time.Time) []byte {
	if r.o.Reversible {
		dst = append(dst, `{"$time":`...)
	} else {
		r.changed.Timestamps++
	}
	dst = append(t.AppendFormat(append(dst, '"'), time.RFC3339Nano), '"')
	if r.o.Reversible {
		dst = append(dst, '}')
	}
	return dst
}

func appendBase64(dst, data []byte) []byte {
	dst = base64.StdEncoding.AppendEncode(append(dst, '"'), data)
	return append(dst, '"')
}
