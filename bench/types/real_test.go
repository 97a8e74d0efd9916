package types

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
)

// TestRead reads a module and checks how each kind of field is declared, and what is left out.
func TestRead(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"a.go": `package a

import (
	"io"
	"time"

	"example.com/m/b"
	"example.com/other"
)

type Level int8

type When struct{ time.Time }

type Base struct {
	ID string ` + "`json:\"id,omitempty\"`" + `
	hidden int
}

type All struct {
	Base
	Level   Level             ` + "`json:\"level,omitempty\"`" + `
	When    When              ` + "`json:\"when,omitempty\"`" + `
	At      *time.Time
	Data    []byte            ` + "`json:\"data,omitempty\"`" + `
	List    []*b.Inner        ` + "`json:\"list\"`" + `
	Inner   b.Inner           ` + "`json:\"inner,omitempty\"`" + `
	Map     map[Key]b.Inner   ` + "`json:\"map,omitempty\"`" + `
	Numbers [3]uint32         ` + "`json:\"numbers,omitempty\"`" + `
	Self    *All              ` + "`json:\"self\"`" + `
	Ignored string            ` + "`json:\"-\"`" + `
	Reader  io.Reader
	Other   other.T
	Any     any
	Hash    [16]byte
	Many    map[int]string
	Empty   Empty
	Call    func()
	Deep    **int
	Twice   string ` + "`json:\"id\"`" + `
}

type Key string

type Empty struct{ X any }

type Generic[T any] struct{ V T }
`,
		"b/b.go": "package b\n\ntype Inner struct{ A float32 }\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s, err := read([]module{{"M", "example.com/m", "v1.0.0", []string{"."}}}, map[string]string{"example.com/m": folder}, 1, 10)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, d := range s.Types {
		text.WriteString(d.String())
	}
	const want = "type MAll struct {\n\tID string `msgpack:\"id,omitempty\"`\n\tLevel int8 `msgpack:\"level,omitempty\"`\n\tWhen time.Time `msgpack:\"when\"`\n" +
		"\tAt *time.Time `msgpack:\"At\"`\n\tData []byte `msgpack:\"data,omitempty\"`\n\tList []*MInner `msgpack:\"list\"`\n\tInner MInner `msgpack:\"inner\"`\n" +
		"\tMap map[string]MInner `msgpack:\"map,omitempty\"`\n\tNumbers [3]uint32 `msgpack:\"numbers\"`\n\tSelf *MAll `msgpack:\"self\"`\n}\n" +
		"type MInner struct {\n\tA float32 `msgpack:\"A\"`\n}\n" +
		"type MBase struct {\n\tID string `msgpack:\"id,omitempty\"`\n}\n"
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &text, want)
	}
	if !reflect.DeepEqual(s.Roots, []string{"MAll", "MBase"}) {
		t.Errorf("types %s", s.Roots)
	}
	wants := []engine.Reason{
		{Why: "a field of a struct without any field that can be declared", Count: 1},
		{Why: "a field of an interface type", Count: 2},
		{Why: "a field that encoding/json ignores", Count: 1},
		{Why: "a field that is not exported", Count: 2},
		{Why: "a field whose name or key appears twice", Count: 1},
		{Why: "a field whose type is declared in a module or package that is not read", Count: 2},
		{Why: "a function or a channel", Count: 1},
		{Why: "a generic type", Count: 1},
		{Why: "a map whose keys are not strings", Count: 1},
		{Why: "a pointer to a pointer, slice or map", Count: 1},
		{Why: "a type without any field that can be declared", Count: 1},
		{Why: "an array of bytes", Count: 1},
	}
	if !reflect.DeepEqual(s.LeftOut, wants) {
		t.Errorf("left out %+v, want %+v", s.LeftOut, wants)
	}
}

// TestChoose checks that the types come evenly from the lists.
func TestChoose(t *testing.T) {
	lists := func() [][]string { return [][]string{{"a1", "a2", "a3", "a4", "a5", "a6"}, {"b1"}, {"c1", "c2", "c3"}} }
	got := choose(lists(), 1, 7)
	if again := choose(lists(), 1, 7); !reflect.DeepEqual(got, again) {
		t.Error("the same seed gives other types")
	}
	if n := strings.Count(strings.Join(got, " "), "a"); len(got) != 7 || n != 3 {
		t.Errorf("chosen %s", got)
	}
	if all := choose(lists(), 1, 100); len(all) != 10 {
		t.Errorf("chosen %s", all)
	}
}

// TestReal reads the public modules if they can be downloaded.
func TestReal(t *testing.T) {
	if testing.Short() {
		t.Skip("skipping in short mode: downloads modules")
	}
	s, err := Real(1, 600)
	if err != nil {
		t.Skip("the modules cannot be downloaded: ", err)
	}
	if len(s.Roots) != 600 || len(s.Modules) < 10 || len(s.Types) < len(s.Roots) {
		t.Errorf("%d types of %d modules", len(s.Roots), len(s.Modules))
	}
	for _, m := range s.Modules {
		if n := strings.Count(" "+strings.Join(s.Roots, " "), " "+m.Name); n < 10 {
			t.Errorf("%d types of %s", n, m.Path)
		}
	}
}
