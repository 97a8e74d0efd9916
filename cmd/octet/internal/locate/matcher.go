package locate

import (
	"strconv"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// A Matcher finds the values at a path among the tokens of a scanner. Create one
// with [Path.Matcher].
type Matcher struct {
	path Path
	on   []bool // for each depth: the open container is on the path
	key  []bool // for each depth: the last key of the open map is on the path

	// The key whose payload decides whether it is on the path.
	depth int    // of the key, 0 if there is none
	text  string // name: the part of the name that must follow
	raw   []byte // number: the encoded integer
	size  int    // number: its length

	empty bool // a step that selects all elements has met an empty container
}

// Matcher returns a Matcher for the path.
func (p Path) Matcher() *Matcher {
	return &Matcher{path: p, on: make([]bool, len(p)+1), key: make([]bool, len(p)+1)}
}

// Begin takes the next token with its encoded header. It reports whether the
// token is a value at the path.
func (m *Matcher) Begin(t scan.Token, head []byte) (selected bool) {
	m.depth = 0
	d := t.Depth
	if d > len(m.path) {
		return false
	}
	switch {
	case d == 0:
		m.on[0] = true
	case t.Role == scan.Key:
		m.on[d] = false
		m.key[d] = m.on[d-1] && m.beginKey(t, head)
		return false
	default:
		m.on[d] = m.on[d-1] && (t.Role == scan.Value && m.key[d] || t.Role == scan.Element && m.path[d-1].inArray(t.Index))
	}
	selected = m.on[d] && d == len(m.path)
	if kind := t.Format.Kind(); selected || kind != wire.KindArray && kind != wire.KindMap {
		m.on[d] = false
	}
	if m.on[d] && t.Count == 0 {
		all := m.path[d].kind
		m.empty = m.empty || all == element && t.Format.Kind() == wire.KindArray || all == value && t.Format.Kind() == wire.KindMap
	}
	return selected
}

// Write takes the next part of the payload of the token. Only the payloads of
// keys matter.
func (m *Matcher) Write(part []byte) {
	if m.depth == 0 {
		return
	}
	if m.path[m.depth-1].kind == name {
		n := min(len(part), len(m.text))
		if m.text[:n] != string(part[:n]) {
			m.key[m.depth] = false
		}
		m.text = m.text[n:]
		return
	}
	m.raw = append(m.raw, part...)
	if len(m.raw) == m.size {
		m.key[m.depth] = decimal(m.raw) == m.path[m.depth-1].text
	}
}

// beginKey reports whether a key is on the path, as far as the header tells.
func (m *Matcher) beginKey(t scan.Token, head []byte) bool {
	s := m.path[t.Depth-1]
	switch s.kind {
	case value:
		return true
	case pair:
		return s.n == t.Index
	case name:
		m.depth, m.text = t.Depth, s.text
		return t.Format.Kind() == wire.KindStr && int64(t.Payload) == int64(len(s.text))
	case number:
		if t.Format.Kind() != wire.KindInt {
			return false
		}
		m.depth, m.raw, m.size = t.Depth, append(m.raw[:0], head...), len(head)+int(t.Payload)
		return t.Payload == 0 && decimal(m.raw) == s.text
	}
	return false
}

// inArray reports whether the step selects the element.
func (s step) inArray(index uint64) bool {
	return s.kind == element || s.kind == number && s.n == index && !strings.HasPrefix(s.text, "-")
}

// decimal returns an encoded integer as text.
func decimal(b []byte) string {
	if u, _, err := wire.ConsumeUint(b); err == nil {
		return strconv.FormatUint(u, 10)
	}
	i, _, _ := wire.ConsumeInt(b)
	return strconv.FormatInt(i, 10)
}
