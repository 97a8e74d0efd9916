package record

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
)

// TestMain runs one of the child processes below if an environment variable names it.
func TestMain(m *testing.M) {
	switch path := os.Getenv("RECORD_CHILD_FILE"); os.Getenv("RECORD_CHILD") {
	case "write":
		writeForever(path)
	case "fill":
		fillDisk(path)
	case "recover":
		recoverToFull(path)
	case "append":
		appendOnce(path)
	default:
		heaptest.Main(m)
	}
}

// child returns a command that runs TestMain in another process.
func child(t *testing.T, what, path string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), "RECORD_CHILD="+what, "RECORD_CHILD_FILE="+path)
	c.Stderr = os.Stderr
	return c
}

// writeForever appends entries to the file until it is killed. It prints how many
// records the file had, and after each Sync or Close how many it must have.
func writeForever(path string) {
	fail := func(err error) {
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
	}
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	for {
		w, err := Append(path, &Options{BlockSize: minBlock})
		fail(err)
		fmt.Println("found", w.Len())
		for open := true; open; {
			for range r.IntN(200) {
				fail(w.Write(entryOf(w.Len())))
			}
			switch r.IntN(6) {
			case 0, 1:
				fail(w.Flush())
			case 2, 3:
				fail(w.Sync())
				fmt.Println("safe", w.Len())
			case 4:
				n := w.Len()
				fail(w.Close())
				fmt.Println("safe", n)
				open = false
			}
		}
	}
}

// entryOf returns the record with a number.
func entryOf(n int64) []any {
	return []any{n, strings.Repeat("x", int(n*7%50))}
}

// TestKill repeatedly kills a writing process at random times. The file must have all
// records before the last Sync that returned, and no wrong ones.
func TestKill(t *testing.T) {
	const files = 3 // at the same time, because the processes wait for the disk
	kills := 300 / files
	if few() {
		kills = 15 / files
	}
	for i := range files {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			killOften(t, kills)
		})
	}
}

// killOften kills processes that write to one file.
func killOften(t *testing.T, kills int) {
	path := filepath.Join(t.TempDir(), "a.rec")
	safe := int64(0)
	for i := range kills {
		c := child(t, "write", path)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Skip(err)
		}
		// The time to live begins when the child has opened the file, or sometimes before.
		lines := bufio.NewScanner(out)
		if i%10 > 0 && lines.Scan() {
			safe = checkLine(t, lines.Text(), safe)
		}
		timer := time.AfterFunc(time.Duration(rand.IntN(15_000))*time.Microsecond, func() { c.Process.Kill() })
		for lines.Scan() {
			safe = checkLine(t, lines.Text(), safe)
		}
		timer.Stop()
		c.Wait()
		if t.Failed() {
			return
		}
		safe = checkKilled(t, path, safe)
		if info, err := os.Stat(path); err == nil && info.Size() > 256<<10 {
			os.Remove(path)
			safe = 0
		}
	}
}

// checkLine returns the number of records that the file must have after the child printed a line.
func checkLine(t *testing.T, line string, safe int64) int64 {
	word, number, _ := strings.Cut(line, " ")
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < safe || word == "error" {
		t.Fatalf("the child says %q after %d records were safe", line, safe)
	}
	if word == "safe" {
		return n
	}
	return safe
}

// checkKilled reads the file after a process was killed.
func checkKilled(t *testing.T, path string, safe int64) int64 {
	f, err := Open(path, nil)
	if os.IsNotExist(err) && safe == 0 {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := int64(0)
	for v, err := range All[msgpack.Raw](f) {
		if err != nil {
			t.Fatal(err)
		}
		want, err := msgpack.Marshal(entryOf(n))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(v, want) {
			t.Fatalf("record %d is % x, want % x", n, v, want)
		}
		n++
	}
	if n < safe {
		t.Fatalf("%d records, but %d were synced", n, safe)
	}
	return n
}
