// Package langs prints the types of a schema as declarations of programming languages.
//
//	schema ─ names ─ one printer for each language
//
// Texts in a schema can come from anyone. A printer writes them as literals, as comments
// on one line, or as names in which only letters, digits and underscores are left.
package langs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/octet-go/octet/cmd/octet/internal/gotypes"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// Options say what a schema does not.
type Options struct {
	Type    string // name of the type of whole messages, if the schema has none
	Package string // name of a Go package; empty: no package clause and no imports
	Samples *gotypes.Samples
}

// isDeclared reports whether a type is declared with a name, and not written in place.
func isDeclared(t *schema.Type) bool {
	switch t.Kind {
	case msgpack.FormStruct, msgpack.FormUnion:
		return true
	case msgpack.FormArray, msgpack.FormMap:
		return t.Name != "" && !t.Set && !t.Pairs
	}
	return false
}

// A namer finds the types to declare and their names.
type namer struct {
	clean func(string) string // makes a name of a text
	taken map[string]bool
	names map[*schema.Type]string
	order []*schema.Type // as the types occur in the schema
	seen  map[*schema.Type]bool
}

// newNamer names the types of a schema. taken are the names that no type can have.
func newNamer(s *schema.Schema, o *Options, clean func(string) string, taken []string) *namer {
	n := &namer{clean: clean, taken: map[string]bool{}, names: map[*schema.Type]string{}, seen: map[*schema.Type]bool{}}
	for _, name := range taken {
		n.taken[name] = true
	}
	n.walk(s.Root.Type, o.Type)
	return n
}

// walk names a type and its parts. hint is a name for a type that has none.
func (n *namer) walk(t *schema.Type, hint string) {
	if t == nil || n.seen[t] {
		return
	}
	n.seen[t] = true
	if isDeclared(t) {
		if t.Name != "" {
			hint = t.Name
		}
		hint = gotypes.Unique(n.clean(hint), n.taken)
		n.names[t] = hint
		n.order = append(n.order, t)
	}
	n.walk(t.Key.Type, hint+"Key")
	n.walk(t.Elem.Type, gotypes.Singular(hint))
	for i := range t.Fields {
		n.walk(t.Fields[i].Type, hint+gotypes.Name(t.Fields[i].Name))
	}
	for _, v := range t.Variants {
		n.walk(v.Type, hint+gotypes.Name(fmt.Sprint(v.Tag)))
	}
}

// isRoot reports whether the type of whole messages is declared, so that it needs no
// further name.
func (n *namer) isRoot(v schema.Value) bool { return !v.Nil && n.names[v.Type] != "" }

// rootName returns a further name for whole messages.
func (n *namer) rootName(name string) string {
	if name = n.clean(name); n.taken[name] {
		name += "Message"
	}
	return gotypes.Unique(name, n.taken)
}

// identifier returns a name of ASCII letters, digits, underscores and some other letters,
// of which Python and JavaScript take no two for the same.
func identifier(text string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z', r == '_':
			return r
		case r >= 0xc0 && r <= 0xff && r != '×' && r != '÷', r >= 0x410 && r <= 0x44f, r >= 0x4e00 && r <= 0x9fa5:
			return r
		}
		return '_'
	}, text)
	name = strings.TrimLeft(name, "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "X" + name
	}
	return name
}

// capital returns a name that begins with a capital letter, if its script has them.
func capital(name string) string {
	r, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[size:]
}

// quote returns a string literal of JSON, which is also one of JavaScript and Python.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return `""` // not reached: a string has a JSON form
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// literal returns the literal of a tag.
func literal(tag any) string {
	if s, ok := tag.(string); ok {
		return quote(s)
	}
	return fmt.Sprint(tag)
}

// note returns what a comment says of a field: how many samples have it, and what its
// type does not say.
func (o *Options) note(t *schema.Type, field int) string {
	f := &t.Fields[field]
	var notes []string
	if o.Samples != nil {
		if seen := o.Samples.Structs[t]; seen != nil && seen.Fields[field] < seen.Count {
			notes = append(notes, fmt.Sprintf("in %d of %d", seen.Fields[field], seen.Count))
		}
	}
	if text := typeNote(f.Type); text != "" {
		notes = append(notes, text)
	}
	return strings.Join(notes, ", ")
}

// typeNote returns what no language says of a type.
func typeNote(t *schema.Type) string {
	switch t.Kind {
	case msgpack.FormOwn:
		return "written by " + visible(t.Name)
	case msgpack.FormStr, msgpack.FormBin:
		if t.Checked {
			return "written by " + visible(t.Name)
		}
		if t.Length >= 0 {
			return strconv.Itoa(t.Length) + " bytes"
		}
	case msgpack.FormTime:
		return timeNotes[t.Time]
	case msgpack.FormExt:
		if !t.AnyExt {
			return "ext type " + strconv.Itoa(int(t.Ext))
		}
	}
	return ""
}

var timeNotes = [...]string{
	msgpack.TimeRFC3339: "RFC 3339 time", msgpack.TimeUnix: "Unix time in seconds", msgpack.TimeUnixMilli: "Unix time in milliseconds",
	msgpack.TimeUnixMicro: "Unix time in microseconds", msgpack.TimeUnixNano: "Unix time in nanoseconds",
}

// visible returns a text for a comment.
func visible(s string) string {
	q := strconv.Quote(s)
	return q[1 : len(q)-1]
}

// isBytes reports whether the samples have str and bin at places of the type.
func (o *Options) isBytes(t *schema.Type) bool { return o.Samples != nil && o.Samples.Bytes[t] }
