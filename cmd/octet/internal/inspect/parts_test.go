package inspect

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/locate"
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
			{Path: at(t, "[3]"), Depth: -1}, {Path: at(t, "[0]"), Depth: 1, Nested: true}, {Path: at(t, "[70]"), JSON: true, Depth: -1}, {Depth: -1}, {Depth: 0},
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

func at(t *testing.T, path string) locate.Path {
	p, err := locate.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPath selects values by long keys that differ only at their ends, and by
// equal keys.
func TestPath(t *testing.T) {
	long := strings.Repeat("k", 70)
	input := wire.AppendMapHeader(nil, 6)
	for i, key := range []string{long + "a", long + "b", "same", "same", ""} {
		input = wire.AppendUint(wire.AppendString(input, key), uint64(i))
	}
	input = wire.AppendUint(wire.AppendArrayHeader(input, 0), 5)
	for path, want := range map[string][]string{
		long + "a": {"0"}, long + "b": {"1"}, long: nil, "same": {"2", "3"}, `[""]`: {"4"}, "{1}": {"1"}, "{5}": {"5"}, "[0]": nil,
	} {
		o := all
		o.Path = at(t, path)
		var out strings.Builder
		result, err := Run(&out, bytes.NewReader(input), 0, o)
		if err != nil || result.Selected != int64(len(want)) {
			t.Errorf("%s: %d values, want %d, %v", path, result.Selected, len(want), err)
		}
		for _, v := range want {
			if !strings.Contains(out.String(), " fixint   "+v) && !strings.Contains(out.String(), " "+v+"\n") {
				t.Errorf("%s: no %s in\n%s", path, v, &out)
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
