package types

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// download returns the folder of each module in the module cache.
func download(modules []module) (map[string]string, error) {
	args := []string{"mod", "download", "-json"}
	for _, m := range modules {
		args = append(args, m.path+"@"+m.version)
	}
	empty, err := os.MkdirTemp("", "octet-download-*")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	defer os.RemoveAll(empty)
	command := exec.Command("go", args...)
	// Outside of any module, so that no requirement changes the versions.
	command.Dir, command.Env = empty, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	output, failure := command.Output()
	folders := make(map[string]string)
	for d := json.NewDecoder(strings.NewReader(string(output))); ; {
		var m struct{ Path, Dir, Error string }
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("bench: go mod download: %w", errors.Join(failure, err))
		}
		if m.Error != "" {
			return nil, fmt.Errorf("bench: go mod download: %s", m.Error)
		}
		folders[m.Path] = m.Dir
	}
	for _, m := range modules {
		if folders[m.path] == "" {
			return nil, fmt.Errorf("bench: go mod download: no %s: %w", m.path, failure)
		}
	}
	return folders, nil
}

// A reader reads the types of modules. Packages of other modules are not read: what is declared there is left out.
type reader struct {
	modules  []module
	folders  map[string]string
	files    *token.FileSet
	packages map[string]*types.Package
	standard types.Importer
	structs  map[string]*Struct
	order    []string // names of structs
	names    map[types.Type]string
	reasons  map[string]int // what was left out
}

func newReader(modules []module, folders map[string]string) *reader {
	files := token.NewFileSet()
	return &reader{
		modules: modules, folders: folders, files: files, packages: make(map[string]*types.Package),
		standard: importer.ForCompiler(files, "source", nil), structs: make(map[string]*Struct), names: make(map[types.Type]string), reasons: make(map[string]int),
	}
}

// moduleOf returns the module of a package.
func (r *reader) moduleOf(path string) (module, bool) {
	for _, m := range r.modules {
		if path == m.path || strings.HasPrefix(path, m.path+"/") {
			return m, true
		}
	}
	return module{}, false
}

// Import implements types.Importer. It returns an empty package for one that is not read.
func (r *reader) Import(path string) (*types.Package, error) {
	if p := r.packages[path]; p != nil {
		return p, nil
	}
	if path == "time" || path == "encoding/json" {
		return r.standard.Import(path)
	}
	m, ok := r.moduleOf(path)
	if !ok {
		p := types.NewPackage(path, filepath.Base(path))
		p.MarkComplete()
		r.packages[path] = p
		return p, nil
	}
	folder := filepath.Join(r.folders[m.path], filepath.FromSlash(strings.TrimPrefix(strings.TrimPrefix(path, m.path), "/")))
	found, err := build.ImportDir(folder, 0)
	if err != nil {
		return nil, fmt.Errorf("bench: %s: %w", path, err)
	}
	var files []*ast.File
	for _, name := range found.GoFiles {
		f, err := parser.ParseFile(r.files, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("bench: %w", err)
		}
		files = append(files, f)
	}
	// What is declared in a package that is not read is an error, which is ignored.
	config := types.Config{Importer: r, IgnoreFuncBodies: true, FakeImportC: true, Error: func(error) {}}
	p, _ := config.Check(path, r.files, files, nil)
	r.packages[path] = p
	return p, nil
}

func (r *reader) leaveOut(why string) { r.reasons[why]++ }

// roots declares the exported structs of a package and returns their names.
func (r *reader) roots(path string) (names []string, err error) {
	p, err := r.Import(path)
	if err != nil {
		return nil, err
	}
	for _, name := range p.Scope().Names() {
		object, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || !object.Exported() || object.IsAlias() {
			continue
		}
		named, ok := object.Type().(*types.Named)
		if !ok {
			continue
		}
		if _, ok := named.Underlying().(*types.Struct); !ok {
			continue
		}
		if named.TypeParams().Len() > 0 {
			r.leaveOut("a generic type")
			continue
		}
		if !isTime(named) {
			names = append(names, r.declare(named))
		}
	}
	return names, nil
}

// declare declares a struct and returns its name.
func (r *reader) declare(t types.Type) string {
	if name, ok := r.names[t]; ok {
		return name
	}
	base := "Anonymous"
	if named, ok := t.(*types.Named); ok {
		m, _ := r.moduleOf(named.Obj().Pkg().Path())
		base = m.name + strings.ToUpper(named.Obj().Name()[:1]) + named.Obj().Name()[1:]
	}
	name := base
	for i := 2; r.structs[name] != nil; i++ {
		name = fmt.Sprintf("%s%d", base, i)
	}
	s := &Struct{Name: name}
	r.names[t], r.structs[name], r.order = name, s, append(r.order, name)
	r.fields(s, t.Underlying().(*types.Struct))
	return name
}

