package langs

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/diag/diagtest"
	"github.com/octet-go/octet/cmd/octet/internal/gotypes"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/internal/heaptest"
)

func sample(t testing.TB, data []byte) *gotypes.Sampler {
	t.Helper()
	var c gotypes.Sampler
	if err := c.Add(scan.New(bytes.NewReader(data), 0)); err != nil {
		t.Fatal(err)
	}
	return &c
}

// An inference holds the options of the inference and of the printer.
type inference struct {
	gotypes.Options
	pkg string
}

// goSource returns the Go types of samples.
func goSource(c *gotypes.Sampler, o inference) ([]byte, error) {
	s, samples := c.Schema(o.Options)
	return Go(s, Options{Type: o.Type, Package: o.pkg, Samples: samples})
}

func TestSource(t *testing.T) {
	var dictionary strings.Builder
	for i := range 40 {
		fmt.Fprintf(&dictionary, `"u%d": {"n": %d}, `, i, i)
	}
	trim := func(b *strings.Builder) string { return strings.TrimSuffix(b.String(), ", ") }
	for _, c := range []struct {
		name, in, want string
		o              inference
	}{
		{"scalars", `{"a": true, "b": "x", "c": 1, "d": -1, "e": 18446744073709551615, "f": 1.5, "g": 1.5_f32, "h": h'00', "t": time(1, 0), "x": ext(5, h'00'), "n": nil}`, `
type T struct {
	A bool        "msgpack:\"a\""
	B string      "msgpack:\"b\""
	C int64       "msgpack:\"c\""
	D int64       "msgpack:\"d\""
	E uint64      "msgpack:\"e\""
	F float64     "msgpack:\"f\""
	G float32     "msgpack:\"g\""
	H []byte      "msgpack:\"h\""
	T time.Time   "msgpack:\"t\""
	X msgpack.Ext "msgpack:\"x\""
	N any         "msgpack:\"n\""
}`, inference{}},
		{"narrow", `{"a": 255, "b": -128, "c": 65535, "d": -32769, "e": 4294967296, "f": 0}`, `
type T struct {
	A uint8  "msgpack:\"a\""
	B int8   "msgpack:\"b\""
	C uint16 "msgpack:\"c\""
	D int32  "msgpack:\"d\""
	E uint64 "msgpack:\"e\""
	F uint8  "msgpack:\"f\""
}`, inference{Options: gotypes.Options{Narrow: true}}},
		{"narrow arrays", `{"a": [0, 255], "b": [[1]], "c": [-1], "d": [256], "e": [nil, 1]}`, `
type T struct {
	A []uint16   "msgpack:\"a\""
	B [][]uint16 "msgpack:\"b\""
	C []int8     "msgpack:\"c\""
	D []uint16   "msgpack:\"d\""
	E []*uint8   "msgpack:\"e\""
}`, inference{Options: gotypes.Options{Narrow: true}}},
		{"mixed numbers", `{"a": [1, 1.5], "b": [9007199254740993, 1.5], "c": [-1, 18446744073709551615], "d": [1, "x"]}`, `
type T struct {
	A []float64        "msgpack:\"a\""
	B []msgpack.Number "msgpack:\"b\""
	C []msgpack.Number "msgpack:\"c\""
	D []any            "msgpack:\"d\""
}`, inference{}},
		{"optional fields", `{"id": 1, "name": "a", "n": 0, "l": [], "m": ["x"], "t": time(1, 0), "s": {"a": 1}} {"id": 2, "z": nil} {"id": 3, "z": 5}`, `
type T struct {
	ID   int64      "msgpack:\"id\""
	Name string     "msgpack:\"name,omitempty\"" // in 1 of 3
	N    *int64     "msgpack:\"n,omitempty\""    // in 1 of 3
	L    []any      "msgpack:\"l,omitzero\""     // in 1 of 3
	M    []string   "msgpack:\"m,omitempty\""    // in 1 of 3
	T    *time.Time "msgpack:\"t,omitempty\""    // in 1 of 3
	S    *S         "msgpack:\"s,omitempty\""    // in 1 of 3
	Z    *int64     "msgpack:\"z,omitempty\""    // in 2 of 3
}

type S struct {
	A int64 "msgpack:\"a\""
}`, inference{}},
		{"nested structs", `{"users": [{"id": 1, "home": {"zip": "1"}}, {"id": 2, "home": {"zip": "2"}}, nil], "boss": {"id": 3, "home": {"zip": "3"}}}`, `
type T struct {
	Users []*User "msgpack:\"users\""
	Boss  User    "msgpack:\"boss\""
}

type User struct {
	ID   int64    "msgpack:\"id\""
	Home UserHome "msgpack:\"home\""
}

type UserHome struct {
	Zip string "msgpack:\"zip\""
}`, inference{}},
		{"maps", `{"i": {1: "a"}, "b": {h'01': 1}, "e": {}, "mix": {1: 1, "a": 2}, "any": {1.5: 1, "a": "b"}, "comma": {"a,b": 1}, "paths": {"a/b": 1}}`, `
type T struct {
	I     map[int64]string "msgpack:\"i\""
	B     msgpack.Pairs    "msgpack:\"b\""
	E     map[string]any   "msgpack:\"e\""
	Mix   map[any]int64    "msgpack:\"mix\""
	Any   map[any]any      "msgpack:\"any\""
	Comma map[string]int64 "msgpack:\"comma\""
	Paths map[string]int64 "msgpack:\"paths\""
}`, inference{}},
		{"dictionary", "{" + trim(&dictionary) + "}", `
type T map[string]TItem

type TItem struct {
	N int64 "msgpack:\"n\""
}`, inference{}},
		{"top-level array", `[{"a": 1}, {"a": 2}]`, `
type T []TItem

type TItem struct {
	A int64 "msgpack:\"a\""
}`, inference{}},
		{"top-level scalars", `1 2.5`, "\ntype T float64", inference{}},
		{"nothing", ``, "\ntype T any", inference{}},
		{"names", `{"user_id": 1, "userID": 2, "URLs": 3, "2fa": 4, "größe": 5, "日本": 6, "-": 7, "a b": 8, "!": 9, "a\"` + "`" + `": 10}`, `
type T struct {
	UserID  int64 "msgpack:\"user_id\""
	UserID2 int64 "msgpack:\"userID\""
	URLs    int64 "msgpack:\"URLs\""
	X2fa    int64 "msgpack:\"2fa\""
	Größe   int64 "msgpack:\"größe\""
	X日本     int64 "msgpack:\"日本\""
	X       int64 "msgpack:\"-,\""
	AB      int64 "msgpack:\"a b\""
	X2      int64 "msgpack:\"!\""
	A       int64 "msgpack:\"a\\\"` + "`" + `\""
}`, inference{}},
		{"package", `{"t": time(1, 0), "x": ext(5, h'00')}`, `package p

import (
	"time"

	"github.com/octet-go/octet/msgpack"
)

type T struct {
	T time.Time   "msgpack:\"t\""
	X msgpack.Ext "msgpack:\"x\""
}`, inference{pkg: "p"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Type = "T"
			got, err := goSource(sample(t, diagtest.Pack(t, c.in)), c.o)
			if err != nil {
				t.Fatal(err)
			}
			want := c.want
			if c.o.pkg == "" {
				want = want[1:]
			}
			var lines []string
			for line := range strings.Lines(strings.TrimSpace(want)) {
				// The cases have the tags in double quotes, because they are in backquotes themselves.
				if before, tag, ok := strings.Cut(strings.TrimRight(line, "\n"), ` "msgpack`); ok && !strings.Contains(line, "`") {
					tag, note, noted := strings.Cut(tag, "// ")
					tag = "`msgpack" + strings.ReplaceAll(strings.TrimSuffix(strings.TrimSpace(tag), `"`), `\"`, `"`) + "`"
					line = before + " " + tag
					if noted {
						line += " // " + note
					}
				}
				lines = append(lines, strings.Join(strings.Fields(line), " "))
			}
			var gotLines []string
			for line := range strings.Lines(strings.TrimSpace(string(got))) {
				gotLines = append(gotLines, strings.Join(strings.Fields(line), " "))
			}
			if strings.Join(gotLines, "\n") != strings.Join(lines, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(gotLines, "\n"), strings.Join(lines, "\n"))
			}
		})
	}
}

