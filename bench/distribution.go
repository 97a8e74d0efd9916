package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/octet-go/octet/bench/cases"
	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/report"
	"github.com/octet-go/octet/bench/types"
)

// runRandom measures random types.
func runRandom(o options) error { return runTypes(o, types.Random(o.Seed, o.types)) }

// runTypes measures a set of types in a program of its own, prints the ratios, and stores them with their reports.
func runTypes(o options, s types.Set) error {
	d, err := measureTypes(o, s)
	if err != nil {
		return err
	}
	report.PrintDistribution(os.Stdout, d)
	output := o.output
	if output == "" {
		if o.match.String() != "" {
			return nil
		}
		home, err := cases.Home()
		if err != nil {
			return fmt.Errorf("%w; use -o to name the results file", err)
		}
		output = filepath.Join(home, "results", d.FileName())
	}
	if err := d.Write(output); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "results in %s\n", output)
	return report.WriteDistribution(filepath.Dir(output), d)
}

// measureTypes writes, builds and runs the program for a set of types.
func measureTypes(o options, s types.Set) (*engine.Distribution, error) {
	home, err := cases.Home()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "octet-types-*")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	defer os.RemoveAll(folder)
	d, err := s.Measure(types.Settings{Home: home, Folder: folder, Rounds: o.Rounds, Turn: o.Turn, Only: o.match.String()})
	if err != nil {
		return nil, err
	}
	d.Quick = o.Quick
	for _, l := range cases.Participants() {
		for _, c := range d.Columns {
			if c.Library == l.Name {
				d.Libraries = append(d.Libraries, l)
				break
			}
		}
	}
	return d, nil
}
