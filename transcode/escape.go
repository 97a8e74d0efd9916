package transcode

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/octet-go/octet/msgpack/wire"
)

// This file reads the escape objects of Options.Reversible; the package
// documentation has their grammar. A name that starts with one dollar sign
// makes its object an escape, two stand for one at the start of a plain name.

// escapeName returns the name of the escape object at src[i], or nil if the
// object is a plain one.
func (r *jsonReader) escapeName(i int) []byte {
	i = r.skip(i + 1)
	if r.src[i] == '}' {
		return nil
	}
	end, plain := r.stringEnd(i)
	text := r.src[i+1 : end-1]
	if !plain {
		text = r.unquote(i, end)
	}
	if isEscape(text) {
		return text
	}
	return nil
}

func isEscape(name []byte) bool {
	return len(name) > 0 && name[0] == '$' && !bytes.HasPrefix(name, []byte("$$"))
}

// skip returns the offset of the next token at or after src[i].
func (r *jsonReader) skip(i int) int {
	for jsonClasses[r.src[i]] >= classSpace {
		i++
	}
	return i
}

// key appends the name at src[i] of a plain object.
func (r *jsonReader) key(dst []byte, i int) ([]byte, int, *Error) {
	end, plain := r.stringEnd(i)
	if plain && r.src[i+1] != '$' {
		return r.str(dst, i)
	}
	text := r.unquote(i, end)
	if isEscape(text) {
		return dst, i, &Error{Offset: int64(i), Found: "a second member " + clip(strconv.Quote(string(text))),
			Want: "an escape object of one member, or $$ at the start of the name", Err: ErrEscape}
	}
	text = bytes.TrimPrefix(text, []byte("$"))
	return wire.AppendString(dst, string(text)), end, nil
}

// escape appends what the escape object at src[i] stands for.
func (r *jsonReader) escape(dst []byte, i, depth int, name []byte) ([]byte, int, *Error) {
	at := i
	fail := func(i int, want string) ([]byte, int, *Error) {
		return dst, i, &Error{Offset: int64(i), Found: r.token(i), Want: want, Err: ErrEscape}
	}
	kind := string(name)
	i = r.skip(i + 1)
	i, _ = r.stringEnd(i)
	i = r.skip(i)
	content := i // where the member's value starts
	text, isString := []byte(nil), r.src[i] == '"'
	if isString {
		i, _ = r.stringEnd(i)
		text = r.unquote(content, i)
	}
	isNumber := r.src[content] == '-' || r.src[content]-'0' <= 9
	switch kind {
	case "$bin", "$str":
		data, ok := decode64(text)
		if !isString || !ok {
			return fail(content, "a base64 string")
		}
		if kind == "$bin" {
			dst = wire.AppendBin(dst, data)
		} else {
			dst = wire.AppendString(dst, string(data))
		}
	case "$f32", "$f64":
		const bits = "a number or its bits in hexadecimal"
		switch size := floatSize(kind); {
		case isNumber:
			i = numberEnd(r.src, content)
			f, err := strconv.ParseFloat(string(r.src[content:i]), size)
			if err != nil {
				return fail(content, bits)
			}
			if size == 32 {
				dst = wire.AppendFloat32(dst, float32(f))
			} else {
				dst = wire.AppendFloat64(dst, f)
			}
		case isString && len(text) == size/4:
			raw, err := hex.DecodeString(string(text))
			if err != nil {
				return fail(content, bits)
			}
			if size == 32 {
				dst = append(dst, byte(wire.Float32))
			} else {
				dst = append(dst, byte(wire.Float64))
			}
			dst = append(dst, raw...)
		default:
			return fail(content, bits)
		}
	case "$time":
		t, ok := parseTime(string(text))
		if !isString || !ok {
			return fail(content, "an RFC 3339 time of nanoseconds at most")
		}
		dst = wire.AppendTime(dst, t)
	case "$ext":
		typ, data, end, ok := r.ext(content)
		if !ok {
			return fail(content, `{"type": -128 to 127, "data": base64}`)
		}
		dst, i = wire.AppendExt(dst, typ, data), end
	case "$map":
		var err *Error
		if dst, i, err = r.pairs(dst, content, depth); err != nil {
			return dst, i, err
		}
	default:
		return dst, at, &Error{Offset: int64(at), Found: clip(strconv.Quote(kind)),
			Want: "$bin, $str, $f32, $f64, $time, $ext or $map, or $$ at the start of a plain name", Err: ErrEscape}
	}
	if i = r.skip(i); r.src[i] != '}' {
		return fail(i, "no second member beside "+kind)
	}
	return dst, i + 1, nil
}

