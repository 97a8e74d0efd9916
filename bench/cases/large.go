package cases

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/bench/engine"
)

// The comparison of ways to write and read large arrays answers one question: is it
// faster to map a file, including the time to flush it? Each measurement runs in its
// own process, because the memory that a process has used changes later times, and
// because the CPU time and the memory of a process then belong to one way only.

// MeasureLarge measures n numbers in the folders: one in memory, one on a disk.
func MeasureLarge(n, rounds int, folders map[string]string, log io.Writer) (*engine.LargeRun, error) {
	r := &engine.LargeRun{Processor: engine.Processor(), OS: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(), Date: time.Now().UTC().Format(time.DateOnly), N: n, Rounds: rounds}
	python, version := pythonWithNumpy()
	r.Numpy = version
	if python == "" {
		fmt.Fprintln(log, "numpy is not measured: no Python has it; go test ./array installs one")
	}
	for _, disk := range []string{"tmpfs", "file system"} {
		folder := folders[disk]
		if folder == "" {
			continue
		}
		tasks := []string{engine.TaskWrite, engine.TaskSync, engine.TaskSum}
		if disk == "tmpfs" {
			tasks = []string{engine.TaskWrite, engine.TaskSum} // there is nothing to sync
		}
		for _, task := range tasks {
			c, err := measureTask(task, disk, folder, python, n, rounds, log)
			if err != nil {
				return nil, fmt.Errorf("bench: %s on %s: %w", task, disk, err)
			}
			r.Cases = append(r.Cases, c)
		}
	}
	return r, nil
}

func measureTask(task, disk, folder, python string, n, rounds int, log io.Writer) (engine.LargeCase, error) {
	dir, err := os.MkdirTemp(folder, "octet-bench-")
	if err != nil {
		return engine.LargeCase{}, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "numbers.npy")
	if task == engine.TaskSum {
		if err := makeNumbers(path, n); err != nil {
			return engine.LargeCase{}, err
		}
	}
	c := engine.LargeCase{Task: task, Disk: disk}
	for _, name := range largeNames(task) {
		if python != "" || !isNumpy(name) {
			c.Ways = append(c.Ways, engine.LargeWay{Name: name, Base: engine.BaseOf(task)})
		}
	}
	for round := range rounds {
		for i := range c.Ways {
			// The order rotates, because the previous way influences memory and caches.
			w := &c.Ways[(i+round)%len(c.Ways)]
			f, err := measureWay(w.Name, task, path, python, n)
			if err != nil {
				return c, fmt.Errorf("%s: %w", w.Name, err)
			}
			fmt.Fprintf(log, "%s, %s, round %d: %-32s %8.3f s %8.3f s CPU %10d bytes\n", disk, task, round+1, w.Name, f.Seconds, f.CPU, f.Memory)
			w.Figures = append(w.Figures, f)
		}
	}
	return c, nil
}

// makeNumbers writes the file that is summed.
func makeNumbers(path string, n int) error {
	f, err := array.Create[uint64](path, 0, array.NPY)
	if err != nil {
		return err
	}
	part := make([]uint64, 1<<16)
	for i := 0; i < n; i += len(part) {
		for k := range part {
			part[k] = uint64(i + k)
		}
		if err := f.Append(part[:min(len(part), n-i)]...); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}
