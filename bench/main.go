package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/octet-go/octet/bench/cases"
	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/report"
	"github.com/octet-go/octet/bench/shape"
)

// Exit codes other than 0. With -compare, failed means that octet got worse, and misused that the comparison is not
// possible.
const (
	failed  = 1
	misused = 2
)

// options contains the flags of the command line.
type options struct {
	engine.Effort
	match                   *regexp.Regexp
	output, report, page    string
	readme, compare, sizing bool
	large                   int
	random                  string
	types                   int
	real, instructions      bool
	disk                    string
	args                    []string
}

func main() {
	if cases.ServeFirst() || cases.ServeLarge() {
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
		worse, err = engine.CompareFiles(os.Stdout, o.args[0], o.args[1])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(misused)
		}
		if worse {
			os.Exit(failed)
		}
	case o.report != "":
		err = remake(o)
	case o.random != "":
		err = runRandom(o)
	case o.real:
		err = runReal(o)
	case o.sizing:
		var list []engine.Program
		if list, err = cases.ProgramSizes(); err == nil {
			report.PrintSizes(os.Stdout, list)
		}
	case o.large > 0:
		err = runLarge(o.large, o.Rounds, o.disk)
	case shape.Resolver == nil:
		var code int
		if code, err = rebuilt(os.Args[1:]); err == nil {
			os.Exit(code)
		}
		if !o.instructions {
			fmt.Fprintln(os.Stderr, err)
			fmt.Fprintln(os.Stderr, "bench: measuring without msgpackgen")
			err = run(o)
		}
	case o.instructions:
		err = runInstructions(o)
	default:
		err = run(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(failed)
	}
}

// parseOptions returns an error for flags that would have no effect.
func parseOptions(f *flag.FlagSet, args []string) (o options, err error) {
	f.IntVar(&o.Rounds, "rounds", engine.MinRounds, "`number` of rounds, in each of which every library has one turn (default 90 with -random and -real, 4 with -quick)")
	f.DurationVar(&o.Turn, "turn", 10*time.Millisecond, "approximate `duration` of one turn (default 1ms with -quick, 100µs with -random and -real)")
	only := f.String("run", "", "measure only cases that match this regular `expression`, such as struct/report/Marshal")
	f.StringVar(&o.Base, "base", engine.Ours, "print ratios to the times of this `library`, such as limit or msgp")
	f.Uint64Var(&o.Seed, "seed", uint64(time.Now().Unix()), "seed, a `number`, for the order of the libraries in each round (default: from the clock)")
	f.BoolVar(&o.Quick, "quick", false, "use shorter turns and skip large cases; under a minute")
	f.StringVar(&o.output, "o", "", "write the results to this `file` and the reports to its directory (default: directory results, unless -run is given)")
	f.BoolVar(&o.sizing, "size", false, "measure only how much Marshal and Unmarshal add to the size of a program")
	f.IntVar(&o.large, "large", 0, "measure only ways to write and sum this `number` of integers in files, such as 100000000, and write docs/large-arrays.md")
	f.StringVar(&o.disk, "disk", os.TempDir(), "with -large, a `folder` of a file system on a disk")
	f.StringVar(&o.random, "random", "", "measure random struct types of this `seed`, a number, beside generated code and reflection")
	f.BoolVar(&o.real, "real", false, "measure struct types of public modules, which are downloaded, with 60% and with 10% of their optional parts")
	f.IntVar(&o.types, "types", 70, "with -random and -real, the `number` of types (default 600 with -real)")
	f.BoolVar(&o.instructions, "instructions", false, "measure cases that use vector instructions with all of them, without AVX-512, and without AVX2")
	f.StringVar(&o.report, "report", "", "generate the tables and charts of this results `file` again, without measuring")
	f.StringVar(&o.page, "page", "", "also write tables and charts as one HTML page to this `file`")
	f.BoolVar(&o.readme, "readme", false, "with -report, also write the figures to README.md and to the pages in docs that have some")
	f.BoolVar(&o.compare, "compare", false, "print the changes between two results files, without measuring: -compare old.json new.json; each may be several files separated by commas")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.args = f.Args()
	var given []string
	f.Visit(func(f *flag.Flag) { given = append(given, f.Name) })
	if o.Quick && !slices.Contains(given, "turn") {
		o.Turn = time.Millisecond
	}
	if o.Quick && !slices.Contains(given, "rounds") {
		o.Rounds = 4
	}
	many := o.random != "" || o.real
	if many && !slices.Contains(given, "turn") {
		o.Turn = 100 * time.Microsecond
	}
	if many && !o.Quick && !slices.Contains(given, "rounds") {
		o.Rounds = 6 * engine.MinRounds
	}
	if o.real && !slices.Contains(given, "types") {
		o.types = 600
	}
	if o.real && !slices.Contains(given, "seed") {
		o.Seed = 1
	}
	if o.large > 0 && !slices.Contains(given, "rounds") {
		o.Rounds = 5
	}
	// The flags that are valid in each mode, by the flag that selects the mode.
	mode, takes, arguments := "", []string{"rounds", "turn", "run", "quick", "base", "seed", "page", "o"}, 0
	switch {
	case o.compare:
		mode, takes, arguments = "compare", []string{"compare"}, 2
	case o.report != "":
		mode, takes = "report", []string{"report", "readme", "page"}
	case o.random != "":
		mode, takes = "random", []string{"random", "types", "rounds", "turn", "run", "quick", "o"}
		if o.Seed, err = strconv.ParseUint(o.random, 10, 64); err != nil {
			return o, fmt.Errorf("bench: -random needs a number, the seed: %q", o.random)
		}
	case o.real:
		mode, takes = "real", []string{"real", "types", "seed", "rounds", "turn", "run", "quick", "o"}
	case o.instructions:
		mode, takes = "instructions", []string{"instructions", "run", "seed", "rounds", "turn", "quick", "o"}
	case o.sizing:
		mode, takes = "size", []string{"size"}
	case o.large != 0:
		mode, takes = "large", []string{"large", "disk", "rounds"}
	}
	for _, name := range given {
		switch {
		case slices.Contains(takes, name):
		case mode == "" && name == "disk":
			return o, errors.New("bench: -disk needs -large")
		case mode == "" && name == "types":
			return o, errors.New("bench: -types needs -random or -real")
		case mode == "":
			return o, fmt.Errorf("bench: -%s needs a results file: -report file.json [-readme]", name)
		default:
			return o, fmt.Errorf("bench: -%s cannot be used with -%s", name, mode)
		}
	}
	switch {
	case o.compare && len(o.args) != arguments:
		return o, errors.New("bench: -compare needs two results files, the old and the new")
	case len(o.args) != arguments:
		return o, fmt.Errorf("bench: unexpected argument %q; use -run to select cases", o.args[0])
	case o.types < 1:
		return o, errors.New("bench: -types must be positive")
	case o.large < 0:
		return o, errors.New("bench: -large must be positive")
	case o.Rounds < 1 || o.Turn <= 0:
		return o, errors.New("bench: -rounds and -turn must be positive")
	}
	if o.match, err = regexp.Compile(*only); err != nil {
		return o, fmt.Errorf("bench: -run: %w", err)
	}
	return o, nil
}

