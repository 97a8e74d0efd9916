package octet_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadme runs the Go code of README.md and the command below it, and
// compares what the command prints with what README.md shows.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(readme), "```go\n")
	code, rest, ok2 := strings.Cut(rest, "```\n")
	_, rest, ok3 := strings.Cut(rest, "```\n$ octet inspect user.msgpack\n")
	want, _, ok4 := strings.Cut(rest, "```\n")
	if !ok || !ok2 || !ok3 || !ok4 {
		t.Fatal("README.md has no Go code followed by octet inspect")
	}

	dir := t.TempDir()
	program := filepath.Join(dir, "main.go")
	data := filepath.Join(dir, "user.msgpack")
	source := "package main\n\nimport (\n\"os\"\n\"time\"\n\n\"" + modulePath + "/msgpack\"\n)\n\n" +
		"func run() error {\n" + code + "}\n\n" +
		"func main() {\nif err := os.Chdir(os.Args[1]); err != nil {\npanic(err)\n}\nif err := run(); err != nil {\npanic(err)\n}\n}\n"
	if err := os.WriteFile(program, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	goCommand(t, nil, "run", program, dir)
	if got := string(goCommand(t, nil, "run", "./cmd/octet", "inspect", data)); strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("octet inspect prints\n%s\nREADME.md shows\n%s", got, want)
	}
}
