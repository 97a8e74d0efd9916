package engine

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Distribution is a run over many types. Each type has one figure for each verb and library, the third lowest
// processor time of its rounds in nanoseconds.
type Distribution struct {
	Host
	Kind      string    `json:"kind"`              // "random" or "real"
	Seed      uint64    `json:"seed"`              // of the types, of their values, and of the order of the libraries
	Present   float64   `json:"present,omitempty"` // share of the optional parts that are present
	Godebug   string    `json:"godebug,omitempty"` // the environment variable, which may turn off instructions
	Rounds    int       `json:"rounds"`
	Quick     bool      `json:"quick,omitempty"`
	Libraries []Library `json:"libraries"`
	Modules   []Library `json:"modules,omitempty"` // where the types come from
	LeftOut   []Reason  `json:"left_out,omitempty"`
	Types     []Type    `json:"types"`
	Columns   []Column  `json:"columns"`
	Decls     []Decl    `json:"decls,omitempty"` // all declarations, of the measured types and of those inside them
}

// A Reason says why something was left out, and how many times.
type Reason struct {
	Why   string `json:"why"`
	Count int    `json:"count"`
}

// A Type is a measured type.
type Type struct {
	Name string `json:"name"`
	Size int    `json:"size"` // bytes of octet's message
}

// A Decl is the declaration of a type.
type Decl struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// A Column has the times of a library for one operation.
type Column struct {
	Verb    string    `json:"verb"`
	Library string    `json:"library"`
	Kind    string    `json:"kind,omitempty"` // libraries of a kind are one peer: the fastest of them
	NS      []float64 `json:"ns"`             // by type; 0 if the library does not take part
}

// Add records the figure of an entry for a type.
func (d *Distribution) Add(name string, size int, verb string, e Entry, kind string) {
	i := slices.IndexFunc(d.Types, func(t Type) bool { return t.Name == name })
	if i < 0 {
		i, d.Types = len(d.Types), append(d.Types, Type{name, size})
	}
	j := slices.IndexFunc(d.Columns, func(c Column) bool { return c.Verb == verb && c.Library == e.Library })
	if j < 0 {
		j, d.Columns = len(d.Columns), append(d.Columns, Column{Verb: verb, Library: e.Library, Kind: kind})
	}
	c := &d.Columns[j]
	c.NS = append(c.NS, make([]float64, max(0, i+1-len(c.NS)))...)
	c.NS[i] = Round(e.Time().Median)
}

// Leave counts what was left out.
func (d *Distribution) Leave(why string, n int) {
	i := slices.IndexFunc(d.LeftOut, func(r Reason) bool { return r.Why == why })
	if i < 0 {
		i, d.LeftOut = len(d.LeftOut), append(d.LeftOut, Reason{Why: why})
	}
	d.LeftOut[i].Count += n
}

// Ratios are octet's times divided by those of a peer, for one verb.
type Ratios struct {
	Verb      string
	Peer      string    // a library, or "fastest of" several
	Kind      string    // of the libraries
	Libraries int       // number of them
	Ratios    []float64 // sorted, the best for octet first
	Worst     string    // the type with the highest ratio
}

// Ratios returns the ratios of all verbs and peers, in the order of the columns.
func (d *Distribution) Ratios() (list []Ratios) {
	for _, own := range d.Columns {
		if own.Library != Ours {
			continue
		}
		for _, peers := range d.peers(own.Verb) {
			r := Ratios{Verb: own.Verb, Peer: peers[0].Library, Kind: peers[0].Kind, Libraries: len(peers)}
			if len(peers) > 1 {
				var names []string
				for _, c := range peers {
					names = append(names, c.Library)
				}
				r.Peer = "fastest of " + strings.Join(names, ", ")
			}
			worst := 0.0
			for i, ns := range own.NS {
				fastest := math.Inf(1)
				for _, c := range peers {
					if i < len(c.NS) && c.NS[i] > 0 {
						fastest = min(fastest, c.NS[i])
					}
				}
				if ns == 0 || math.IsInf(fastest, 1) {
					continue
				}
				ratio := ns / fastest
				r.Ratios = append(r.Ratios, ratio)
				if ratio > worst {
					worst, r.Worst = ratio, d.Types[i].Name
				}
			}
			if len(r.Ratios) > 0 {
				slices.Sort(r.Ratios)
				list = append(list, r)
			}
		}
	}
	return list
}

