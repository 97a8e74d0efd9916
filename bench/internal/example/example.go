package example

import (
	"fmt"
	"math"
	"slices"

	"github.com/octet-go/octet/bench/engine"
)

// Results returns an artificial run with every group, a library that does not take part, one that is not available,
// ratios within the spread, and figures of every magnitude. In each round, the machine slows all libraries equally.
func Results() *engine.Results {
	r := &engine.Results{
		Host: engine.Host{
			Machine: "example-2cpu", Processor: "Example Processor", Vectors: "AVX-512", OS: "linux", Arch: "amd64", Go: "go1.26.0",
			GOMAXPROCS: 2, Date: "2026-01-02",
		},
		Rounds: 10, Programs: []engine.Program{{Library: "none", Bytes: 1_600_000}, {Library: engine.Ours, Bytes: 2_500_000}},
		Libraries: []engine.Library{
			{Name: engine.Ours, Version: "v0.0.0", Path: "github.com/octet-go/octet"},
			{Name: "msgp", Version: "v1.6.5", Path: "github.com/tinylib/msgp/msgp", Note: "generated code"},
			{Name: "shamaton", Version: "v3.2.0", Path: "github.com/shamaton/msgpack/v3"},
			{Name: "vmihailenco", Version: "v5.4.1", Path: "github.com/vmihailenco/msgpack/v5"},
			{Name: "json", Version: "go1.26.0", Path: "encoding/json", Note: "text"},
			{Name: "gob", Version: "go1.26.0", Path: "encoding/gob"},
			{Name: "encoding/binary", Version: "go1.26.0", Path: "encoding/binary"},
			{Name: "bytes.Buffer", Version: "go1.26.0", Path: "bytes"},
			{Name: "by <hand>", Path: "bench", Note: "what a program would write | for itself"},
			{Name: "nowhere", Path: "example.org/nowhere", Note: "not available: the module proxy does not have it"},
		},
	}
	all := map[string]float64{engine.Ours: 1, "msgp": 1.31, "shamaton": 3.7, "vmihailenco": 5.2, "json": 9.6, "gob": 41}
	for _, shape := range []string{"report", "account", "document"} {
		for i, verb := range []string{"Marshal", "Unmarshal"} {
			c := engine.Case{Group: "values", Shape: "struct/" + shape, Verb: verb}
			base := map[string]float64{"report": 201, "account": 56.4, "document": 1_650_000}[shape] * float64(i+1)
			Add(&c, base, all)
			if shape == "account" {
				c.Entries[1] = Synthetic("msgp", base*1.002, 0.03)
				Add(&c, base, map[string]float64{engine.Limit: 0.42})
			}
			if shape == "document" {
				c.Entries[2] = engine.Entry{Library: "shamaton", Note: "decodes to other types"}
				c.Entries[0].Peak = 3 << 20
			}
			r.Cases = append(r.Cases, c)
		}
	}
	for _, verb := range []string{"Append", "Decode"} {
		c := engine.Case{Group: "fixed", Shape: "header", Verb: verb}
		Add(&c, 9.8, map[string]float64{engine.Ours: 1, "by <hand>": 0.93, "encoding/binary": 11.4, engine.Limit: 0.6})
		r.Cases = append(r.Cases, c)
	}
	files := engine.Case{Group: "record", Shape: "rows", Verb: "Write"}
	Add(&files, 60, map[string]float64{engine.Ours: 1, "gob": 4.2, engine.Limit: 0.8})
	r.Cases = append(r.Cases, files)
	for _, verb := range []string{"Append", "Decode"} {
		c := engine.Case{Group: "layout", Shape: "bits", Verb: verb}
		Add(&c, 12, map[string]float64{engine.Ours: 1, engine.Limit: 0.4})
		r.Cases = append(r.Cases, c)
	}
	for n := 100; n <= 100_000_000; n *= 100 {
		c := engine.Case{Group: "arrays", Shape: "uint64", Verb: "WriteSlice", N: n}
		Add(&c, float64(n)*0.09+20, map[string]float64{engine.Ours: 1, "encoding/binary": 24, engine.Limit: 0.97})
		for i := range c.Entries {
			c.Entries[i].Size = 8 * n
		}
		r.Cases = append(r.Cases, c)
	}
	for _, shape := range []string{"5 bytes", "1024 bytes"} {
		c := engine.Case{Group: "buffers", Shape: shape, Verb: "String"}
		Add(&c, 18, map[string]float64{engine.Ours: 1, "bytes.Buffer": 1.9})
		r.Cases = append(r.Cases, c)
	}
	for n := 1; n <= 1_000_000; n *= 10 {
		c := engine.Case{Group: "growth", Shape: "map", Verb: "Unmarshal", N: n}
		peers := map[string]float64{engine.Ours: 1, "msgp": 1.2 + math.Log10(float64(n))/10, "json": 8, engine.Limit: 0.7}
		if n > 10_000 {
			delete(peers, "json")
		}
		Add(&c, 60+float64(n)*41, peers)
		r.Cases = append(r.Cases, c)
	}
	for _, group := range []string{"parts", "streams", "messages", "first"} {
		c := engine.Case{Group: group, Shape: "reading", Verb: "Encode"}
		Add(&c, 30, map[string]float64{engine.Ours: 1, "msgp": 2.5})
		r.Cases = append(r.Cases, c)
	}
	for i := range r.Cases {
		r.Cases[i].About = "what " + r.Cases[i].Shape + " is"
	}
	return r
}

