package query

import (
	"fmt"
	"unicode/utf8"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/msgpack/wire"
)

// part decodes what n needs of the value at the start of src, and returns the rest of
// src. An array or map that is not needed becomes a substitute of the same type, and a
// map of which some keys are needed has only these. Their encoded form is that of the
// whole value.
func (d *decoder) part(src []byte, n *need) (v any, rest []byte, err error) {
	if n.all {
		return d.value(src)
	}
	h, size, err := wire.ConsumeHeader(src)
	if err != nil {
		return nil, src, err
	}
	switch kind := h.Format.Kind(); {
	case kind == wire.KindArray && n.each != nil:
		list := make([]any, 0, min(int(h.Count), len(src)))
		rest = src[size:]
		for range h.Count {
			if v, rest, err = d.part(rest, n.each); err != nil {
				return nil, src, err
			}
			list = append(list, v)
		}
		v = list
	case kind == wire.KindMap && (n.each != nil || n.fields != nil):
		if d.o.Reversible {
			return d.value(src) // the map may be an escape object
		}
		if v, rest, err = d.entries(src[size:], h.Count, n); err != nil {
			return nil, src, err
		}
	case kind == wire.KindArray && h.Count > 0:
		v, rest = []any{nil}, src[canonical.End(src):]
	case kind == wire.KindMap:
		v, rest = map[string]any{}, src[canonical.End(src):]
	default:
		return d.value(src)
	}
	d.remember(v, src[:len(src)-len(rest)])
	return v, rest, nil
}

// entries decodes the entries of a map that n needs.
func (d *decoder) entries(src []byte, count uint32, n *need) (any, []byte, error) {
	m := map[string]any{}
	for range count {
		name, size, err := wire.ConsumeString(src)
		isText := err == nil
		if isText && n.each == nil && n.fields[string(name)] == nil {
			src = src[size:]
			src = src[canonical.End(src):]
			continue
		}
		key := string(name)
		if !isText || !utf8.Valid(name) {
			if key, size, err = d.name(src); err != nil {
				return nil, src, err
			}
		}
		src = src[size:]
		part, needed := n.of(key)
		if !needed {
			src = src[canonical.End(src):]
			continue
		}
		if _, exists := m[key]; exists {
			return nil, src, fmt.Errorf("%w %q", wire.ErrDuplicateKey, key)
		}
		if m[key], src, err = d.part(src, part); err != nil {
			return nil, src, err
		}
	}
	return m, src, nil
}
