package engine

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
)

// judged lists the quantiles that a comparison judges. least is the minimum shift of the ratio that counts as a change,
// as a fraction of the old ratio, with one seed, with two, and with three or more. Two runs of the same program differ
// by their memory layout, and with fewer seeds, more of this difference looks like a change. Few types decide about the
// ninth decile, so that it varies more. See README.md.
var judged = []struct {
	name     string
	quantile float64
	least    [3]float64
}{
	{"median", 0.5, [3]float64{0.20, 0.15, 0.10}},
	{"9 of 10 below", 0.9, [3]float64{0.30, 0.25, 0.20}},
}

// A shift is the change of a quantile of the ratios for one verb and peer, from the old to the new run of each seed.
type shift struct {
	verb, peer, quantile string
	old, new             float64 // means over the seeds
	least                float64
	by                   []float64 // relative change for each seed
}

// sign returns 1 if every seed shows that octet got slower by at least the minimum, -1 if every seed shows that it got
// faster, and otherwise 0.
func (s shift) sign() int {
	slower, faster := true, true
	for _, by := range s.by {
		slower = slower && math.Log1p(by) >= math.Log1p(s.least)
		faster = faster && math.Log1p(by) <= -math.Log1p(s.least)
	}
	switch {
	case slower:
		return 1
	case faster:
		return -1
	}
	return 0
}

// sameTypes returns an error if two runs did not measure the same types with the same values.
func sameTypes(a, b *Distribution) error {
	if err := a.differs(b.Host); err != nil {
		return err
	}
	same := slices.EqualFunc(a.Types, b.Types, func(x, y Type) bool { return x.Name == y.Name }) &&
		slices.EqualFunc(a.Decls, b.Decls, func(x, y Decl) bool { return x == y })
	if !same {
		return fmt.Errorf("bench: the runs named %s have different types", a.Base())
	}
	return nil
}

// matches reports whether two runs have the same settings.
func (d *Distribution) matches(o *Distribution) bool {
	return d.Kind == o.Kind && d.Seed == o.Seed && d.Present == o.Present && d.Godebug == o.Godebug
}

// compareDistributions prints the shifts between runs of two programs, which are paired by their seeds and settings.
// It reports whether octet got worse.
func compareDistributions(w io.Writer, before, after []*Distribution) (regressed bool, err error) {
	var pairs [][2]*Distribution
	for _, b := range before {
		i := slices.IndexFunc(after, b.matches)
		if i < 0 {
			return false, fmt.Errorf("bench: no new run has the seed and settings of the old run %s", b.Base())
		}
		if err := sameTypes(b, after[i]); err != nil {
			return false, err
		}
		pairs = append(pairs, [2]*Distribution{b, after[i]})
	}
	moved := make(map[string]bool)
	for _, p := range pairs {
		if p[0].Go != p[1].Go {
			fmt.Fprintf(w, "warning: the runs have different versions of Go: %s and %s\n", p[0].Go, p[1].Go)
		}
		for _, o := range p[0].Libraries {
			for _, n := range p[1].Libraries {
				if o.Name == n.Name && o.Version != n.Version && !IsOurs(o.Name) && !moved[o.Name] {
					moved[o.Name] = true
					fmt.Fprintf(w, "warning: %s has versions %s and %s and is not used as a reference\n", o.Name, o.Version, n.Version)
				}
			}
		}
	}
	shifts := shiftsOf(pairs, moved)
	if len(shifts) == 0 {
		return false, fmt.Errorf("bench: the runs have no operation and library in common")
	}
	counts, few := map[int]int{}, min(len(pairs), 3)-1
	for _, part := range []struct {
		sign  int
		title string
	}{{1, "regressions"}, {-1, "improvements"}} {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, s := range shifts {
			if s.sign() != part.sign {
				continue
			}
			if counts[part.sign]++; counts[part.sign] == 1 {
				fmt.Fprintf(w, "\n%s\n", part.title)
			}
			fmt.Fprintf(t, "  %s ÷ %s\t%s\t%s → %s\t%+.1f%%\n", s.verb, s.peer, s.quantile, Digits(s.old), Digits(s.new), 100*(s.new/s.old-1))
		}
		t.Flush()
	}
	fmt.Fprintf(w, "\n%s compared over %s, %s, %s; the median counts from %.0f%%, the ninth decile from %.0f%%, if every seed shows it\n",
		Plural(len(shifts), "quantile"), Plural(len(pairs), "seed"), Plural(counts[1], "regression"), Plural(counts[-1], "improvement"), 100*judged[0].least[few], 100*judged[1].least[few])
	if few < 2 {
		fmt.Fprintf(w, "with three seeds, the median would count from %.0f%%, the ninth decile from %.0f%%\n", 100*judged[0].least[2], 100*judged[1].least[2])
	}
	return counts[1] > 0, nil
}

// shiftsOf returns the shifts of all verbs and peers that every run has. Libraries whose version changed are omitted.
func shiftsOf(pairs [][2]*Distribution, moved map[string]bool) (list []shift) {
	var ratios [][2][]Ratios
	for _, p := range pairs {
		ratios = append(ratios, [2][]Ratios{p[0].without(moved).Ratios(), p[1].without(moved).Ratios()})
	}
	for _, r := range ratios[0][0] {
		for _, j := range judged {
			s := shift{verb: r.Verb, peer: r.Peer, quantile: j.name, least: j.least[min(len(pairs), 3)-1]}
			for _, p := range ratios {
				b, a := ratiosOf(p[0], r.Verb, r.Peer), ratiosOf(p[1], r.Verb, r.Peer)
				if b == nil || a == nil {
					continue
				}
				o, n := b.At(j.quantile), a.At(j.quantile)
				s.old, s.new, s.by = s.old+o/float64(len(pairs)), s.new+n/float64(len(pairs)), append(s.by, n/o-1)
			}
			if len(s.by) == len(pairs) {
				list = append(list, s)
			}
		}
	}
	return list
}

// without returns a distribution without the columns of some libraries.
func (d *Distribution) without(libraries map[string]bool) *Distribution {
	rest := *d
	rest.Columns = slices.DeleteFunc(slices.Clone(d.Columns), func(c Column) bool { return libraries[c.Library] })
	return &rest
}

func ratiosOf(list []Ratios, verb, peer string) *Ratios {
	if i := slices.IndexFunc(list, func(r Ratios) bool { return r.Verb == verb && r.Peer == peer }); i >= 0 {
		return &list[i]
	}
	return nil
}
