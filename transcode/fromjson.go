package transcode

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octet-go/octet/msgpack/wire"
)

// A jsonReader converts JSON text to MessagePack. The methods in parse.go do this
// in one pass. A value with escape objects takes two: the decoder of jsontext
// validates it, and the methods in this file then walk it and do not check the
// syntax again.
type jsonReader struct {
	o       Options
	dec     jsontext.Decoder
	buf     bytes.Buffer
	src     []byte
	heads   heads
	names   names
	scratch []byte // unescaped strings
}

// allowDuplicates turns off the check for duplicate names in jsontext. The type
// names does the check in half the time, and also finds duplicates among the
// keys that Reversible allows.
var allowDuplicates = jsontext.AllowDuplicateNames(true)

// bom is the byte order mark that some programs write before UTF-8 text.
var bom = []byte("\xef\xbb\xbf")

func (r *jsonReader) reset(o Options) {
	r.o = o
	r.src = nil
	r.buf = bytes.Buffer{}
	r.dec.Reset(&r.buf)
	r.heads.list = keep(r.heads.list[:0])
	r.names.reset()
	r.scratch = keep(r.scratch)
}

func (r *jsonReader) convert(dst, src []byte, first, one bool) (out []byte, n, used int, fault *Error) {
	if first {
		used = len(src) - len(bytes.TrimPrefix(src, bom))
	}
	r.src = src
	r.heads.list = r.heads.list[:0]
	for {
		at := used + spaces(src[used:])
		if one && n == 1 && at < len(src) {
			return dst, n, used, &Error{Offset: int64(at), Start: int64(at), Value: 1, Err: ErrTrailing}
		}
		if r.o.MaxValue > 0 && r.tooLarge(src[at:]) {
			return dst, n, used, &Error{Offset: int64(at), Start: int64(at), Value: int64(n), Err: ErrLimit}
		}
		if at == len(src) {
			if one && n == 0 {
				return dst, n, used, &Error{Offset: int64(at), Start: int64(at), Want: "a value", Err: ErrTruncated, empty: true}
			}
			return dst, n, len(src), nil
		}
		mark := len(dst)
		var end int
		if dst, end, fault = r.parse(dst, at, r.o.MaxDepth); fault != nil {
			// What follows nesting that is too deep does not matter, and would be read again for each
			// of many values that do not end. A reversible value can have more levels in JSON.
			if fault.Err != ErrDepth || r.o.Reversible {
				end = r.check(at)
			}
			if fault == escaped && end > 0 {
				r.heads.list, r.names.open = r.heads.list[:0], r.names.open[:0]
				dst, _, fault = r.value(dst[:mark], at, r.o.MaxDepth)
			}
		}
		if end == 0 {
			return dst[:mark], n, used, r.explain(at, n)
		}
		if end < len(src) && jsonClasses[src[at]] == classOther && jsonClasses[src[end]] == classOther {
			// jsontext reads 01 as the two values 0 and 1, which is hardly what
			// the author meant.
			c, _ := utf8.DecodeRune(src[end:])
			return dst[:mark], n, used, &Error{Offset: int64(end), Start: int64(at), Value: int64(n), Found: strconv.QuoteRune(c),
				Want: "white space after a number or literal", Err: ErrSyntax}
		}
		if fault != nil {
			fault = &Error{Offset: fault.Offset, Value: int64(n), Start: int64(at), Found: fault.Found, Want: fault.Want, Err: fault.Err}
			fault.Path = pathJSON(src[at:end], int(fault.Offset)-at)
			return dst[:mark], n, used, fault
		}
		dst = r.heads.expand(dst, 0)
		n++
		used = end
	}
}

// check returns the end of the value at src[at], or 0 if its syntax is wrong.
func (r *jsonReader) check(at int) (end int) {
	r.buf = *bytes.NewBuffer(r.src[at:])
	r.dec.Reset(&r.buf, allowDuplicates)
	if _, err := r.dec.ReadValue(); err != nil {
		return 0
	}
	return at + int(r.dec.InputOffset())
}

// changes returns nothing, because MessagePack has a form for every JSON value.
func (r *jsonReader) changes() Changed { return Changed{} }

// tooLarge reports whether the value at the start of text exceeds MaxValue. A number or
// literal with no white space after it ends with what follows it, as in the batches of a
// stream, so that a stream and a slice have the same error.
func (r *jsonReader) tooLarge(text []byte) bool {
	limit := r.o.MaxValue
	if len(text) <= limit {
		return false
	}
	text = text[:limit+1]
	var s JSONSplitter
	for end := 0; ; {
		n, whole, err := s.Next(text[end:])
		if end += n; err != nil || !whole {
			return err == nil
		}
		if jsonClasses[text[end-1]] != classOther {
			return end > limit
		}
		switch jsonClasses[text[end]] {
		case classSpace:
			return false
		case classClose, classSeparator:
			return end == limit
		}
	}
}

// spaces returns the length of the white space at the start of text.
func spaces(text []byte) int {
	for i, c := range text {
		if jsonClasses[c] != classSpace {
			return i
		}
	}
	return len(text)
}

