package engine

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Results is one run on one machine, as stored in results/<machine>-<go version>.json.
type Results struct {
	Host
	Quick     bool      `json:"quick,omitempty"`
	Rounds    int       `json:"rounds"`
	Seed      uint64    `json:"seed,omitempty"` // seed for the order of the libraries in each round; 0 in old files, where the order was fixed
	Libraries []Library `json:"libraries"`
	Programs  []Program `json:"programs,omitempty"`
	Cases     []Case    `json:"cases"`
}

// A Program is a program that uses one library or none. Its size is measured.
type Program struct {
	Library string `json:"library"` // "none" for a program without a library
	Bytes   int64  `json:"bytes"`
}

// A Library is a library that takes part, or one that is not available for the reason in its note.
type Library struct {
	Name    string `json:"name"`              // as in Entry
	Version string `json:"version,omitempty"` // version of the module; of Go for the standard library; empty if it is not available
	Path    string `json:"path"`              // import path of the package
	Note    string `json:"note,omitempty"`
}

// A Case is one operation on one value. The entries take turns in each round. Times of the same round, which have
// the same index, are affected equally by the machine, so ratios are computed for each round.
type Case struct {
	Group   string  `json:"group"`       // a name in groups
	Shape   string  `json:"shape"`       // such as report
	Verb    string  `json:"verb"`        // such as Marshal
	N       int     `json:"n,omitempty"` // number of elements in a series, otherwise 0
	About   string  `json:"about"`       // short description of the value
	Entries []Entry `json:"entries"`
}

// An Entry is one library in a case. If the library does not take part, the note has the reason, and there are no
// times.
type Entry struct {
	Library string    `json:"library"`        // such as octet; limit for the necessary work
	NS      []float64 `json:"ns,omitempty"`   // nanoseconds per operation in each round
	CPU     []float64 `json:"cpu,omitempty"`  // the same in processor time; none in old files, and if an operation uses several processors or waits
	Bytes   float64   `json:"bytes"`          // bytes allocated per operation
	Allocs  float64   `json:"allocs"`         // per operation
	Size    int       `json:"size"`           // encoded bytes
	Peak    int64     `json:"peak,omitempty"` // maximum increase of the heap in use in bytes, if measured
	Note    string    `json:"note,omitempty"`
	Turn    int       `json:"-"` // number of operations in a turn
}

// Names of entries with a special meaning.
const (
	Ours  = "octet" // the library that the others are compared with
	Limit = "limit" // the necessary work: copying the bytes, or filling the map
)

// FileName returns the name of the results file. The name of a quick run is different and ignored by git, because a
// quick run does not replace a complete one.
func (r *Results) FileName() string {
	name := r.Machine + "-" + r.Go
	if r.Quick {
		name += QuickSuffix
	}
	return name + ".json"
}

const QuickSuffix = "-quick"

var (
	figures = regexp.MustCompile(`"(?:ns|cpu)": \[[^\]]*\]`)
	blank   = regexp.MustCompile(`\s+`)
)

// Write stores the results at path and creates its directory. The times of all rounds are on one line.
func (r *Results) Write(path string) error { return store(path, r, compact) }

// compact writes the times of all rounds on one line.
func compact(text []byte) []byte {
	return figures.ReplaceAllFunc(text, func(list []byte) []byte { return blank.ReplaceAll(list, nil) })
}

// Read reads results that Write has stored.
func Read(path string) (*Results, error) { return load(path, (*Results).check) }

// check returns an error for results that no run produces.
func (r *Results) check() error {
	if r.Machine == "" || r.Go == "" || len(r.Cases) == 0 {
		return errors.New("not the results of a run: the machine, the version of Go, or the cases are missing")
	}
	for _, c := range r.Cases {
		if c.Shape == "" || c.Verb == "" || c.N < 0 || !slices.ContainsFunc(Groups, func(g Group) bool { return g.Name == c.Group }) {
			return fmt.Errorf("unknown case %s", c.Name())
		}
		for _, e := range c.Entries {
			if e.Library == "" || slices.ContainsFunc(slices.Concat(e.NS, e.CPU), func(ns float64) bool { return ns <= 0 }) {
				return fmt.Errorf("%s: library %q has a time that is not positive, or an empty name", c.Name(), e.Library)
			}
			if e.CPU != nil && len(e.CPU) != len(e.NS) {
				return fmt.Errorf("%s: library %q has %d times and %d processor times", c.Name(), e.Library, len(e.NS), len(e.CPU))
			}
		}
	}
	return nil
}

// Round keeps four digits, which is the precision of a measurement.
func Round(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return rounded
}

// Base returns the base name of the files of a run.
func (r *Results) Base() string { return strings.TrimSuffix(r.FileName(), ".json") }

// Circumstances returns one line about the machine, the versions and the date.
func (r *Results) Circumstances() string {
	line := r.circumstances(r.Rounds)
	if r.Quick {
		line += " of -quick"
	}
	if r.Processed() {
		line += ", processor time"
	}
	return line
}

// Processed reports whether the run has processor times. Runs of old versions have none.
func (r *Results) Processed() bool {
	return slices.ContainsFunc(r.Cases, func(c Case) bool {
		return slices.ContainsFunc(c.Entries, func(e Entry) bool { return e.CPU != nil })
	})
}
