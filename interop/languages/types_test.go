package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// The types of an order have what a schema can say of types in other languages.
type (
	order struct {
		ID       uint64              `msgpack:"id,required"`
		Small    int16               `msgpack:"small number"`
		Ratio    float32             `msgpack:"ratio"`
		Name     string              `msgpack:"name,omitempty"`
		Data     []byte              `msgpack:"data"`
		Hash     [4]byte             `msgpack:"hash"`
		At       time.Time           `msgpack:"at"`
		Until    *time.Time          `msgpack:"until,omitempty"`
		Ext      msgpack.Ext         `msgpack:"ext"`
		Any      any                 `msgpack:"any"`
		Point    complex64           `msgpack:"point"`
		Tags     map[string]struct{} `msgpack:"tags,set"`
		Scores   map[string][]*int32 `msgpack:"scores"`
		ByNumber map[uint16]address  `msgpack:"by_number,omitempty"`
		Home     *address            `msgpack:"class"`
		Rows     []orderLine         `msgpack:"from_message"`
		Sparse   sparse              `msgpack:"größe \"\\"`
		Tree     tree                `msgpack:"tree"`
		Shape    shape               `msgpack:"shape"`
		Figures  []figure            `msgpack:"figures"`
		Loose    loose               `msgpack:"loose"`
		Inner    struct{ X, Y int8 } `msgpack:"inner"`
		None     struct{}            `msgpack:"-,"`
	}
	address struct {
		Zip   string `msgpack:"zip,omitempty"`
		Floor int64  `msgpack:"floor,omitzero"`
	}
	orderLine struct {
		_    struct{} `msgpack:",as_array"`
		X, Y float64
		Home *address
	}
	sparse struct {
		A string   `msgpack:"1,keyasint"`
		B *address `msgpack:"-5,keyasint,omitempty"`
	}
	tree struct {
		Next   *tree `msgpack:",omitempty"`
		List   []tree
		Named  map[string]tree
		Forest forest
		Book   book
	}
	forest []forest
	book   map[string]struct{ Parts book }
	loose  struct {
		Known string              `msgpack:"known"`
		Rest  map[string]*address `msgpack:",inline"`
	}
	shape  interface{ area() }
	circle struct {
		Radius float64 `msgpack:"radius"`
	}
	square struct {
		Side int32 `msgpack:"side"`
	}
	figure  interface{ outline() }
	polygon struct{ Points [][2]int32 }
	sides   int
)

func (circle) area()     {}
func (square) area()     {}
func (polygon) outline() {}
func (sides) outline()   {}

var sampleOrder = func() *order {
	seven, at := int32(7), time.Date(2026, 11, 21, 8, 0, 0, 5e6, time.UTC)
	return &order{
		ID: 1 << 63, Small: -300, Ratio: 0.5, Name: "Ada \"\u2028", Data: []byte{0, 255}, Hash: [4]byte{1, 2, 3, 4}, At: at, Until: &at, Ext: msgpack.Ext{Type: 5, Data: []byte{1}},
		Any: []any{int64(1) << 40, "a", nil, true}, Point: complex(1, -2.5), Tags: map[string]struct{}{"x": {}}, Scores: map[string][]*int32{"a": {&seven, nil}},
		ByNumber: map[uint16]address{7: {Zip: "1"}}, Home: &address{"1", 1 << 40}, Rows: []orderLine{{X: 1, Y: 2.5}, {Home: &address{}}}, Sparse: sparse{"a", &address{Zip: "2"}},
		Tree:  tree{&tree{}, []tree{{}}, map[string]tree{"a": {}}, forest{{}, {forest{}}}, book{"a": {book{"b": {}}}}},
		Shape: square{-3}, Figures: []figure{polygon{[][2]int32{{1, 2}}}, sides(1 << 30), nil}, Loose: loose{"k", map[string]*address{"other": {Zip: "3"}, "nil": nil}},
	}
}()

// A printed type is a Go type whose schema is printed in another language.
type printed struct {
	name   string
	typ    reflect.Type
	codec  *msgpack.Codec
	schema string // name of the file
	values []message
}

