package octetgen_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/octet-go/octet/octetgen"
)

const mainProgram = `package main

import (
	"fmt"

	"github.com/octet-go/octet/msgpack"
)

//octet:generate
type point struct{ X, Y int }

type label struct {
	point
	Text string
}

func main() {
	b, err := msgpack.Marshal(label{point{1, 2}, "a"})
	fmt.Printf("%x %v\n", b, err)
	_, ok := any(new(point)).(interface{ OctetMsgpack() msgpack.Generated[point] })
	fmt.Println(ok)
}
`

// TestMainPackage generates code for an unexported type of package main whose tests do not compile, and changes the
// type: the old code is then not used, and Current fails until the code is generated again.
func TestMainPackage(t *testing.T) {
	dir := scratch(t, map[string]string{"main.go": mainProgram, "broken_test.go": "package main\n\nvar _ = undefined\n"})
	want := "83a15801a15902a454657874a161 <nil>\n"
	for _, names := range [][]string{nil, {"point"}} {
		generate(t, dir, names...)
		if output, err := command(t, dir, "run", "."); err != nil || output != want+"true\n" {
			t.Fatalf("got %s, %v", output, err)
		}
	}
	changed := strings.Replace(mainProgram, "X, Y int }", "X int `msgpack:\"x\"`; Y int }", 1)
	current := "package main\n\nimport (\n\t\"testing\"\n\n\t\"github.com/octet-go/octet/octetgen\"\n)\n\nfunc TestCurrent(t *testing.T) { octetgen.Current(t) }\n"
	for name, text := range map[string]string{"main.go": changed, "broken_test.go": current} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if output, err := command(t, dir, "run", "."); err != nil || output != strings.Replace(want, "a158", "a178", 1)+"true\n" {
		t.Errorf("after the tags have changed: got %s, %v", output, err)
	}
	if output, err := command(t, dir, "test", "."); err == nil || !strings.Contains(output, "octet_gen.go is not current") {
		t.Errorf("Current: %v\n%s", err, output)
	}
	generate(t, dir)
	if output, err := command(t, dir, "test", "."); err != nil {
		t.Errorf("Current: %v\n%s", err, output)
	}
}

// TestNames generates code for a package that declares the names of imports, of variables and of helpers of the code.
func TestNames(t *testing.T) {
	dir := scratch(t, map[string]string{
		"dep/v2/dep.go":     "package named\n\n// Kind is in a package whose name is not in its path.\ntype Kind uint8\n",
		"dep/slices/dep.go": "package n2\n\n// Kind is in a package with the name of a variable.\ntype Kind uint8\n",
		"types.go": `package types

import (
	"time"

	"github.com/octet-go/octet/octetgen/scratch/dep/slices"
	"github.com/octet-go/octet/octetgen/scratch/dep/v2"
)

type (
	// Item has types with the names of imports and variables.
	//
	//octet:generate
	Item struct {
		A wire      ` + "`msgpack:\"a\"`" + `
		B []byte    ` + "`msgpack:\"b\" layout:\"prefix=u16,be\"`" + `
		C n1        ` + "`msgpack:\"c\" layout:\"-\"`" + `
		D float64
		E time.Time ` + "`layout:\"-\"`" + `
		F []uint32  ` + "`layout:\"count=u8\"`" + `
		G named.Kind
		H n2.Kind
	}

	wire uint32
	n1   uint16
)

var (
	binary, layout = 1, 2
	msgpack, _     = time.Now, math
)

const math = 3

func slices() {}
func min() {}
func max() {}
`,
		"types_test.go": `package types

import (
	"reflect"
	"testing"

	octetlayout "github.com/octet-go/octet/layout"
	octetmsgpack "github.com/octet-go/octet/msgpack"
)

type bytes int

func TestItem(t *testing.T) {
	v, w := Item{A: 1, B: []byte{2}, D: 4, F: []uint32{5}}, Item{}
	b, err := octetlayout.Marshal(v)
	if err == nil {
		err = octetlayout.Unmarshal(b, &w)
	}
	if err != nil || !reflect.DeepEqual(v, w) {
		t.Errorf("got %+v, %v", w, err)
	}
	if b, err = octetmsgpack.Marshal(v); err == nil {
		err = octetmsgpack.Unmarshal(b, &w)
	}
	if err != nil || !reflect.DeepEqual(v, w) {
		t.Errorf("got %+v, %v", w, err)
	}
	_, _, _, _ = binary, layout, msgpack, slices
}
`})
	generate(t, dir)
	if output, err := command(t, dir, "test", "."); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
	edit(t, filepath.Join(dir, "types.go"), "func slices() {}", "func len() {}")
	if _, err := octetgen.Generate(dir); err == nil || !strings.Contains(err.Error(), "the package declares len") {
		t.Errorf("got %v", err)
	}
}

