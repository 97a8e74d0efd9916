package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	"golang.org/x/mod/zip"
)

// sums are the two hashes that go.sum has of a module.
type sums struct{ zip, mod string }

// publish writes each published module to the file tree of a module proxy, and the go.sum lines of all modules. The
// zip of a module contains its go.sum, which has the hashes of the modules that it requires, so these come first.
func (t *tree) publish(version, proxy string) (map[*member]sums, error) {
	known := map[*member]sums{}
	for _, m := range t.ordered {
		if err := t.writeSums(m, version, known); err != nil {
			return nil, err
		}
		if !m.published {
			continue
		}
		s, err := t.publishOne(m, version, proxy)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.path, err)
		}
		known[m] = s
	}
	return known, nil
}

// writeSums replaces the lines of go.sum that are about modules of this repository.
func (t *tree) writeSums(m *member, version string, known map[*member]sums) error {
	name := filepath.Join(t.root, m.dir, "go.sum")
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	lines := map[module.Version]string{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) != 3 {
			return fmt.Errorf("%s: cannot read the line %q", name, line)
		}
		if !own(words[0]) {
			lines[module.Version{Path: words[0], Version: words[1]}] = words[2]
		}
	}
	for _, r := range m.requires {
		lines[module.Version{Path: r.path, Version: version}] = known[r].zip
		lines[module.Version{Path: r.path, Version: version + "/go.mod"}] = known[r].mod
	}
	var order []module.Version
	for v := range lines {
		order = append(order, v)
	}
	module.Sort(order)
	var b bytes.Buffer
	for _, v := range order {
		fmt.Fprintf(&b, "%s %s %s\n", v.Path, v.Version, lines[v])
	}
	if b.Len() == 0 {
		return nil
	}
	if rel := filepath.ToSlash(filepath.Join(m.dir, "go.sum")); !slices.Contains(t.files, rel) {
		t.files = append(t.files, rel)
		slices.Sort(t.files)
	}
	return os.WriteFile(name, b.Bytes(), 0o666)
}

// publishOne writes the files that a proxy has of one version of a module.
func (t *tree) publishOne(m *member, version, proxy string) (s sums, err error) {
	escaped, err := module.EscapePath(m.path)
	if err != nil {
		return s, err
	}
	dir := filepath.Join(proxy, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return s, err
	}
	mod, err := os.ReadFile(filepath.Join(t.root, m.dir, "go.mod"))
	if err != nil {
		return s, err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{version, time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return s, err
	}
	for name, text := range map[string][]byte{"list": []byte(version + "\n"), version + ".info": info, version + ".mod": mod} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return s, err
		}
	}
	archive := filepath.Join(dir, version+".zip")
	if err := t.writeZip(m, version, archive); err != nil {
		return s, err
	}
	if s.zip, err = dirhash.HashZip(archive, dirhash.Hash1); err != nil {
		return s, err
	}
	s.mod, err = dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(mod)), nil })
	return s, err
}

// writeZip writes the zip file of a module.
func (t *tree) writeZip(m *member, version, name string) (err error) {
	var files []zip.File
	license := false
	for _, file := range t.files {
		if !m.has(file) {
			continue
		}
		inside := strings.TrimPrefix(file, m.dir+"/")
		license = license || inside == "LICENSE"
		files = append(files, zipFile{inside, filepath.Join(t.root, filepath.FromSlash(file))})
	}
	if !license {
		return errors.New("the module has no LICENSE: the go command would add that of the root, and the hash would differ")
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return zip.Create(f, module.Version{Path: m.path, Version: version}, files) // leaves out nested modules
}

// A zipFile is a file of the tree for package zip.
type zipFile struct{ inside, name string }

func (f zipFile) Path() string                 { return f.inside }
func (f zipFile) Lstat() (fs.FileInfo, error)  { return os.Lstat(f.name) }
func (f zipFile) Open() (io.ReadCloser, error) { return os.Open(f.name) }
