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
