package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Exit codes besides 0. With -compare, failed says that octet got worse, and misused that this cannot be told.
const (
	failed  = 1
	misused = 2
)

// options are what the command line says.
type options struct {
	pace
	match                   *regexp.Regexp
	output, report, page    string
	readme, compare, sizing bool
	args                    []string
}

func main() {
	if serveFirst() {
		return
	}
	o, err := parseOptions(flag.CommandLine, os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(misused)
	}
	switch {
	case o.compare:
		var worse bool
		worse, err = compareFiles(os.Stdout, o.args[0], o.args[1])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(misused)
		}
		if worse {
			os.Exit(failed)
		}
	case o.report != "":
		err = remake(o)
	case o.sizing:
		err = printSizes(os.Stdout)
	default:
		err = run(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(failed)
	}
}

// parseOptions refuses what would be passed over in silence.
func parseOptions(f *flag.FlagSet, args []string) (o options, err error) {
	f.IntVar(&o.rounds, "rounds", leastRounds, "how often each library has its turn (with -quick: 4)")
	f.DurationVar(&o.turn, "turn", 10*time.Millisecond, "about how long one turn takes (with -quick: 1ms)")
	only := f.String("run", "", "measure what matches this regular `expression` alone, such as struct/report/Marshal")
	f.StringVar(&o.base, "base", ours, "print times divided by those of this `library`, such as limit or msgp")
	f.Uint64Var(&o.seed, "seed", uint64(time.Now().Unix()), "the order of the libraries in each round follows from this `number` (default: from the clock)")
	f.BoolVar(&o.quick, "quick", false, "shorter turns and nothing large: under a minute, for a first look")
	f.StringVar(&o.output, "o", "", "write the results to this `file`, and the reports beside it (default: to the folder results, unless -run is given)")
	f.BoolVar(&o.sizing, "size", false, "measure nothing but by how much Marshal and Unmarshal make a program larger")
	f.StringVar(&o.report, "report", "", "measure nothing, and make the tables and charts of this results `file` again")
	f.StringVar(&o.page, "page", "", "write tables and charts as one HTML page to this `file` too")
	f.BoolVar(&o.readme, "readme", false, "with -report, write its figures into README.md too")
	f.BoolVar(&o.compare, "compare", false, "measure nothing, and say what changed between two results files, or several of each separated by commas: -compare old.json new.json")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.args = f.Args()
	var given []string
	f.Visit(func(f *flag.Flag) { given = append(given, f.Name) })
	if o.quick && !slices.Contains(given, "turn") {
		o.turn = time.Millisecond
	}
	if o.quick && !slices.Contains(given, "rounds") {
		o.rounds = 4
	}
	// What each of the things that the command does takes, by the flag that asks for it.
	mode, takes, arguments := "", []string{"rounds", "turn", "run", "quick", "base", "seed", "page", "o"}, 0
	switch {
	case o.compare:
		mode, takes, arguments = "compare", []string{"compare"}, 2
	case o.report != "":
		mode, takes = "report", []string{"report", "readme", "page"}
	case o.sizing:
		mode, takes = "size", []string{"size"}
	}
	for _, name := range given {
		switch {
		case slices.Contains(takes, name):
		case mode == "":
			return o, fmt.Errorf("bench: -%s needs a results file: -report file.json [-readme]", name)
		default:
			return o, fmt.Errorf("bench: -%s has no meaning with -%s", name, mode)
		}
	}
	switch {
	case o.compare && len(o.args) != arguments:
		return o, errors.New("bench: -compare needs two results files, the old and the new")
	case len(o.args) != arguments:
		return o, fmt.Errorf("bench: what is %q? Cases are chosen by -run", o.args[0])
	case o.rounds < 1 || o.turn <= 0:
		return o, errors.New("bench: -rounds and -turn must be more than nothing")
	}
	if o.match, err = regexp.Compile(*only); err != nil {
		return o, fmt.Errorf("bench: -run: %w", err)
	}
	return o, nil
}

// remake makes the reports of results that are there.
func remake(o options) error {
	path := o.report
	r, err := readResults(path)
	if err != nil {
		return err
	}
	if err := writeReports(filepath.Dir(path), r); err != nil {
		return err
	}
	if o.page != "" {
		if err := writePage(o.page, r); err != nil {
			return err
		}
	}
	printUnexplained(os.Stderr, r)
	if !o.readme {
		return nil
	}
	folder, err := home()
	if err != nil {
		return err
	}
	// The README links to the reports, which lie beside the results.
	here, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	if there, err := os.Stat(filepath.Join(folder, "results", r.fileName())); err != nil || !os.SameFile(here, there) {
		return fmt.Errorf("bench: the README shows results that lie in bench/results as %s", r.fileName())
	}
	return updateReadme(filepath.Join(filepath.Dir(folder), "README.md"), r)
}

// run measures, prints, and stores what a whole run found. Reports are made of whole runs alone, too: charts need
// all of what they compare.
func run(o options) error {
	whole, output := o.match.String() == "", o.output
	var programs []Program
	if whole && !o.quick {
		var err error
		if programs, err = programSizes(); err != nil {
			return err
		}
	}
	results, err := measure(os.Stdout, o.match, o.pace)
	if err != nil {
		return err
	}
	results.Programs = programs
	if o.page != "" {
		if err := writePage(o.page, results); err != nil {
			return err
		}
	}
	if output == "" {
		if !whole {
			return nil
		}
		folder, err := home()
		if err != nil {
			return fmt.Errorf("%w; say with -o where the results belong", err)
		}
		output = filepath.Join(folder, "results", results.fileName())
	}
	if err := results.write(output); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "results in %s\n", output)
	if !whole {
		return nil
	}
	printUnexplained(os.Stderr, results)
	return writeReports(filepath.Dir(output), results)
}

// home is the folder of this package, whatever folder the command is run in.
func home() (string, error) {
	text, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/octet-go/octet/bench").Output()
	if err != nil {
		return "", fmt.Errorf("bench: go list: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}
