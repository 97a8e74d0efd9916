package main

import (
	"os"
	"path"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"
)

// setVersion writes the version into the requirements of all go.mod files and the replacements of all go.work files.
func (t *tree) setVersion(version string) error {
	for _, m := range t.modules {
		f, err := t.readModule(m)
		if err != nil {
			return err
		}
		for _, r := range f.Require {
			if own(r.Mod.Path) {
				setToken(r.Syntax, r.Mod.Path, version)
			}
		}
		if err := t.writeSyntax(path.Join(m.dir, "go.mod"), f.Syntax); err != nil {
			return err
		}
	}
	for _, name := range t.files {
		if path.Base(name) != "go.work" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(t.root, name))
		if err != nil {
			return err
		}
		f, err := modfile.ParseWork(name, text, nil)
		if err != nil {
			return err
		}
		for _, r := range f.Replace {
			if own(r.Old.Path) {
				setToken(r.Syntax, r.Old.Path, version)
			}
		}
		if err := t.writeSyntax(name, f.Syntax); err != nil {
			return err
		}
	}
	return nil
}

// setToken sets the version that follows the path of a module in a line.
func setToken(line *modfile.Line, p, version string) {
	if i := slices.Index(line.Token, p); i >= 0 && i+1 < len(line.Token) {
		line.Token[i+1] = version
	}
}

func (t *tree) writeSyntax(name string, syntax *modfile.FileSyntax) error {
	return os.WriteFile(filepath.Join(t.root, name), modfile.Format(syntax), 0o666)
}
