package octetgen

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// An overlay starts go commands that read other files than those in the directory of a package.
type overlay struct {
	dir   string            // of the package
	temp  string            // for files
	files map[string]string // from the path of a file to that of the one that is read instead, or to "" if there is to be no file
}

// command returns a go command in the directory of the package.
func (o *overlay) command(verb string, args ...string) (*exec.Cmd, error) {
	path := filepath.Join(o.temp, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": o.files})
	if err == nil {
		err = os.WriteFile(path, text, 0o666)
	}
	if err != nil {
		return nil, fmt.Errorf("octetgen: %w", err)
	}
	c := exec.Command("go", append([]string{verb, "-overlay=" + path}, args...)...)
	c.Dir = o.dir
	return c, nil
}

// load returns the name of the package and its files. The go command says which ones these are, because they depend on its
// flags, such as -tags in GOFLAGS.
func (o *overlay) load() (*build.Package, error) {
	c, err := o.command("list", "-find", "-json=Name,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles", ".")
	if err != nil {
		return nil, err
	}
	text, err := c.Output()
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
	pkg.Dir = o.dir
	return pkg, nil
}

// probe returns the source for the types of a package. It adds a test to the package, which prints the source, and hides the
// other tests, which need not compile.
func (o *overlay) probe(s *sources, names []string) ([]byte, error) {
	const file, variable = "octet_gen_probe_test.go", "OCTET_GEN_OUTPUT"
	var types, with strings.Builder
	for _, name := range names {
		fmt.Fprintf(&types, "octetgen_reflect.TypeFor[%s](), ", name)
		if codec := s.codecs[name]; codec != "" {
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
`, s.Name, variable, types.String(), s.declared, with.String())
	for _, name := range slices.Concat(s.TestGoFiles, s.XTestGoFiles) {
		o.files[filepath.Join(o.dir, name)] = ""
	}
	path, output := filepath.Join(o.temp, file), filepath.Join(o.temp, "output")
	o.files[filepath.Join(o.dir, file)] = path
	if err := os.WriteFile(path, []byte(source), 0o666); err != nil {
		return nil, fmt.Errorf("octetgen: %w", err)
	}
	for {
		c, err := o.command("test", "-vet=off", "-count=1", "-run", "^TestOctetGen$", ".")
		if err != nil {
			return nil, err
		}
		c.Env = append(os.Environ(), variable+"="+output)
		text, failure := c.CombinedOutput()
		if failure != nil && o.hide(text) {
			continue
		}
		if why, err := os.ReadFile(output + ".error"); err == nil {
			return nil, errors.New(string(why))
		}
		printed, err := os.ReadFile(output)
		if failure != nil || err != nil {
			return nil, fmt.Errorf("octetgen: cannot run a test in package %s: %v\n%s", s.Name, failure, text)
		}
		return printed, nil
	}
}

// faulty matches the place of an error in a file with generated code, or the error of the go command for such a file of another
// package than the other files in its directory. It finds the directory, perhaps with a separator or a space.
var faulty = regexp.MustCompile(strings.ReplaceAll(`(?m)^(.*\b)FILE:\d+:\d+: |found packages .*\(FILE\).* in (.+)$`, "FILE", regexp.QuoteMeta(FileName)))

// hide hides the files named octet_gen.go of other packages in which the compiler has found errors, as it does if a type or
// the package was renamed. Generate runs there later, or has failed. What it prints for this package does not depend on them.
// hide reports whether there was such a file.
func (o *overlay) hide(text []byte) (found bool) {
	for _, match := range faulty.FindAllSubmatch(text, -1) {
		path := filepath.Join(strings.TrimSpace(string(match[1])+string(match[2])), FileName)
		if !filepath.IsAbs(path) {
			path = filepath.Join(o.dir, path)
		}
		if _, hidden := o.files[path]; !hidden {
			o.files[path], found = "", true
		}
	}
	return found
}
