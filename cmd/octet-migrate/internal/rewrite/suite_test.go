package rewrite_test

import (
	"bytes"
	"fmt"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/load"
	"github.com/octet-go/octet/cmd/octet-migrate/internal/rewrite"
	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// A suite has all programs of the tests of this package, before and after they are
// rewritten. They are loaded together, because loading takes most of the time.
type suite struct {
	libraries     map[string]*types.Package // by path
	rows          []example
	archives      map[string]*txtar.Archive // of testdata/programs, by name
	overlay       map[string][]byte         // all files
	result        map[string][]byte         // all files when they are rewritten
	before, after *load.Program
	rowFindings   map[string][]rewrite.Finding // by folder
	programs      map[string]rewritten         // by name
}

// rewritten is the result for a program of testdata/programs.
type rewritten struct {
	files    map[string][]byte
	findings []rewrite.Finding
}

var shared = sync.OnceValues(newSuite)

func loadSuite(t *testing.T) *suite {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newSuite() (*suite, error) {
	s := &suite{archives: map[string]*txtar.Archive{}, overlay: map[string][]byte{}, rowFindings: map[string][]rewrite.Finding{}, programs: map[string]rewritten{}}
	if err := s.exports(); err != nil {
		return nil, err
	}
	for i, lib := range table.All() {
		if *only != "" {
			break
		}
		objects := map[string]types.Object{}
		for o, n := range rewrite.Names(s.libraries[lib.Path]) {
			objects[n] = o
		}
		for j, e := range examplesOf(lib, objects) {
			e.dir = fmt.Sprintf("lib%d/row%03d", i, j)
			s.rows = append(s.rows, e)
			s.overlay[e.file()] = []byte(e.text)
			if e.more != "" {
				s.overlay[filepath.Join(filepath.Dir(e.file()), "more.go")] = []byte(e.more)
			}
		}
	}
	if err := s.readArchives(); err != nil {
		return nil, err
	}
	var err error
	if s.before, err = loadAll(s.overlay); err != nil {
		return nil, err
	}
	s.result = maps.Clone(s.overlay)
	if err := s.rewriteAll(); err != nil {
		return nil, err
	}
	s.after, err = loadAll(s.result)
	return s, err
}

func loadAll(overlay map[string][]byte) (*load.Program, error) {
	patterns := []string{"./rows/...", "./programs/..."}
	if *only != "" {
		patterns = patterns[1:]
	}
	return load.Load(load.Config{Dir: module, Overlay: overlay, Tests: true}, patterns...)
}

// exports loads the packages of the libraries.
func (s *suite) exports() error {
	var paths []string
	for _, lib := range table.All() {
		paths = append(paths, lib.Path)
	}
	list, err := packages.Load(&packages.Config{Mode: packages.NeedTypes | packages.NeedName | packages.NeedImports, Dir: module}, paths...)
	s.libraries = map[string]*types.Package{}
	for _, p := range list {
		for _, e := range p.Errors {
			return e
		}
		s.libraries[p.PkgPath] = p.Types
	}
	return err
}

func (s *suite) readArchives() error {
	paths, err := filepath.Glob("testdata/programs/*.txtar")
	if err != nil || len(paths) == 0 {
		return fmt.Errorf("no programs: %w", err)
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		if matched, err := filepath.Match(*only, name); *only != "" && (err != nil || !matched) {
			continue
		}
		s.archives[name] = a
		for _, f := range a.Files {
			if isInput(f) {
				s.overlay[filepath.Join(programs, name, f.Name)] = bytes.ReplaceAll(f.Data, []byte("NAME"), []byte(importPath+name))
			}
		}
	}
	return nil
}

// rewriteAll rewrites each program on its own.
func (s *suite) rewriteAll() error {
	byFolder := byFolder(s.before)
	run := func(folder string, libraries []*table.Library, o rewrite.Options) (rewritten, error) {
		o.Read = s.before.Read
		r, err := rewrite.Run(s.before.Fset, byFolder[folder], libraries, o)
		if err != nil {
			return rewritten{}, fmt.Errorf("%s: %w", folder, err)
		}
		files, err := r.Files(s.before.Fset, s.before.Read)
		maps.Copy(s.result, files)
		return rewritten{files, r.Findings}, err
	}
	for _, e := range s.rows {
		r, err := run(e.dir, table.All(), rewrite.Options{Closed: true, Shortest: e.shortest})
		if err != nil {
			return err
		}
		s.rowFindings[e.dir] = r.findings
	}
	for name, a := range s.archives {
		libraries, o := optionsFor(a)
		r, err := run(name, libraries, o)
		if err != nil {
			return err
		}
		s.programs[name] = r
	}
	return nil
}

// byFolder returns the packages of each row, and of each program without its folder elsewhere.
func byFolder(p *load.Program) map[string][]*rewrite.Package {
	folders := map[string][]*rewrite.Package{}
	for _, pkg := range p.Packages {
		rel := strings.TrimPrefix(p.Fset.Position(pkg.Files[0].FileStart).Filename, module+string(filepath.Separator))
		parts := strings.Split(filepath.ToSlash(rel), "/")
		folder := strings.Join(parts[1:3], "/")
		if parts[0] == "programs" {
			folder = parts[1]
		}
		if parts[2] == "elsewhere" {
			continue
		}
		folders[folder] = append(folders[folder], pkg)
	}
	return folders
}

// optionsFor returns the libraries and the options of an archive.
func optionsFor(a *txtar.Archive) ([]*table.Library, rewrite.Options) {
	has := optionsOf(a)
	versions := map[string]string{}
	if has("old") {
		versions = map[string]string{"github.com/shamaton/msgpack/v2": "v2.1.1", "github.com/shamaton/msgpack/v3": "v3.2.0"}
	}
	return table.Chosen(has("std")), rewrite.Options{Versions: versions, Shortest: has("shortest"), Inline: has("inline"), Closed: !has("open")}
}

// optionsOf returns whether an archive has an option.
func optionsOf(a *txtar.Archive) func(string) bool {
	_, options, _ := strings.Cut(string(a.Comment), "options:")
	return func(option string) bool { return slices.Contains(strings.Fields(options), option) }
}
