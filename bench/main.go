package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	rounds := flag.Int("rounds", 10, "how often each library has its turn (with -quick: 5)")
	turn := flag.Duration("turn", 10*time.Millisecond, "about how long one turn takes (with -quick: 1ms)")
	only := flag.String("run", "", "measure what matches this regular `expression` alone, such as struct/report/Marshal")
	quick := flag.Bool("quick", false, "less of everything and nothing large: under a minute, for a first look")
	output := flag.String("o", "", "write the results to this `file`, and the reports beside it (default: to the folder results, unless -run is given)")
	size := flag.Bool("size", false, "measure nothing but by how much Marshal and Unmarshal make a program larger")
	report := flag.String("report", "", "measure nothing, and make the tables, charts and page of this results `file` again")
	readme := flag.Bool("readme", false, "with -report, write its figures into README.md too")
	comparing := flag.Bool("compare", false, "measure nothing, and say what changed between two results files, or several of each separated by commas: -compare old.json new.json")
	flag.Parse()
	switch {
	case *comparing:
		compareCommand(flag.Args())
	case *report != "" || *readme:
		reportCommand(*report, *readme, flag.Args())
	}
	p := pace{rounds: *rounds, turn: *turn, quick: *quick}
	if *quick {
		given := make(map[string]bool)
		flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
		if !given["rounds"] {
			p.rounds = 5
		}
		if !given["turn"] {
			p.turn = time.Millisecond
		}
	}
	match, err := regexp.Compile(*only)
	if err == nil && (*rounds < 1 || flag.NArg() > 0) {
		err = fmt.Errorf("bench: -rounds must be 1 or more, and there are no arguments")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if *size {
		err = printSizes(os.Stdout)
	} else {
		err = run(match, p, *output)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// compareCommand ends the program with exit code 0 if octet did not get worse, 1 if it did, and 2 if that cannot be told.
func compareCommand(args []string) {
	err := errors.New("bench: -compare needs two results files, the old and the new")
	worse := false
	if len(args) == 2 {
		worse, err = compareFiles(os.Stdout, args[0], args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if worse {
		os.Exit(1)
	}
	os.Exit(0)
}

// reportCommand ends the program once the reports of the results at path are made.
func reportCommand(path string, readme bool, args []string) {
	if path == "" || len(args) > 0 {
		fmt.Fprintln(os.Stderr, "bench: -report and -readme need a results file: -report file.json [-readme]")
		os.Exit(2)
	}
	r, err := readResults(path)
	if err == nil {
		err = writeReports(filepath.Dir(path), r)
	}
	if err == nil && readme {
		err = updateReadme("README.md", r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// run measures, prints, and stores what a whole run found. Reports are made of whole runs alone, too: charts need
// all of what they compare.
func run(match *regexp.Regexp, p pace, output string) error {
	results, err := measure(os.Stdout, match, p)
	if err != nil {
		return err
	}
	whole := match.String() == ""
	if output == "" {
		if !whole {
			return nil
		}
		folder, err := home()
		if err != nil {
			return err
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
	return writeReports(filepath.Dir(output), results)
}

// home is the folder of this package, whatever folder the command is run in.
func home() (string, error) {
	text, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/octet-go/octet/bench").Output()
	if err != nil {
		return "", fmt.Errorf("bench: go list: %w; say with -o where the results belong", err)
	}
	return strings.TrimSpace(string(text)), nil
}
