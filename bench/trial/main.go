package trial

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"

	"github.com/octet-go/octet/bench/engine"
)

// Main runs the trials of a program: it reads the settings from the flags, which package types sets, and writes the
// results as JSON to a file.
func Main(trials []Trial) {
	if err := run(trials, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(trials []Trial, args []string) error {
	f := flag.NewFlagSet("trial", flag.ContinueOnError)
	s := &session{reasons: make(map[string]int), timed: make(map[string][]engine.Entry)}
	f.Uint64Var(&s.seed, "seed", 1, "seed of the values and of the order of the libraries")
	f.IntVar(&s.Effort.Rounds, "rounds", engine.MinRounds, "rounds")
	f.DurationVar(&s.Turn, "turn", 0, "duration of a turn")
	menu := f.String("menu", "", "the menu of values, as JSON")
	only := f.String("run", "", "measure only types whose names match this expression")
	output := f.String("o", "", "file for the results")
	if err := f.Parse(args); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(*menu), &s.menu); err != nil {
		return fmt.Errorf("bench: -menu: %w", err)
	}
	match, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("bench: -run: %w", err)
	}
	s.Host, s.Distribution.Seed = engine.Here(), s.seed
	s.Distribution.Rounds = s.Effort.Rounds
	s.Step = func() {}
	for s.pass = range passes {
		for i, t := range trials {
			if !match.MatchString(t.name) {
				continue
			}
			if i%60 == 0 {
				fmt.Fprintf(os.Stderr, "pass %d of %d, %d of %d trials\n", s.pass+1, passes, i, len(trials))
			}
			if err := t.run(s); err != nil {
				return err
			}
		}
	}
	for why, n := range s.reasons {
		s.Leave(why, n)
	}
	return s.Write(*output)
}
