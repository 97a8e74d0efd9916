package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A result is the result of fuzzing one target.
type result struct {
	target
	execs   int64
	cpu     time.Duration // of all its processes
	found   int           // interesting inputs
	corpus  int           // inputs, including those of earlier runs; 0 if the fuzzer does not know the coverage
	bits    int           // coverage: number of pairs of an edge and a power of two that its counter reached
	failure string        // output of the target, if it failed
	note    string        // text about a failure that the target did not cause
	input   string        // the file with the failing input, relative to the package
}

func (r result) String() string {
	outcome := "ok  "
	if r.failure != "" {
		outcome = "FAIL"
	}
	gained := ""
	if r.corpus > 0 {
		gained = fmt.Sprintf(", %d new of %d inputs, coverage %d", r.found, r.corpus, r.bits)
	}
	return fmt.Sprintf("%s %s: %d executions, %.1f s of CPU%s%s", outcome, r.name(), r.execs, r.cpu.Seconds(), gained, r.note)
}

var (
	statistics = regexp.MustCompile(`elapsed: .*, execs: (\d+) (?:.*new interesting: (\d+) \(total: (\d+)\))?`)
	coverage   = regexp.MustCompile(`(?:initial coverage bits|total bits): (\d+)`)
	written    = regexp.MustCompile(`Failing input written to (\S+)`)
)

// fuzz runs the target.
func (t target) fuzz(ctx context.Context, s settings, binary string) result {
	args := []string{
		"-test.run=^$", "-test.fuzz=^" + t.Name + "$", "-test.fuzztime=" + s.time.String(),
		"-test.fuzzminimizetime=1s", // an input is minimized for 60 s by default, longer than most runs
		"-test.fuzzcachedir=" + filepath.Join(s.cache, t.imports),
	}
	if s.parallel > 0 {
		args = append(args, "-test.parallel="+strconv.Itoa(s.parallel))
	}
	out, state, err := t.start(ctx, s.time+5*time.Minute, binary, args)
	r := parseLog(out)
	r.target = t
	if state != nil {
		r.cpu = state.UserTime() + state.SystemTime()
	}
	if err != nil && state != nil && state.Success() {
		r.note = ", interrupted: it took much longer than it was given, but passes"
	} else if err != nil && ctx.Err() == nil && !timeIsUp(out) {
		r.failure = err.Error() + "\n" + withoutDebug(out)
		if isHung(out) && r.input != "" && t.passes(ctx, binary, r.input) {
			r.note = ", ended early: the process hung with an input that passes"
			r.failure, r.input = "", ""
		}
	}
	return r
}

// isHung reports whether a target failed because its process took 10 s for an input, or was killed. On a machine that
// is very busy or was suspended, this can happen with any input.
func isHung(out string) bool {
	return strings.Contains(out, "fuzzing process hung or terminated unexpectedly")
}

// passes runs the target three times with the input of a file, each time within the 10 s that the fuzzer allows. If
// all runs pass, it removes the file.
func (t target) passes(ctx context.Context, binary, input string) bool {
	name := filepath.Base(input)
	for range 3 {
		// Only CPU time counts, because a busy machine runs the process late.
		_, state, err := t.start(ctx, time.Minute, binary, []string{"-test.run=^" + t.Name + "$/^" + name + "$"})
		if err != nil || state.UserTime()+state.SystemTime() > 10*time.Second {
			return false
		}
	}
	return os.Remove(filepath.Join(t.dir, input)) == nil
}

// start runs the program in the folder of the package, as go test does.
func (t target) start(ctx context.Context, timeout time.Duration, binary string, args []string) (string, *os.ProcessState, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	c := exec.CommandContext(ctx, binary, args...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	c.Dir = t.dir
	c.Env = append(os.Environ(), "GODEBUG=fuzzdebug=1")
	var b bytes.Buffer
	c.Stdout, c.Stderr = &b, &b
	err := c.Run()
	return b.String(), c.ProcessState, err
}

// parseLog reads the last statistics from the output of a target.
func parseLog(out string) (r result) {
	for line := range strings.Lines(out) {
		if m := statistics.FindStringSubmatch(line); m != nil {
			r.execs, _ = strconv.ParseInt(m[1], 10, 64)
			r.found, _ = strconv.Atoi(m[2])
			r.corpus, _ = strconv.Atoi(m[3])
		}
		if m := coverage.FindStringSubmatch(line); m != nil {
			r.bits, _ = strconv.Atoi(m[1])
		}
		if m := written.FindStringSubmatch(line); m != nil {
			r.input = m[1]
		}
	}
	return r
}

// timeIsUp reports whether a target failed only because its time was over while
// the fuzzer was minimizing an input, which go.dev/issue/75804 describes.
func timeIsUp(out string) bool {
	return strings.Contains(out, "context deadline exceeded") && !strings.Contains(out, "Failing input") && !strings.Contains(out, "panic:")
}

func withoutDebug(out string) string {
	var kept []string
	for line := range strings.Lines(out) {
		if !strings.Contains(line, " DEBUG ") && !strings.HasPrefix(line, "fuzz: elapsed") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}
