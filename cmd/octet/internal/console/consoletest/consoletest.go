// Package consoletest has consoles for tests. Only tests import it.
package consoletest

import (
	"bytes"
	"strings"
	"sync"

	"github.com/octet-go/octet/cmd/octet/internal/console"
)

// New returns a console that reads stdin and writes to the buffers. None of its streams
// is a terminal, and the environment is empty.
func New(stdin string) (c *console.Console, stdout, stderr *Buffer) {
	stdout, stderr = new(Buffer), new(Buffer)
	return &console.Console{
		Stdin: strings.NewReader(stdin), Stdout: stdout, Stderr: stderr,
		LookupEnv: func(string) (string, bool) { return "", false }, IsTerminal: func(any) bool { return false },
	}, stdout, stderr
}

// A Buffer holds what was written to it. It can be read while goroutines write to it,
// such as those that an interrupted command leaves behind.
type Buffer struct {
	mutex sync.Mutex
	b     bytes.Buffer
}

func (b *Buffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.b.Write(p)
}

func (b *Buffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.b.String()
}

// Reset empties the buffer.
func (b *Buffer) Reset() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.b.Reset()
}

// Len returns the number of bytes in the buffer.
func (b *Buffer) Len() int { return len(b.String()) }