// Add adds an entry for each library to c, in the order of the list above.
func Add(c *engine.Case, base float64, factors map[string]float64) {
	for _, name := range []string{engine.Ours, "msgp", "shamaton", "vmihailenco", "json", "gob", "encoding/binary", "bytes.Buffer", "by <hand>", engine.Limit} {
		if f, ok := factors[name]; ok {
			c.Entries = append(c.Entries, Synthetic(name, base*f, 0.01))
		}
	}
}

// Synthetic returns an entry whose times vary around ns in a pattern that depends on the library.
func Synthetic(library string, ns, spread float64) engine.Entry {
	e := engine.Entry{Library: library, Bytes: math.Round(ns), Allocs: math.Round(ns / 100), Size: 81}
	machine := []float64{1, 1.01, 0.99, 1.3, 1, 1, 0.98, 1.02, 1, 1.7}
	own := []float64{0, 1, -1, 0.5, -0.5, 0.2, -0.2, 0.8, -0.8, 0}
	for i, m := range machine {
		e.NS = append(e.NS, engine.Round(ns*m*(1+spread*own[(i+len(library))%len(own)])))
	}
	return e
}

// Slower multiplies the times of the matching entries by factor.
func Slower(r *engine.Results, factor float64, match func(c engine.Case, e engine.Entry) bool) {
	for i, c := range r.Cases {
		for j, e := range c.Entries {
			if !match(c, e) {
				continue
			}
			e.NS = slices.Clone(e.NS)
			for k := range e.NS {
				e.NS[k] *= factor
			}
			r.Cases[i].Entries[j] = e
		}
	}
}

// Distribution returns an artificial run over many types: Octet is slower than msgp on a third of them, with factor.
func Distribution(factor float64) *engine.Distribution {
	d := &engine.Distribution{
		Host: Results().Host, Kind: "random", Seed: 7, Rounds: engine.MinRounds,
		Libraries: []engine.Library{{Name: engine.Ours, Version: "v0.0.0"}, {Name: "msgp", Version: "v1.6.5"}, {Name: "shamaton", Version: "v3.2.0"}},
		LeftOut:   []engine.Reason{{Why: "Unmarshal: shamaton returns an error", Count: 2}},
	}
	const types = 60
	for i := range types {
		name := fmt.Sprintf("S%d", i+1)
		inside := ""
		if i+1 < types {
			inside = fmt.Sprintf("\tNext *S%d\n", i+2)
		}
		d.Decls = append(d.Decls, engine.Decl{Name: name, Text: "type " + name + " struct {\n\tA int\n" + inside + "}\n"})
		for _, verb := range []string{"Marshal", "Unmarshal, new"} {
			base := 20 + 7*float64((i*37)%types)
			add := func(library, kind string, ns float64) {
				d.Add(name, 10+i, verb, engine.Entry{Library: library, NS: []float64{ns}, CPU: []float64{ns}}, kind)
			}
			add(engine.Ours, "", base*factor)
			add("msgp", "generated", base/(0.5+0.75*float64(i)/types))
			add("shamaton", "reflection", base*4)
			if i%2 == 0 {
				add("vmihailenco", "reflection", base*3)
			}
		}
	}
	return d
}
