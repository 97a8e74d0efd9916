// Package consoletest has consoles for tests. Only tests import it.
package consoletest

import (
	"bytes"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/console"
)

// New returns a console that reads stdin and writes to the buffers. None of its streams
// is a terminal, and the environment is empty.
func New(stdin string) (c *console.Console, stdout, stderr *bytes.Buffer) {
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	return &console.Console{
		Stdin: strings.NewReader(stdin), Stdout: stdout, Stderr: stderr,
		LookupEnv: func(string) (string, bool) { return "", false }, IsTerminal: func(any) bool { return false },
	}, stdout, stderr
}