// value appends the value at src[i] and returns the offset after it. depth is
// the number of containers that may still be opened.
func (r *jsonReader) value(dst []byte, i, depth int) ([]byte, int, *Error) {
	switch r.src[i] {
	case '{':
		if r.o.Reversible {
			if kind := r.escapeName(i); kind != "" {
				return r.escape(dst, i, depth, kind)
			}
		}
		return r.object(dst, i, depth)
	case '[':
		return r.array(dst, i, depth)
	case '"':
		return r.str(dst, i)
	case 't':
		return wire.AppendBool(dst, true), i + len("true"), nil
	case 'f':
		return wire.AppendBool(dst, false), i + len("false"), nil
	case 'n':
		return wire.AppendNil(dst), i + len("null"), nil
	default:
		return r.number(dst, i)
	}
}

func (r *jsonReader) array(dst []byte, i, depth int) ([]byte, int, *Error) {
	if depth == 0 {
		return dst, i, &Error{Offset: int64(i), Err: ErrDepth}
	}
	at := i
	head := r.heads.open(len(dst))
	dst = append(dst, 0)
	count := 0
	for i = r.skip(i + 1); r.src[i] != ']'; i = r.skip(i) {
		var err *Error
		if dst, i, err = r.value(dst, i, depth-1); err != nil {
			return dst, i, err
		}
		count++
	}
	if !r.heads.close(dst, head, wire.FixArray, count) {
		return dst, i, &Error{Offset: int64(at), Err: ErrLimit}
	}
	return dst, i + 1, nil
}

func (r *jsonReader) object(dst []byte, i, depth int) ([]byte, int, *Error) {
	if depth == 0 {
		return dst, i, &Error{Offset: int64(i), Err: ErrDepth}
	}
	at := i
	head, names := r.heads.open(len(dst)), len(r.names.open)
	dst = append(dst, 0)
	count := 0
	for i = r.skip(i + 1); r.src[i] != '}'; i = r.skip(i) {
		var err *Error
		key := name{offset: i, start: len(dst)}
		if r.o.Reversible {
			dst, i, err = r.key(dst, i)
		} else {
			dst, i, err = r.str(dst, i)
		}
		if err != nil {
			return dst, i, err
		}
		key.end = len(dst)
		r.names.open = append(r.names.open, key)
		if dst, i, err = r.value(dst, r.skip(i), depth-1); err != nil {
			return dst, i, err
		}
		count++
	}
	return r.closeMap(dst, at, i+1, head, names, count)
}

// closeMap ends the map in src[at:end]. It checks for duplicate keys and writes
// the header.
func (r *jsonReader) closeMap(dst []byte, at, end, head, names, count int) ([]byte, int, *Error) {
	if duplicate, found := r.names.close(dst, names); found {
		return dst, at, &Error{Offset: int64(duplicate.offset), Found: "another " + r.token(duplicate.offset), Err: ErrDuplicateKey}
	}
	if !r.heads.close(dst, head, wire.FixMap, count) {
		return dst, at, &Error{Offset: int64(at), Err: ErrLimit}
	}
	return dst, end, nil
}

// skip returns the offset of the next token at or after src[i]. It skips commas
// and colons too, because in valid JSON the tokens around them determine the
// structure.
func (r *jsonReader) skip(i int) int {
	for jsonClasses[r.src[i]] >= classSpace {
		i++
	}
	return i
}

// str appends the string at src[i].
func (r *jsonReader) str(dst []byte, i int) ([]byte, int, *Error) {
	text, end, _ := r.text(i)
	return r.appendString(dst, text, i, end)
}

// appendString appends text as a str. text is the decoded string in
// src[at:end].
func (r *jsonReader) appendString(dst, text []byte, at, end int) ([]byte, int, *Error) {
	if uint64(len(text)) > math.MaxUint32 {
		return dst, at, &Error{Offset: int64(at), Err: ErrLimit}
	}
	dst = wire.AppendStringHeader(dst, uint32(len(text)))
	return append(dst, text...), end, nil
}

// text returns the decoded string at src[i] and the offset after it. The bytes
// are part of src or of scratch memory. ok is false if src[i] does not start a
// string.
func (r *jsonReader) text(i int) (text []byte, end int, ok bool) {
	if r.src[i] != '"' {
		return nil, i, false
	}
	end, plain := r.stringEnd(i)
	if plain {
		return r.src[i+1 : end-1], end, true
	}
	// The error is always nil because jsontext has accepted the string.
	r.scratch, _ = jsontext.AppendUnquote(r.scratch[:0], r.src[i:end])
	return r.scratch, end, true
}

// stringEnd returns the offset after the string at src[i] and whether the
// string contains no escapes.
func (r *jsonReader) stringEnd(i int) (end int, plain bool) {
	src := r.src
	plain = true
	for i++; ; {
		// Check eight bytes at a time. A byte of w^(…) is zero if that byte of
		// w is a quote or a backslash. The mask has the top bit of the lowest
		// zero byte set.
		for i+8 <= len(src) {
			w := binary.LittleEndian.Uint64(src[i:])
			q, b := w^('"'*lows), w^('\\'*lows)
			if ((q-lows)&^q|(b-lows)&^b)&tops != 0 {
				break
			}
			i += 8
		}
		for src[i] != '"' && src[i] != '\\' {
			i++
		}
		if src[i] == '"' {
			return i + 1, plain
		}
		plain = false
		i += 2
	}
}
