package transcode

import (
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octet-go/octet/msgpack/wire"
)

// key appends the key at src[i] as the name of a JSON object. A key that is not
// a str becomes the string that holds its JSON text; depth and owed are those
// of value.
func (r *msgpackReader) key(dst []byte, i, depth int, owed uint64) ([]byte, int, *Error) {
	kind := wire.KindNil
	if i < len(r.src) {
		kind = wire.FormatOf(r.src[i]).Kind()
	}
	at := len(dst)
	switch kind {
	case wire.KindStr:
		dst, end, err := r.value(dst, i, depth, owed)
		if err == nil && r.o.Reversible && dst[at+1] == '$' {
			// The name must not look like that of an escape object.
			dst = append(dst, 0)
			copy(dst[at+2:], dst[at+1:])
		}
		return dst, end, err
	case wire.KindArray, wire.KindMap, wire.KindExt:
		// Each string in a string doubles its backslashes, so keys within keys
		// within keys would grow without measure.
		if r.inKey {
			return dst, i, &Error{Offset: int64(i), Found: "a key of kind " + kind.String() + " inside a key", Err: ErrKey}
		}
	}
	outer := r.inKey
	r.inKey = true
	dst, end, err := r.value(dst, i, depth, owed)
	r.inKey = outer
	if err != nil || dst[at] == '"' {
		return dst, end, err
	}
	r.scratch = append(r.scratch[:0], dst[at:]...)
	dst, _ = jsontext.AppendQuote(dst[:at], r.scratch) // our own text is UTF-8
	return dst, end, nil
}

// step is the path into the value of the key at src[offset], which was written
// as text.
func (r *msgpackReader) step(text []byte, offset int) string {
	if wire.FormatOf(r.src[offset]).Kind() != wire.KindStr {
		return "{" + clip(string(text)) + "}"
	}
	name, _, _ := wire.ConsumeString(r.src[offset:])
	return string(appendStep(nil, string(name)))
}

// survey looks at the maps of the value at src[i], in order, and notes whether
// each can be a JSON object under Reversible: whether all its keys are text.
// It must be known before the first key is written. Where the value is damaged
// it stops; value then reports the fault before it needs more.
func (r *msgpackReader) survey(i, depth int) (end int, ok bool) {
	h, n, err := wire.ConsumeHeader(r.src[i:])
	if err != nil || uint64(h.Payload) > uint64(len(r.src)-i-n) {
		return i, false
	}
	i += n + int(h.Payload)
	kind := h.Format.Kind()
	if kind != wire.KindArray && kind != wire.KindMap {
		return i, true
	}
	if depth == 0 {
		return i, false
	}
	index := len(r.plain)
	if kind == wire.KindMap {
		r.plain = append(r.plain, true)
	}
	for k := range h.Values() {
		if kind == wire.KindMap && k%2 == 0 {
			name, _, err := wire.ConsumeString(r.src[i:])
			if err != nil || !utf8.Valid(name) {
				r.plain[index] = false
			}
		}
		if i, ok = r.survey(i, depth-1); !ok {
			return i, false
		}
	}
	return i, true
}

// index is the step into element k of an array.
func index(k uint32) string { return "[" + strconv.FormatUint(uint64(k), 10) + "]" }
