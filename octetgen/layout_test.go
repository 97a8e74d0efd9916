package octetgen_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/octetgen"
	"github.com/octet-go/octet/octetgen/internal/compare"
)

// A declarer declares the structs in random types, so that generated code can name them.
type declarer struct {
	text  strings.Builder
	types int
}

// declare returns the name or expression of a type.
func (d *declarer) declare(t reflect.Type) string {
	switch {
	case t.Name() != "":
		return t.String()
	case t.Kind() == reflect.Pointer:
		return "*" + d.declare(t.Elem())
	case t.Kind() == reflect.Slice:
		return "[]" + d.declare(t.Elem())
	case t.Kind() == reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), d.declare(t.Elem()))
	case t.Kind() != reflect.Struct || t.NumField() == 0:
		return t.String()
	}
	d.types++
	name := fmt.Sprintf("T%d", d.types)
	var fields strings.Builder
	for f := range t.Fields() {
		fmt.Fprintf(&fields, "\t%s %s %s\n", f.Name, d.declare(f.Type), strconv.Quote(string(f.Tag)))
	}
	fmt.Fprintf(&d.text, "//octet:generate codec\ntype %s struct {\n%s}\n\n", name, fields.String())
	return name
}

// fixedMessages are types that random ones are unlikely to be like: numbers that are known late, signed constants, and types
// with methods that are no structs.
const fixedMessages = `
//octet:generate codec
type Fixed struct {
	Constant int32 "layout:\"zigzag,const=-3\""
	List     []struct {
		Size uint16   "layout:\"len=Size\""
		_    struct{} "layout:\"skip=1\""
	} "layout:\"count=u8\""
}

//octet:generate codec
type Zigzag struct {
	Size int16  "layout:\"zigzag,len=Size..Text\""
	Text []byte "layout:\"prefix=u8\""
}

//octet:generate codec
type Own struct {
	Size uint32 "layout:\"varint,len=Size..Text\""
	Text []byte "layout:\"prefix=u8\""
}

//octet:generate codec
type Framed struct {
	List []element "layout:\"prefix=u8,until=zero\""
	Last []element "layout:\"prefix=varint,until=zero\""
}

type element struct{ X uint16 }

//octet:generate codec
type Methods struct {
	N        uint8
	Map      mapping  "layout:\"if=N&1\""
	Function function "layout:\"if=N&2\""
	Channel  channel  "layout:\"if=N&4\""
}

type (
	mapping  map[string]int
	function func()
	channel  chan int
)

func (mapping) AppendLayout(dst []byte) ([]byte, error) { return append(dst, 1), nil }
func (m *mapping) DecodeLayout([]byte) (int, error)     { *m = mapping{"": 1}; return 1, nil }

func (function) AppendLayout(dst []byte) ([]byte, error) { return append(dst, 2), nil }
func (f *function) DecodeLayout([]byte) (int, error)     { *f = nil; return 1, nil }

func (channel) AppendLayout(dst []byte) ([]byte, error) { return append(dst, 3), nil }
func (c *channel) DecodeLayout([]byte) (int, error)     { *c = nil; return 1, nil }
`