// TestUnusualPackages generates code for packages that nothing in the printed code is made for, and for those whose present
// file is not valid. What it prints must compile, and be the same once it is there.
func TestUnusualPackages(t *testing.T) {
	packages := map[string]string{
		"letters": "package letters\n\n//octet:generate\ntype Über struct{ Ä int; List []größe }\n\n//octet:generate\ntype größe struct{ A *string }\n" +
			"\n//octet:generate\ntype User struct{ A uint8 `msgpack:\"a\" layout:\"u8\"` }\n\n//octet:generate\ntype user struct{ A int `msgpack:\"a\" layout:\"i16\"` }\n\n//octet:generate\ntype MessageUser struct{ A int }\n\n//octet:generate\ntype Again = user\n" +
			"\n//octet:generate\ntype Order struct{ A uint8 `layout:\"const=1|le,const=2|be\"`; B uint8 `layout:\"bits=8,order=A\"` }\n",
		"empty":   "package empty\n\ntype E struct{}\n\ntype B struct{ _ int }\n\n//octet:generate\ntype List struct{ A []E; B []*E; C [2]E; D map[E]B; F []B; G E; H *E }\n",
		"cycles":  "package cycles\n\n//octet:generate\ntype A struct{ B *B; C C }\n\ntype B struct{ A *A; L []A; C *C }\n\ntype C struct{ B []*B; D *D }\n\ntype D struct{ C *C; E E }\n\ntype E struct{ D *D }\n",
		"hidden":  "package hidden\n\nimport \"github.com/octet-go/octet/layout\"\n\nvar (\n\tfmt, os, reflect, testing, octetgen, octetlayout int\n\ttypes, _ = layout.New(layout.Options{})\n)\n\n//octet:generate\ntype local struct{ A int }\n\n//octet:generate types\ntype output struct{ A uint8 `layout:\"u8\"` }\n",
		"builds":  "// Package builds has a type that belongs to some builds.\n\n//go:build !octet\n\npackage builds\n\n//octet:generate\ntype A struct{ B int }\n",
		"unnamed": "package unnamed\n\nimport \"github.com/octet-go/octet/octetgen/scratch/elements\"\n\n//octet:generate\ntype A struct{ B elements.Structs; C elements.Arrays; D elements.Bytes }\n",
	}
	files := map[string]string{
		"letters/" + octetgen.FileName: "package letters\n\n<<<<<<< ours\nfunc\n",
		"elements/types.go":            "package elements\n\ntype (\n\tStructs map[string]hidden\n\tArrays map[int][2]number\n\tBytes map[string]text\n\thidden struct{ A int }\n\tnumber int\n\ttext []byte\n)\n",
	}
	for name, text := range packages {
		files[name+"/types.go"] = text
	}
	dir := scratch(t, files)
	for name := range packages {
		source := generate(t, filepath.Join(dir, name))
		if name != "letters" && os.Getenv("OCTET_LONG") == "" {
			continue // generating again links another program
		}
		if generate(t, filepath.Join(dir, name)) != source {
			t.Errorf("%s: generating again changes the file", name)
		}
	}
	if output, err := command(t, dir, "vet", "./..."); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
	if output, err := command(t, dir, "list", "-tags=octet", "./builds"); err == nil || !strings.Contains(output, "build constraints exclude all Go files") {
		t.Errorf("the file belongs to other builds than its type: %v\n%s", err, output)
	}
}

