package octet_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowedModule is the only module that the root go.mod may require, so that a program that needs one package
// of Octet gets no further dependencies.
const allowedModule = "golang.org/x/sys"

// TestRequirements checks the requirements in the root go.mod, used or not.
func TestRequirements(t *testing.T) {
	var mod struct{ Require []struct{ Path string } }
	if err := json.Unmarshal(goCommand(t, nil, "mod", "edit", "-json"), &mod); err != nil {
		t.Fatal(err)
	}
	for _, r := range mod.Require {
		if r.Path != allowedModule {
			t.Errorf("the root go.mod requires %s", r.Path)
		}
	}
}

// TestDependencies checks the dependencies of the packages of the root module and of their tests, in each build
// configuration with its own files.
func TestDependencies(t *testing.T) {
	for name, build := range map[string]struct{ env, flags []string }{
		"default": {},
		"race":    {nil, []string{"-tags=race"}},
		"purego":  {nil, []string{"-tags=purego"}},
		"386":     {[]string{"GOARCH=386"}, nil},
		"arm64":   {[]string{"GOARCH=arm64"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := slices.Concat([]string{"list", "-deps", "-test", "-json=ImportPath,Standard,Module"}, build.flags, []string{"./..."})
			packages, err := readPackages(bytes.NewReader(goCommand(t, build.env, args...)))
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range foreignPackages(packages) {
				t.Errorf("the root module depends on %s", p)
			}
		})
	}
}

// TestNoNetwork checks that bytebuf and binary do not depend on package net, so that programs that only encode
// do not link it, and that the command octet does not depend on an HTTP server, which would take much of the time of
// its build for one of its commands: octet-serve has it. (Package net is needed by cobra.)
func TestNoNetwork(t *testing.T) {
	for _, c := range []struct{ packages, refused []string }{
		{[]string{"./bytebuf", "./binary"}, []string{"net"}},
		{[]string{"./cmd/octet"}, []string{"net/http", "crypto/tls", "crypto/x509"}},
	} {
		args := append([]string{"list", "-deps", "-json=ImportPath"}, c.packages...)
		packages, err := readPackages(bytes.NewReader(goCommand(t, nil, args...)))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range packages {
			if slices.Contains(c.refused, p.ImportPath) {
				t.Errorf("%q depend on package %s", c.packages, p.ImportPath)
			}
		}
	}
}

func TestForeignPackages(t *testing.T) {
	packages, err := readPackages(strings.NewReader(`
		{"ImportPath": "fmt", "Standard": true}
		{"ImportPath": "golang.org/x/sys/cpu", "Module": {"Path": "golang.org/x/sys"}}
		{"ImportPath": "github.com/octet-go/octet/msgpack", "Module": {"Path": "github.com/octet-go/octet"}}
		{"ImportPath": "github.com/octet-go/octet/msgpack.test"}
		{"ImportPath": "github.com/octet-go/octet/transcode", "Module": {"Path": "github.com/octet-go/octet/transcode"}}
		{"ImportPath": "github.com/google/go-cmp/cmp", "Module": {"Path": "github.com/google/go-cmp"}}
	`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"github.com/octet-go/octet/transcode", "github.com/google/go-cmp/cmp"}
	if got := foreignPackages(packages); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// listed is the description of a package in the output of go list.
type listed struct {
	ImportPath string
	Standard   bool
	Module     *struct{ Path string }
}

func readPackages(r io.Reader) ([]listed, error) {
	var list []listed
	for d := json.NewDecoder(r); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
}

// foreignPackages returns the packages that are not in the standard library, not in the root module, and not in
// the allowed module. The package of a test binary has no module.
func foreignPackages(packages []listed) []string {
	var list []string
	for _, p := range packages {
		if !p.Standard && p.Module != nil && p.Module.Path != modulePath && p.Module.Path != allowedModule {
			list = append(list, p.ImportPath)
		}
	}
	return list
}

func goCommand(t *testing.T, env []string, args ...string) []byte {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command:", err)
	}
	c := exec.Command("go", args...)
	c.Env = append(os.Environ(), env...)
	out, err := c.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, exit.Stderr)
		}
		t.Fatal(err)
	}
	return out
}
