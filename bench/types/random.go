package types

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// The menu of types. A string is three times as likely as any other scalar.
var scalars = []string{
	"int", "int64", "int32", "int16", "int8", "uint", "uint64", "uint32", "uint16", "uint8", "float32", "float64", "bool",
	"string", "string", "string", "time.Time", "[]byte",
}

var (
	fieldCounts = []int{1, 2, 4, 6, 8, 12, 20}
	keys        = []string{"f%d", "N%d", "field_%d", "a_longer_name_%d"}
	// shares are the shares of the kinds of a field, in percent. The rest is structs.
	shares = []struct {
		percent int
		field   func(g *generator) string
	}{
		{72, func(g *generator) string { return g.pick(scalars) }},
		{8, func(g *generator) string { return "[]" + g.pick(without("uint8")) }},
		{5, func(g *generator) string { return "map[string]" + g.pick(scalars) }},
		{3, func(g *generator) string { return "*" + g.pick(without("[]byte")) }},
		{2, func(g *generator) string { return fmt.Sprintf("[%d]%s", 1+g.IntN(5), g.pick(without("uint8"))) }},
	}
	around = []string{"", "", "[]", "*", "map[string]"} // of a struct in a field
)

// nesting is the number of structs inside each other below a measured one.
const nesting = 2

// without returns the scalars without one of them.
func without(name string) []string {
	return slices.DeleteFunc(slices.Clone(scalars), func(s string) bool { return s == name })
}

// Random returns n random types.
func Random(seed uint64, n int) Set {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
	s := Set{Kind: "random", Seed: seed, Arrays: true}
	for range n {
		s.Roots = append(s.Roots, g.structure(nesting))
	}
	s.Types = g.types
	return s
}

type generator struct {
	*rand.Rand
	types []Struct
}

func (g *generator) pick(list []string) string { return list[g.IntN(len(list))] }

// structure adds a struct and returns its name.
func (g *generator) structure(depth int) string {
	i := len(g.types)
	s := Struct{Name: fmt.Sprintf("S%d", i+1)}
	g.types = append(g.types, s)
	for k := range fieldCounts[g.IntN(len(fieldCounts))] {
		s.Fields = append(s.Fields, Field{Name: fmt.Sprintf("F%d", k), Key: fmt.Sprintf(g.pick(keys), k), Type: g.field(depth)})
	}
	g.types[i] = s
	return s.Name
}

func (g *generator) field(depth int) string {
	if depth == 0 {
		return g.pick(scalars)
	}
	x := g.IntN(100)
	for _, s := range shares {
		if x -= s.percent; x < 0 {
			return s.field(g)
		}
	}
	prefix := g.pick(around)
	return prefix + g.structure(depth-1)
}
