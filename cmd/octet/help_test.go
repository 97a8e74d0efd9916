package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// noSpace is standard output on a disk that is full.
type noSpace struct{}

func (noSpace) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestOutputFails requires an error of every command if its results cannot be written.
func TestOutputFails(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a.json", `{"a":5}`)
	write(t, "b.json", `{"a":6}`)
	write(t, "one.csv", "1\n")
	write(t, "two.csv", "2\n")
	write(t, "long.msgpack", "\xd0\x01")
	for _, args := range []string{"convert -q a.json -o a.rec", "schema a.json -o a.schema.json", "schema one.csv -o number.schema.json", "array convert -q one.csv -o one.npy"} {
		if stderr, code := octet(nil, nil, strings.Fields(args)...); code != failure.OK {
			t.Fatalf("octet %s: exit %d, %s", args, code, stderr)
		}
	}
	tried := map[string]bool{}
	for _, line := range []string{
		"convert a.json", "diag a.json", "fmt a.json", "fmt --check long.msgpack", "types a.json", "get a a.json", "inspect long.msgpack", "inspect --json long.msgpack",
		"page a.json", "query . a.json", "stat a.json", "stat --json a.json", "diff a.json b.json", "lint long.msgpack", "schema a.json",
		"schema check number.schema.json a.json", "schema diff number.schema.json a.schema.json",
		"array cat one.csv", "array info one.npy", "array info --json one.npy", "array stats one.csv", "array convert one.csv --to json", "array diff one.csv two.csv",
		"record cat a.rec", "record info a.rec", "record verify a.rec", "record index a.rec", "record recover a.rec -o new.rec",
		"completion bash", "completion zsh", "completion fish", "completion powershell", "help get",
	} {
		args := strings.Fields(line)
		tried[args[0]], tried[strings.Join(args[:2], " ")] = true, true
		stderr, code := octet(nil, failing{errors.New("no space left")}, args...)
		if code != failure.Access || !strings.Contains(stderr, "standard output: no space left") {
			t.Errorf("octet %s: exit %d, %s", line, code, stderr)
		}
	}
	silent := map[string]bool{"serve": true, "record merge": true, "record split": true}
	for _, c := range commands() {
		name := strings.TrimPrefix(c.CommandPath(), "octet ")
		if c.Runnable() && !c.HasSubCommands() && !c.Hidden && !tried[name] && !silent[name] {
			t.Errorf("octet %s is not tried", name)
		}
	}
}

// TestPackageComment requires that the comment of the package names every command.
func TestPackageComment(t *testing.T) {
	comment, _, _ := strings.Cut(read(t, "main.go"), "\npackage main")
	for _, c := range commands()[0].Commands() {
		if c.Runnable() && !c.Hidden && c.Name() != "completion" && c.Name() != "help" && !strings.Contains(comment, "//\toctet "+c.Name()+" ") {
			t.Errorf("the comment in main.go does not name octet %s", c.Name())
		}
	}
}

// TestHelpFails requires an error if a help text cannot be written.
func TestHelpFails(t *testing.T) {
	for _, line := range []string{"", "--help", "get --help", "help get", "--version", "array cat --help"} {
		var stderr bytes.Buffer
		c := &console.Console{
			Stdin: strings.NewReader(""), Stdout: noSpace{}, Stderr: &stderr,
			LookupEnv:  func(string) (string, bool) { return "", false },
			IsTerminal: func(any) bool { return false },
		}
		code := run(t.Context(), strings.Fields(line), c)
		if code != int(failure.Access) || !strings.Contains(stderr.String(), "standard output: no space left") {
			t.Errorf("octet %s: exit %d, %s", line, code, &stderr)
		}
	}
}