// peers returns the columns of a verb except octet's, together for each kind.
func (d *Distribution) peers(verb string) (list [][]Column) {
	for _, c := range d.Columns {
		if c.Verb != verb || c.Library == Ours {
			continue
		}
		i := slices.IndexFunc(list, func(p []Column) bool { return c.Kind != "" && p[0].Kind == c.Kind })
		if i < 0 {
			list = append(list, []Column{c})
		} else {
			list[i] = append(list[i], c)
		}
	}
	return list
}

// At returns a quantile of the ratios, such as 0.5 for the median.
func (r Ratios) At(quantile float64) float64 {
	return r.Ratios[min(int(quantile*float64(len(r.Ratios))), len(r.Ratios)-1)]
}

// Slower returns the number of types for which octet takes longer.
func (r Ratios) Slower() int {
	return len(r.Ratios) - len(slices.DeleteFunc(slices.Clone(r.Ratios), func(x float64) bool { return x > 1 }))
}

// Decl returns the declaration of a type, followed by those of the types inside it, at most limit of them. left is the
// number of declarations beyond the limit.
func (d *Distribution) Decl(name string, limit int) (text string, left int) {
	var list []Decl
	seen := map[string]bool{name: true}
	queue := []string{name}
	for len(queue) > 0 {
		i := slices.IndexFunc(d.Decls, func(t Decl) bool { return t.Name == queue[0] })
		queue = queue[1:]
		if i < 0 {
			continue
		}
		list = append(list, d.Decls[i])
		for _, word := range words.FindAllString(d.Decls[i].Text, -1) {
			if !seen[word] && slices.ContainsFunc(d.Decls, func(t Decl) bool { return t.Name == word }) {
				seen[word] = true
				queue = append(queue, word)
			}
		}
	}
	var texts []string
	for i, t := range list {
		if i == limit {
			return strings.Join(texts, "\n"), len(list) - limit
		}
		texts = append(texts, t.Text)
	}
	return strings.Join(texts, "\n"), 0
}

var words = regexp.MustCompile(`\w+`)

// FileName returns the name of the file of d.
func (d *Distribution) FileName() string {
	name := d.Machine + "-" + d.Go + "-" + d.Kind
	if d.Kind == "random" {
		name += "-" + strconv.FormatUint(d.Seed, 10)
	} else {
		name += fmt.Sprintf("-%.0f", 100*d.Present)
	}
	if d.Godebug != "" {
		name += "-" + strings.Trim(unfit.ReplaceAllString(d.Godebug, "-"), "-")
	}
	if d.Quick {
		name += QuickSuffix
	}
	return name + ".json"
}

// Base returns the base name of the files of d.
func (d *Distribution) Base() string { return strings.TrimSuffix(d.FileName(), ".json") }

// Circumstances returns one line about the machine, the versions and the date.
func (d *Distribution) Circumstances() string {
	line := d.circumstances(d.Rounds) + ", processor time"
	if d.Godebug != "" {
		line += ", GODEBUG=" + d.Godebug
	}
	return line
}

var oneLine = regexp.MustCompile(`(?s)"ns": \[[^\]]*\]|\{\s*"(?:name|why)": [^{}]*?\}`)

// Write stores d at path. The times of a library are on one line, and so is each type.
func (d *Distribution) Write(path string) error {
	slices.SortFunc(d.LeftOut, func(a, b Reason) int { return cmp.Compare(a.Why, b.Why) })
	return store(path, d, func(text []byte) []byte {
		return oneLine.ReplaceAllFunc(text, func(list []byte) []byte { return breaks.ReplaceAll(list, nil) })
	})
}

// breaks matches line breaks with the indentation that follows. A text in JSON has none.
var breaks = regexp.MustCompile(`\n\s*`)

// ReadDistribution reads what Write has stored.
func ReadDistribution(path string) (*Distribution, error) {
	return load(path, (*Distribution).check)
}

// check returns an error for a distribution that no run produces.
func (d *Distribution) check() error {
	if d.Machine == "" || d.Go == "" || d.Kind == "" || len(d.Types) == 0 || len(d.Columns) == 0 {
		return errors.New("not a run over many types: the machine, the version of Go, the kind, the types or the times are missing")
	}
	for _, c := range d.Columns {
		if c.Verb == "" || c.Library == "" || len(c.NS) > len(d.Types) || slices.ContainsFunc(c.NS, func(ns float64) bool { return ns < 0 }) {
			return fmt.Errorf("%s of %s: a name is missing, or there are more times than types, or a time is negative", c.Verb, c.Library)
		}
	}
	return nil
}
