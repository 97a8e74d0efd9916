package binary_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// forStandardTests replaces the unexported names that the standard library's
// tests use.
const forStandardTests = `package binary

import (
	"bytes"
	"reflect"

	. "github.com/octet-go/octet/binary"
)

var errOverflow = func() error {
	_, err := ReadUvarint(bytes.NewReader(bytes.Repeat([]byte{0xff}, 20)))
	return err
}()

func dataSize(v reflect.Value) int { return Size(v.Interface()) }
`

// TestStandardLibrary runs the tests of encoding/binary with the import
// changed. It reads them from GOROOT and creates a temporary package with the
// name that the error texts contain. It omits one test, which uses the cache of
// the standard library.
func TestStandardLibrary(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command: ", err)
	}
	source := filepath.Join(strings.TrimSpace(run(t, "go", "env", "GOROOT")), "src", "encoding", "binary")
	dir := t.TempDir()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	overlay, tests := map[string]string{}, 0
	add := func(name, text string) {
		file := filepath.Join(dir, name)
		overlay[filepath.Join(here, "std", name)] = file
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	add("names_test.go", forStandardTests)
	for _, name := range []string{"binary_test.go", "varint_test.go"} {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			t.Skip("needs the source of the standard library: ", err)
		}
		test := fromOutside(string(text))
		tests += len(regexp.MustCompile(`(?m)^func Test`).FindAllString(test, -1))
		add(name, test)
	}
	list, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	config, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "std.test.exe")
	if err := os.WriteFile(config, list, 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "go", "test", "-c", "-vet=off", "-overlay", config, "-o", program, "./std")
	out, err := exec.Command(program, "-test.v").CombinedOutput()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip("the new program cannot run under the emulator")
	}
	if passed := len(regexp.MustCompile(`(?m)^--- PASS: `).FindAll(out, -1)); err != nil || tests == 0 || passed != tests {
		t.Errorf("%d of %d tests passed, %v:\n%s", passed, tests, err, out)
	}
}

// fromOutside converts a test of encoding/binary to a test of this package.
func fromOutside(test string) string {
	for _, change := range [][2]string{
		{`import \(\n`, "import (\n\t. \"github.com/octet-go/octet/binary\"\n"},
		{`\t"internal/asan"\n`, ""},
		{`\t"sync"\n`, ""},
		{`asan\.Enabled`, "false"},
		{`(?s)\nfunc TestSizeStructCache\(.*?\n}\n`, "\n"},
	} {
		test = regexp.MustCompile(change[0]).ReplaceAllString(test, change[1])
	}
	return test
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}
