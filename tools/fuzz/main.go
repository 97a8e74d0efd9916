// Command fuzz runs the fuzz targets of every module and keeps their record. It is
// meant to be called as .ci/fuzz, in any folder of the repository:
//
//	.ci/fuzz                          each target for 2 seconds
//	.ci/fuzz -time 10m -record        takes hours, and adds the run to the record
//	.ci/fuzz -run msgpack -time 1m    the targets whose name matches
//	.ci/fuzz -plain -time 1m          without coverage, which is two to seven times as fast
//	.ci/fuzz -time 0 -keep            keeps inputs that add coverage
//	.ci/fuzz -page                    writes docs/fuzzing.md from the record
//
// The cache of Go has the inputs that the fuzzer found interesting in earlier runs.
// -keep copies those that add most to the coverage to the testdata/fuzz folders, where
// go test without flags replays them. An input that fails is written there too, and
// the exit code is 1. With -warn it is 0, because what the fuzzer finds in a few
// seconds depends on chance, and the last change may not be the cause.
//
// With -plain, the tests are compiled as go test compiles them. The fuzzer then does not
// know which inputs are interesting. It changes those that runs without -plain found, and
// tries many more in the same time.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	root     string
	time     time.Duration
	pattern  *regexp.Regexp
	parallel int
	cache    string
	record   bool
	keep     bool
	warn     bool
	plain    bool
}

func run(args []string) error {
	flags := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	s := settings{}
	flags.DurationVar(&s.time, "time", 2*time.Second, "time for which each target is fuzzed; with 0, none is fuzzed")
	pattern := flags.String("run", "", "regular expression of PACKAGE.TARGET, such as 'msgpack.FuzzGet$'")
	flags.IntVar(&s.parallel, "parallel", 0, "number of worker processes of a target; 0 means one for each processor")
	flags.StringVar(&s.cache, "cache", "", "folder with the inputs of earlier runs (default: the cache of Go)")
	flags.BoolVar(&s.record, "record", false, "add the results to "+recordFile+" and write "+pageFile)
	flags.BoolVar(&s.keep, "keep", false, "copy inputs that add coverage to testdata/fuzz")
	flags.BoolVar(&s.warn, "warn", false, "exit with 0 if inputs fail")
	flags.BoolVar(&s.plain, "plain", false, "fuzz without coverage: more executions, of changed inputs that runs with coverage found")
	page := flags.Bool("page", false, "only write "+pageFile)
	list := flags.Bool("list", false, "only print the targets")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if s.plain && s.keep {
		return errors.New("-keep needs the coverage, without which -plain fuzzes")
	}
	var err error
	if s.pattern, err = regexp.Compile(*pattern); err != nil {
		return err
	}
	if s.root, err = output("", "git", "rev-parse", "--show-toplevel"); err != nil {
		return err
	}
	if s.cache == "" {
		cache, err := output("", "go", "env", "GOCACHE")
		if err != nil {
			return err
		}
		s.cache = filepath.Join(cache, "fuzz")
	}
	targets, err := findTargets(s.root)
	if err != nil {
		return err
	}
	if *page {
		return writePage(s.root)
	}
	if *list {
		for _, t := range targets {
			fmt.Println(t.name())
		}
		return nil
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return fuzzAll(ctx, s, targets)
}

// inMemory lets temporary files be in a folder of a file system that is in memory, unless the environment has a folder for
// them or there is no such file system. Targets that write files run 5 to 30 times as often there. The function that it
// returns takes that back.
func inMemory(system string) (undo func()) {
	if os.Getenv("TMPDIR") != "" {
		return func() {}
	}
	folder, err := os.MkdirTemp(system, "fuzz")
	if err != nil {
		return func() {}
	}
	os.Setenv("TMPDIR", folder)
	return func() {
		os.Unsetenv("TMPDIR")
		os.RemoveAll(folder)
	}
}

// fuzzAll fuzzes the selected targets, one after the other. It records the result of a
// target before the next target begins.
func fuzzAll(ctx context.Context, s settings, targets []target) error {
	binaries, err := os.MkdirTemp("", "fuzz")
	if err != nil {
		return err
	}
	defer os.RemoveAll(binaries)
	defer inMemory("/dev/shm")()
	here, err := environment(s.root, s.plain)
	if err != nil {
		return err
	}
	var failed, found []string
	var binary, built string
	ran := 0
	for _, t := range targets {
		if ctx.Err() != nil {
			break
		}
		if !s.pattern.MatchString(t.name()) {
			continue
		}
		ran++
		if built != t.Path {
			os.Remove(binary)
			if binary, err = t.build(ctx, binaries, s.plain); err != nil {
				failed = append(failed, t.Path)
				fmt.Println(err)
				continue
			}
			built = t.Path
		}
		if s.time > 0 {
			r := t.fuzz(ctx, s, binary)
			fmt.Println(r)
			if r.failure != "" {
				fmt.Println(r.failure)
				found = append(found, t.name())
			}
			if s.record {
				if err := appendRecord(s.root, here, r); err != nil {
					return err
				}
			}
		}
		if s.keep && ctx.Err() == nil {
			if err := t.keep(ctx, s, binary); err != nil {
				fmt.Printf("FAIL %s: %v\n", t.name(), err) // the inputs of the target are unchanged
				failed = append(failed, t.name())
			}
		}
	}
	if s.record || s.keep {
		if err := writePage(s.root); err != nil {
			return err
		}
	}
	if len(found) > 0 && s.warn {
		fmt.Println("inputs fail; fix the errors that they show, and keep each input as a test:", strings.Join(found, ", "))
	} else {
		failed = append(failed, found...)
	}
	switch {
	case ran == 0:
		return errors.New("no target matches")
	case len(failed) > 0:
		return errors.New("failed: " + strings.Join(failed, ", "))
	}
	return nil
}
