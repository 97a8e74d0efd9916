package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/octet-go/octet/array"
)

// The comparison of ways to write and read large arrays answers one question: is it
// faster to map a file, including the time to flush it? Each measurement runs in its
// own process, because the memory that a process has used changes later times, and
// because the CPU time and the memory of a process then belong to one way only.

// A largeRun is the result of -large. It is stored beside the page.
type largeRun struct {
	Processor, OS, Go, Numpy, Date string
	N, Rounds                      int
	Cases                          []largeCase
}

// A largeCase has the results of several ways to do one task in one folder.
type largeCase struct {
	Task string // write, write and sync, sum
	Disk string // tmpfs or file system
	Ways []largeWay
}

type largeWay struct {
	Name    string
	Base    string // the way that the ratio refers to
	Figures []largeFigures
}

// largeFigures are the results of one process.
type largeFigures struct {
	Seconds float64
	CPU     float64 // seconds of all processors
	Memory  int64   // bytes of memory beyond the array itself, without the page cache
}

// largeTasks are the tasks with the ways of each.
const (
	taskWrite = "write"
	taskSync  = "write and sync"
	taskSum   = "sum"
)

// baseOf returns the way that a way is compared with.
func baseOf(task string) string {
	if task == taskSum {
		return "slice in memory"
	}
	return "os.File.Write"
}

// measureLarge measures n numbers in the folders: one in memory, one on a disk.
func measureLarge(n, rounds int, folders map[string]string, log io.Writer) (*largeRun, error) {
	r := &largeRun{Processor: processor(), OS: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(), Date: time.Now().UTC().Format(time.DateOnly), N: n, Rounds: rounds}
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
		tasks := []string{taskWrite, taskSync, taskSum}
		if disk == "tmpfs" {
			tasks = []string{taskWrite, taskSum} // there is nothing to sync
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

func measureTask(task, disk, folder, python string, n, rounds int, log io.Writer) (largeCase, error) {
	dir, err := os.MkdirTemp(folder, "octet-bench-")
	if err != nil {
		return largeCase{}, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "numbers.npy")
	if task == taskSum {
		if err := makeNumbers(path, n); err != nil {
			return largeCase{}, err
		}
	}
	c := largeCase{Task: task, Disk: disk}
	for _, name := range largeNames(task) {
		if python != "" || !isNumpy(name) {
			c.Ways = append(c.Ways, largeWay{Name: name, Base: baseOf(task)})
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

// median returns the median of what of returns for each round.
func (w largeWay) median(of func(largeFigures) float64) float64 {
	list := make([]float64, len(w.Figures))
	for i, f := range w.Figures {
		list[i] = of(f)
	}
	slices.Sort(list)
	if len(list) == 0 {
		return 0
	}
	return list[len(list)/2]
}

// ratio returns the median of the ratios to the base, and the lowest and highest.
func (c largeCase) ratio(w largeWay) (median, low, high float64) {
	i := slices.IndexFunc(c.Ways, func(o largeWay) bool { return o.Name == w.Base })
	if i < 0 {
		return 0, 0, 0
	}
	var list []float64
	for k := range min(len(w.Figures), len(c.Ways[i].Figures)) {
		list = append(list, w.Figures[k].Seconds/c.Ways[i].Figures[k].Seconds)
	}
	slices.Sort(list)
	if len(list) == 0 {
		return 0, 0, 0
	}
	return list[len(list)/2], list[0], list[len(list)-1]
}

// runLarge measures and writes the page.
func runLarge(n, rounds int, disk string) error {
	folder, err := home()
	if err != nil {
		return err
	}
	folders := map[string]string{"file system": disk}
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		folders["tmpfs"] = "/dev/shm"
	}
	r, err := measureLarge(n, rounds, folders, os.Stderr)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	fmt.Print(r.verdict())
	root := filepath.Dir(folder)
	if err := writeLarge(root, r); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "docs", largePage, "figures.json"), append(text, '\n'), 0o666)
}
