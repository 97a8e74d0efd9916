package inspect

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack/wire"
)

// TestParts shows parts of random messages, whole, cut and damaged. It must not
// panic, and never take the place of the error.
func TestParts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 200 {
		var input []byte
		for range 5 {
			input = random(input, r, 3)
		}
		input = append(wire.AppendBinHeader(wire.AppendArrayHeader(nil, 101), uint32(len(input))), input...)
		for range 100 {
			input = random(input, r, 1)
		}
		switch i % 3 {
		case 1:
			input = input[:r.IntN(len(input))]
		case 2:
			input[r.IntN(len(input))] = byte(r.Uint32())
		}
		_, want := Run(io.Discard, bytes.NewReader(input), 0, all)
		for _, o := range []Options{
			{Nested: true, Depth: -1}, {Nested: true, Depth: 2, JSON: true}, {Nested: true, Depth: 1, All: true},
			{Path: "[3]", Depth: -1}, {Path: "[0]", Depth: 1, Nested: true}, {Path: "[70]", JSON: true, Depth: -1}, {Depth: -1}, {Depth: 0},
		} {
			o.Limit, o.Width, o.Palette = -1, all.Width, all.Palette
			var out strings.Builder
			_, err := Run(&out, bytes.NewReader(input), 0, o)
			if (err == nil) != (want == nil) || err != nil && err.Error() != want.Error() {
				t.Fatalf("%+v: %v, want %v", o, err, want)
			}
		}
	}
}

// TestLongArray counts the lines of arrays and maps around the length that is
// shown whole.
func TestLongArray(t *testing.T) {
	for _, c := range []struct{ n, lines int }{{59, 60}, {60, 61}, {61, 52}, {5000, 52}} {
		array := wire.AppendArrayHeader(nil, uint32(c.n))
		table := wire.AppendMapHeader(nil, uint32(c.n))
		for i := range c.n {
			array = append(array, 0x90)
			table = wire.AppendNil(wire.AppendUint(table, uint64(i)))
		}
		o := all
		o.All = false
		var a, m strings.Builder
		if _, err := Run(&a, bytes.NewReader(array), 0, o); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(&m, bytes.NewReader(table), 0, o); err != nil {
			t.Fatal(err)
		}
		pairs := 2*(c.lines-1) + 1
		if c.n > longArray {
			pairs = 2*firstElements + 2
		}
		if got := strings.Count(a.String(), "\n") - 1; got != c.lines {
			t.Errorf("array of %d: %d lines, want %d", c.n, got, c.lines)
		}
		if got := strings.Count(m.String(), "\n") - 1; got != pairs {
			t.Errorf("map of %d: %d lines, want %d", c.n, got, pairs)
		}
	}
}