// TestRoundTrip compiles generated types, decodes the samples into them, and
// encodes them again.
func TestRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	const in = `
{"id": 18446744073709551615, "name": "Ada", "tags": ["a", "b"], "at": time'2026-11-21T08:00:00Z', "photo": h'ff00',
 "score": 1.5, "f": 0.5_f32, "home": {"zip": "1", "floor": 0}, "limits": {1: "x", 2: "y"}, "x": ext(5, h'0102'), "any": [1, "a"], "n": nil}
{"id": 2, "name": "", "tags": [], "home": nil, "limits": {}, "any": [], "n": 5, "-": 1, "a b": true, "empty": [], "deep": [[{"k": [1, -1]}]], "small": [[0, 255], []]}
{"id": 3, "name": "Eve", "tags": [], "home": {"zip": "3"}, "limits": {}, "any": [], "n": 6, "num": 0}`
	data := diagtest.Pack(t, in)
	for _, narrow := range []bool{false, true} {
		source, err := goSource(sample(t, data), inference{gotypes.Options{Type: "Record", Narrow: narrow}, "main"})
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		program := `package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/octet-go/octet/msgpack"
)

func main() {
	data, _ := os.ReadFile(os.Args[1])
	d := msgpack.NewDecoder(bytes.NewReader(data))
	for d.More() {
		start := d.InputOffset()
		var r Record
		if err := d.Decode(&r); err != nil {
			fmt.Println(err)
			return
		}
		out, err := msgpack.Marshal(r)
		var a, b any
		_ = msgpack.Unmarshal(data[start:d.InputOffset()], &a)
		_ = msgpack.Unmarshal(out, &b)
		if err != nil || fmt.Sprintf("%#v", a) != fmt.Sprintf("%#v", b) { // %v prints an array as a bin
			fmt.Println(err, a, b)
		}
	}
}
`
		for name, text := range map[string]string{"main.go": program, "types.go": string(source), "data": string(data)} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		out, err := exec.Command("go", "run", filepath.Join(dir, "main.go"), filepath.Join(dir, "types.go"), filepath.Join(dir, "data")).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("narrow %v: %v\n%s\n%s", narrow, err, out, source)
		}
	}
}

