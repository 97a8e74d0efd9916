package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/transcode"
)

// lines returns n JSON values on lines of their own, and the same as MessagePack.
func lines(t *testing.T, n int) (json, packed []byte) {
	t.Helper()
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "{\"n\":%d,\"text\":\"%s\",\"list\":[1.5,true,null]}\n", i, strings.Repeat("x", i%50))
	}
	packed, err := transcode.AppendMsgpackValues(nil, b.Bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), packed
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestKilled kills conversions at random times. With -o, the destination then has its
// old content or the complete new content. Without -o, the output is a prefix of the
// complete output. Afterwards, the same conversion succeeds.
func TestKilled(t *testing.T) {
	kills := 200
	switch {
	case testing.Short():
		kills = 12
	case os.Getenv("OCTET_LONG") == "":
		kills = 40
	}
	json, packed := lines(t, 20_000)
	old := []byte("what was there before")
	ways := []*killCase{
		{"to a new file", nil, "in.ndjson", "out.msgpack", packed},
		{"to an existing file", old, "in.ndjson", "out.msgpack", packed},
		{"in place", json, "out.msgpack", "out.msgpack", packed},
		{"to standard output", nil, "in.ndjson", "-", packed},
	}
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel() // the processes wait for the disk
			w.kill(t, json, kills/len(ways))
		})
	}
}

// A killCase is one way to convert lines.
type killCase struct {
	name   string
	before []byte // content of the destination, nil if there is none
	in     string // in.ndjson, unless the destination is converted in place
	out    string // "-" for standard output
	want   []byte
}

func (w *killCase) kill(t *testing.T, json []byte, kills int) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.msgpack")
	writeFile(t, filepath.Join(dir, "in.ndjson"), json)
	var killed, complete, left, again int
	life := 50 * time.Millisecond // the longest time until a kill, which the test adapts to the speed of the machine
	for i := 0; killed < kills && i < 10*kills; i++ {
		os.Remove(path)
		if w.before != nil {
			writeFile(t, path, w.before)
		}
		c := process(t, "convert", "-q", "--from=json", "--to=msgpack", w.in, "-o", w.out)
		var out bytes.Buffer
		c.Dir, c.Stdout = dir, &out
		if err := c.Start(); err != nil {
			t.Skip(err)
		}
		time.Sleep(time.Duration(rand.Int64N(int64(life))))
		if err := c.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		err := c.Wait()
		if err != nil {
			killed++
			life = life * 11 / 10
		} else {
			complete++
			life = max(life*8/10, time.Millisecond)
		}
		if w.out == "-" {
			if !bytes.HasPrefix(w.want, out.Bytes()) || err == nil && out.Len() < len(w.want) {
				t.Fatalf("%s: %d bytes that are not the beginning of the output, %v", w.name, out.Len(), err)
			}
			continue
		}
		got := content(t, path)
		isOld := bytes.Equal(got, w.before) && (got == nil) == (w.before == nil)
		isNew := bytes.Equal(got, w.want)
		if !isOld && !isNew || err == nil && !isNew {
			t.Fatalf("%s, killed: %d bytes, neither the old nor the new content; %v", w.name, len(got), err)
		}
		left += checkLeft(t, dir)
		if isNew && w.in == w.out {
			continue // the input is no longer JSON
		}
		if again++; again%4 > 0 {
			continue // the next conversion finds the same files
		}
		c = process(t, c.Args[1:]...)
		c.Dir = dir
		if err := c.Run(); err != nil || !bytes.Equal(content(t, path), w.want) {
			t.Fatalf("%s, after a kill: %v", w.name, err)
		}
	}
	t.Logf("%d conversions were killed, %d were complete before; %d temporary files were left", killed, complete, left)
	if killed < kills {
		t.Errorf("only %d conversions were killed", killed)
	}
}

// content returns the content of a file, or nil if there is none.
func content(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return b
}

// checkLeft removes the temporary files in dir and returns their number. It fails if a
// temporary file is not hidden, or if there are other files than those of the test.
func checkLeft(t *testing.T, dir string) (n int) {
	t.Helper()
	for _, e := range entries(t, dir) {
		switch name := e.Name(); {
		case name == "in.ndjson" || name == "out.msgpack":
		case strings.HasPrefix(name, ".out.msgpack.") && strings.HasSuffix(name, ".tmp"):
			n++
			os.Remove(filepath.Join(dir, name))
		default:
			t.Errorf("a file %s was left", name)
		}
	}
	return n
}

// TestFileLimit writes a file that is longer than ulimit -f allows.
func TestFileLimit(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil || !hasFileLimit {
		t.Skip("no shell with ulimit -f")
	}
	json, _ := lines(t, 20_000)
	checkFull(t, t.TempDir(), json, "file too large", limitedFiles)
}

