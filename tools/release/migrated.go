package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

// migrate is the folder of the command that rewrites programs.
const migrate = "cmd/octet-migrate"

// migrated builds the programs of the tests of octet-migrate as it has rewritten them, and those of the migration guides with
// them, against the modules of the rehearsal. The programs with the option run are run, before and after.
func (r *rehearsal) migrated() error {
	names, err := filepath.Glob(filepath.Join(r.tree.root, migrate, "internal/rewrite/testdata/programs/*.txtar"))
	if err != nil || len(names) == 0 {
		return fmt.Errorf("no rewritten programs: %w", err)
	}
	dir := filepath.Join(r.dir, "programs", "migrated")
	var required []*member
	for _, m := range r.tree.modules {
		if m.dir == "." || strings.HasPrefix(m.dir, "adapters/") {
			required = append(required, m)
		}
	}
	if err := r.libraries(dir, required); err != nil {
		return err
	}
	var programs []string
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			return err
		}
		base := strings.TrimSuffix(filepath.Base(name), ".txtar")
		options := optionsOf(archive)
		if strings.Contains(options, "errors") {
			continue // it does not compile, by intention
		}
		for _, side := range []string{"before", "after"} {
			if err := unpack(archive, dir, path.Join(side, base), side == "after"); err != nil {
				return err
			}
		}
		if strings.Contains(options, "run") {
			programs = append(programs, base)
		}
	}
	// Some programs copy handles, or have tags that vet does not like, before they are rewritten, too.
	if _, err := output(dir, r.env, "go", "vet", "-mod=mod", "-structtag=false", "-copylocks=false", "./after/..."); err != nil {
		return err
	}
	for _, p := range programs {
		before, err := output(dir, r.env, "go", "run", "-mod=mod", "./before/"+p)
		if err != nil {
			return err
		}
		after, err := output(dir, r.env, "go", "run", "-mod=mod", "./after/"+p)
		if err != nil {
			return err
		}
		if before != after || before == "" {
			return fmt.Errorf("%s prints\n%sand after it was rewritten\n%s", p, before, after)
		}
	}
	return nil
}

// libraries makes a module with the libraries that programs are migrated from, in the versions of the tests of the command.
func (r *rehearsal) libraries(dir string, required []*member) error {
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(r.tree.root, migrate, name))
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	if _, err := output(dir, r.env, "go", "mod", "edit", "-module", "example.com/rehearsal"); err != nil {
		return err
	}
	args := []string{"get"}
	for _, m := range required {
		args = append(args, m.path+"@"+r.version)
	}
	_, err := output(dir, r.env, "go", args...)
	return err
}

// optionsOf returns the options in the comment of an archive.
func optionsOf(a *txtar.Archive) string {
	_, options, _ := strings.Cut(string(a.Comment), "options:")
	options, _, _ = strings.Cut(options, "\n")
	return options
}

// unpack writes the Go files of an archive: those before, or those with what was rewritten.
func unpack(a *txtar.Archive, dir, to string, after bool) error {
	for _, f := range a.Files {
		name, rewritten := strings.CutPrefix(f.Name, "after/")
		if path.Ext(name) != ".go" || rewritten && !after {
			continue
		}
		text := bytes.ReplaceAll(f.Data, []byte("NAME"), []byte("example.com/rehearsal/"+to))
		if err := write(filepath.Join(dir, filepath.FromSlash(to), filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	return nil
}
