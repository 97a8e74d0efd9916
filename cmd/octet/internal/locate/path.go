// Package locate finds the values at a path in a stream of MessagePack values.
//
// A path is written as octet inspect and error messages write it:
//
//	users[2].name     key "name" of element 2 of key "users"
//	["full name"][-5] key "full name", then the integer key -5
//	users[].name      the name of every element
//	limits{}          every value of a map
//	limits{3}         the value of pair 3, whatever its key is
//
// The empty path, a single dot, or $ is the whole value. Memory use does not
// depend on the size of the input.
package locate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// A Path is a sequence of steps from a top-level value to values inside it.
type Path []step

type step struct {
	kind stepKind
	text string // name: the key; number: the decimal number
	n    uint64 // number, pair: the index
}

type stepKind uint8

const (
	name    stepKind = iota // a key that is a str
	number                  // an element of an array, or a key that is an integer
	element                 // any element
	pair                    // the value of the pair with an index
	value                   // any value of a map
)

// Parse reads a path. An error says what is wrong with it and where.
func Parse(text string) (Path, error) {
	var p Path
	rest := text
	if text == "$" || strings.HasPrefix(text, "$.") || strings.HasPrefix(text, "$[") {
		rest = text[1:] // as in JSONPath
	}
	if rest == "." {
		return p, nil
	}
	for rest != "" {
		s, n, err := parseStep(rest, len(p) == 0)
		if err != nil {
			return nil, fmt.Errorf("path %q, at %q: %w", text, rest, err)
		}
		p, rest = append(p, s), rest[n:]
	}
	if len(p) > wire.MaxDepth {
		return nil, fmt.Errorf("the path has %d steps, more than %d", len(p), wire.MaxDepth)
	}
	return p, nil
}

// parseStep reads the step at the start of text and returns its length.
func parseStep(text string, first bool) (step, int, error) {
	switch text[0] {
	case '[':
		return parseBracket(text)
	case '{':
		inside, _, ok := strings.Cut(text[1:], "}")
		if !ok {
			return step{}, 0, fmt.Errorf("missing }")
		}
		if inside == "" {
			return step{kind: value}, 2, nil
		}
		n, err := strconv.ParseUint(inside, 10, 32)
		if err != nil {
			return step{}, 0, fmt.Errorf("{%s} must hold the number of a pair", inside)
		}
		return step{kind: pair, n: n}, len(inside) + 2, nil
	case '.':
		if len(text) > 1 && (text[1] == '[' || text[1] == '{') {
			s, n, err := parseStep(text[1:], true) // as in jq: .["key"]
			return s, n + 1, err
		}
		if len(text) == 1 || text[1] == '.' {
			return step{}, 0, fmt.Errorf("missing name after the dot")
		}
		s, n, err := parseStep(text[1:], true)
		return s, n + 1, err
	}
	if !first {
		return step{}, 0, fmt.Errorf("missing dot")
	}
	end := strings.IndexAny(text, ".[{")
	if end < 0 {
		end = len(text)
	}
	return step{kind: name, text: text[:end]}, end, nil
}

// parseBracket reads a step in square brackets.
func parseBracket(text string) (step, int, error) {
	if quoted, err := strconv.QuotedPrefix(text[1:]); err == nil && quoted[0] == '"' {
		key, err := strconv.Unquote(quoted)
		n := 1 + len(quoted)
		if err != nil || n >= len(text) || text[n] != ']' {
			return step{}, 0, fmt.Errorf("missing ] after the key")
		}
		return step{kind: name, text: key}, n + 1, nil
	}
	if strings.HasPrefix(text, "['") {
		key, _, ok := strings.Cut(text[2:], "']")
		if !ok {
			return step{}, 0, fmt.Errorf("missing '] after the key")
		}
		return step{kind: name, text: key}, len(key) + 4, nil
	}
	inside, _, ok := strings.Cut(text[1:], "]")
	if !ok {
		return step{}, 0, fmt.Errorf("missing ]")
	}
	if inside == "" {
		return step{kind: element}, 2, nil
	}
	if i, err := strconv.ParseInt(inside, 10, 64); err == nil {
		return step{kind: number, text: strconv.FormatInt(i, 10), n: uint64(max(i, -1))}, len(inside) + 2, nil
	}
	u, err := strconv.ParseUint(inside, 10, 64)
	if err != nil {
		return step{}, 0, fmt.Errorf(`[%s] must hold a number or a key in quotes, as in ["key"]`, inside)
	}
	return step{kind: number, text: strconv.FormatUint(u, 10), n: u}, len(inside) + 2, nil
}

// First returns the number of an element and the rest of the path, if the path begins
// with one. In a map, the number is a key.
func (p Path) First() (n uint64, rest Path, ok bool) {
	if len(p) == 0 || p[0].kind != number || strings.HasPrefix(p[0].text, "-") {
		return 0, nil, false
	}
	return p[0].n, p[1:], true
}

// InArray reports whether the first step of the path can select an element of an array.
func (p Path) InArray() bool {
	return len(p) > 0 && (p[0].kind == number || p[0].kind == element)
}

// String returns the path in the notation of package scan.
func (p Path) String() string {
	var b strings.Builder
	for _, s := range p {
		switch {
		case s.kind == element:
			b.WriteString("[]")
		case s.kind == value:
			b.WriteString("{}")
		case s.kind == pair:
			fmt.Fprintf(&b, "{%d}", s.n)
		case s.kind == number:
			b.WriteString("[" + s.text + "]")
		case !scan.IsIdentifier([]byte(s.text)):
			b.WriteString("[" + strconv.Quote(s.text) + "]")
		case b.Len() > 0:
			b.WriteString("." + s.text)
		default:
			b.WriteString(s.text)
		}
	}
	return b.String()
}

// Many reports whether the path can select more than one value of a top-level
// value.
func (p Path) Many() bool {
	for _, s := range p {
		if s.kind == element || s.kind == value {
			return true
		}
	}
	return false
}
