package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/msgpack/wire"
)

// sort returns data, one complete value, with the keys of all maps sorted, if the flag
// asks for it. Formats stay as they are.
func (e *encoder) sort(data []byte) []byte {
	if !e.sorted {
		return data
	}
	sorted, _ := e.appendSorted(make([]byte, 0, len(data)), data)
	return sorted
}

// A pair is one entry of a map, encoded.
type pair struct {
	name  string // that the key has in JSON
	entry []byte
}

// appendSorted appends the value at the start of src with sorted keys. It returns the
// rest of src.
func (e *encoder) appendSorted(dst, src []byte) (_, rest []byte) {
	h, n, _ := wire.ConsumeHeader(src) // the value is complete
	n += int(h.Payload)
	dst, rest = append(dst, src[:n]...), src[n:]
	switch h.Format.Kind() {
	case wire.KindArray:
		for range h.Count {
			dst, rest = e.appendSorted(dst, rest)
		}
	case wire.KindMap:
		pairs := make([]pair, 0, min(int(h.Count), len(rest)/2))
		for range h.Count {
			size := canonical.End(rest)
			name, ok := e.name(rest[:size])
			if !ok {
				// A map whose keys are not all names is a list of pairs in JSON. It
				// keeps their order.
				return append(dst, src[n:canonical.End(src)]...), src[canonical.End(src):]
			}
			var entry []byte
			key := rest[:size]
			entry, rest = e.appendSorted(slices.Clone(key), rest[size:])
			pairs = append(pairs, pair{name, entry})
		}
		slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.name, b.name) })
		for _, p := range pairs {
			dst = append(dst, p.entry...)
		}
	}
	return dst, rest
}

// name returns the name that a key has in JSON. It reports false for one that makes its
// map a list of pairs.
func (e *encoder) name(key []byte) (string, bool) {
	text, _, err := wire.ConsumeString(key)
	if err == nil {
		return string(text), !e.d.o.Reversible || !strings.HasPrefix(string(text), "$")
	}
	if e.d.o.Reversible {
		return "", false
	}
	name, _, err := e.d.name(key)
	return name, err == nil
}
