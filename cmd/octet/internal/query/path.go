package query

import (
	"github.com/itchyny/gojq"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/msgpack/wire"
)

// pathOf returns the keys of a program such as .a.b["c"], and nil for any other program.
func pathOf(q *gojq.Query) (keys []string) {
	if q.Term == nil || q.Term.Type != gojq.TermTypeIndex || len(q.FuncDefs) > 0 || len(q.Imports) > 0 || len(q.Patterns) > 0 {
		return nil
	}
	indexes := []*gojq.Index{q.Term.Index}
	for _, s := range q.Term.SuffixList {
		indexes = append(indexes, s.Index)
	}
	for _, i := range indexes {
		if i == nil || !isConstant(i) {
			return nil
		}
		n := needOfIndex(i, passes)
		if n.each != nil {
			return nil
		}
		for key := range n.fields {
			keys = append(keys, key)
		}
	}
	return keys
}

// encodedNil is the result for a key that a map lacks.
var encodedNil = []byte{byte(wire.Nil)}

// find returns the encoded value at a path of keys. It does not find what needs another
// look: a step into anything but a map or nil, a key that is not a string, and a key that
// occurs twice.
func find(data []byte, keys []string) (value []byte, ok bool) {
	for _, key := range keys {
		h, n, err := wire.ConsumeHeader(data)
		if err != nil {
			return nil, false
		}
		switch h.Format.Kind() {
		case wire.KindNil:
			return encodedNil, true
		case wire.KindMap:
		default:
			return nil, false
		}
		rest, value := data[n:], []byte(nil)
		for range h.Count {
			name, size, err := wire.ConsumeString(rest)
			if err != nil {
				return nil, false
			}
			rest = rest[size:]
			size = canonical.End(rest)
			if string(name) == key {
				if value != nil {
					return nil, false
				}
				value = rest[:size]
			}
			rest = rest[size:]
		}
		if value == nil {
			return encodedNil, true
		}
		data = value
	}
	return data, true
}
