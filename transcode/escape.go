package transcode

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/octet-go/octet/msgpack/wire"
)

// This file decodes the escape objects of Options.Reversible. The package
// documentation describes them.

// escapeName returns the name of the escape object at src[i], or "" if the
// object is not an escape object.
func (r *jsonReader) escapeName(i int) string {
	if i = r.skip(i + 1); r.src[i] == '}' {
		return ""
	}
	if text, _, _ := r.text(i); isEscape(text) {
		return string(text)
	}
	return ""
}

// isEscape reports whether name belongs to an escape object: it starts with
// exactly one dollar sign.
func isEscape(name []byte) bool {
	return len(name) > 0 && name[0] == '$' && (len(name) == 1 || name[1] != '$')
}

// key appends the name at src[i] of an object that is not an escape object.
func (r *jsonReader) key(dst []byte, i int) ([]byte, int, *Error) {
	text, end, _ := r.text(i)
	if isEscape(text) {
		return dst, i, r.malformed(i, "an escape object with one member, or $$ at the start of an ordinary name")
	}
	if bytes.HasPrefix(text, []byte("$$")) {
		text = text[1:]
	}
	return r.appendString(dst, text, i, end)
}

// escape appends the value that the escape object at src[i] stands for.
func (r *jsonReader) escape(dst []byte, i, depth int, kind string) (out []byte, end int, err *Error) {
	content := r.skip(i + 1)
	content, _ = r.stringEnd(content)
	content = r.skip(content) // the value of its only member
	switch kind {
	case "$bin", "$str":
		dst, end, err = r.escapedBytes(dst, content, kind)
	case "$f32":
		dst, end, err = r.escapedFloat(dst, content, 32)
	case "$f64":
		dst, end, err = r.escapedFloat(dst, content, 64)
	case "$time":
		dst, end, err = r.escapedTime(dst, content)
	case "$ext":
		dst, end, err = r.escapedExt(dst, content)
	case "$map":
		dst, end, err = r.escapedMap(dst, content, depth)
	default:
		err = r.malformed(i, "$bin, $str, $f32, $f64, $time, $ext or $map, or $$ at the start of an ordinary name")
		err.Found = "an object with the name " + clip(strconv.Quote(kind))
	}
	if err != nil {
		return dst, i, err
	}
	if end = r.skip(end); r.src[end] != '}' {
		return dst, i, r.malformed(end, "no second member after "+kind)
	}
	return dst, end + 1, nil
}

// escapedBytes appends a bin or a str.
func (r *jsonReader) escapedBytes(dst []byte, i int, kind string) ([]byte, int, *Error) {
	data, end, ok := r.base64(i)
	switch {
	case !ok:
		return dst, i, r.malformed(i, "a string in base64")
	case uint64(len(data)) > math.MaxUint32:
		return dst, i, &Error{Offset: int64(i), Err: ErrLimit}
	case kind == "$str":
		return r.appendString(dst, data, i, end)
	default:
		return wire.AppendBin(dst, data), end, nil
	}
}

// escapedFloat appends a float 32 or 64 that is written as a number or as the
// hexadecimal digits of its bits.
func (r *jsonReader) escapedFloat(dst []byte, i, size int) ([]byte, int, *Error) {
	if text, end, ok := r.text(i); ok {
		bits, err := hex.DecodeString(string(text))
		if err == nil && len(bits) == size/8 {
			format := wire.Float64
			if size == 32 {
				format = wire.Float32
			}
			return append(append(dst, byte(format)), bits...), end, nil
		}
	} else if c := r.src[i]; c == '-' || c-'0' <= 9 {
		end := numberEnd(r.src, i)
		f, err := strconv.ParseFloat(string(r.src[i:end]), size)
		if err == nil && size == 32 {
			return wire.AppendFloat32(dst, float32(f)), end, nil
		}
		if err == nil {
			return wire.AppendFloat64(dst, f), end, nil
		}
	}
	return dst, i, r.malformed(i, "a number or the "+strconv.Itoa(size/4)+" hexadecimal digits of its bits")
}

// escapedTime appends a timestamp.
func (r *jsonReader) escapedTime(dst []byte, i int) ([]byte, int, *Error) {
	text, end, ok := r.text(i)
	var t time.Time
	// Package time accepts an hour of one digit, a comma before the fraction, and zones with 24 hours or 60 minutes.
	if !ok || t.UnmarshalText(text) != nil || text[len("2006-01-02T15")] != ':' || bytes.IndexByte(text, ',') >= 0 || finerThanNanoseconds(string(text)) ||
		bytes.HasSuffix(text, []byte(":60")) || text[len(text)-1] != 'Z' && string(text[len(text)-len("07:00"):]) >= "24" {
		return dst, i, r.malformed(i, "a time in RFC 3339 with at most nine fractional digits")
	}
	return wire.AppendTime(dst, t), end, nil
}

