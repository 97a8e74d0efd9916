package cases

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/octet-go/octet/bench/engine"
)

// largeVariable is the environment variable with the way, the task, the number
// of elements and the file of a process that is measured.
const largeVariable = "OCTET_BENCH_LARGE"

// largeProgram has the same protocol for numpy.
//
//go:embed large.py
var largeProgram string

// measureWay starts a process that prepares the array, and measures how it writes or
// sums the array. The process prints a line when it is ready, waits for a line, works,
// and prints the result. The Python program for numpy uses the same protocol.
func measureWay(way, task, path, python string, n int) (f engine.LargeFigures, err error) {
	program, err := os.Executable()
	if err != nil {
		return f, err
	}
	c := exec.Command(program)
	if isNumpy(way) {
		c = exec.Command(python, "-c", largeProgram)
	}
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%s|%d|%s", largeVariable, way, task, n, path))
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		return f, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return f, err
	}
	if err := c.Start(); err != nil {
		return f, err
	}
	defer func() {
		in.Close()
		if failed := c.Wait(); err == nil {
			err = failed
		}
		if task != engine.TaskSum {
			os.Remove(path)
		}
	}()
	lines := bufio.NewReader(out)
	if _, err := lines.ReadString('\n'); err != nil {
		return f, err
	}
	before := anonymous(c.Process.Pid)
	stop, most := make(chan bool), make(chan int64)
	go func() {
		peak := before
		for {
			select {
			case <-stop:
				most <- peak
				return
			case <-time.After(2 * time.Millisecond):
				peak = max(peak, anonymous(c.Process.Pid))
			}
		}
	}()
	if _, err := fmt.Fprintln(in, "go"); err != nil {
		return f, err
	}
	text, err := lines.ReadString('\n')
	stop <- true
	peak := <-most
	if err != nil {
		return f, err
	}
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		return f, err
	}
	f.Memory = peak - before
	return f, nil
}

// anonymous returns the number of bytes of memory of a process that are not part of a
// mapped file, or 0 if the system does not report it.
func anonymous(pid int) int64 {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			n, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return n << 10
		}
	}
	return 0
}

// ServeLarge does the work of a process that is measured, and reports whether the
// environment variable is set.
func ServeLarge() bool {
	args := strings.Split(os.Getenv(largeVariable), "|")
	if len(args) != 4 {
		return false
	}
	n, err := strconv.Atoi(args[2])
	if err == nil {
		err = serveWay(args[0], args[1], args[3], n)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

func serveWay(name, task, path string, n int) error {
	work, share, err := prepare(name, task, path, n)
	if err != nil {
		return err
	}
	runtime.GC()
	fmt.Println("ready")
	if _, err := fmt.Scanln(new(string)); err != nil {
		return err
	}
	cpu, start := engine.ProcessorTime(), time.Now()
	if err := work(); err != nil {
		return err
	}
	f := engine.LargeFigures{Seconds: time.Since(start).Seconds() * share, CPU: (engine.ProcessorTime() - cpu).Seconds() * share}
	return json.NewEncoder(os.Stdout).Encode(f)
}

// pythonWithNumpy returns the path of a Python with numpy and the version of numpy. It
// prefers the Python that the tests of package array install to python3.
func pythonWithNumpy() (python, version string) {
	candidates := []string{"python3"}
	if cache, err := os.UserCacheDir(); err == nil {
		candidates = []string{filepath.Join(cache, "octet-test-numpy", "bin", "python"), "python3"}
	}
	for _, python := range candidates {
		if out, err := exec.Command(python, "-c", "import numpy; print(numpy.__version__)").Output(); err == nil {
			return python, strings.TrimSpace(string(out))
		}
	}
	return "", ""
}
