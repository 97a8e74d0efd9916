package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A result is the result of the tests of a mutant.
type result string

const (
	invalid  result = "invalid" // the mutant does not compile
	killed   result = "killed"
	timedOut result = "killed by time"
	survived result = "survived"
)

// A tester compiles and tests mutants.
type tester struct {
	scratch string
	timeout time.Duration
}

// maxMemory is the maximum address space of a test in KiB, because a mutant may allocate memory without limit.
const maxMemory = 12 << 20

// test runs the tests of a mutant. It returns their result, and their output if they fail.
func (t *tester) test(m mutant) (output string, r result) {
	changed := filepath.Join(t.scratch, "changed.go")
	binary := filepath.Join(t.scratch, "package.test")
	path, err := filepath.Abs(m.file)
	if err == nil {
		err = os.WriteFile(changed, m.text, 0o666)
	}
	if err == nil {
		var overlay []byte
		overlay, err = json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
		if err == nil {
			err = os.WriteFile(filepath.Join(t.scratch, "overlay.json"), overlay, 0o666)
		}
	}
	if err != nil {
		return err.Error(), invalid
	}
	compile := exec.Command("go", "test", "-c", "-vet=off", "-overlay", filepath.Join(t.scratch, "overlay.json"), "-o", binary, "./"+filepath.ToSlash(m.dir))
	if out, err := compile.CombinedOutput(); err != nil {
		return string(out), invalid
	}
	ctx, cancel := context.WithTimeout(context.Background(), t.timeout)
	defer cancel()
	c := exec.CommandContext(ctx, binary, "-test.short", "-test.failfast", "-test.timeout=0")
	if sh, err := exec.LookPath("sh"); err == nil { // Windows has none, and mutants have no limit there
		c = exec.CommandContext(ctx, sh, append([]string{"-c", fmt.Sprintf(`ulimit -v %d; exec "$0" "$@"`, maxMemory)}, c.Args...)...)
	}
	c.Dir = m.dir
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	c.WaitDelay = time.Second
	err = c.Run()
	switch {
	case ctx.Err() != nil:
		return out.String(), timedOut
	case err != nil:
		return out.String(), killed
	}
	return "", survived
}

// readReasons reads a list of survivors: a line with the key of each, and an indented line with the reason below it.
func readReasons(name string) (map[string]string, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	known := make(map[string]string)
	key := ""
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		switch line := lines.Text(); {
		case line == "" || strings.HasPrefix(line, "# "):
		case strings.HasPrefix(line, "\t") && key != "":
			known[key] = strings.TrimSpace(line)
			key = ""
		case strings.HasPrefix(line, "\t"):
			return nil, fmt.Errorf("%s: a reason without a mutant: %s", name, line)
		case key != "":
			return nil, fmt.Errorf("%s: a mutant without a reason: %s", name, key)
		default:
			key = line
		}
	}
	if key != "" {
		return nil, fmt.Errorf("%s: a mutant without a reason: %s", name, key)
	}
	return known, lines.Err()
}
