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

// Nothing but this may stand in the root go.mod: whoever needs one package of the house gets no other trees.
const allowedModule = "golang.org/x/sys"

// TestRequirements reads what the root module asks for, used or not.
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

// TestDependencies reads what the packages of the root module and their tests are built from, in each build
// that has files of its own.
func TestDependencies(t *testing.T) {
	for name, build := range map[string]struct{ env, flags []string }{
		"as it is": {},
		"race":     {nil, []string{"-tags=race"}},
		"purego":   {nil, []string{"-tags=purego"}},
		"386":      {[]string{"GOARCH=386"}, nil},
		"arm64":    {[]string{"GOARCH=arm64"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := slices.Concat([]string{"list", "-deps", "-test", "-json=ImportPath,Standard,Module"}, build.flags, []string{"./..."})
			packages, err := readPackages(bytes.NewReader(goCommand(t, build.env, args...)))
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range strangers(packages) {
				t.Errorf("the root module is built from %s", p)
			}
		})
	}
}

// TestNoNetwork has programs that only encode link no network: bytebuf and binary do not depend on package net.
func TestNoNetwork(t *testing.T) {
	packages, err := readPackages(bytes.NewReader(goCommand(t, nil, "list", "-deps", "-json=ImportPath", "./bytebuf", "./binary")))
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(packages, func(p listed) bool { return p.ImportPath == "net" }) {
		t.Error("bytebuf or binary depends on package net")
	}
}

func TestStrangers(t *testing.T) {
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
	if got := strangers(packages); !slices.Equal(got, want) {
		t.Errorf("strangers: %q, want %q", got, want)
	}
}

// listed is what go list says of a package.
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

// strangers returns the packages that are neither the standard library's, nor the house's, nor allowed. A test
// binary is a package without a module.
func strangers(packages []listed) []string {
	var list []string
	for _, p := range packages {
		if !p.Standard && p.Module != nil && p.Module.Path != house && p.Module.Path != allowedModule {
			list = append(list, p.ImportPath)
		}
	}
	return list
}

func goCommand(t *testing.T, env []string, args ...string) []byte {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command to ask:", err)
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
