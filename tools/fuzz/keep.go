package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The limits of -keep for the inputs of each target, which bound the size of the repository.
const (
	maxInputs    = 24
	maxBytes     = 24 << 10
	longestInput = 4 << 10
)

// The fuzzer names its inputs by their checksums. Inputs with other names were chosen
// by people and do not count towards the limit.
var byChecksum = regexp.MustCompile(`^[0-9a-f]{16}$`)

// keep adds inputs of the cache to testdata/fuzz. The fuzzer reads the inputs in
// testdata/fuzz first, and then those of the cache, short ones before long ones. keep
// adds the inputs that increase the coverage most. It removes no input, because an
// input may be the test for an old bug.
func (t target) keep(ctx context.Context, s settings, binary string) error {
	files, err := os.ReadDir(t.seeds())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	room := maxInputs
	for _, f := range files {
		if byChecksum.MatchString(f.Name()) {
			room--
		}
	}
	cache := filepath.Join(s.cache, t.imports, t.Name)
	found, err := os.ReadDir(cache)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	var inputs [][]byte
	for _, f := range found {
		b, err := os.ReadFile(filepath.Join(cache, f.Name()))
		if err != nil {
			return err
		}
		if len(b) <= longestInput {
			inputs = append(inputs, b)
		}
	}
	if len(inputs) == 0 || room <= 0 {
		return nil
	}
	slices.SortFunc(inputs, func(a, b []byte) int { return cmp.Or(cmp.Compare(len(a), len(b)), bytes.Compare(a, b)) })
	scratch, err := os.MkdirTemp("", "fuzz")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if err := os.Mkdir(filepath.Join(scratch, t.Name), 0o777); err != nil {
		return err
	}
	for i, b := range inputs {
		if err := os.WriteFile(filepath.Join(scratch, t.Name, fmt.Sprintf("%06d", i)), b, 0o666); err != nil {
			return err
		}
	}
	bits, err := t.newBits(ctx, binary, scratch, len(inputs))
	if err != nil {
		return err
	}
	return t.write(inputs, bits, room)
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

// finished is a text that the fuzzer logs after it has read all inputs.
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
func (t target) write(inputs [][]byte, bits []int, room int) error {
	var order []int
	for i, n := range bits {
		if n > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(bits[b], bits[a]) })
	if len(order) == 0 {
		return nil
	}
	if err := os.MkdirAll(t.seeds(), 0o777); err != nil {
		return err
	}
	files, size := 0, 0
	for _, i := range order {
		b := inputs[i]
		if files == room || size+len(b) > maxBytes {
			continue
		}
		name := fmt.Sprintf("%x", sha256.Sum256(b))[:16]
		if err := os.WriteFile(filepath.Join(t.seeds(), name), b, 0o666); err != nil {
			return err
		}
		files++
		size += len(b)
	}
	fmt.Printf("     %s: %d of %d inputs added, %d bytes\n", t.name(), files, len(inputs), size)
	return nil
}