// TestRandomMessages generates code for random types of package layout, and compares it with their plans and the oracle. The
// program that finds which types are accepted also writes the file, because each call of Generate links another program.
func TestRandomMessages(t *testing.T) {
	n, seeds := uint64(60), 3
	if os.Getenv("OCTET_LONG") != "" && !testing.Short() {
		n = 200
	}
	n = randtype.Count(t, n)
	first := randtype.First(t, 30)
	var d declarer
	roots := []string{"Fixed", "Zigzag", "Own", "Framed", "Methods"}
	r := rand.New(rand.NewPCG(first, 1))
	for range n {
		typ := reference.RandomType(r)
		if _, err := compare.Random.Codec.Outline(typ); err != nil {
			continue // it has a sum of Options
		}
		if !strings.Contains(typ.String(), "layout:") {
			continue // it would get methods for msgpack
		}
		roots = append(roots, d.declare(typ))
	}
	dir := scratch(t, map[string]string{
		"types.go": "package random\n\nimport (\n\t\"github.com/octet-go/octet/internal/reference/layout\"\n\t\"github.com/octet-go/octet/octetgen/internal/compare\"\n)\n\nvar _ layout.UserText\n\nvar codec = compare.Random.Codec\n" + fixedMessages + "\n" + d.text.String(),
		"random_test.go": `package random

import (
	"os"
	"reflect"
	"testing"

	"github.com/octet-go/octet/layout"
	"github.com/octet-go/octet/octetgen"
)

func TestAccepted(t *testing.T) {
	accepted, all, codecs := "", []reflect.Type(nil), map[reflect.Type]*layout.Codec{}
` + each(roots, `	if of := reflect.TypeFor[%[1]s](); accepts(t, of) {
		accepted += "%[1]s "
		all, codecs[of] = append(all, of), codec
	}
`) + `	source, err := octetgen.SourceWith([]string{"codec"}, codecs, all...)
	if err == nil {
		err = os.WriteFile(octetgen.FileName, source, 0o666)
	}
	if err == nil {
		err = os.WriteFile("accepted.txt", []byte(accepted), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func accepts(t *testing.T, of reflect.Type) bool {
	_, err := octetgen.SourceWith(nil, map[reflect.Type]*layout.Codec{of: codec}, of)
	if err != nil {
		t.Log(err)
	}
	return err == nil
}
`,
	})
	path := filepath.Join(dir, "random_test.go")
	refused, err := command(t, dir, "test", "-vet=off", "-v", "-count=1", ".")
	if err != nil {
		t.Fatalf("%v\n%.3000s", err, refused)
	}
	text, err := os.ReadFile(filepath.Join(dir, "accepted.txt"))
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Fields(string(text))
	checked := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "Methods" }) // of which the oracle makes no values
	t.Logf("%d of %d types: %d can be default messages, %d have generated code\n%s", len(names), n, len(roots), len(names), reasons(refused))
	if len(names) < int(n)/3 || !strings.HasPrefix(string(text), "Fixed Zigzag Own Framed Methods ") {
		t.Errorf("there is generated code for %d of %d types only: %s", len(names), n, text)
	}
	source, err := os.ReadFile(filepath.Join(dir, octetgen.FileName))
	if err != nil {
		t.Fatal(err)
	}
	if text := string(source); strings.Contains(text, "unsafe") || strings.Contains(text, "reflect") || strings.Contains(text, "goto ") {
		t.Error("the generated code is not plain Go")
	}
	checks := `package random

import (
	"testing"

	"github.com/octet-go/octet/octetgen/internal/compare"
)

func TestTypes(t *testing.T) {
` + each(checked, fmt.Sprintf("\tcompare.UsedMessage[%%[1]s](t, compare.Random)\n\tfor seed := range uint64(%d) {\n\t\tcompare.CheckMessage[%%[1]s](t, compare.Random, seed)\n\t}\n", seeds)) + `	compare.UsedMessage[Methods](t, compare.Random)
	compare.DecodeMessage[Methods](t, compare.Random, []byte{0})
	compare.DecodeMessage[Methods](t, compare.Random, []byte{1, 1})
	for n := range 256 { // the varints become longer
		compare.EncodeMessage(t, compare.Random, &Zigzag{Text: make([]byte, n)})
		compare.EncodeMessage(t, compare.Random, &Own{Text: make([]byte, n)})
	}
	var framed Framed
	compare.DecodeMessage[Framed](t, compare.Random, compare.EncodeMessage(t, compare.Random, &framed))
	framed.List = append(framed.List, element{3})
	framed.Last = append(framed.Last, element{4}, element{5})
	compare.DecodeMessage[Framed](t, compare.Random, compare.EncodeMessage(t, compare.Random, &framed))
}
`
	if err := os.WriteFile(path, []byte(checks), 0o666); err != nil {
		t.Fatal(err)
	}
	if output, err := command(t, dir, "test", "-count=1", "-vet=all", "."); err != nil {
		t.Errorf("%v\n%.6000s", err, output)
	}
}

// each returns the text for each name.
func each(names []string, format string) string {
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, format, name)
	}
	return b.String()
}

// reasons counts why types are refused.
func reasons(output string) string {
	count := map[string]int{}
	for line := range strings.Lines(output) {
		if i := strings.LastIndex(line, ": "); i >= 0 && strings.Contains(line, "octetgen: ") {
			why := strings.TrimSpace(line[i+2:])
			count[strings.TrimRight(why, "F0123456789")]++
		}
	}
	return fmt.Sprint(count)
}

// edit replaces a text in a file.
func edit(t *testing.T, path, old, text string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(b), old, text, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}
