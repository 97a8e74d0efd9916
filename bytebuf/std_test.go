package bytebuf_test

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

// goTool runs the go command in this directory and returns its output.
func goTool(t *testing.T, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command: ", err)
	}
	out, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// forStdTest replaces the packages that the tests of bytes.Buffer use besides Buffer.
const forStdTest = `package bytebuf_test

import (
	"bytes"
	"testing"
)

var (
	Equal  = bytes.Equal
	Repeat = bytes.Repeat
)

var testenv optimizing

type optimizing struct{}

func (optimizing) SkipIfOptimizationOff(testing.TB) {}
`

// TestStandardLibraryTests runs the standard library's tests of bytes.Buffer with only the import changed. It reads
// them from GOROOT and compiles them as a temporary package.
func TestStandardLibraryTests(t *testing.T) {
	source := filepath.Join(strings.TrimSpace(goTool(t, "env", "GOROOT")), "src", "bytes", "buffer_test.go")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Skip("needs the source of the standard library: ", err)
	}
	test := string(text)
	for _, change := range [][2]string{
		{"package bytes_test\n", "package bytebuf_test\n"},
		{`. "bytes"`, `. "github.com/octet-go/octet/bytebuf"`},
		{`"internal/testenv"`, ""},
	} {
		if strings.Count(test, change[0]) != 1 {
			t.Fatalf("%s does not contain %q exactly once", source, change[0])
		}
		test = strings.Replace(test, change[0], change[1], 1)
	}

	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	overlay := map[string]string{}
	for name, content := range map[string]string{"buffer_test.go": test, "names_test.go": forStdTest} {
		file := filepath.Join(dir, name)
		overlay[filepath.Join(here, "stdtest", name)] = file
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(config, list, 0o600); err != nil {
		t.Fatal(err)
	}
	// go test cannot run the tests itself, because their directory does not exist.
	program := filepath.Join(dir, "std.test.exe") // only Windows needs the extension
	goTool(t, "test", "-c", "-vet=off", "-overlay", config, "-o", program, "./stdtest")
	out, err := exec.Command(program, "-test.v").CombinedOutput()
	want := len(regexp.MustCompile(`(?m)^func Test`).FindAllString(test, -1))
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip("the new program cannot run under the emulator")
	}
	if got := strings.Count(string(out), "--- PASS: "); err != nil || want == 0 || got != want {
		t.Errorf("%d of %d tests passed, %v:\n%s", got, want, err, out)
	}
}

// TestCompilerDecisions checks the compiler's output: no method moves its Buffer to the heap except through its
// result, and short methods are inlined.
func TestCompilerDecisions(t *testing.T) {
	out := goTool(t, "build", "-gcflags=-m", ".")
	methods := regexp.MustCompile(`^\./(buffer|grow|read|stream|write)\.go:`)
	tied := regexp.MustCompile(`leaking param: b$|moved to heap`)
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); methods.MatchString(line) && tied.MatchString(line) {
			t.Error(line)
		}
	}
	inlined := "Available AvailableBuffer Bytes Cap Commit Grow Len Next Peek Read ReadByte ReadBytes ReadString " +
		"Reset String UnreadByte UnreadRune Wipe"
	for _, method := range strings.Fields(inlined) {
		if !strings.Contains(out, "can inline (*Buffer)."+method+"\n") {
			t.Errorf("%s is not inlined", method)
		}
	}
}
