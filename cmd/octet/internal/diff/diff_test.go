package diff

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/cmd/octet/internal/diag"
	"github.com/octet-go/octet/cmd/octet/internal/diag/diagtest"
	"github.com/octet-go/octet/cmd/octet/internal/locate"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
)

// text returns the notation of a value.
func text(data []byte) string {
	var b strings.Builder
	w := diag.Writer{W: bufio.NewWriter(&b)}
	_ = w.Next(scan.New(bytes.NewReader(data), 0))
	_ = w.W.Flush()
	return b.String()
}

func lines(a, b []byte, o Options) (list []string, side int, err error) {
	side, err = Streams(scan.New(bytes.NewReader(a), 0), scan.New(bytes.NewReader(b), 0), o, func(d Difference) error {
		line := fmt.Sprintf("%s %d %d", d.Op, d.Value[0], d.Value[1])
		switch d.Op {
		case Change, Remove:
			line += " " + d.Path[0] + " " + text(d.Data[0])
		case Format:
			line += fmt.Sprintf(" %s %x", d.Path[0], d.Data[0])
		case Order:
			line += " " + d.Path[0]
		}
		switch d.Op {
		case Change, Add:
			line += " → " + d.Path[1] + " " + text(d.Data[1])
		case Format:
			line += fmt.Sprintf(" → %s %x", d.Path[1], d.Data[1])
		}
		list = append(list, line)
		return nil
	})
	return list, side, err
}