// TestRefused checks the errors for packages that generated code cannot be written for, and that those for types, which
// TestRefusedTypes checks, reach the caller.
func TestRefused(t *testing.T) {
	dir := scratch(t, map[string]string{"types.go": `package types

import "time"

type (
	List     []int
	Generic[T any] struct{ V T }
	Alias    = time.Time
)

type pos struct{ A int }
`,
		"generic/types.go":                    "package generic\n\n//octet:generate\ntype G[T any] struct{ V T }\n",
		"tests/types.go":                      "package tests\n",
		"builds/types.go":                     "//go:build !octet\n\npackage builds\n\n//octet:generate\ntype A struct{ V int }\n",
		"builds/others.go":                    "package builds\n\n//octet:generate\ntype B struct{ V int }\n",
		"named/types_" + runtime.GOOS + ".go": "package named\n\n//octet:generate\ntype T struct{ V int }\n",
		"both/types_" + runtime.GOOS + ".go":  "//go:build !octet\n\npackage both\n\n//octet:generate\ntype T struct{ V int }\n",
		"method/types.go":                     "package method\n\n//octet:generate\ntype T struct{ V int }\n\nfunc (T) OctetMsgpack() {}\n",
		"function/types.go":                   "package function\n\n//octet:generate\ntype T struct{ V int }\n\nvar octetAppendT int\n",
		"tests/some_test.go":                  "package tests\n\n//octet:generate\ntype T struct{ V int }\n",
	})
	for name, want := range map[string]string{
		"generic": "octetgen: type G: a generic type",
		"tests":   "octetgen: type T is declared in a test",
		"builds":  "octetgen: type A: its file has another //go:build line than that of type B",
		"named":   "octetgen: type T: the name of its file limits it to some builds",
		"both":    "octetgen: type T: the name of its file limits it to some builds",

		"method":   "octetgen: another file of the package declares (*T) OctetMsgpack",
		"function": "octetgen: another file of the package declares octetAppendT",

		"types.go": "types.go is not a directory",
	} {
		if _, err := octetgen.Generate(filepath.Join(dir, name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
	for name, want := range map[string]string{
		"List":    "octetgen: type types.List: not a struct",
		"Alias":   "octetgen: type time.Time: not a type of package github.com/octet-go/octet/octetgen/scratch",
		"Generic": "cannot use generic type",
		"pos":     "octetgen: type types.pos: generated code uses this name for a variable",
		"Missing": "octetgen: package types declares no type Missing",
		"a-b":     `octetgen: "a-b" is not the name of a type`,
		"":        "octetgen: no type of package types has the comment //octet:generate",
	} {
		names := []string{name}
		if name == "" {
			names = nil
		}
		if _, err := octetgen.Generate(dir, names...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}

// TestStaleFiles renames and removes types that have methods in the files of their packages, where another package uses
// them. The order in which the packages follow does not matter, and one that has lost its types says what to do.
func TestStaleFiles(t *testing.T) {
	const user, use = "package user\n\n//octet:generate\ntype User struct{ Name string }\n", `package use

import "github.com/octet-go/octet/octetgen/scratch/user"

//octet:generate
type Use struct{ A user.User; B *user.User; C []user.User; D map[string]user.User; E struct{ user.User } }
`
	dir := scratch(t, map[string]string{"user/user.go": user, "use/use.go": use})
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	before := generate(t, filepath.Join(dir, "use"))
	generate(t, filepath.Join(dir, "user"))
	if source := generate(t, filepath.Join(dir, "use")); source != before {
		t.Errorf("the methods of another package change what is printed:\n%s\n%s", source, before)
	}
	write("user/user.go", strings.ReplaceAll(user, "User", "Person"))
	write("use/use.go", strings.ReplaceAll(use, "user.User", "user.Person"))
	generate(t, filepath.Join(dir, "use"))
	generated := generate(t, filepath.Join(dir, "user"))
	write("user/octet_gen.go", strings.Replace(generated, "\npackage user\n", "\npackage people\n", 1)) // as before the package was renamed
	generate(t, filepath.Join(dir, "use"))
	generate(t, filepath.Join(dir, "user"))
	if output, err := command(t, dir, "vet", "./..."); err != nil {
		t.Errorf("%v\n%s", err, output)
	}
	write("user/user.go", "package user\n\ntype Client struct{}\n")
	const want = "octetgen: octet_gen.go has methods of type Person, which package user does not declare"
	if _, err := octetgen.Generate(filepath.Join(dir, "user")); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestTags generates code with build tags in GOFLAGS. Without them, the package has another type of the same name.
func TestTags(t *testing.T) {
	dir := scratch(t, map[string]string{
		"with.go":         "//go:build some\n\npackage tags\n\n//octet:generate\ntype T struct{ With int }\n",
		"without.go":      "//go:build !some\n\npackage tags\n\n//octet:generate\ntype T struct{ Without int }\n",
		"only/types.go":   "//go:build some\n\npackage only\n\n//octet:generate\ntype T struct{ A int }\n",
		"broken/types.go": "package broken\n\nfunc\n",
	})
	if source := generate(t, dir); !strings.Contains(source, "//go:build !some\n") || !strings.Contains(source, "Without") {
		t.Errorf("without a tag:\n%s", source)
	}
	for name, want := range map[string]string{
		"only":   "build constraints exclude all Go files",
		"broken": "types.go:3:6: expected 'IDENT'",
		"absent": "octetgen: cannot list the files of a package",
	} {
		if _, err := octetgen.Generate(filepath.Join(dir, name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
	t.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -tags=some")
	for _, name := range []string{".", "only"} {
		if source := generate(t, filepath.Join(dir, name)); !strings.Contains(source, "//go:build some\n") || strings.Contains(source, "Without") {
			t.Errorf("%s, with a tag:\n%s", name, source)
		}
	}
}