// finerThanNanoseconds reports whether s has more fractional digits than
// package time keeps.
func finerThanNanoseconds(s string) bool {
	_, fraction, _ := strings.Cut(s, ".")
	return len(fraction)-len(strings.TrimLeft(fraction, "0123456789")) > 9
}

// escapedExt appends the ext {"type": …, "data": …}, in either order.
func (r *jsonReader) escapedExt(dst []byte, i int) ([]byte, int, *Error) {
	wrong := r.malformed(i, `an object with "type", from -128 to 127, and "data", in base64`)
	if r.src[i] != '{' {
		return dst, i, wrong
	}
	var typ int8
	var data []byte
	var hasType, hasData bool
	i = r.skip(i + 1)
	for r.src[i] != '}' {
		name, end, _ := r.text(i)
		i = r.skip(end)
		switch {
		case string(name) == "type" && !hasType:
			end = numberEnd(r.src, i)
			n, err := strconv.ParseInt(string(r.src[i:end]), 10, 8)
			typ, hasType = int8(n), err == nil
			if !hasType {
				return dst, i, wrong
			}
		case string(name) == "data" && !hasData:
			if data, end, hasData = r.base64(i); !hasData {
				return dst, i, wrong
			}
		default:
			return dst, i, wrong
		}
		i = r.skip(end)
	}
	if !hasType || !hasData {
		return dst, i, wrong
	}
	if uint64(len(data)) > math.MaxUint32 {
		return dst, i, &Error{Offset: wrong.Offset, Err: ErrLimit}
	}
	return wire.AppendExt(dst, typ, data), i + 1, nil
}

// escapedMap appends the map that is written as [[key, value], …].
func (r *jsonReader) escapedMap(dst []byte, i, depth int) ([]byte, int, *Error) {
	const want = "an array of [key, value] pairs"
	at := i
	if r.src[i] != '[' {
		return dst, i, r.malformed(i, want)
	}
	if depth == 0 {
		return dst, i, &Error{Offset: int64(i), Err: ErrDepth}
	}
	head, names := r.heads.open(len(dst)), len(r.names.open)
	dst = append(dst, 0)
	count := 0
	for i = r.skip(i + 1); r.src[i] != ']'; i = r.skip(i) {
		if r.src[i] != '[' {
			return dst, i, r.malformed(i, want)
		}
		i = r.skip(i + 1)
		for part := range 2 {
			if r.src[i] == ']' {
				return dst, i, r.malformed(i, want)
			}
			key := name{offset: i, start: len(dst)}
			inner := len(r.heads.list)
			var err *Error
			if dst, i, err = r.value(dst, i, depth-1); err != nil {
				return dst, i, err
			}
			if part == 0 {
				// Keys are compared in their MessagePack encoding, so this key
				// must be complete.
				dst = r.heads.expand(dst, inner)
				key.end = len(dst)
				r.names.open = append(r.names.open, key)
			}
			i = r.skip(i)
		}
		if r.src[i] != ']' {
			return dst, i, r.malformed(i, want)
		}
		i++
		count++
	}
	return r.closeMap(dst, at, i+1, head, names, count)
}

// base64 decodes the string at src[i], which must be padded standard base64.
func (r *jsonReader) base64(i int) (data []byte, end int, ok bool) {
	text, end, ok := r.text(i)
	if !ok {
		return nil, i, false
	}
	data, err := base64.StdEncoding.Strict().AppendDecode(nil, text)
	return data, end, err == nil && !bytes.ContainsAny(text, "\r\n") // which package base64 ignores
}

// malformed returns the error for the token at src[i] in an escape object.
func (r *jsonReader) malformed(i int, want string) *Error {
	return &Error{Offset: int64(i), Found: r.token(i), Want: want, Err: ErrEscape}
}

// token returns the token at src[i] for an error.
func (r *jsonReader) token(i int) string {
	end := i + 1
	switch c := r.src[i]; {
	case c == '"':
		end, _ = r.stringEnd(i)
	case c == '-' || c-'0' <= 9:
		end = numberEnd(r.src, i)
	case c >= 'a':
		for end < len(r.src) && r.src[end] >= 'a' && r.src[end] <= 'z' {
			end++
		}
	}
	return clip(string(r.src[i:end]))
}
