package kernel

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// An assembled is a function in assembly.
type assembled struct {
	name  string
	needs string // instructions
	runs  bool   // this machine has them
}

// TestAssemblyRuns says which functions in assembly the tests cannot run on this machine: it skips for each of them. The
// variable OCTET_KERNELS lists, separated by spaces, functions that must run, so that a machine can prove it.
func TestAssemblyRuns(t *testing.T) {
	required := strings.Fields(os.Getenv("OCTET_KERNELS"))
	list := assembly()
	if len(list) == 0 {
		t.Skipf("not run: this build for %s has no assembly", runtime.GOARCH)
	}
	for _, a := range list {
		t.Run(a.name, func(t *testing.T) {
			switch {
			case a.runs:
				t.Log("run by the tests of this package")
			case slices.Contains(required, a.name):
				t.Errorf("not run, but OCTET_KERNELS requires it: this machine has no %s", a.needs)
			default:
				t.Skipf("not run: this machine has no %s", a.needs)
			}
		})
	}
	for _, name := range required {
		if !slices.ContainsFunc(list, func(a assembled) bool { return a.name == name }) {
			t.Errorf("OCTET_KERNELS requires %s, which does not exist", name)
		}
	}
}

var text = regexp.MustCompile(`(?m)^TEXT ·(\w+)\(`)

// TestAssemblyListed requires that [assembly] has each function of the assembly files of this architecture.
func TestAssemblyListed(t *testing.T) {
	list := assembly()
	if len(list) == 0 {
		t.Skipf("not run: this build for %s has no assembly", runtime.GOARCH)
	}
	out, err := exec.Command("go", "list", "-f", "{{range .SFiles}}{{.}} {{end}}").Output()
	if err != nil {
		t.Skip("needs the go command: ", err)
	}
	for _, file := range strings.Fields(string(out)) {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range text.FindAllStringSubmatch(string(source), -1) {
			// A function for several sizes has an entry for each.
			if !slices.ContainsFunc(list, func(a assembled) bool { return strings.HasPrefix(a.name, m[1]) || strings.HasPrefix(m[1], "permute") }) {
				t.Errorf("%s has %s, which assembly does not list", file, m[1])
			}
		}
	}
}
