package main

import (
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// A family is a kind of generated values. Families are separate, so that a library that does not support one kind is
// still compared on all others.
type family struct {
	name  string
	share int // of 10,000 values
	value func(*generator) any
}

func families() []family {
	return []family{
		{"integers", 1000, func(g *generator) any { return g.integer() }},
		{"integers up to 2^53", 500, func(g *generator) any { return g.safeInteger() }},
		{"floats", 750, func(g *generator) any { return g.fraction() }},
		{"floats 32", 500, func(g *generator) any { return float32(g.IntN(1<<20))/4096 + 1/float32(8192) }},
		{"floats without a fraction", 250, func(g *generator) any { return float64(g.IntN(2e9) - 1e9) }},
		{"strings", 1000, func(g *generator) any { return g.text(g.length()) }},
		{"binary", 500, func(g *generator) any { return g.bytes(g.length()) }},
		{"timestamps of whole milliseconds, 1970 to 2100", 500, func(g *generator) any { return time.UnixMilli(g.Int64N(4102444800e3)) }},
		{"timestamps of whole microseconds, years 1 to 9999", 500, func(g *generator) any { return g.yearTime(1000) }},
		{"timestamps of nanoseconds, years 1 to 9999", 500, func(g *generator) any { return g.yearTime(1) }},
		{"timestamps of any seconds", 250, func(g *generator) any { return time.Unix(int64(g.Uint64()), g.Int64N(1e9)) }},
		{"exts", 500, func(g *generator) any { return g.ext(int8(g.IntN(128))) }},
		{"exts of reserved types", 250, func(g *generator) any { return g.ext(int8(-2 - g.IntN(127))) }},
		{"maps with integer keys", 500, func(g *generator) any { return g.keyed(func() any { return g.safeInteger() }) }},
		{"maps with keys of all scalar types", 500, func(g *generator) any { return g.keyed(func() any { return g.scalarKey() }) }},
		{"documents", 1250, func(g *generator) any { return g.document(5, false) }},
		{"documents with binary, timestamps and 64-bit integers", 750, func(g *generator) any { return g.document(5, true) }},
	}
}

// A generator creates random values. The same seed gives the same values.
type generator struct{ *rand.Rand }

// generate returns vectors with about n values in total.
func generate(seed uint64, n int) ([]vector, error) {
	codec, err := msgpack.New(msgpack.Options{SortKeys: true}) // the same bytes on every run
	if err != nil {
		return nil, err
	}
	var all []vector
	for i, f := range families() {
		g := &generator{rand.New(rand.NewPCG(seed, uint64(i)))}
		for range max(1, n*f.share/10000) {
			value := f.value(g)
			message, err := codec.Marshal(value)
			if err != nil {
				return nil, err
			}
			all = append(all, vector{section: generated, name: f.name, message: message, want: describe(value)})
		}
	}
	return all, nil
}

// integer returns an integer of any width, often next to a power of two.
func (g *generator) integer() any {
	u := g.Uint64() >> g.IntN(64)
	if g.IntN(2) == 0 {
		u = 1<<g.IntN(64) + uint64(g.IntN(3)) - 1
	}
	if g.IntN(2) == 0 {
		return int64(u)
	}
	return u
}

func (g *generator) safeInteger() int64 {
	i := g.Int64N(1<<53) >> g.IntN(53)
	if g.IntN(2) == 0 {
		return -i
	}
	return i
}

// fraction returns a finite float that is not an integer.
func (g *generator) fraction() float64 {
	for {
		f := math.Float64frombits(g.Uint64())
		if math.Trunc(f) != f && !math.IsNaN(f) {
			return f
		}
	}
}

// length returns a length that is rarely above a few hundred, and often next to a limit of a format.
func (g *generator) length() int {
	switch g.IntN(100) {
	case 0:
		return 65534 + g.IntN(4)
	case 1, 2, 3, 4:
		return 254 + g.IntN(4)
	case 5, 6, 7, 8:
		return 30 + g.IntN(4)
	}
	return g.IntN(1 << g.IntN(9))
}

func (g *generator) text(n int) string {
	alphabet := []rune("abcdefghijklmnopqrstuvwxyz0123456789 \n\"\\\x00\x7f")
	if g.IntN(3) == 0 {
		alphabet = append(alphabet, 'é', 'ß', '漢', '字', '\u0301', '\u2028', '\ufffd', '😀', '\U0010ffff')
	}
	var b strings.Builder
	for b.Len() < n {
		b.WriteRune(alphabet[g.IntN(len(alphabet))])
	}
	return b.String()
}

func (g *generator) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.Uint32())
	}
	return b
}

// yearTime returns a time in the years 1 to 9999 that is a multiple of unit nanoseconds.
func (g *generator) yearTime(unit int64) time.Time {
	const first, end = -62135596800, 253402300800
	return time.Unix(first+g.Int64N(end-first), g.Int64N(1e9)/unit*unit)
}

func (g *generator) ext(code int8) msgpack.Ext {
	n := g.IntN(300)
	if g.IntN(2) == 0 {
		n = 1 << g.IntN(5) // the lengths of fixext
	}
	return msgpack.Ext{Type: code, Data: g.bytes(n)}
}

func (g *generator) keyed(key func() any) any {
	m := map[any]any{}
	for range g.IntN(20) {
		m[key()] = g.safeInteger()
	}
	if len(m) == 0 {
		return map[string]any{} // what Octet decodes an empty map into
	}
	return m
}

// scalarKey returns a key. No two keys of different types are equal numbers.
func (g *generator) scalarKey() any {
	switch g.IntN(4) {
	case 0:
		return g.fraction()
	case 1:
		return g.safeInteger() | 2 // neither 0 nor 1, which some languages take for bool
	case 2:
		return g.IntN(2) == 0
	}
	return g.text(g.IntN(20))
}

// document returns a value that a JSON document can hold. If rich is set, it also has other scalar types.
func (g *generator) document(depth int, rich bool) any {
	kinds := 6
	if rich {
		kinds = 9
	}
	kind := g.IntN(kinds)
	if depth > 0 && g.IntN(3) > 0 {
		kind = -1 - g.IntN(2)
	}
	switch kind {
	case -1:
		list := make([]any, g.IntN(8))
		for i := range list {
			list[i] = g.document(depth-1, rich)
		}
		return list
	case -2:
		m := map[string]any{}
		for range g.IntN(8) {
			m["k"+g.text(g.IntN(12))] = g.document(depth-1, rich)
		}
		return m
	case 0:
		return nil
	case 1:
		return g.IntN(2) == 0
	case 2:
		return g.safeInteger()
	case 3:
		return g.fraction()
	case 4, 5:
		return g.text(g.IntN(40))
	case 6:
		return g.bytes(g.IntN(40))
	case 7:
		return g.integer()
	}
	return time.UnixMilli(g.Int64N(4102444800e3))
}
