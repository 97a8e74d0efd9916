package transcode

import (
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octet-go/octet/msgpack/wire"
)

// key appends the key at src[i] as the name of a JSON object. A key that is not
// a str becomes the string of its JSON text.
func (r *msgpackReader) key(dst []byte, i, depth int) ([]byte, int, *Error) {
	kind := wire.KindNil
	if i < len(r.src) {
		kind = wire.FormatOf(r.src[i]).Kind()
	}
	at := len(dst)
	switch kind {
	case wire.KindStr:
		dst, end, err := r.value(dst, i, depth)
		if err == nil && r.o.Reversible && dst[at+1] == '$' {
			// Double the dollar sign so that the name is not read as that of an
			// escape object.
			dst = append(dst, 0)
			copy(dst[at+2:], dst[at+1:])
		}
		return dst, end, err
	case wire.KindArray, wire.KindMap, wire.KindExt:
		// A string inside a string doubles its backslashes, so nested keys
		// would grow exponentially.
		if r.inKey {
			return dst, i, &Error{Offset: int64(i), Found: kind.String() + " as a key inside a key", Err: ErrKey}
		}
	}
	outer, changed := r.inKey, r.changed
	r.inKey = true
	dst, end, err := r.value(dst, i, depth)
	r.inKey, r.changed = outer, changed
	r.changed.Keys++ // instead of the values in the key
	if err != nil || dst[at] == '"' {
		return dst, end, err
	}
	r.scratch = append(r.scratch[:0], dst[at:]...)
	dst, _ = jsontext.AppendQuote(dst[:at], r.scratch) // cannot fail because JSON text is valid UTF-8
	return dst, end, nil
}

// step returns the path step to the value whose key is at src[offset]. text is
// the JSON text of the key.
func (r *msgpackReader) step(offset int, text []byte) string {
	if wire.FormatOf(r.src[offset]).Kind() != wire.KindStr {
		return "{" + clip(string(text)) + "}"
	}
	name, _, _ := wire.ConsumeString(r.src[offset:])
	return string(AppendStep(nil, string(name)))
}

// survey records for each map of the value at src[i], in order, whether it can
// be a JSON object with Reversible: all its keys must be valid UTF-8 strs. This
// must be known before the first key is written. survey stops if the value is
// malformed; value then reports the error before it reads the missing results.
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

// index returns the path step to element k of an array.
func index(k uint32) string { return "[" + strconv.FormatUint(uint64(k), 10) + "]" }
