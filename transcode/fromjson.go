package transcode

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octet-go/octet/msgpack/wire"
)

// A jsonReader turns JSON text into MessagePack. The decoder of jsontext finds
// the values and proves each to be valid; what walks them afterwards relies on
// that and checks no grammar.
type jsonReader struct {
	o       Options
	dec     jsontext.Decoder
	buf     bytes.Buffer
	src     []byte
	heads   heads
	names   names
	scratch []byte // unescaped strings
}

// allowDuplicates leaves duplicate names to package names, which finds them in
// half the time and also where Reversible makes keys of other kinds.
var allowDuplicates = jsontext.AllowDuplicateNames(true)

// bom is the byte order mark that some programs put in front of UTF-8.
var bom = []byte("\xef\xbb\xbf")

func (r *jsonReader) reset(o Options) {
	r.o = o
	r.src = nil
	r.buf = bytes.Buffer{}
	r.dec.Reset(&r.buf, allowDuplicates)
	r.heads.list = keep(r.heads.list[:0])
	r.names.reset()
	r.scratch = keep(r.scratch)
}

func (r *jsonReader) convert(dst, src []byte, first, one bool) (out []byte, n, used int, fault *Error) {
	if first {
		used = len(src) - len(bytes.TrimPrefix(src, bom))
	}
	start := used // of the text that the decoder sees
	r.src = src
	r.buf = *bytes.NewBuffer(src[start:])
	r.dec.Reset(&r.buf, allowDuplicates)
	for {
		if r.o.MaxValue > 0 {
			if at := used + spaces(src[used:]); r.tooLarge(src[at:]) {
				return dst, n, used, &Error{Offset: int64(at), Value: int64(n), Err: ErrLimit}
			}
		}
		v, err := r.dec.ReadValue()
		if err == io.EOF {
			if one && n == 0 {
				return dst, n, used, &Error{Offset: int64(len(src)), Want: "a value", Err: wire.ErrTruncated}
			}
			return dst, n, len(src), nil
		}
		if err != nil {
			return dst, n, used, r.explain(used+spaces(src[used:]), n)
		}
		end := start + int(r.dec.InputOffset())
		at := end - len(v)
		if one && n == 1 {
			return dst, n, used, &Error{Offset: int64(at), Value: 1, Err: ErrTrailing}
		}
		mark := len(dst)
		r.heads.list = r.heads.list[:0]
		r.names.open = r.names.open[:0]
		var fault *Error
		if dst, _, fault = r.value(dst, at, r.o.MaxDepth); fault != nil {
			fault.Value = int64(n)
			fault.Path = pathJSON(src[at:end], int(fault.Offset)-at)
			return dst[:mark], n, used, fault
		}
		dst = r.heads.expand(dst, 0)
		n++
		used = end
	}
}

// tooLarge reports whether the value at the start of text exceeds MaxValue.
func (r *jsonReader) tooLarge(text []byte) bool {
	if len(text) <= r.o.MaxValue {
		return false
	}
	s := jsonBoundaries{once: true}
	end, _, bad := s.advance(text[:r.o.MaxValue+1])
	if end > 0 && jsonClasses[text[end-1]] == classSpace {
		end-- // the space that ended a number
	}
	return !bad && (end == 0 || end > r.o.MaxValue)
}

// spaces counts the white space at the start of text.
func spaces(text []byte) int {
	for i, c := range text {
		if jsonClasses[c] != classSpace {
			return i
		}
	}
	return len(text)
}

// value appends the value at src[i], which depth more containers may enclose,
// and returns the offset after it.
func (r *jsonReader) value(dst []byte, i, depth int) ([]byte, int, *Error) {
	switch r.src[i] {
	case '{':
		if r.o.Reversible {
			if name := r.escapeName(i); name != nil {
				return r.escape(dst, i, depth, name)
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
		return dst, i, &Error{Offset: int64(i), Err: wire.ErrDepth}
	}
	at := i
	head := r.heads.open(len(dst))
	dst = append(dst, 0)
	count := 0
	for i++; ; count++ {
		for jsonClasses[r.src[i]] >= classSpace {
			i++
		}
		if r.src[i] == ']' {
			break
		}
		var err *Error
		if dst, i, err = r.value(dst, i, depth-1); err != nil {
			return dst, i, err
		}
	}
	if uint64(count) > math.MaxUint32 {
		return dst, i, &Error{Offset: int64(at), Err: ErrLimit}
	}
	r.heads.close(dst, head, wire.FixArray, count)
	return dst, i + 1, nil
}

func (r *jsonReader) object(dst []byte, i, depth int) ([]byte, int, *Error) {
	if depth == 0 {
		return dst, i, &Error{Offset: int64(i), Err: wire.ErrDepth}
	}
	at := i
	head := r.heads.open(len(dst))
	names := len(r.names.open)
	dst = append(dst, 0)
	count := 0
	for i++; ; count++ {
		for jsonClasses[r.src[i]] >= classSpace {
			i++
		}
		if r.src[i] == '}' {
			break
		}
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
		for jsonClasses[r.src[i]] >= classSpace {
			i++
		}
		if dst, i, err = r.value(dst, i, depth-1); err != nil {
			return dst, i, err
		}
	}
	if twin, found := r.names.close(dst, names); found {
		return dst, i, r.duplicate(dst, twin)
	}
	if uint64(count) > math.MaxUint32 {
		return dst, i, &Error{Offset: int64(at), Err: ErrLimit}
	}
	r.heads.close(dst, head, wire.FixMap, count)
	return dst, i + 1, nil
}

// duplicate is the error for a key that another equals.
func (r *jsonReader) duplicate(dst []byte, twin name) *Error {
	found := "another " + clip(string(r.src[twin.offset:min(len(r.src), twin.offset+80)]))
	return &Error{Offset: int64(twin.offset), Found: found, Err: ErrDuplicateKey}
}

// str appends the string at src[i].
func (r *jsonReader) str(dst []byte, i int) ([]byte, int, *Error) {
	end, plain := r.stringEnd(i)
	text := r.src[i+1 : end-1]
	if !plain {
		text = r.unquote(i, end)
	}
	if uint64(len(text)) > math.MaxUint32 {
		return dst, i, &Error{Offset: int64(i), Err: ErrLimit}
	}
	dst = wire.AppendStringHeader(dst, uint32(len(text)))
	return append(dst, text...), end, nil
}

// unquote returns what the string src[i:end] stands for, in scratch memory.
func (r *jsonReader) unquote(i, end int) []byte {
	// The error is nil: the text is part of a value that jsontext accepted.
	r.scratch, _ = jsontext.AppendUnquote(r.scratch[:0], r.src[i:end])
	return r.scratch
}

// stringEnd returns the offset after the string at src[i] and whether it is
// free of escapes.
func (r *jsonReader) stringEnd(i int) (end int, plain bool) {
	src := r.src
	plain = true
	for i++; ; {
		// Eight bytes at a time: a byte of w^(…) is zero where w has a quote or
		// a backslash, and the lowest zero byte sets its top bit in the mask.
		for i+8 <= len(src) {
			const ones, tops = 0x0101010101010101, 0x8080808080808080
			w := binary.LittleEndian.Uint64(src[i:])
			q, b := w^('"'*ones), w^('\\'*ones)
			if ((q-ones)&^q|(b-ones)&^b)&tops != 0 {
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