// TestPlural names the type of the values of a file users.json, which is one user or holds all of them.
func TestPlural(t *testing.T) {
	for text, want := range map[string]string{
		`{"id": 1}`:              "type User struct {\n\tID int64",
		`{"users": [{"id": 1}]}`: "type Users struct {\n\tUsers []User `msgpack:\"users\"`\n}\n\ntype User struct {\n\tID int64",
		`{"user": {"id": 1}}`:    "type Users struct {\n\tUser User `msgpack:\"user\"`\n}\n\ntype User struct {\n\tID int64",
	} {
		got, err := goSource(sample(t, diagtest.Pack(t, text)), inference{Options: gotypes.Options{Type: "Users", Plural: true}})
		if err != nil || !strings.HasPrefix(string(got), want) {
			t.Errorf("%s: %v\n%s\nwant %s", text, err, got, want)
		}
	}
}

func FuzzSource(f *testing.F) {
	f.Add(diagtest.Pack(f, `{"a": [1, {"b": nil, 1: 2}], "a b": h'00'} [{"": {}}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		// The source has each name several times, in comments and tags, and is parsed to format it.
		heaptest.AtMost(t, 2000*len(data)+4<<20, func() {
			var c gotypes.Sampler
			if err := c.Add(scan.New(bytes.NewReader(data), 0)); err != nil {
				return
			}
			s, samples := c.Schema(gotypes.Options{Type: "T"})
			o := Options{Package: "p", Type: "T", Samples: samples}
			if _, err := Go(s, o); err != nil {
				t.Fatal(err)
			}
			TypeScript(s, o)
			Python(s, o)
		})
	})
}
