package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// What -keep keeps of each target. It bounds the size of the repository.
const (
	maxInputs    = 24
	maxBytes     = 24 << 10
	longestInput = 4 << 10
)

// The fuzzer names its inputs by their checksums. Inputs with other names were
// chosen by people and stay.
var byChecksum = regexp.MustCompile(`^[0-9a-f]{16}$`)

// keep chooses among the inputs in testdata/fuzz and in the cache. It counts which
// of them the fuzzer needs for its coverage when it reads short inputs first, and
// keeps those that add most.
func (t target) keep(ctx context.Context, s settings, binary string) error {
	inputs := map[string][]byte{} // by content
	var old []string
	for _, dir := range []string{filepath.Join(s.cache, modulePath+t.Path, t.Name), t.seeds()} {
		files, err := os.ReadDir(dir)
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		for _, f := range files {
			if !byChecksum.MatchString(f.Name()) {
				continue
			}
			b, err := os.ReadFile(filepath.Join(dir, f.Name()))
			if err != nil {
				return err
			}
			if len(b) <= longestInput {
				inputs[string(b)] = b
			}
			if dir == t.seeds() {
				old = append(old, filepath.Join(dir, f.Name()))
			}
		}
	}
	if len(inputs) == 0 {
		return nil
	}
	sorted := slices.SortedFunc(maps.Values(inputs), func(a, b []byte) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), bytes.Compare(a, b))
	})
	scratch, err := os.MkdirTemp("", "fuzz")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if err := os.Mkdir(filepath.Join(scratch, t.Name), 0o777); err != nil {
		return err
	}
	for i, b := range sorted {
		if err := os.WriteFile(filepath.Join(scratch, t.Name, fmt.Sprintf("%06d", i)), b, 0o666); err != nil {
			return err
		}
	}
	// The fuzzer reads the folder of the package first.
	hidden := t.seeds() + ".old"
	if err := os.Mkdir(hidden, 0o777); err != nil && len(old) > 0 {
		return err
	}
	for _, name := range old {
		if err := os.Rename(name, filepath.Join(hidden, filepath.Base(name))); err != nil {
			return err
		}
	}
	bits, err := t.newBits(ctx, binary, scratch, len(sorted))
	if err != nil {
		for _, name := range old {
			os.Rename(filepath.Join(hidden, filepath.Base(name)), name)
		}
		os.Remove(hidden)
		return err
	}
	os.RemoveAll(hidden)
	return t.write(sorted, bits)
}

var processed = regexp.MustCompile(`processed an initial input, id: .*, new bits: (\d+),`)

// newBits returns what each input adds to the coverage of those before it.
func (t target) newBits(ctx context.Context, binary, cache string, n int) ([]int, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, binary, "-test.run=^$", "-test.fuzz=^"+t.Name+"$", "-test.fuzzcachedir="+cache, "-test.parallel=1", "-test.fuzztime=10m")
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	c.Dir = t.dir
	c.Env = append(os.Environ(), "GODEBUG=fuzzdebug=1")
	var log bytes.Buffer
	done := func(b []byte) {
		if bytes.Contains(b, []byte(finished)) {
			cancel()
		}
	}
	w := &watcher{log: &log, watch: done}
	c.Stdout, c.Stderr = w, w
	c.Run()
	// The fuzzer reads the seeds of the target first, then the inputs in the order of
	// their names. It does not log the names.
	var bits []int
	for l := range strings.Lines(log.String()) {
		if m := processed.FindStringSubmatch(l); m != nil {
			b, _ := strconv.Atoi(m[1])
			bits = append(bits, b)
		}
	}
	if len(bits) < n || !strings.Contains(log.String(), finished) {
		return nil, fmt.Errorf("the fuzzer read %d of %d inputs:\n%s", len(bits), n, withoutDebug(log.String()))
	}
	return bits[len(bits)-n:], nil
}

// finished is what the fuzzer logs when it has read all inputs.
const finished = "finished processing input corpus"

// A watcher writes to a log and calls a function.
type watcher struct {
	log   *bytes.Buffer
	watch func([]byte)
}

func (w *watcher) Write(b []byte) (int, error) {
	w.log.Write(b)
	w.watch(b)
	return len(b), nil
}

// write writes the inputs that add most to the coverage.
func (t target) write(inputs [][]byte, bits []int) error {
	var order []int
	for i, n := range bits {
		if n > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(bits[b], bits[a]) })
	if err := os.MkdirAll(t.seeds(), 0o777); err != nil {
		return err
	}
	files, size := 0, 0
	for _, i := range order {
		b := inputs[i]
		if files == maxInputs || size+len(b) > maxBytes {
			continue
		}
		name := fmt.Sprintf("%x", sha256.Sum256(b))[:16]
		if err := os.WriteFile(filepath.Join(t.seeds(), name), b, 0o666); err != nil {
			return err
		}
		files++
		size += len(b)
	}
	os.Remove(t.seeds()) // if it is empty
	fmt.Printf("     %s: %d of %d inputs kept, %d bytes\n", t.name(), files, len(inputs), size)
	return nil
}
