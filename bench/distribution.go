package main

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"github.com/octet-go/octet/bench/cases"
	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/report"
	"github.com/octet-go/octet/bench/types"
)

// presents are the shares of the optional parts of real types that are present, in the order of the runs.
var presents = []float64{0.6, 0.1}

// runRandom measures random types.
func runRandom(o options) error {
	return runTypes(o, types.Random(o.Seed, o.types), []types.Menu{types.RandomMenu()})
}

// runReal measures the types of public modules, once for each share of their optional parts.
func runReal(o options) error {
	s, err := types.Real(o.Seed, o.types)
	if err != nil {
		return err
	}
	var menus []types.Menu
	for _, share := range presents {
		menus = append(menus, types.RealMenu(share))
	}
	return runTypes(o, s, menus)
}

// runTypes measures a set of types in a program of its own, once with each menu. It prints the ratios, and stores
// them with their reports.
func runTypes(o options, s types.Set, menus []types.Menu) error {
	home, err := cases.Home()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "octet-types-*")
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer os.RemoveAll(folder)
	c := types.Settings{Home: home, Folder: folder, Rounds: o.Rounds, Turn: o.Turn, Only: o.match.String()}
	program, err := s.Build(c)
	if err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	for _, menu := range menus {
		d, err := s.Run(c, program, menu)
		if err != nil {
			return err
		}
		d.Quick = o.Quick
		d.Libraries = measured(d, info)
		report.PrintDistribution(os.Stdout, d)
		if err := storeDistribution(o, home, d, len(menus) > 1); err != nil {
			return err
		}
	}
	return nil
}

// measured returns the libraries of a distribution with the versions that are linked into its program.
func measured(d *engine.Distribution, info *debug.BuildInfo) (list []engine.Library) {
	for _, l := range cases.ParticipantsOf(info) {
		if slices.ContainsFunc(d.Columns, func(c engine.Column) bool { return c.Library == l.Name }) {
			list = append(list, l)
		}
	}
	return list
}

// storeDistribution writes the results and reports: to the folder of the results, or to the file that the options
// name, or, if there are several, to its folder. Results of some types are only stored in a file with a name.
func storeDistribution(o options, home string, d *engine.Distribution, several bool) error {
	output := o.output
	switch {
	case output == "" && o.match.String() != "":
		return nil
	case output == "":
		output = filepath.Join(home, "results", d.FileName())
	case several:
		output = filepath.Join(filepath.Dir(output), d.FileName())
	}
	if err := d.Write(output); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "results in %s\n", output)
	return report.WriteDistribution(filepath.Dir(output), d)
}
