package octetgen_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/octet-go/octet/octetgen"
)

// needsGo skips a test where the go command cannot be started.
func needsGo(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command:", err)
	}
}

// unflagged skips a test with -short if the tests were built with flags, such as -race: the go commands that it starts do not
// get them, so it would only build and run the same programs as without the flags.
func unflagged(t *testing.T) {
	t.Helper()
	build, ok := debug.ReadBuildInfo()
	if !testing.Short() || !ok {
		return
	}
	for _, s := range build.Settings {
		if s.Key == "-gcflags" || s.Key == "-race" || s.Key == "-tags" && s.Value == "purego" {
			t.Skipf("skipped: starts go commands, which %s does not reach", s.Key)
		}
	}
}

// scratch makes a module in a new directory that requires this one, with one package per directory of the files, and
// returns the directory. Its path lets it import the packages that tests use.
func scratch(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	needsGo(t)
	unflagged(t)
	dir = t.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{
		"go.mod": strings.Replace(string(module), "module github.com/octet-go/octet", "module github.com/octet-go/octet/octetgen/scratch", 1) +
			fmt.Sprintf("\nrequire github.com/octet-go/octet v0.0.0\n\nreplace github.com/octet-go/octet => %q\n", root),
		"go.sum": string(sums),
	}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod -trimpath") // without the path of the directory, the go command finds in its cache what it built before
	return dir
}

// generate writes the file of octet-gen to a directory of a scratch module.
func generate(t *testing.T, dir string, names ...string) string {
	t.Helper()
	source, err := octetgen.Generate(dir, names...)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, octetgen.FileName), source, 0o666); err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// command runs the go command in a directory and returns its output.
func command(t *testing.T, dir string, args ...string) (output string, err error) {
	t.Helper()
	c := exec.Command("go", args...)
	c.Dir = dir
	text, err := c.CombinedOutput()
	return string(text), err
}
