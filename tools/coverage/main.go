// Command coverage merges coverage profiles of the root module and reports, for each package, how many statements
// no test executes. A statement counts as covered if one of the profiles covers it, because no single build
// contains all code: the tag purego and 32-bit platforms exclude some of it.
//
//	coverage [-floor percent] [-package percent] [-missing] profile...
//
// With -missing it lists the statements that are not covered. It exits with 1 if all packages together, or one of
// them, are below their floor.
// .ci/coverage makes the profiles.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

const modulePath = "github.com/octet-go/octet"

func main() {
	var floor floors
	flag.Float64Var(&floor.all, "floor", 0, "the `percent` of statements that must be covered in all packages together")
	flag.Float64Var(&floor.each, "package", 0, "the `percent` of statements that must be covered in each package")
	missing := flag.Bool("missing", false, "list what is not covered")
	flag.Parse()
	ok, err := run(os.Stdout, ".", flag.Args(), floor, *missing)
	if err != nil {
		fmt.Fprintln(os.Stderr, "coverage:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// floors are percentages of statements that must be covered.
type floors struct{ all, each float64 }

// run reads the profiles and prints the report. The sources are in root. It reports whether the floors are reached.
func run(w io.Writer, root string, names []string, floor floors, missing bool) (bool, error) {
	p := make(profile)
	for _, name := range names {
		if err := p.add(name); err != nil {
			return false, err
		}
	}
	if len(p) == 0 {
		return false, fmt.Errorf("no statements in %d profiles", len(names))
	}
	if missing {
		if err := p.missing(w, root); err != nil {
			return false, err
		}
	}
	return p.report(w, floor), nil
}
