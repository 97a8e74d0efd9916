package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// serve calls reader.py for each line of arguments, because starting Python takes longer than reading a file. The first
// argument is the file for its output: a pipe would have to carry megabytes.
const serve = `
import contextlib, json, sys
sys.path.insert(0, "testdata")
sys.dont_write_bytecode = True
import reader
for line in sys.stdin:
    to, *args = json.loads(line)
    with open(to, "w") as out, contextlib.redirect_stdout(out):
        reader.main(*args)
    print("done", flush=True)
`

// A readerProcess is a Python process that executes serve.
type readerProcess struct {
	in     io.Writer
	out    *bufio.Reader
	stderr bytes.Buffer
}

// readerProcesses has one process for each path of Python. They end when the tests do.
var readerProcesses = map[string]*readerProcess{}

func startReader(bin string) (*readerProcess, error) {
	if p := readerProcesses[bin]; p != nil {
		return p, nil
	}
	c := exec.Command(bin, "-c", serve)
	p := new(readerProcess)
	in, inErr := c.StdinPipe()
	out, outErr := c.StdoutPipe()
	if inErr != nil || outErr != nil {
		return nil, fmt.Errorf("%v, %v", inErr, outErr)
	}
	p.in, p.out, c.Stderr = in, bufio.NewReader(out), &p.stderr
	if err := c.Start(); err != nil {
		return nil, err
	}
	readerProcesses[bin] = p
	return p, nil
}

// runReader returns the records that reader.py prints, and its last line.
func runReader(t *testing.T, bin string, args ...string) (records []string, last string) {
	t.Helper()
	p, err := startReader(bin)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "out")
	line, err := json.Marshal(append([]string{to}, args...))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = p.in.Write(append(line, '\n')); err == nil {
		_, err = p.out.ReadString('\n')
	}
	if err != nil {
		delete(readerProcesses, bin)
		t.Fatalf("reader.py %v: %v\n%s", args, err, &p.stderr)
	}
	out, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[:len(lines)-1], lines[len(lines)-1]
}
