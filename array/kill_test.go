package array

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/internal/heaptest"
)

// killVariable is set in the process that TestKill kills.
const killVariable = "OCTET_ARRAY_TEST_KILL"

func TestMain(m *testing.M) {
	if args := os.Getenv(killVariable); args != "" {
		var path, kind string
		var seed uint64
		fmt.Sscan(args, &kind, &seed, &path)
		fmt.Println("error", victim(path, kind, seed))
		os.Exit(1)
	}
	heaptest.Main(m)
}

// killKinds are the ways in which the process writes.
var killKinds = map[string]struct {
	format  Format
	options Options
}{
	"npy":          {NPY, Options{}},
	"npy,unmapped": {NPY, Options{NoMmap: true}},
	"npy,swapped":  {NPY.WithOrder(orderOf(!nativeBig)), Options{}},
	"raw":          {Raw(binary.NativeEndian), Options{}},
	"raw,swapped":  {Raw(orderOf(!nativeBig)), Options{NoMmap: true}},
}

// elementAt is the value that victim appends at index i. It is never 0, because
// Grow adds zeros.
func elementAt(i int) uint64 { return uint64(i)*0x9e3779b97f4a7c15 | 1 }

// victim appends to the array and grows it until it is killed. Before each call
// it prints the call, and after it the new length.
func victim(path, kind string, seed uint64) error {
	k := killKinds[kind]
	f, err := Create[uint64](path, 0, k.format)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	k.options.Format = k.format
	if f, err = Open[uint64](path, &k.options); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(seed, 6))
	values := make([]uint64, 100_000)
	fmt.Println("ready")
	for f.Len() < 20_000_000 {
		n := 1 + r.IntN([]int{3, 200, 2000, len(values)}[r.IntN(4)])
		if r.IntN(4) == 0 {
			fmt.Println("grow", n)
			err = f.Grow(n)
		} else {
			for i := range n {
				values[i] = elementAt(f.Len() + i)
			}
			fmt.Println("append", n)
			err = f.Append(values[:n]...)
		}
		if err != nil {
			return err
		}
		if r.IntN(100) == 0 {
			if err := f.Sync(); err != nil {
				return err
			}
		}
		fmt.Println("length", f.Len())
	}
	for {
		time.Sleep(time.Hour)
	}
}

// TestKill kills a process at random points of Append and Grow. Afterwards the
// file opens, and has all elements of the calls that returned, and all or none
// of the call that did not.
func TestKill(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("js starts no processes")
	}
	kills := 200
	switch {
	case testing.Short():
		kills = 20
	case os.Getenv("OCTET_LONG") == "":
		kills = 60
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const groups = 4 // at the same time, because the processes wait for the disk
	for i := range groups {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			killOften(t, program, kills/groups)
		})
	}
}

func killOften(t *testing.T, program string, kills int) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 7))
	seen := map[string]int{}
	for i := range kills {
		for kind := range killKinds { // one of them, at random
			seed := r.Uint64()
			path := filepath.Join(t.TempDir(), "a")
			if log, err := kill(program, kind, path, seed, time.Duration(r.IntN(20_000))*time.Microsecond); err != nil {
				t.Skipf("no process can be started and killed: %v", err)
			} else {
				checkKilled(t, fmt.Sprintf("kill %d of %s with seed %d", i, kind, seed), path, kind, log, seen)
			}
			os.Remove(path)
			break
		}
	}
	t.Logf("calls that were interrupted: %v", seen)
}

// kill starts the process, lets it run, kills it, and returns what it printed.
func kill(program, kind, path string, seed uint64, after time.Duration) (log string, err error) {
	c := exec.Command(program)
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d %s", killVariable, kind, seed, path))
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := c.Start(); err != nil {
		return "", err
	}
	reader := bufio.NewReader(out)
	if first, err := reader.ReadString('\n'); err != nil || first != "ready\n" {
		_ = c.Process.Kill()
		return "", fmt.Errorf("the process printed %q, %v", first, err)
	}
	rest := make(chan string)
	go func() {
		text, _ := io.ReadAll(reader)
		rest <- string(text)
	}()
	time.Sleep(after)
	if err := c.Process.Kill(); err != nil {
		return "", err
	}
	log = <-rest
	_ = c.Wait()
	return log, nil
}

// checkKilled opens the file and compares it with the log.
func checkKilled(t *testing.T, name, path, kind, log string, seen map[string]int) {
	t.Helper()
	// grown has the elements that Grow added, and lengths both possible lengths.
	type span struct{ from, to int }
	var grown []span
	length, pending, call := 0, 0, ""
	for line := range strings.Lines(log) {
		var n int
		if _, err := fmt.Sscan(line, &call, &n); err != nil || !strings.HasSuffix(line, "\n") {
			if call == "error" {
				t.Fatalf("%s: %s", name, line)
			}
			break // the process was killed while it printed
		}
		switch call {
		case "append":
			pending = n
		case "grow":
			pending = n
			grown = append(grown, span{length, length + n})
		case "length":
			if n != length+pending {
				t.Fatalf("%s: length %d, want %d", name, n, length+pending)
			}
			length, pending = n, 0
		}
	}
	if pending > 0 {
		seen[call]++
	}
	f, err := Open[uint64](path, &Options{Format: killKinds[kind].format})
	if err != nil {
		t.Fatalf("%s: %v, after\n%s", name, err, log)
	}
	defer f.Close()
	if f.Len() != length && f.Len() != length+pending {
		t.Fatalf("%s: length %d, want %d or %d more", name, f.Len(), length, pending)
	}
	if f.Len() != length {
		seen["complete"]++
	}
	for i, v := range f.All() {
		for len(grown) > 0 && i >= grown[0].to {
			grown = grown[1:]
		}
		want := elementAt(i)
		if len(grown) > 0 && i >= grown[0].from {
			want = 0
		}
		if v != want {
			t.Fatalf("%s: element %d of %d is %#x, want %#x", name, i, f.Len(), v, want)
		}
	}
	// A writer can continue.
	n := f.Len()
	if err := f.Append(5, 6); err != nil || f.Len() != n+2 || f.At(n) != 5 {
		t.Errorf("%s: Append afterwards: %v", name, err)
	}
	if err := f.Close(); err != nil {
		t.Errorf("%s: Close afterwards: %v", name, err)
	}
}