// remake generates the reports of existing results.
func remake(o options) error {
	path := o.report
	if d, err := engine.ReadDistribution(path); err == nil {
		if o.readme || o.page != "" {
			return errors.New("bench: -readme and -page need the results of a run over all cases")
		}
		return report.WriteDistribution(filepath.Dir(path), d)
	}
	if i, err := engine.ReadInstructions(path); err == nil {
		return report.WriteInstructions(filepath.Dir(path), i)
	}
	r, err := engine.Read(path)
	if err != nil {
		return err
	}
	if err := report.Write(filepath.Dir(path), r); err != nil {
		return err
	}
	if o.page != "" {
		if err := report.WritePage(o.page, r); err != nil {
			return err
		}
	}
	report.PrintUnexplained(os.Stderr, r)
	if !o.readme {
		return nil
	}
	folder, err := cases.Home()
	if err != nil {
		return err
	}
	// The README links to the reports in the directory of the results.
	here, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	if there, err := os.Stat(filepath.Join(folder, "results", r.FileName())); err != nil || !os.SameFile(here, there) {
		return fmt.Errorf("bench: -readme requires results in bench/results/%s", r.FileName())
	}
	root := filepath.Dir(folder)
	return report.Update(root, r)
}

// run measures and prints. It stores the results only of a complete run, because charts need all cases that they
// compare.
func run(o options) error {
	whole, output := o.match.String() == "", o.output
	var programs []engine.Program
	if whole && !o.Quick {
		var err error
		if programs, err = cases.ProgramSizes(); err != nil {
			return err
		}
	}
	results, err := measure(os.Stdout, o.match, o.Effort)
	if err != nil {
		return err
	}
	results.Programs = programs
	if o.page != "" {
		if err := report.WritePage(o.page, results); err != nil {
			return err
		}
	}
	if output == "" {
		if !whole {
			return nil
		}
		folder, err := cases.Home()
		if err != nil {
			return fmt.Errorf("%w; use -o to name the results file", err)
		}
		output = filepath.Join(folder, "results", results.FileName())
	}
	if err := results.Write(output); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "results in %s\n", output)
	if !whole {
		return nil
	}
	report.PrintUnexplained(os.Stderr, results)
	return report.Write(filepath.Dir(output), results)
}

// runLarge measures and writes the page.
func runLarge(n, rounds int, disk string) error {
	folder, err := cases.Home()
	if err != nil {
		return err
	}
	folders := map[string]string{"file system": disk}
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		folders["tmpfs"] = "/dev/shm"
	}
	r, err := cases.MeasureLarge(n, rounds, folders, os.Stderr)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	fmt.Print(report.LargeVerdict(r))
	root := filepath.Dir(folder)
	if err := report.WriteLarge(root, r); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "docs", report.LargePage, "figures.json"), append(text, '\n'), 0o666)
}