// limitedFiles returns c with ulimit -f.
func limitedFiles(c *exec.Cmd) *exec.Cmd {
	limited := exec.Command("sh", append([]string{"-c", `ulimit -f 200; exec "$0" "$@"`}, c.Args...)...)
	limited.Env, limited.Dir = c.Env, c.Dir
	return limited
}

// TestFileLimitOfCommands lets the other commands write files that are longer than
// ulimit -f allows. The error names the file, and no other file is left.
func TestFileLimitOfCommands(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil || !hasFileLimit {
		t.Skip("no shell with ulimit -f")
	}
	json, packed := lines(t, 20_000)
	source := t.TempDir()
	writeFile(t, filepath.Join(source, "a.ndjson"), json)
	p := process(t, "convert", "-q", "a.ndjson", "-o", "a.rec")
	p.Dir = source
	if err := p.Run(); err != nil {
		t.Fatal(err)
	}
	records := content(t, filepath.Join(source, "a.rec"))
	for _, c := range []struct{ args, name string }{
		{"fmt --write --canonical a.msgpack", "a.msgpack"},
		{"fmt --write a.ndjson", "a.ndjson"},
		{"lint --fix --canonical --lossy a.msgpack", "a.msgpack"},
		{"get . a.msgpack -o out.json", "out.json"},
		{"query . a.msgpack -o out.json", "out.json"},
		{"diag a.msgpack -o out.diag", "out.diag"},
		{"array convert a.raw --type uint8 -o out.csv", "out.csv"},
		{"array convert - --from raw --type uint8 -o out.npy", "temporary file in DIR, which TMPDIR names"},
		{"record cat a.rec -o out.rec", "out.rec"},
		{"record cat a.rec --rotate 10MB -o out.rec", "out.rec"},
		{"record merge a.rec -o out.rec", "out.rec"},
		{"record split a.rec -n 2 -o out.rec", "out-1.rec"},
		{"record recover a.rec -o out.rec", "out.rec"},
	} {
		t.Run(c.args, func(t *testing.T) {
			dir := t.TempDir()
			for name, data := range map[string][]byte{"a.msgpack": packed, "a.ndjson": json, "a.raw": packed, "a.rec": records} {
				writeFile(t, filepath.Join(dir, name), data)
			}
			before := entries(t, dir)
			p := process(t, strings.Fields(c.args)...)
			p.Dir, p.Env = dir, append(p.Env, "TMPDIR="+dir)
			p = limitedFiles(p)
			var stderr bytes.Buffer
			p.Stdin, p.Stderr = bytes.NewReader(packed), &stderr
			err := p.Run()
			var exit *exec.ExitError
			want := strings.Replace(c.name, "DIR", dir, 1) + ": file too large\n"
			if !errors.As(err, &exit) || exit.ExitCode() != 3 || !strings.HasSuffix(stderr.String(), " "+want) {
				t.Errorf("%v, %s, want %s", err, &stderr, want)
			}
			if left := entries(t, dir); len(left) != len(before) {
				t.Errorf("before %v, now %v", before, left)
			}
			if !bytes.Equal(content(t, filepath.Join(dir, "a.msgpack")), packed) {
				t.Error("a.msgpack has changed")
			}
		})
	}
}

// checkFull converts json to a file in dir that has no space for it. The conversion
// must fail with the error want, keep the old file and leave no other file.
func checkFull(t *testing.T, dir string, json []byte, want string, limit func(c *exec.Cmd) *exec.Cmd) {
	t.Helper()
	in := filepath.Join(t.TempDir(), "in.ndjson")
	writeFile(t, in, json)
	for _, name := range []string{"out.msgpack", "out.json", "out.rec"} {
		for _, old := range []string{"", "what was there before"} {
			if old != "" {
				writeFile(t, filepath.Join(dir, name), []byte(old))
			}
			c := process(t, "convert", "-q", in, "-o", name, "--from=json")
			c.Dir = dir
			c = limit(c)
			var stderr bytes.Buffer
			c.Stderr = &stderr
			err := c.Run()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 3 || stderr.String() != "octet: convert: "+name+": "+want+"\n" {
				t.Errorf("%s: %v, %s", name, err, &stderr)
			}
			if got := content(t, filepath.Join(dir, name)); string(got) != old {
				t.Errorf("%s has %d bytes, want the old %d", name, len(got), len(old))
			}
			if old != "" {
				os.Remove(filepath.Join(dir, name))
			}
			if left := entries(t, dir); len(left) > 0 {
				t.Fatalf("%s: files were left: %v", name, left)
			}
		}
	}
}
