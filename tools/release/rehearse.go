package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// A rehearsal publishes a copy of the tree to a folder, and uses what is there as other programs would.
type rehearsal struct {
	version    string
	only, skip *regexp.Regexp // match the folders of modules

	tree  *tree // the copy
	dir   string
	env   []string
	count int
}

func (r *rehearsal) run(root, dir string) error {
	if err := r.publish(root, dir); err != nil {
		return err
	}
	var failed []error
	for _, m := range r.tree.ordered {
		if !m.published || !r.only.MatchString(m.dir) || r.skip.MatchString(m.dir) {
			continue
		}
		start := time.Now()
		what, err := r.use(m)
		if err == nil && m.dir == migrate {
			err = r.migrated()
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", m.path, err))
			what = "FAILED"
		}
		fmt.Printf("%-70s %5.1f s  %s\n", m.path+"@"+r.version, time.Since(start).Seconds(), what)
		r.count++
	}
	if r.count == 0 {
		return errors.New("no module was rehearsed")
	}
	return errors.Join(failed...)
}

// publish copies the tree, sets the version in the copy, and makes the proxy.
func (r *rehearsal) publish(root, dir string) error {
	from, err := loadTree(root)
	if err != nil {
		return err
	}
	if r.dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if err := os.Mkdir(r.dir, 0o777); err != nil {
		return err
	}
	if r.tree, err = from.copy(filepath.Join(r.dir, "tree")); err != nil {
		return err
	}
	if err := r.tree.setVersion(r.version); err != nil {
		return err
	}
	proxy := filepath.Join(r.dir, "proxy")
	if _, err := r.tree.publish(r.version, proxy); err != nil {
		return err
	}
	return r.environment(proxy)
}

// environment sets the variables with which the go command knows the modules from the proxy alone. The modules of others come from the
// module cache of the user, if it has them, and from where the user gets them. The build cache is that of the user. It knows files by
// their content, and -trimpath lets it know those of the next rehearsal, whose module cache is in another folder.
func (r *rehearsal) environment(proxy string) error {
	vars, err := output(r.dir, nil, "go", "env", "GOMODCACHE", "GOPROXY")
	if err != nil {
		return err
	}
	cache, others, _ := strings.Cut(strings.TrimSpace(vars), "\n")
	r.env = []string{
		"GOPROXY=" + fileURL(proxy) + "," + fileURL(filepath.Join(cache, "cache", "download")) + "," + others,
		"GONOSUMDB=" + modulePath + "," + modulePath + "/*",
		"GOPRIVATE=", "GOWORK=off", "GOTOOLCHAIN=local", "GOFLAGS=-modcacherw -trimpath",
		"GOPATH=" + filepath.Join(r.dir, "gopath"),
		"GOMODCACHE=" + filepath.Join(r.dir, "modules"),
		"GOBIN=" + filepath.Join(r.dir, "bin"),
	}
	return nil
}

func fileURL(name string) string {
	name = filepath.ToSlash(name)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // a drive of Windows
	}
	return "file://" + name
}

// use installs the command of a module, or builds and runs its Examples. It returns what it did.
func (r *rehearsal) use(m *member) (string, error) {
	// Outside the workspace, go.mod and go.sum must be complete.
	if _, err := output(filepath.Join(r.tree.root, m.dir), r.env, "go", "list", "-deps", "-test", "./..."); err != nil {
		return "", err
	}
	command, err := r.tree.isCommand(m)
	if err != nil {
		return "", err
	}
	if command {
		return "installed", r.install(m)
	}
	n, err := r.examples(m)
	return fmt.Sprintf("ran %d examples", n), err
}

// install installs a command in an empty folder, and checks the version that it has.
func (r *rehearsal) install(m *member) error {
	dir := filepath.Join(r.dir, "empty")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if _, err := output(dir, r.env, "go", "install", m.path+"@"+r.version); err != nil {
		return err
	}
	program := r.program(m)
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	if info.Main.Version != r.version {
		return fmt.Errorf("the program has the version %s, want %s", info.Main.Version, r.version)
	}
	if m.dir != "cmd/octet" {
		return nil
	}
	for _, pkg := range []string{m.path, m.path + "/octet-serve"} {
		if _, err := output(dir, r.env, "go", "install", pkg+"@"+r.version); err != nil {
			return err
		}
		name := path.Base(pkg)
		text, err := output(dir, r.env, filepath.Join(filepath.Dir(program), name+executable), "--version")
		if err != nil {
			return err
		}
		if !strings.HasPrefix(text, name+" "+r.version+" ") {
			return fmt.Errorf("%s --version prints %q", name, text)
		}
	}
	return nil
}

// program returns the file of an installed command.
func (r *rehearsal) program(m *member) string {
	return filepath.Join(r.dir, "bin", path.Base(m.path)+executable)
}

var executable = map[bool]string{true: ".exe"}[runtime.GOOS == "windows"]
