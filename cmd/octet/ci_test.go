package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// The versions of a type in the repository of TestCI.
const (
	firstEvent = `package event

import "github.com/octet-go/octet/msgpack"

var Codec, _ = msgpack.New(msgpack.Options{StructAsArray: true})

type Event struct {
	Name string ` + "`msgpack:\"name\"`" + `
}
`
	longerEvent = `package event

type Event struct {
	Name  string ` + "`msgpack:\"name\"`" + `
	Email string ` + "`msgpack:\"email\"`" + `
}
`
	renamedEvent = `package event

type Event struct {
	Name  string ` + "`msgpack:\"full_name,alias=name\"`" + `
	Email string ` + "`msgpack:\"email\"`" + `
}
`
)

// TestCI runs the commands of docs/schema-in-ci.md in a repository, for pull requests that
// must pass and that must fail.
func TestCI(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	for _, program := range []string{"git", "sh", "go"} {
		if _, err := exec.LookPath(program); err != nil || runtime.GOOS == "windows" {
			t.Skipf("skipped: %s is not installed, or the system has no symbolic links", program)
		}
	}
	page := read(t, filepath.Join("..", "..", "docs", "schema-in-ci.md"))
	writing := regexp.MustCompile(`(?m)^(octet schema .*event\.schema\.json)`).FindAllStringSubmatch(page, -1)
	steps := regexp.MustCompile(`(?m)^- run: (.*)$`).FindAllStringSubmatch(page, -1)
	if len(writing) != 2 || len(steps) != 5 || !strings.HasPrefix(steps[0][1], "go install ") {
		t.Fatalf("the page has %d commands and %d steps", len(writing), len(steps))
	}
	steps = steps[1:] // the tool is installed as a link to this program
	_, shown, _ := strings.Cut(page, "reader fails or loses a field:\n\n```\n")
	shown, _, _ = strings.Cut(shown, "```")

	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, programs := t.TempDir(), t.TempDir()
	if err := os.Symlink(self, filepath.Join(programs, "octet")); err != nil {
		t.Fatal(err)
	}
	goEnv := func(name string) string {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		return name + "=" + strings.TrimSpace(string(out))
	}
	env := []string{
		"PATH=" + programs + string(os.PathListSeparator) + os.Getenv("PATH"), "OCTET_TEST_PROCESS=1", "HOME=" + dir, "LC_ALL=C", "TERM=dumb",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "RUNNER_TEMP=" + t.TempDir(), "TMPDIR=" + os.TempDir(),
		"GOWORK=off", "GOFLAGS=-mod=mod -trimpath", "GOPROXY=off", goEnv("GOCACHE"), goEnv("GOMODCACHE"), goEnv("GOTOOLCHAIN"),
	}
	run := func(in, line string) (string, error) {
		c := exec.Command("sh", "-c", line)
		c.Dir, c.Env = filepath.Join(dir, in), env
		out, err := c.CombinedOutput()
		return string(out), err
	}
	must := func(in, line string) {
		t.Helper()
		if out, err := run(in, line); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	const commit = "git add -A && git -c user.name=a -c user.email=a@example.com commit -qm change"
	must(".", "git init -q -b main origin && mkdir origin/event")
	_, requires, _ := strings.Cut(read(t, filepath.Join(root, "go.mod")), "\nrequire")
	write(t, filepath.Join(dir, "origin", "go.mod"), "module example.com/shop\n\ngo 1.26\n\nrequire github.com/octet-go/octet v0.0.0\n\nreplace github.com/octet-go/octet => "+root+"\n\nrequire"+requires)
	write(t, filepath.Join(dir, "origin", "go.sum"), read(t, filepath.Join(root, "go.sum")))
	write(t, filepath.Join(dir, "origin", "event", "event.go"), firstEvent)
	must("origin", writing[1][1])
	if text := read(t, filepath.Join(dir, "origin", "event", "event.schema.json")); !strings.Contains(text, "asarray") {
		t.Errorf("--codec does not count:\n%s", text)
	}
	must("origin", writing[0][1]+" && "+commit)

	for _, c := range []struct {
		name, event string
		update      bool
		fails       int    // index of the step that fails; -1: none
		prints      string // what it prints, apart from the last line
	}{
		{"nothing changed", firstEvent, false, -1, ""},
		{"a field was added", longerEvent, true, -1, ""},
		{"the schema is not current", longerEvent, false, 3, ""},
		{"a field was renamed", renamedEvent, true, 2, shown},
	} {
		t.Run(c.name, func(t *testing.T) {
			must(".", "rm -rf work && git clone -q --depth 1 file://"+dir+"/origin work") // as actions/checkout does
			write(t, filepath.Join(dir, "work", "event", "event.go"), c.event)
			if c.update {
				must("work", writing[0][1])
			}
			must("work", commit+" || true") // nothing to commit
			for i, step := range steps {
				out, err := run("work", step[1])
				var exit *exec.ExitError
				if failed := errors.As(err, &exit) && exit.ExitCode() == 1; failed != (i == c.fails) || err != nil && !failed {
					t.Fatalf("%s: %v\n%s", step[1], err, out)
				} else if failed && !strings.HasPrefix(out, c.prints) {
					t.Errorf("%s prints\n%swant\n%s", step[1], out, c.prints)
				}
				if i == c.fails {
					break
				}
			}
		})
	}
}
