// Command mutate changes the code of a package in small ways and runs the short tests of the package on each changed
// copy, called a mutant. A mutant that passes all tests has survived: it is a case that no test notices, or it does
// the same as the original.
//
//	go run ./tools/mutate [-n 50] [-seed 1] package...
//
// The mutants are chosen by hashes of the seed and of their own text. The same code therefore gives the same mutants,
// and a change of one function does not change the choice in other functions. The go command compiles mutants with the
// flag -overlay, so no file of the repository changes.
//
// The survivors with a known reason are in tools/mutate/survivors.txt. For any other survivor the exit code is 1.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	n := flag.Int("n", 50, "the `number` of mutants per package, or 0 for all of them")
	seed := flag.Uint64("seed", 1, "the `seed` for choosing mutants")
	timeout := flag.Duration("timeout", 3*time.Minute, "the `time` that the tests of a mutant may take before it counts as killed")
	reasons := flag.String("reasons", "tools/mutate/survivors.txt", "the `file` of survivors with reasons")
	list := flag.Bool("list", false, "list the mutants without running tests")
	flag.Parse()
	ok, err := run(flag.Args(), *n, *seed, *timeout, *reasons, *list)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// run tests n mutants of each package. It reports whether every survivor has a reason.
func run(packages []string, n int, seed uint64, timeout time.Duration, reasons string, list bool) (bool, error) {
	known, err := readReasons(reasons)
	if err != nil {
		return false, err
	}
	scratch, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(scratch)
	t := tester{scratch: scratch, timeout: timeout}
	allExplained := true
	for _, dir := range packages {
		all, err := mutantsOf(dir)
		if err != nil {
			return false, err
		}
		choose(all, seed)
		want := n
		if n <= 0 {
			want = len(all)
		}
		if list {
			for _, m := range all[:min(want, len(all))] {
				fmt.Println(m)
			}
			continue
		}
		// If the tests failed without a change, every mutant would seem to be killed.
		if out, r := t.test(mutant{file: all[0].file, dir: dir, text: all[0].source}); r != survived {
			return false, fmt.Errorf("the tests of %s fail without a change:\n%s", dir, out)
		}
		var tested, killed, explained int
		for _, m := range all {
			if tested == want {
				break
			}
			_, r := t.test(m)
			if r == invalid { // it does not compile
				continue
			}
			tested++
			switch reason := known[m.key()]; {
			case r != survived:
				killed++
				fmt.Printf("%s: %v\n", r, m)
				if reason != "" {
					fmt.Printf("no longer a survivor, remove it from %s\n", reasons)
				}
			case reason != "":
				explained++
				fmt.Printf("survived, known: %v (%s)\n", m, reason)
			default:
				allExplained = false
				fmt.Printf("SURVIVED: %v\n\t%s\n", m, m.key())
			}
		}
		fmt.Printf("%s: %d mutants of %d possible, %d killed, %d survived for a known reason, %d survived without a reason\n",
			dir, tested, len(all), killed, explained, tested-killed-explained)
	}
	return allExplained, nil
}
