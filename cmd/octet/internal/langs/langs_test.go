package langs

import (
	"bytes"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/diag/diagtest"
	"github.com/octet-go/octet/cmd/octet/internal/gotypes"
	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/schema"
)

// TestHostile prints schemas whose texts try to leave the place where they are printed.
func TestHostile(t *testing.T) {
	const evil = "x\n*/\u2028`${\\\"'''#//"
	text := strings.ReplaceAll(`{"$ref":"#/$defs/T","$defs":{"T":{"type":"object","properties":{
		EVIL:{"msgpack":{"kind":"own","go":EVIL}},
		"s":{"type":"string","msgpack":{"kind":"str","go":EVIL}},
		"u":{"oneOf":[{"type":"array","prefixItems":[{"const":EVIL},{"msgpack":{"kind":"any","nil":true}}]}],"msgpack":{"kind":"union"}}},
		"msgpack":{"kind":"struct"}}}}`, "EVIL", quote(evil))
	s, err := schema.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	source, err := Go(s, Options{Type: "T", Package: "p"})
	if err == nil {
		_, err = parser.ParseFile(token.NewFileSet(), "", source, 0)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, source)
	}
	for name, got := range map[string]string{
		"Go": string(source), "TypeScript": string(TypeScript(s, Options{Type: "T"})), "Python": string(Python(s, Options{Type: "T"})),
	} {
		for line := range strings.Lines(got) {
			if strings.HasPrefix(line, "*/") || strings.Contains(line, "\u2028") {
				t.Errorf("%s: the text of a schema begins a line:\n%s", name, got)
			}
		}
	}
}

// TestGoErrors prints keys that a struct tag cannot have.
func TestGoErrors(t *testing.T) {
	for _, key := range []string{`""`, `"a,b"`} {
		text := `{"type":"object","properties":{` + key + `:{"type":"boolean","msgpack":{"kind":"bool"}}},"msgpack":{"kind":"struct"}}`
		s, err := schema.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Go(s, Options{Type: "T"}); err == nil || !strings.Contains(err.Error(), "of T cannot be in a struct tag") {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// TestNilOnce requires that no type lists nil twice.
func TestNilOnce(t *testing.T) {
	for _, text := range []string{
		`{"a": "x"} {"a": h'00'}`, `{"a": "x"} {"a": h'00'} {}`, `{"a": "x"} {"a": h'00'} {"a": nil}`, `{"a": ["x", h'00', nil]}`, `{1: "x", 2: h'00'}`,
		`{"a": nil}`, `{"a": nil} {"a": {"b": 1}} {}`, `{"a": [nil, [nil]]}`,
	} {
		s, samples := sample(t, diagtest.Pack(t, text)).Schema(gotypes.Options{Type: "T"})
		o := Options{Type: "T", Samples: samples}
		for _, source := range [][]byte{Python(s, o), TypeScript(s, o)} {
			if bytes.Contains(source, []byte("None | None")) || bytes.Contains(source, []byte("null | null")) {
				t.Errorf("%s\n%s", text, source)
			}
		}
	}
}

// TestIdentifier checks names that Python and JavaScript accept and keep apart.
func TestIdentifier(t *testing.T) {
	for text, want := range map[string]string{
		"": "X", "_": "X", "user": "user", "2fa": "X2fa", "a b-c": "a_b_c", "größe": "größe", "日本": "日本", "×": "X", "ﬁx": "x", "__init__": "init__", "Ελ": "X",
	} {
		if got := identifier(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"UserID": "user_id", "a b": "a_b", "2fa": "x2fa", "Größe": "größe", "-1": "x1"} {
		if got := snake(text); got != want {
			t.Errorf("snake %q: %q, want %q", text, got, want)
		}
	}
}

// FuzzSchema prints any schema.
func FuzzSchema(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":"boolean","msgpack":{"kind":"bool"}}},"msgpack":{"kind":"struct"}}`))
	f.Add([]byte(`{"oneOf":[{"type":"array","prefixItems":[{"const":1},{"$ref":"#/$defs/T"}]}],"msgpack":{"kind":"union"},"$defs":{"T":{"type":"array","items":{"$ref":"#/$defs/T"},"msgpack":{"kind":"array","nil":true}}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		heaptest.AtMost(t, 4000*len(text)+8<<20, func() {
			s, err := schema.Parse(text)
			if err != nil {
				return
			}
			o := Options{Type: "T", Package: "p"}
			if source, err := Go(s, o); err == nil {
				if _, err := parser.ParseFile(token.NewFileSet(), "", source, 0); err != nil {
					t.Errorf("%v\n%s", err, source)
				}
			}
			TypeScript(s, o)
			Python(s, o)
		})
	})
}
