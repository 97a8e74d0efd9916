package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Results is one run on one machine: what results/<machine>-<go version>.json holds.
type Results struct {
	Machine    string    `json:"machine"`   // made of the processor and fit for a file name, such as amd-epyc-9b45-2cpu
	Processor  string    `json:"processor"` // as the system calls it
	OS         string    `json:"os"`
	Arch       string    `json:"arch"`
	Go         string    `json:"go"` // such as go1.26.8
	GOMAXPROCS int       `json:"gomaxprocs"`
	Date       string    `json:"date"` // of the form 2006-01-02
	Quick      bool      `json:"quick,omitempty"`
	Rounds     int       `json:"rounds"`
	Seed       uint64    `json:"seed,omitempty"` // of the order of the libraries in each round; 0 in old files, where it was fixed
	Libraries  []Library `json:"libraries"`
	Programs   []Program `json:"programs,omitempty"`
	Cases      []Case    `json:"cases"`
}

// Program is one that uses a library, or none, for its size.
type Program struct {
	Library string `json:"library"` // none: a program that encodes nothing
	Bytes   int64  `json:"bytes"`
}

// Library is one that takes part, or one that cannot be had, for the reason in its note.
type Library struct {
	Name    string `json:"name"`              // as in Entry
	Version string `json:"version,omitempty"` // of the module; the one of Go for the standard library; none if it cannot be had
	Path    string `json:"path"`              // of the package that is imported
	Note    string `json:"note,omitempty"`
}

// Case is one operation on one value. The entries took turns, round by round: figures of one round, which stand
// at one index, met the same machine, so ratios are taken within a round.
type Case struct {
	Group   string  `json:"group"`       // a name in groups
	Shape   string  `json:"shape"`       // such as report
	Verb    string  `json:"verb"`        // such as Marshal
	N       int     `json:"n,omitempty"` // elements of a series, else 0
	About   string  `json:"about"`       // the value in a few words
	Entries []Entry `json:"entries"`
}

// Entry is one library in a case. One that is left out has a note that says why, and no figures.
type Entry struct {
	Library string    `json:"library"`        // such as octet; limit for what no library can be faster than
	NS      []float64 `json:"ns,omitempty"`   // nanoseconds per operation, one figure a round
	Bytes   float64   `json:"bytes"`          // allocated per operation
	Allocs  float64   `json:"allocs"`         // per operation
	Size    int       `json:"size"`           // encoded bytes
	Peak    int64     `json:"peak,omitempty"` // most bytes of heap in use above what was there before, if it was watched
	Note    string    `json:"note,omitempty"`
}

// Names of entries that are more than one library among many.
const (
	ours  = "octet" // what the others are compared with
	limit = "limit" // the least that the work must do: copying the bytes, or filling the map
)

// fileName is where the results belong in the folder of results. A quick run has another name, which git ignores:
// it is no replacement for a whole one.
func (r *Results) fileName() string {
	name := r.Machine + "-" + r.Go
	if r.Quick {
		name += quickSuffix
	}
	return name + ".json"
}

const quickSuffix = "-quick"

var (
	figures = regexp.MustCompile(`"ns": \[[^\]]*\]`)
	blank   = regexp.MustCompile(`\s+`)
)

// write stores the results at path, and makes its folder. The figures of all rounds stand on one line.
func (r *Results) write(path string) error {
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	text = figures.ReplaceAllFunc(text, func(list []byte) []byte { return blank.ReplaceAll(list, nil) })
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	if err := os.WriteFile(path, append(text, '\n'), 0o666); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	return nil
}

// readResults loads what write stored.
func readResults(path string) (*Results, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	r := new(Results)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("bench: %s: %w", path, err)
	}
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("bench: %s: %w", path, err)
	}
	return r, nil
}

// check reports what no run leaves behind. JSON of another kind must not pass for a run in which nothing got worse.
func (r *Results) check() error {
	if r.Machine == "" || r.Go == "" || len(r.Cases) == 0 {
		return errors.New("these are no results of a run: no machine, no version of Go, or no cases")
	}
	for _, c := range r.Cases {
		if c.Shape == "" || c.Verb == "" || c.N < 0 || !slices.ContainsFunc(groups, func(g group) bool { return g.name == c.Group }) {
			return fmt.Errorf("no such case as %s", c.name())
		}
		for _, e := range c.Entries {
			if e.Library == "" || slices.ContainsFunc(e.NS, func(ns float64) bool { return ns <= 0 }) {
				return fmt.Errorf("%s: %q has a time that is not positive, or no name", c.name(), e.Library)
			}
		}
	}
	return nil
}

// round keeps the four digits that a measurement can have.
func round(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return rounded
}

var unfit = regexp.MustCompile(`[^a-z0-9]+`)

// machine is the name of a processor made fit for a file name: no blank, and nothing that sellers add.
func machine(processor string, cpus int) string {
	name := strings.ToLower(processor)
	for _, noise := range []string{"(r)", "(tm)", "cpu", "processor"} {
		name = strings.ReplaceAll(name, noise, " ")
	}
	name, _, _ = strings.Cut(name, "@")
	return strings.Trim(unfit.ReplaceAllString(name, "-"), "-") + "-" + strconv.Itoa(cpus) + "cpu"
}
