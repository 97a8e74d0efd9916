package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// The columns of names are as wide as their longest, so that they stand on the left of a table set to the right.
const (
	verbWidth    = len("MarshalAppend")
	libraryWidth = len("vmihailenco")
)

func main() {
	rounds := flag.Int("rounds", 10, "how often each library has its turn")
	turn := flag.Duration("turn", 20*time.Millisecond, "about how long one turn takes")
	only := flag.String("run", "", "measure what matches this regular `expression` alone, such as struct/report/Marshal")
	report := flag.String("report", "", "measure nothing, and make the tables, charts and page of this results `file` again")
	readme := flag.Bool("readme", false, "with -report, write its figures into README.md too")
	comparing := flag.Bool("compare", false, "measure nothing, and say what changed between two results files: -compare old.json new.json")
	flag.Parse()
	switch {
	case *comparing:
		compareCommand(flag.Args())
	case *report != "" || *readme:
		reportCommand(*report, *readme, flag.Args())
	}
	match, err := regexp.Compile(*only)
	if err == nil && (*rounds < 1 || flag.NArg() > 0) {
		err = fmt.Errorf("bench: -rounds must be 1 or more, and there are no arguments")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if err := measure(os.Stdout, match, *rounds, *turn); err != nil {
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

// measure prints one table for each case as soon as it is complete.
func measure(w io.Writer, match *regexp.Regexp, rounds int, turn time.Duration) error {
	list, err := contests()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s %s/%s, GOMAXPROCS=%d, %s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), processor())
	fmt.Fprintf(w, "%s\n", versions())
	fmt.Fprintf(w, "median of %d rounds; ratio: octet's time divided by the library's, median and quartiles\n", rounds)
	if list[len(list)-1].what != "document" {
		fmt.Fprintln(w, "no JSON documents: this Go came without the test data of encoding/json")
	}
	none := true
	for _, c := range list {
		name := c.what + "/" + c.name
		wanted := slices.DeleteFunc(slices.Clone(verbs), func(v verb) bool { return !match.MatchString(name + "/" + v.name) })
		if len(wanted) == 0 {
			continue
		}
		none = false
		size, entries, err := c.open()
		if err != nil {
			return fmt.Errorf("bench: %s: %w", name, err)
		}
		fmt.Fprintf(w, "\n%s, %d bytes\n", name, size)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(t, "%-*s\t%-*s\tns/op\tB/op\tallocs/op\tratio\tquartiles\t\n", verbWidth, "", libraryWidth, "")
		for _, v := range wanted {
			timings, err := race(v, entries, rounds, turn)
			if err != nil {
				return fmt.Errorf("bench: %s/%s: %w", name, v.name, err)
			}
			rows(t, v.name, timings)
		}
		t.Flush()
	}
	if none {
		return fmt.Errorf("bench: nothing matches -run %s", match)
	}
	return nil
}

func rows(w io.Writer, verb string, list []timing) {
	for i, t := range list {
		if i > 0 {
			verb = ""
		}
		fmt.Fprintf(w, "%-*s\t%-*s\t%s\t%.0f\t%.0f", verbWidth, verb, libraryWidth, t.library, figure(summarise(t.ns).median), t.bytes, t.allocs)
		if list[0].library == ours && i > 0 {
			q := ratio(list[0], t)
			fmt.Fprintf(w, "\t%.2f\t%.2f–%.2f", q.median, q.low, q.high)
		} else {
			fmt.Fprint(w, "\t\t")
		}
		fmt.Fprintln(w, "\t")
	}
}

// figure keeps three digits of a short time, and no fraction of a long one.
func figure(ns float64) string {
	if ns < 100 {
		return fmt.Sprintf("%.1f", ns)
	}
	return fmt.Sprintf("%.0f", ns)
}

// versions names the libraries as they were linked.
func versions() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "built without module information"
	}
	var list []string
	for _, m := range info.Deps {
		if strings.Contains(m.Path, "msg") {
			list = append(list, strings.TrimPrefix(m.Path, "github.com/")+" "+m.Version)
		}
	}
	return strings.Join(list, ", ")
}

// processor is the name Linux has for it; elsewhere the architecture must do.
func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "processor unknown"
}
