package octetgen

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// An overlay has the files that the go command reads instead of others: from the path of each to that of the other file, or
// to "" if there is to be no file.
type overlay map[string]string

// flag writes the overlay to the directory temp and returns the flag for it.
func (o overlay) flag(temp string) (string, error) {
	text, err := json.Marshal(map[string]any{"Replace": o})
	if err != nil {
		return "", fmt.Errorf("octetgen: %w", err)
	}
	path := filepath.Join(temp, "overlay.json")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return "", fmt.Errorf("octetgen: %w", err)
	}
	return "-overlay=" + path, nil
}

// load returns the name of the package in a directory and its files. The go command says which ones these are, because they
// depend on its flags, such as -tags in GOFLAGS.
func (o overlay) load(dir, temp string) (*build.Package, error) {
	flag, err := o.flag(temp)
	if err != nil {
		return nil, err
	}
	command := exec.Command("go", "list", "-find", flag, "-json=Name,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles", ".")
	command.Dir = dir
	text, err := command.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return nil, fmt.Errorf("octetgen: cannot list the files of a package: %s", strings.TrimSpace(string(failed.Stderr)))
	}
	pkg := new(build.Package)
	if err == nil {
		err = json.Unmarshal(text, pkg)
	}
	if err != nil {
		return nil, fmt.Errorf("octetgen: cannot list the files of a package: %w", err)
	}
	pkg.Dir = dir
	return pkg, nil
}

// addProbe adds the test that prints the source, and hides the other tests, which need not compile.
func (o overlay) addProbe(pkg *build.Package, temp string, names []string, codecs map[string]string, declared []string) error {
	var types, with strings.Builder
	for _, name := range names {
		switch {
		case !token.IsIdentifier(name):
			return fmt.Errorf("octetgen: %q is not the name of a type", name)
		case !slices.Contains(declared, name):
			return fmt.Errorf("octetgen: package %s declares no type %s", pkg.Name, name)
		}
		fmt.Fprintf(&types, "octetgen_reflect.TypeFor[%s](), ", name)
		if codec := codecs[name]; codec != "" {
			fmt.Fprintf(&with, "octetgen_reflect.TypeFor[%s](): %s, ", name, codec)
		}
	}
	// The package can declare every name that a program is likely to use, so the test uses others.
	source := fmt.Sprintf(`package %s

import (
	octetgen_fmt "fmt"
	octetgen_os "os"
	octetgen_reflect "reflect"
	octetgen_testing "testing"

	octetgen_layout "github.com/octet-go/octet/layout"
	octetgen_octetgen "github.com/octet-go/octet/octetgen"
)

func TestOctetGen(octetgen_t *octetgen_testing.T) {
	type octetgen_local struct{}
	octetgen_path, octetgen_output := octetgen_reflect.TypeFor[octetgen_local]().PkgPath(), octetgen_os.Getenv(%q)
	octetgen_types := []octetgen_reflect.Type{%s}
	octetgen_source, octetgen_err := octetgen_octetgen.SourceWith(%#v, map[octetgen_reflect.Type]*octetgen_layout.Codec{%s}, octetgen_types...)
	for _, octetgen_of := range octetgen_types {
		if octetgen_of.PkgPath() != octetgen_path { // an alias
			octetgen_err = octetgen_fmt.Errorf("octetgen: type %%s: not a type of package %%s", octetgen_of, octetgen_path)
		}
	}
	if octetgen_err != nil {
		octetgen_source, octetgen_output = octetgen_fmt.Append(nil, octetgen_err), octetgen_output+".error"
	}
	if octetgen_err := octetgen_os.WriteFile(octetgen_output, octetgen_source, 0o666); octetgen_err != nil {
		octetgen_t.Fatal(octetgen_err)
	}
}
`, pkg.Name, variable, types.String(), declared, with.String())
	path := filepath.Join(temp, probe)
	o[filepath.Join(pkg.Dir, probe)] = path
	for _, name := range slices.Concat(pkg.TestGoFiles, pkg.XTestGoFiles) {
		o[filepath.Join(pkg.Dir, name)] = ""
	}
	if err := os.WriteFile(path, []byte(source), 0o666); err != nil {
		return fmt.Errorf("octetgen: %w", err)
	}
	return nil
}

// test runs the test of addProbe, which writes the file output, and returns what the go command printed.
func (o overlay) test(temp, dir, output string) (text []byte, err error) {
	flag, err := o.flag(temp)
	if err != nil {
		return nil, err
	}
	command := exec.Command("go", "test", "-vet=off", "-count=1", flag, "-run", "^TestOctetGen$", ".")
	command.Dir = dir
	command.Env = append(os.Environ(), variable+"="+output)
	return command.CombinedOutput()
}

var faulty = regexp.MustCompile(`(?m)^(.*\b` + regexp.QuoteMeta(FileName) + `):\d+:\d+: `)

// renamed matches the error of the go command for a file of another package than the other files in its directory.
var renamed = regexp.MustCompile(`(?m)found packages .*\(` + regexp.QuoteMeta(FileName) + `\).* in (.+)$`)

// hide hides the files named octet_gen.go of other packages in which the compiler has found errors, as it does if a type or
// the package was renamed. Generate runs there later, or has failed. What it prints for this package does not depend on them. hide reports
// whether there was such a file.
func (o overlay) hide(dir string, text []byte) (found bool) {
	var paths []string
	for _, match := range faulty.FindAllSubmatch(text, -1) {
		paths = append(paths, string(match[1]))
	}
	for _, match := range renamed.FindAllSubmatch(text, -1) {
		paths = append(paths, filepath.Join(strings.TrimSpace(string(match[1])), FileName))
	}
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if _, hidden := o[path]; !hidden {
			o[path], found = "", true
		}
	}
	return found
}