func TestStreams(t *testing.T) {
	many := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "{\"id\": %d} ", i)
		}
		return b.String()
	}
	for _, c := range []struct {
		name, a, b string
		o          Options
		want       []string
	}{
		{"equal", `{"a": 1, "b": [1.5]}`, `{"b": [1.5_f32]_16, "a": 1_u64}`, Options{}, nil},
		{"scalar", `1`, `2`, Options{}, []string{"change 0 0  1 →  2"}},
		{"kind", `{"a": 1}`, `{"a": 1.0}`, Options{}, []string{"change 0 0 a 1 → a 1.0"}},
		{"str and bin", `"a"`, `h'61'`, Options{}, []string{`change 0 0  "a" →  h'61'`}},
		{"keys", `{"a": 1, "b": {"x": 1}, "c": 3}`, `{"c": 3, "b": {"y": 1}, "d": 4}`, Options{}, []string{
			"remove 0 0 a 1", "remove 0 0 b.x 1", "add 0 0 → b.y 1", "add 0 0 → d 4"}},
		{"other keys", `{1: 1, nil: 2, h'61': 3}`, `{1: 2, nil: 3}`, Options{}, []string{
			"change 0 0 [1] 1 → [1] 2", "remove 0 0 {2} 3", "change 0 0 {1} 2 → {1} 3"}},
		{"insertion", `[1, 2, 3, 4, 5]`, `[1, 9, 2, 3, 4, 5]`, Options{}, []string{"add 0 0 → [1] 9"}},
		{"removal", `[[1], [2], [3]]`, `[[3]]`, Options{}, []string{"remove 0 0 [0] [1]", "remove 0 0 [1] [2]"}},
		{"change in an array", `[{"a": 1, "b": 2}, 5]`, `[{"a": 1, "b": 3}, 5]`, Options{}, []string{"change 0 0 [0].b 2 → [0].b 3"}},
		{"change and insertion", `[1, 2, 3]`, `[7, 8, 2, 3]`, Options{}, []string{"change 0 0 [0] 1 → [0] 7", "add 0 0 → [1] 8"}},
		{"end of an array", `[1, 2]`, `[1, 3, 4]`, Options{}, []string{"change 0 0 [1] 2 → [1] 3", "add 0 0 → [2] 4"}},
		{"stream", `1 2 3`, `1 3 4`, Options{}, []string{"remove 1 -1  2", "add -1 2 →  4"}},
		{"long stream", many(0, 500), many(3, 400) + "5 " + many(400, 500), Options{}, []string{
			`remove 0 -1  {"id": 0}`, `remove 1 -1  {"id": 1}`, `remove 2 -1  {"id": 2}`, "add -1 397 →  5"}},
		{"empty", ``, `1`, Options{}, []string{"add -1 0 →  1"}},
		{"NaN", `[nan, nan'7ff8000000000001']`, `[nan_f32, nan]`, Options{}, nil},
		{"duplicate keys", `{"a": 1, "a": 2}`, `{"a": 2, "a": 1}`, Options{}, []string{
			"change 0 0 a 1 → a 2", "change 0 0 a 2 → a 1"}},
		{"timestamps", `time'2020-01-01T00:00:00Z'_96`, `time'2020-01-01T00:00:00Z'`, Options{}, nil},
		{"malformed timestamp", `[ext(-1, h'00')]`, `[ext(-1, h'01')]`, Options{}, []string{"change 0 0 [0] ext(-1, h'00') → [0] ext(-1, h'01')"}},
		{"formats", `{"a": 5_u16, "b": []_16, "c": 1.5_f32}`, `{"a": 5, "b": [], "c": 1.5}`, Options{Bytes: true}, []string{
			"format 0 0 a cd0005 → a 05", "format 0 0 b dc0000 → b 90", "format 0 0 c ca3fc00000 → c cb3ff8000000000000"}},
		{"order", `{"a": 1, "b": 2}`, `{"b": 2, "a": 1}`, Options{Bytes: true}, []string{"order 0 0 {0}"}},
		{"formats and values", `[5_u16, 1] 7_u8`, `[5, 2] 7`, Options{Bytes: true}, []string{"change 0 0 [1] 1 → [1] 2", "format 1 1  cc07 →  07"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, err := lines(diagtest.Pack(t, c.a), diagtest.Pack(t, c.b), c.o)
			if err != nil || strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("%v\ngot\n%s\nwant\n%s", err, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func TestFaults(t *testing.T) {
	whole := diagtest.Pack(t, `{"a": [1, 2]} 3`)
	for cut := range len(whole) {
		for side := range 2 {
			in := [2][]byte{whole, whole}
			in[side] = whole[:cut]
			_, at, err := lines(in[0], in[1], Options{})
			if boundary := cut == 0 || cut == len(whole)-1; boundary {
				if err != nil {
					t.Errorf("cut at %d: %v", cut, err)
				}
			} else if !errors.Is(err, wire.ErrTruncated) || at != side {
				t.Errorf("input %d cut at %d: input %d, %v", side, cut, at, err)
			}
		}
	}
	enough := errors.New("enough")
	for _, pair := range [][2]string{{"1", "2"}, {"[1]", "[]"}, {"[]", "[1]"}, {`{"a":1}`, "{}"}, {"{}", `{"a":1}`}, {"1 2", "2"}, {"1", ""}} {
		_, err := Streams(scan.New(bytes.NewReader(diagtest.Pack(t, pair[0])), 0), scan.New(bytes.NewReader(diagtest.Pack(t, pair[1])), 0), Options{}, func(Difference) error { return enough })
		if err != enough {
			t.Errorf("%v: %v", pair, err)
		}
	}
}

// TestEdits changes random arrays and checks that few differences are found.
func TestEdits(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		n := r.IntN(1000)
		list := make([]int64, n)
		for i := range list {
			list[i] = r.Int64N(1 << 40)
		}
		other, edits := append([]int64(nil), list...), 0
		for range r.IntN(5) {
			edits++
			at := r.IntN(len(other) + 1)
			if len(other) > 0 && r.IntN(2) == 0 {
				at = min(at, len(other)-1)
				other = append(other[:at], other[at+1:]...)
				continue
			}
			other = append(other[:at], append([]int64{-1 - r.Int64N(1<<40)}, other[at:]...)...)
		}
		encode := func(list []int64) []byte {
			b := wire.AppendArrayHeader(nil, uint32(len(list)))
			for _, v := range list {
				b = wire.AppendInt(b, v)
			}
			return b
		}
		got, _, err := lines(encode(list), encode(other), Options{})
		if err != nil || len(got) > edits {
			t.Fatalf("seed %d: %d edits, %d differences, %v", seed, edits, len(got), err)
		}
	}
}

// TestPaths requires that the paths of differences lead to the values in the files, also where they count
// pairs, in maps with keys of all kinds and in any order.
func TestPaths(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	keys := []string{`"a"`, "1", "nil", "true", "false", "1.5", "h'00'", "[1]", "[1, 2]", `{"k": nil}`, "ext(5, h'01')"}
	leaf := 0
	var value func(depth int, change bool) string
	value = func(depth int, change bool) string {
		if depth == 0 {
			leaf++
			if change && leaf%3 == 0 {
				return fmt.Sprint("-", leaf)
			}
			return fmt.Sprint(leaf)
		}
		var parts []string
		if random.IntN(3) == 0 {
			for range 1 + random.IntN(4) {
				parts = append(parts, value(depth-1, change))
			}
			return "[" + strings.Join(parts, ", ") + "]"
		}
		for _, i := range random.Perm(len(keys))[:1+random.IntN(len(keys))] {
			parts = append(parts, keys[i]+": "+value(depth-1, change))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	counted := 0
	for range 300 {
		leaf = 0
		first := value(3, false)
		leaf = 0
		second := value(3, true)
		a, b := diagtest.Pack(t, first), diagtest.Pack(t, second)
		if _, err := Streams(scan.New(bytes.NewReader(a), 0), scan.New(bytes.NewReader(b), 0), Options{}, func(d Difference) error {
			for k, data := range [][]byte{a, b} {
				if d.Data[k] == nil {
					continue
				}
				if strings.Contains(d.Path[k], "{") {
					counted++
				}
				path, err := locate.Parse(d.Path[k])
				if err != nil {
					t.Fatalf("%s: %v", d.Path[k], err)
				}
				var found bytes.Buffer
				err = path.Each(scan.New(bytes.NewReader(data), 0), func(m *locate.Match) error {
					_, err := m.WriteTo(&found)
					return err
				}, func(int64, int64, bool) error { return nil })
				if err != nil || !bytes.Equal(normal(t, found.Bytes(), Options{}), d.Data[k]) {
					t.Fatalf("%s\n%s\n%s at %s has %s, %v, want %s", first, second, d.Op, d.Path[k], text(found.Bytes()), err, text(d.Data[k]))
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if counted < 100 {
		t.Errorf("only %d paths count pairs", counted)
	}
}

func FuzzStreams(f *testing.F) {
	f.Add(diagtest.Pack(f, `{"a": [1, 2_u16, {"b": nil}], nil: h'00'} 1 2`), diagtest.Pack(f, `{"a": [2, 1, {"b": 1}], 1: h'00'} 2`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		for _, o := range []Options{{}, {Bytes: true}} {
			heaptest.AtMost(t, 500*(len(a)+len(b))+2<<20, func() {
				_, _ = Streams(scan.New(bytes.NewReader(a), 0), scan.New(bytes.NewReader(b), 0), o, func(Difference) error { return nil })
			})
			got, _, err := lines(a, b, o)
			if err != nil {
				continue
			}
			x, y := normal(t, a, o), normal(t, b, o)
			if bytes.Equal(x, y) != (len(got) == 0) {
				t.Fatalf("%x and %x: %q", a, b, got)
			}
		}
	})
}

// normal returns the values in a form that is equal if the values are.
func normal(t *testing.T, data []byte, o Options) (out []byte) {
	if o.Bytes {
		return data
	}
	w := canonical.Rewriter{Sort: true, Wide: true}
	for len(data) > 0 {
		n := canonical.End(data)
		var err error
		if out, err = w.Append(out, data[:n]); err != nil {
			t.Fatal(err)
		}
		data = data[n:]
	}
	return out
}
