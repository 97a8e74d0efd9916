package octet_test

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// exceptions are the declarations that the vocabulary does not apply to, by the reason.
var exceptions = map[string][]string{}

// TestVocabulary requires the same words in all published packages: options are a struct named Options, passed as a pointer, as
// the last parameter, except that New(Options) makes a Codec. The name of a file in an error is its field File.
func TestVocabulary(t *testing.T) {
	var excepted []string
	for _, names := range exceptions {
		excepted = append(excepted, names...)
	}
	used := map[string]bool{}
	checked := map[string]bool{}
	for _, f := range workspace(t) {
		if !f.isPublished() {
			continue
		}
		checked[f.dir()] = true
		for _, v := range vocabulary(f) {
			if slices.Contains(excepted, v.name) {
				used[v.name] = true
				continue
			}
			t.Errorf("%s: %s", v.name, v.text)
		}
	}
	for _, name := range excepted {
		if !used[name] {
			t.Errorf("exceptions has %s, which needs none", name)
		}
	}
	for _, dir := range []string{"array", "beamio", "binary", "examples/apns", "layout", "msgpack", "msgpack/schema", "record", "record/zstd", "record/parquet", "transcode"} {
		if !checked[dir] {
			t.Errorf("the package in %s was not found", dir)
		}
	}
}

// isPublished reports whether f declares names that other programs import.
func (f file) isPublished() bool {
	if f.isTest() || f.Name.Name == "main" || f.dir() == "." {
		return false
	}
	first, _, _ := strings.Cut(f.path, "/")
	return !slices.Contains([]string{"bench", "cmd", "interop", "tools"}, first) && !slices.Contains(strings.Split(f.path, "/"), "internal")
}

// A deviation is a declaration that does not follow the vocabulary.
type deviation struct {
	name string // such as array.Open or record.File.Split
	text string
}

// vocabulary returns the deviations in a file.
func vocabulary(f file) []deviation {
	var list []deviation
	add := func(name, text string) { list = append(list, deviation{f.dir() + "." + name, text}) }
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil && len(d.Recv.List) == 1 {
				receiver := typeName(d.Recv.List[0].Type)
				if !ast.IsExported(receiver) {
					continue
				}
				name = receiver + "." + name
			}
			if d.Name.IsExported() {
				parameters(d.Type, name, add)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok && d.Tok == token.TYPE && s.Name.IsExported() {
					declared(s, add)
				}
			}
		}
	}
	return list
}

// parameters checks the parameters of a function or method.
func parameters(fn *ast.FuncType, name string, add func(name, text string)) {
	count := fn.Params.NumFields()
	at := 0
	for _, p := range fn.Params.List {
		at += max(1, len(p.Names))
		switch p := p.Type.(type) {
		case *ast.StarExpr:
			if typeName(p) == "Options" && at < count {
				add(name, "the options are not the last parameter")
			}
		case *ast.Ellipsis, *ast.ArrayType:
			if typeName(p) == "Options" {
				add(name, "takes several Options")
			}
		default:
			if typeName(p) == "Options" && name != "New" {
				add(name, "takes Options and not *Options")
			}
		}
	}
}

// declared checks an exported type.
func declared(s *ast.TypeSpec, add func(name, text string)) {
	name := s.Name.Name
	switch t := s.Type.(type) {
	case *ast.InterfaceType:
		for _, m := range t.Methods.List {
			if fn, ok := m.Type.(*ast.FuncType); ok && m.Names[0].IsExported() {
				parameters(fn, name+"."+m.Names[0].Name, add)
			}
		}
	case *ast.StructType:
		if name != "Options" && (strings.HasSuffix(name, "Options") || strings.HasSuffix(name, "Config")) {
			add(name, "the name of the options of a package is Options")
		}
		if !strings.HasSuffix(name, "Error") {
			return
		}
		for _, field := range t.Fields.List {
			for _, n := range field.Names {
				if slices.Contains([]string{"Name", "Filename", "FileName"}, n.Name) {
					add(name, "the field "+n.Name+" is called File if it names a file")
				}
			}
		}
	}
}

// typeName returns the name of a type without its package, and of what a pointer, slice or list of parameters consists of.
func typeName(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.SelectorExpr:
		return t.Sel.Name
	case *ast.StarExpr:
		return typeName(t.X)
	case *ast.Ellipsis:
		return typeName(t.Elt)
	case *ast.ArrayType:
		return typeName(t.Elt)
	case *ast.IndexExpr:
		return typeName(t.X)
	case *ast.IndexListExpr:
		return typeName(t.X)
	case *ast.ParenExpr:
		return typeName(t.X)
	}
	return ""
}

// TestVocabularyFails checks that each rule finds what it forbids.
func TestVocabularyFails(t *testing.T) {
	for text, want := range map[string]string{
		"func Open(path string, o Options) {}":                   "Open",
		"func Open(path string, o record.Options) {}":            "Open",
		"func Open(path string, o ...Options) {}":                "Open",
		"func Open(path string, o []Options) {}":                 "Open",
		"func Open(o *Options, path string) {}":                  "Open",
		"func Open(a, o *Options, path string) {}":               "Open",
		"func (f *File[T]) Read(o Options) {}":                   "File.Read",
		"func (f *File) New(o Options) {}":                       "File.New",
		"type Opener interface { Open(path string, o Options) }": "Opener.Open",
		"type OpenOptions struct{}":                              "OpenOptions",
		"type Config struct{}":                                   "Config",
		"type Error struct { Op, Name string }":                  "Error",
		"type ReadError struct { Filename string }":              "ReadError",
		"func Open(path string, o *Options) {}":                  "",
		"func Open[T any](path string, a, o *Options) {}":        "",
		"func New(o Options) {}":                                 "",
		"func (o Options) New() {}":                              "",
		"func (f *file) Read(o Options) {}":                      "",
		"func open(o Options) {}":                                "",
		"func With(o ...Option) {}":                              "",
		"type Options struct{}":                                  "",
		"type config struct{}":                                   "",
		"type Error struct { Op, File string }":                  "",
		"type User struct { Name string }":                       "",
	} {
		f, err := parseFile("p/p.go", "package p\n"+text, false)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range vocabulary(f) {
			got = append(got, strings.TrimPrefix(v.name, "p."))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: deviations of %q, want %q", text, got, want)
		}
	}
}
