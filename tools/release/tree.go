package main

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

const modulePath = "github.com/octet-go/octet"

//go:embed modules.txt
var moduleList string

// A tree is the content of the repository.
type tree struct {
	root    string
	files   []string  // sorted, relative to root, with slashes
	modules []*member // in the order of the list
	ordered []*member // every module after those that it requires
}

// A member is one of the modules.
type member struct {
	dir       string // relative to the root, "." for the root module
	path      string
	published bool
	requires  []*member // modules of the tree, direct and indirect
}

// tag returns the name of the tag that publishes the version.
func (m *member) tag(version string) string { return path.Join(m.dir, version) }

// has reports whether a file belongs to the folder of the module.
func (m *member) has(file string) bool { return m.dir == "." || strings.HasPrefix(file, m.dir+"/") }

// loadTree lists the files that git knows or would add, and reads the go.mod files.
func loadTree(root string) (*tree, error) {
	list, err := output(root, nil, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	t := &tree{root: root}
	for name := range strings.SplitSeq(strings.TrimSuffix(list, "\x00"), "\x00") {
		if info, err := os.Lstat(filepath.Join(root, name)); err == nil && info.Mode().IsRegular() {
			t.files = append(t.files, name)
		}
	}
	slices.Sort(t.files)
	t.files = slices.Compact(t.files)
	return t, t.loadModules(moduleList)
}

func (t *tree) loadModules(list string) error {
	byPath := map[string]*member{}
	requires := map[*member][]string{}
	for line := range strings.Lines(list) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		if len(words) < 2 || words[0] != "published" && words[0] != "unpublished" {
			return fmt.Errorf("modules.txt: cannot read the line %q", line)
		}
		m := &member{dir: words[1], path: path.Join(modulePath, words[1]), published: words[0] == "published"}
		f, err := t.readModule(m)
		if err != nil {
			return err
		}
		m.path = f.Module.Mod.Path
		for _, r := range f.Require {
			if own(r.Mod.Path) {
				requires[m] = append(requires[m], r.Mod.Path)
			}
		}
		t.modules = append(t.modules, m)
		byPath[m.path] = m
	}
	for _, m := range t.modules {
		for _, p := range requires[m] {
			r := byPath[p]
			if r == nil {
				return fmt.Errorf("%s requires %s, which modules.txt does not list", m.path, p)
			}
			if m.published && !r.published {
				return fmt.Errorf("%s requires %s, which is not published", m.path, p)
			}
			m.requires = append(m.requires, r)
		}
	}
	return t.order()
}

func (t *tree) readModule(m *member) (*modfile.File, error) {
	name := filepath.Join(t.root, m.dir, "go.mod")
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	f, err := modfile.Parse(name, text, nil)
	if err != nil {
		return nil, err
	}
	replaces := strings.HasPrefix(m.dir, "compat/") // has the path of another module
	if f.Module == nil || f.Module.Mod.Path != m.path && !replaces {
		return nil, fmt.Errorf("%s: the module is not %s", name, m.path)
	}
	return f, nil
}

// order sets ordered, and adds to each module the modules that it requires indirectly.
func (t *tree) order() error {
	done := map[*member]bool{}
	var visit func(m *member, depth int) error
	visit = func(m *member, depth int) error {
		if depth > len(t.modules) {
			return errors.New("modules require each other in a circle: " + m.path)
		}
		if done[m] {
			return nil
		}
		for _, r := range slices.Clone(m.requires) {
			if err := visit(r, depth+1); err != nil {
				return err
			}
			m.requires = append(m.requires, r.requires...)
		}
		slices.SortFunc(m.requires, func(a, b *member) int { return strings.Compare(a.path, b.path) })
		m.requires = slices.Compact(m.requires)
		done[m] = true
		t.ordered = append(t.ordered, m)
		return nil
	}
	for _, m := range t.modules {
		if err := visit(m, 0); err != nil {
			return err
		}
	}
	return nil
}

// own reports whether a module belongs to this repository.
func own(p string) bool { return p == modulePath || strings.HasPrefix(p, modulePath+"/") }

// copy copies the files of the tree to a new folder.
func (t *tree) copy(to string) (*tree, error) {
	for _, file := range t.files {
		from, name := filepath.Join(t.root, filepath.FromSlash(file)), filepath.Join(to, filepath.FromSlash(file))
		text, err := os.ReadFile(from)
		if err != nil {
			return nil, err
		}
		if err := write(name, text); err != nil {
			return nil, err
		}
		info, err := os.Stat(from)
		if err != nil {
			return nil, err
		}
		if err := os.Chmod(name, info.Mode().Perm()); err != nil {
			return nil, err
		}
	}
	c := &tree{root: to, files: slices.Clone(t.files)}
	return c, c.loadModules(moduleList)
}
