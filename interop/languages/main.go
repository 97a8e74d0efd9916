package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
)

// The generated values for which the lists of known differences and docs/interop.md are valid.
const (
	defaultSeed  = 1
	defaultCount = 10000
)

func main() {
	install := flag.Bool("install", false, "install the libraries that are not installed")
	count := flag.Int("n", defaultCount, "`number` of generated values")
	seed := flag.Uint64("seed", defaultSeed, "seed of the generated values, a `number`")
	all := flag.Bool("all", false, "print every value, also those that a library reads and writes unchanged")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "languages: unexpected argument %q\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := run(ctx, *seed, *count, *install, *all, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "languages:", err)
		os.Exit(1)
	}
}

// run prints the table. With the default values it also compares the table with the lists of known differences.
func run(ctx context.Context, seed uint64, count int, install, all bool, out io.Writer) error {
	random, err := generate(seed, count)
	if err != nil {
		return err
	}
	t, err := runAll(ctx, append(vectors(), random...), install, os.Stderr)
	if err != nil {
		return err
	}
	printTable(out, t, all)
	if seed != defaultSeed || count != defaultCount {
		return nil
	}
	folder, err := findFolder()
	if err != nil {
		return err
	}
	problems, err := checkAll(folder, t)
	for _, p := range problems {
		fmt.Fprintln(out, "unexpected:", p)
	}
	if err == nil && len(problems) > 0 {
		err = fmt.Errorf("%d values differ from the lists in %s", len(problems), filepath.Join(folder, "known"))
	}
	return err
}

// findFolder returns the folder of this program, from that folder or from the root of the repository.
func findFolder() (string, error) {
	for _, folder := range []string{".", filepath.Join("interop", "languages")} {
		if _, err := os.Stat(filepath.Join(folder, "known")); err == nil {
			return folder, nil
		}
	}
	return "", errors.New("no folder known here: run this program in the root of the repository")
}

// checkAll returns what check returns for every library that ran.
func checkAll(folder string, t table) ([]string, error) {
	var problems []string
	rows := t.rows()
	for _, c := range t.columns {
		if c.skipped != "" {
			continue
		}
		known, err := readKnown(folder, c)
		if err != nil {
			return nil, err
		}
		for _, p := range check(c, rows, known) {
			problems = append(problems, c.name+": "+p)
		}
	}
	return problems, nil
}