// A message has the value of any variable, too.
type message struct {
	data  []byte
	value any
}

// printedTypes returns the order, in its full and its empty form, and random types.
func printedTypes(t *testing.T, folder string, random int) []printed {
	t.Helper()
	codec, err := msgpack.New(msgpack.Options{Types: []msgpack.TypeCoder{
		msgpack.Union[shape]("type", msgpack.VariantOf[circle]("circle"), msgpack.VariantOf[square](2)),
		msgpack.Union[figure]("", msgpack.VariantOf[polygon]("polygon"), msgpack.VariantOf[sides](-1)),
	}})
	if err != nil {
		t.Fatal(err)
	}
	var list []printed
	add := func(typ reflect.Type, values ...any) {
		s, err := schema.OfType(typ, codec)
		if err != nil {
			return // a type that has no MessagePack form
		}
		p := printed{name: fmt.Sprint("t", len(list)), typ: typ, codec: codec}
		for _, v := range values {
			data, err := codec.Marshal(v)
			const longest = 2000 // so that the programs stay small
			var m message
			if err != nil || len(data) > longest || codec.Unmarshal(data, &m.value) != nil || codec.Unmarshal(data, reflect.New(typ).Interface()) != nil {
				continue // such as a key that Go maps cannot have
			}
			m.data = data
			p.values = append(p.values, m)
		}
		p.schema = filepath.Join(folder, p.name+".schema.json")
		if err := os.WriteFile(p.schema, []byte(s.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	add(reflect.TypeFor[order](), sampleOrder, &order{Shape: circle{1e300}})
	for seed := uint64(1); len(list) <= random; seed++ {
		r := randtype.FromSeed(seed)
		typ := r.Type()
		var values []any
		for range 4 {
			values = append(values, r.Value(typ).Addr().Interface())
		}
		add(typ, values...)
	}
	return list
}

// typesOf prints the types of a schema with the octet command.
func typesOf(t *testing.T, octet, lang, file string) string {
	t.Helper()
	out, err := exec.Command(octet, "types", "--lang", lang, "--type", "Root", file).CombinedOutput()
	if err != nil {
		t.Fatalf("octet types --lang %s: %v\n%s", lang, err, out)
	}
	return string(out)
}

// prepareTypes builds the octet command and installs what a test of a language needs. It
// returns the command, the folder of the installation, and one for the test.
func prepareTypes(t *testing.T, l language) (octet, dir, work string) {
	t.Helper()
	needsLanguages(t)
	dir, err := l.prepare(t.Context(), os.Getenv(installVariable) != "", t.Output())
	if isNotInstalled(err) && os.Getenv(installVariable) == "" {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	octet = filepath.Join(t.TempDir(), "octet"+executable())
	if out, err := exec.Command("go", "build", "-o", octet, "../../cmd/octet").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if work, err = os.MkdirTemp(dir, "test"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(work) })
	return octet, dir, work
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

var typescriptRoot = regexp.MustCompile(` as (\S+);`)

// TestTypeScript prints types, compiles them together with the values that the messages
// have in JavaScript, and compares these with what @msgpack/msgpack decodes.
func TestTypeScript(t *testing.T) {
	octet, dir, work := prepareTypes(t, language{
		name: "TypeScript", folder: "typescript", needs: []string{"node", "npm"},
		install: func(string) [][]string {
			return [][]string{{"npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"}}
		},
	})
	var imports, values, cases strings.Builder
	count := 0
	for _, p := range printedTypes(t, work, 60) {
		source := typesOf(t, octet, "typescript", p.schema)
		write(t, filepath.Join(work, p.name+".ts"), source)
		fmt.Fprintf(&imports, "import type { %s as %s } from \"./%s.js\";\n", typescriptRoot.FindStringSubmatch(source)[1], p.name, p.name)
		for _, m := range p.values {
			text, ok := javaScript(m.value)
			if !ok || strings.Contains(source, "Map<") { // which @msgpack/msgpack does not make
				continue
			}
			fmt.Fprintf(&values, "const v%d: %s = %s;\n", count, p.name, text)
			fmt.Fprintf(&cases, "  [%q, \"%x\", v%d],\n", p.name, m.data, count)
			count++
		}
	}
	write(t, filepath.Join(work, "check.ts"), "import { ExtData } from \"@msgpack/msgpack\";\n"+imports.String()+"\n"+values.String()+"\nexport const cases: [string, string, unknown][] = [\n"+cases.String()+"];\n")
	c := exec.Command("node", filepath.Join(dir, "node_modules", "typescript", "bin", "tsc"), "--strict", "--target", "es2022", "--module", "nodenext", "check.ts")
	c.Dir = work
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("tsc: %v\n%.8000s", err, out)
	}
	if out, err := exec.Command("node", filepath.Join(dir, "run.mjs"), work).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%.8000s", err, out)
	}
	t.Logf("%d values", count)
	if count < 80 {
		t.Errorf("only %d values could be compared", count)
	}
}

var (
	pythonReader = regexp.MustCompile(`(?m)^#     value = (.*)$`)
	pythonRoot   = regexp.MustCompile(`(?m)^Root(?:Message)?: TypeAlias|^class (\w+):`)
)

// TestPython prints classes, makes values of them from messages, lets mypy check that these
// have the printed types, and compares the messages that the classes write.
func TestPython(t *testing.T) {
	octet, dir, work := prepareTypes(t, language{
		name: "Python with mypy", folder: "mypy", needs: []string{python()},
		install: func(dir string) [][]string {
			return [][]string{
				{python(), "-m", "venv", "venv"},
				{venvPython(dir), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r", "requirements.txt"},
			}
		},
	})
	var input strings.Builder
	type sent struct {
		printed
		message
	}
	var all []sent
	for _, p := range printedTypes(t, work, 60) {
		source := typesOf(t, octet, "python", p.schema)
		write(t, filepath.Join(work, p.name+".py"), source)
		root, reader := "Root", "m"
		if m := pythonRoot.FindStringSubmatch(source); m[1] != "" {
			root = m[1]
		} else {
			root, _, _ = strings.Cut(m[0], ":")
		}
		if m := pythonReader.FindStringSubmatch(source); m != nil {
			reader = m[1]
		}
		for _, m := range p.values {
			// A Version requires bytes that are not the shortest.
			if pythonHolds(m.value) && !strings.Contains(p.typ.String(), "randtype.Version") {
				fmt.Fprintf(&input, "%s\t%s\t%s\t%x\n", p.name, reader, root, m.data)
				all = append(all, sent{p, m})
			}
		}
	}
	c := exec.Command(venvPython(dir), filepath.Join(dir, "run.py"))
	var stderr bytes.Buffer
	c.Dir, c.Stdin, c.Stderr = work, strings.NewReader(input.String()), &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%.8000s", err, stderr.String())
	}
	lines := strings.Split(string(out), "\n")
	for i, s := range all {
		data, err := hex.DecodeString(lines[i])
		if err != nil {
			t.Fatal(err)
		}
		want, got := reflect.New(s.typ), reflect.New(s.typ)
		if err := s.codec.Unmarshal(s.data, want.Interface()); err != nil {
			t.Fatal(err)
		}
		if err := s.codec.Unmarshal(data, got.Interface()); err != nil {
			t.Errorf("%s, %v: % x is written as % x: %v", s.name, s.typ, s.data, data, err)
		} else if d := randtype.Diff(want.Interface(), got.Interface()); d != "" {
			t.Errorf("%s, %v: %s\n% x\n% x", s.name, s.typ, d, s.data, data)
		}
	}
	c = exec.Command(venvPython(dir), "-m", "mypy", "--strict", "--no-incremental", "--cache-dir", os.DevNull, ".")
	c.Dir = work
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("mypy: %v\n%.8000s", err, out)
	}
	t.Logf("%d values", len(all))
	if len(all) < 80 {
		t.Errorf("only %d values could be compared", len(all))
	}
}
