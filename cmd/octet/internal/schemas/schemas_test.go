package schemas

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/record"
)

// TestParseName checks what is taken for a Go type.
func TestParseName(t *testing.T) {
	for text, want := range map[string]Name{
		"./event.Event":             {"./event", "Event"},
		"example.com/a.b/c.D":       {"example.com/a.b/c", "D"},
		"time.Time":                 {"time", "Time"},
		"events.json":               {},
		"./event.event":             {},
		"example.com/event":         {},
		".Event":                    {},
		"event.":                    {},
		"event.Event[int]":          {},
		"./event.schema.json":       {},
		"../x/y.Z":                  {"../x/y", "Z"},
		"example.com/Event.d/event": {},
	} {
		if n, ok := ParseName(text); ok != (want != Name{}) || ok && n != want {
			t.Errorf("%s: %v, %t", text, n, ok)
		}
	}
}

// module makes a module that requires this version of Octet, and enters it.
func module(t *testing.T, files map[string]string) {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	_, requires, _ := strings.Cut(string(mod), "\nrequire")
	files["go.mod"] = "module example.com/shop\n\ngo 1.26\n\nrequire github.com/octet-go/octet v0.0.0\n\nreplace github.com/octet-go/octet => " + root + "\n\nrequire" + requires
	files["go.sum"] = string(sum)
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod -trimpath") // the go command finds in its cache what it built in another directory
	t.Setenv("GOPROXY", "off")
}

// TestOfType checks the schema of a type in an internal package, with and without its
// codec, and that nothing is written to the module.
func TestOfType(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	module(t, map[string]string{
		"internal/prints/prints.go": "package prints\n\nimport \"os\"\n\ntype T bool\n\nfunc init() { os.Stdout.WriteString(\"{}\") }\n",
		"internal/ends/ends.go":     "package ends\n\nimport \"os\"\n\ntype T bool\n\nfunc init() { os.Exit(0) }\n",
		"internal/event/event.go": `package event

import "time"

type Event struct {
	ID uint32
	At time.Time
}

type Bad struct{ C chan int }

type Box[T any] struct{ Value T }

type IntBox = Box[int]
`,
		"wire/wire.go": `package wire

import "github.com/octet-go/octet/msgpack"

var Codec, _ = msgpack.New(msgpack.Options{Naming: msgpack.SnakeCase, Time: msgpack.TimeUnix})
`,
		"internal/none/none.go": "//go:build none\n\npackage none\n",
		"main.go":               "package main\n\ntype Event struct{}\n\nfunc main() {}\n",
	})
	s, err := Load(t.Context(), "./internal/event.Event", "")
	if err != nil {
		t.Fatal(err, detail(err))
	}
	if f := s.Root.Type.Fields; len(f) != 2 || f[0].Name != "ID" || f[0].Type.Bits != 32 || f[1].Type.Time != msgpack.TimeExt {
		t.Errorf("without a codec: %s", s)
	}
	s, err = OfType(t.Context(), Name{"example.com/shop/internal/event", "Event"}, "./wire.Codec")
	if err != nil {
		t.Fatal(err, detail(err))
	}
	if f := s.Root.Type.Fields; len(f) != 2 || f[0].Name != "id" || f[1].Type.Time != msgpack.TimeUnix {
		t.Errorf("with a codec: %s", s)
	}
	for _, c := range []struct{ name, codec, want string }{
		{"./internal/event.Missing", "", "undefined: p.Missing"},
		{"./internal/event.Bad", "", "chan int: unsupported type"},
		{"./internal/event.Event", "Codec", "undefined: p.Codec"},
		{"./internal/event.Event", "codec", "not an exported variable"},
		{"./internal/event.event", "", "no exported type"},
		{"./internal/event.Box[int]", "", "a generic type needs a name of its own"},
		{"./internal/event.IntBox", "", ""},
		{"./internal/event.json", "", "no such file"},
		{"./nothing.Event", "", "directory not found"},
		{"./internal/prints.T", "", ""},
		{"./internal/ends.T", "", "example.com/shop/internal/ends: ends the program when it is initialized"},
		{"time.Time", "", "time: belongs to the standard library; name the type in a package of a module that requires Octet, as in type T = time.Time"},
		{"time.Tim", "", "no symbol Tim in package"},
		{"std.T", "", "std: is the name of several packages, such as archive/tar"},
		{"jso.Number", "", "jso: the go command cannot load this package"},
		{"jso.Number", "", "package jso is not in std"},
		{"./internal/none.T", "", "./internal/none: the go command cannot load this package"},
		{"./internal/none.T", "", "build constraints exclude all Go files"},
		{"example.com/shop.Event", "", "cannot be imported"},
	} {
		_, err := Load(t.Context(), c.name, c.codec)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error()+detail(err), c.want) {
			t.Errorf("%s, %s: %v %s, want %q", c.name, c.codec, err, detail(err), c.want)
		}
	}
	if found, err := os.ReadDir("internal/event"); err != nil || len(found) != 1 {
		t.Errorf("the folder of the package has %v, %v", found, err)
	}
	// A vendor folder lacks the packages that only the program imports.
	t.Setenv("GOFLAGS", "-trimpath")
	if text, err := exec.Command("go", "mod", "vendor").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if _, err := Load(t.Context(), "./internal/event.Event", "./wire.Codec"); err != nil {
		t.Errorf("with a vendor folder: %v\n%s", err, detail(err))
	}
}

func detail(err error) string {
	var f *failure.Error
	if errors.As(err, &f) {
		return f.Detail
	}
	return ""
}

// TestStored checks record files with and without a schema.
func TestStored(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("s.json", []byte(`{"msgpack":{"kind":"bool"}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Load(t.Context(), "s.json", "")
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]*record.Options{"a.rec": {Schema: s}, "b.rec": nil} {
		w, err := record.Create(name, o)
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if got, err := Load(t.Context(), "a.rec", ""); err != nil || got.Root.Type.Kind != msgpack.FormBool {
		t.Errorf("a.rec: %v, %v", got, err)
	}
	if got, err := Stored("b.rec"); got != nil || err != nil {
		t.Errorf("b.rec: %v, %v", got, err)
	}
	if _, err := Load(t.Context(), "b.rec", ""); failure.CodeOf(err) != failure.Data {
		t.Errorf("b.rec as a schema: %v", err)
	}
}

// TestStoredZeros looks for the schema in a file of zeros that nobody could read to its end.
func TestStoredZeros(t *testing.T) {
	name := filepath.Join(t.TempDir(), "zeros.json")
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, 1<<40); err != nil {
		t.Skipf("skipped: the file system has no large files with holes: %v", err)
	}
	if s, err := Stored(name); s != nil || err != nil {
		t.Errorf("%v, %v", s, err)
	}
}