// ext reads {"type": …, "data": …} at src[i], in either order.
func (r *jsonReader) ext(i int) (typ int8, data []byte, end int, ok bool) {
	if r.src[i] != '{' {
		return 0, nil, i, false
	}
	var seen [2]bool // type, data
	for i = r.skip(i + 1); r.src[i] != '}'; i = r.skip(i) {
		start := i
		i, _ = r.stringEnd(i)
		name := string(r.unquote(start, i))
		i = r.skip(i)
		start = i
		switch {
		case name == "type" && !seen[0]:
			i = numberEnd(r.src, i)
			n, err := strconv.ParseInt(string(r.src[start:i]), 10, 8)
			if err != nil {
				return 0, nil, i, false
			}
			typ, seen[0] = int8(n), true
		case name == "data" && !seen[1] && r.src[i] == '"':
			i, _ = r.stringEnd(i)
			if data, ok = decode64(r.unquote(start, i)); !ok {
				return 0, nil, i, false
			}
			seen[1] = true
		default:
			return 0, nil, i, false
		}
	}
	return typ, data, i + 1, seen[0] && seen[1]
}

// pairs appends the map written as [[key, value], …] at src[i].
func (r *jsonReader) pairs(dst []byte, i, depth int) ([]byte, int, *Error) {
	fail := func(i int) ([]byte, int, *Error) {
		return dst, i, &Error{Offset: int64(i), Found: r.token(i), Want: "an array of [key, value] pairs", Err: ErrEscape}
	}
	if r.src[i] != '[' {
		return fail(i)
	}
	if depth == 0 {
		return dst, i, &Error{Offset: int64(i), Err: wire.ErrDepth}
	}
	head := r.heads.open(len(dst))
	names := len(r.names.open)
	dst = append(dst, 0)
	count := 0
	for i = r.skip(i + 1); r.src[i] != ']'; i = r.skip(i) {
		if r.src[i] != '[' {
			return fail(i)
		}
		i = r.skip(i + 1)
		for part := range 2 {
			if r.src[i] == ']' {
				return fail(i)
			}
			start := name{offset: i, start: len(dst)}
			heads := len(r.heads.list)
			var err *Error
			if dst, i, err = r.value(dst, i, depth-1); err != nil {
				return dst, i, err
			}
			if part == 0 {
				// Keys are compared as MessagePack, so theirs must be complete.
				dst = r.heads.expand(dst, heads)
				start.end = len(dst)
				r.names.open = append(r.names.open, start)
			}
			i = r.skip(i)
		}
		if r.src[i] != ']' {
			return fail(i)
		}
		i++
		count++
	}
	if twin, found := r.names.close(dst, names); found {
		return dst, i, r.duplicate(dst, twin)
	}
	r.heads.close(dst, head, wire.FixMap, count)
	return dst, i + 1, nil
}

// token quotes the token at src[i] for an error.
func (r *jsonReader) token(i int) string {
	switch r.src[i] {
	case '{', '}', '[', ']':
		return string(r.src[i])
	case '"':
		end, _ := r.stringEnd(i)
		return clip(string(r.src[i:end]))
	case 't', 'f', 'n':
		return string(r.src[i:r.wordEnd(i)])
	default:
		return clip(string(r.src[i:numberEnd(r.src, i)]))
	}
}

func (r *jsonReader) wordEnd(i int) int {
	for i < len(r.src) && r.src[i] >= 'a' && r.src[i] <= 'z' {
		i++
	}
	return i
}

func floatSize(kind string) int {
	if kind == "$f32" {
		return 32
	}
	return 64
}

// decode64 decodes padded standard base64.
func decode64(text []byte) ([]byte, bool) {
	data, err := base64.StdEncoding.Strict().AppendDecode(nil, text)
	return data, err == nil
}

// parseTime parses an RFC 3339 time. The standard library cuts fractions at
// nanoseconds; here more digits are an error.
func parseTime(s string) (t time.Time, ok bool) {
	if _, fraction, found := strings.Cut(s, "."); found {
		if digits := len(fraction) - len(strings.TrimLeft(fraction, "0123456789")); digits > 9 {
			return t, false
		}
	}
	err := t.UnmarshalText([]byte(s))
	return t, err == nil
}