// fields adds the fields of t to s. Fields of embedded structs are fields of s.
func (r *reader) fields(s *Struct, t *types.Struct) {
	for i := range t.NumFields() {
		f := t.Field(i)
		name, options, _ := strings.Cut(reflect.StructTag(t.Tag(i)).Get("json"), ",")
		embedded, ok := f.Type().Underlying().(*types.Struct)
		switch {
		case name == "-" && options == "":
			r.leaveOut("a field that encoding/json ignores")
			continue
		case f.Embedded() && name == "" && ok && !isTime(f.Type()):
			r.fields(s, embedded)
			continue
		case !f.Exported():
			r.leaveOut("a field that is not exported")
			continue
		}
		text, why := r.expression(f.Type())
		if why == "" && f.Embedded() && name == "" {
			why = "an embedded field that is not a struct"
		}
		key := name
		if key == "" {
			key = f.Name()
		}
		if slices.ContainsFunc(s.Fields, func(g Field) bool { return g.Name == f.Name() || g.Key == key }) {
			why = "a field whose name or key appears twice"
		}
		if why != "" {
			r.leaveOut(why)
			continue
		}
		// Octet and encoding/json ignore omitempty on structs and arrays, and msgp's code for it may not compile.
		plain := !strings.HasPrefix(text, "[") || strings.HasPrefix(text, "[]")
		omit := slices.Contains(strings.Split(options, ","), "omitempty") && plain && text != "time.Time" && r.structs[text] == nil
		s.Fields = append(s.Fields, Field{Name: f.Name(), Type: text, Key: key, OmitEmpty: omit})
	}
}

// isTime reports whether a type is time.Time, or a struct around it.
func isTime(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	if o := named.Obj(); o.Pkg() != nil && o.Pkg().Path() == "time" && o.Name() == "Time" {
		return true
	}
	s, ok := named.Underlying().(*types.Struct)
	return ok && s.NumFields() == 1 && s.Field(0).Embedded() && isTime(s.Field(0).Type())
}

// expression returns a type as plain Go, or why there is none.
func (r *reader) expression(t types.Type) (text, why string) {
	t = types.Unalias(t)
	if isTime(t) {
		return "time.Time", ""
	}
	if named, ok := t.(*types.Named); ok {
		switch p := named.Obj().Pkg(); {
		case named.TypeArgs().Len() > 0:
			return "", "a field of a generic type"
		case p == nil:
			return "", "a field of an interface type"
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Kind() == types.Invalid:
			return "", "a field whose type is declared in a module or package that is not read"
		case u.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat|types.IsString) == 0 || u.Kind() == types.Uintptr:
			return "", "a complex number or an unsafe pointer"
		}
		return u.Name(), ""
	case *types.Struct:
		if named, ok := t.(*types.Named); ok {
			if _, ok := r.moduleOf(named.Obj().Pkg().Path()); !ok {
				return "", "a field whose type is declared in a module or package that is not read"
			}
		}
		return r.declare(t), ""
	case *types.Pointer:
		text, why = r.expression(u.Elem())
		if why == "" && strings.ContainsAny(text[:1], "*[") || strings.HasPrefix(text, "map") {
			why = "a pointer to a pointer, slice or map"
		}
		return "*" + text, why
	case *types.Slice:
		text, why = r.expression(u.Elem())
		if text == "uint8" || text == "byte" {
			return "[]byte", ""
		}
		return "[]" + text, why
	case *types.Array:
		text, why = r.expression(u.Elem())
		if why == "" && (text == "uint8" || text == "byte") {
			why = "an array of bytes"
		}
		return fmt.Sprintf("[%d]%s", u.Len(), text), why
	case *types.Map:
		if key, ok := u.Key().Underlying().(*types.Basic); !ok || key.Kind() != types.String {
			return "", "a map whose keys are not strings"
		}
		text, why = r.expression(u.Elem())
		if strings.HasPrefix(text, "[][]") {
			why = "a map of slices of slices, for which msgp's code does not compile"
		}
		return "map[string]" + text, why
	case *types.Interface:
		return "", "a field of an interface type"
	}
	return "", "a function or a channel"
}

// dropEmpty removes the fields of structs without any field, until there are none.
func (r *reader) dropEmpty() {
	for changed := true; changed; {
		changed = false
		for _, name := range r.order {
			s := r.structs[name]
			n := len(s.Fields)
			s.Fields = slices.DeleteFunc(s.Fields, func(f Field) bool {
				inner := r.structs[base(f.Type)]
				return inner != nil && len(inner.Fields) == 0
			})
			for range n - len(s.Fields) {
				changed = true
				r.leaveOut("a field of a struct without any field that can be declared")
			}
		}
	}
}

// base returns the name in a type expression.
func base(text string) string { return text[strings.LastIndexAny(text, "*]")+1:] }

// reachable returns the structs with these names and all structs inside them, in the order of their declaration.
func (r *reader) reachable(names []string) (list []Struct) {
	seen := make(map[string]bool)
	var visit func(name string)
	visit = func(name string) {
		s := r.structs[name]
		if s == nil || seen[name] {
			return
		}
		seen[name] = true
		for _, f := range s.Fields {
			visit(base(f.Type))
		}
	}
	for _, name := range names {
		visit(name)
	}
	for _, name := range r.order {
		if seen[name] {
			list = append(list, *r.structs[name])
		}
	}
	return list
}
