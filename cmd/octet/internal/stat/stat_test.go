package stat

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
)

func count(t testing.TB, data []byte, l Limits) *Counter {
	t.Helper()
	c := NewCounter(l)
	if err := c.Add(scan.New(bytes.NewReader(data), 0)); err != nil {
		t.Fatal(err)
	}
	c.Finish()
	return c
}

// sample returns two values of 39 and 1 bytes.
func sample() []byte {
	b := wire.AppendMapHeader(nil, 4)
	b = wire.AppendString(b, "list")
	b = wire.AppendArrayHeader(b, 2)
	b = append(b, 0x81, 0xa1, 'x', 1, 0x81, 0xd9, 1, 'x', 0xcd, 1, 0) // {"x": 1}, {"x"_8: 256}
	b = wire.AppendInt(b, 7)
	b = wire.AppendBin(b, make([]byte, 10))
	b = wire.AppendArrayHeader(b, 1) // the key [nil]
	b = wire.AppendNil(b)
	b = wire.AppendString(b, "")
	b = wire.AppendString(b, "a.b")
	b = wire.AppendBool(b, true)
	return append(b, 5)
}

func lines(c *Counter) (list []string) {
	c.Root.All(func(n *Node) bool {
		list = append(list, fmt.Sprintf("%d %q count %d self %d keys %d total %d %s", n.Depth, n.Path, n.Count, n.Self, n.Keys, n.Total, kinds(n)))
		return true
	})
	return list
}

func TestCounts(t *testing.T) {
	c := count(t, sample(), Limits{Keys: 10, Paths: 100})
	want := []string{
		`0 "" count 2 self 2 keys 0 total 40 int, map`,
		`1 "list" count 1 self 1 keys 5 total 17 array`,
		`2 "list[]" count 2 self 2 keys 0 total 11 map`,
		`3 "list[].x" count 2 self 4 keys 5 total 9 int`,
		`1 "[7]" count 1 self 12 keys 1 total 13 bin`,
		`1 "[\"a.b\"]" count 1 self 1 keys 4 total 5 bool`,
		`1 "{}" count 1 self 1 keys 2 total 3 str`,
	}
	got := lines(c)
	if c.Values != 2 || c.Bytes != int64(len(sample())) || c.Root.Total != c.Bytes || c.Deepest != 3 || c.LimitReached {
		t.Errorf("%d values, %d bytes of %d, total %d, depth %d", c.Values, c.Bytes, len(sample()), c.Root.Total, c.Deepest)
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Errorf("line %d:\ngot  %q\nwant %q", i, got, want)
			break
		}
	}
	formats := int64(0)
	for _, f := range c.Formats() {
		formats += f.Bytes
	}
	if formats != c.Bytes {
		t.Errorf("the formats have %d bytes of %d", formats, c.Bytes)
	}
}

// TestLimits checks that keys beyond a limit share the path {other}.
func TestLimits(t *testing.T) {
	b := wire.AppendMapHeader(nil, 5)
	for i := range 5 {
		b = wire.AppendInt(wire.AppendString(b, fmt.Sprint("k", i)), 1)
	}
	for _, l := range []Limits{{Keys: 2, Paths: 100}, {Keys: 100, Paths: 3}} {
		c := count(t, b, l)
		got := lines(c)
		if len(got) != 4 || !c.LimitReached || !strings.Contains(strings.Join(got, "\n"), `"{other}" count 3 `) {
			t.Errorf("%+v: %q", l, got)
		}
	}
}

// TestLimitCountsKeys requires that exactly as many keys of a map have paths as the limit allows. The
// values that share a path, those of elements and of keys that are no names, do not count.
func TestLimitCountsKeys(t *testing.T) {
	odd := wire.AppendInt(wire.AppendNil(wire.AppendMapHeader(nil, 4)), 1) // nil: 1
	for _, k := range []string{"a", "b", "c"} {
		odd = wire.AppendInt(wire.AppendString(odd, k), 1)
	}
	mixed := append(wire.AppendNil(wire.AppendArrayHeader(nil, 1)), odd...) // an array and a map at one path
	for keys := range 4 {
		for name, data := range map[string][]byte{"odd": odd, "mixed": mixed} {
			named, c := 0, count(t, data, Limits{Keys: keys, Paths: 100})
			c.Finish()
			c.Root.All(func(n *Node) bool {
				if len(n.Path) == 1 {
					named++
				}
				return true
			})
			if named != keys {
				t.Errorf("%s: %d keys have paths, want %d", name, named, keys)
			}
		}
	}
}

// TestMemory checks the memory for a map with 500,000 keys.
func TestMemory(t *testing.T) {
	const keys = 500_000
	r, w := io.Pipe()
	go func() {
		var b bytes.Buffer
		b.Write([]byte{byte(wire.Map32), keys >> 24, keys >> 16 & 0xff, keys >> 8 & 0xff, keys & 0xff})
		for i := range keys {
			b.Write(wire.AppendNil(wire.AppendString(nil, fmt.Sprint("a long key with a number ", i))))
			if b.Len() > 1<<15 {
				b.WriteTo(w)
			}
		}
		b.WriteTo(w)
		w.Close()
	}()
	c := NewCounter(Limits{Keys: 256, Paths: 1 << 16})
	if err := c.Add(scan.New(r, 0)); err != nil {
		t.Fatal(err)
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > 16<<20 || c.paths > 300 {
		t.Errorf("%d paths, %d bytes of heap", c.paths, m.HeapAlloc)
	}
}

func TestTreemap(t *testing.T) {
	var b bytes.Buffer
	if err := count(t, sample(), Limits{10, 100}).Treemap(&b, `a & "b" <c>`); err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(&b)
	rects := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "rect" {
			rects++
		}
	}
	if rects != 7 {
		t.Errorf("%d rectangles, want 7", rects)
	}
	broken := errors.New("broken")
	if err := count(t, sample(), Limits{10, 100}).Treemap(failing{broken}, ""); err != broken {
		t.Errorf("writer that fails: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func FuzzCounter(f *testing.F) {
	f.Add(sample())
	f.Fuzz(func(t *testing.T, data []byte) {
		var c *Counter
		var err error
		heaptest.AtMost(t, 100*len(data)+2<<20, func() {
			c = NewCounter(Limits{Keys: 3, Paths: 20})
			err = c.Add(scan.New(bytes.NewReader(data), 0))
		})
		c.Finish()
		if err == nil && (c.Bytes != int64(len(data)) || c.Root.Total != c.Bytes) {
			t.Fatalf("%x: %d bytes, total %d", data, c.Bytes, c.Root.Total)
		}
		if err := c.Treemap(io.Discard, "x"); err != nil {
			t.Fatal(err)
		}
		requireSame(t, data)
	})
}

// requireSame counts data in memory and as a stream, and requires the same counts.
func requireSame(t *testing.T, data []byte) {
	t.Helper()
	l := Limits{Keys: 3, Paths: 20}
	x, err := index.New(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, want := NewCounter(l), NewCounter(l)
	gotErr := got.AddIndex(x, nil)
	if x.Fault != nil != (gotErr != nil) {
		t.Fatalf("% x: %v, want %v", data, gotErr, x.Fault)
	}
	// The stream reports the header of a value that is cut off, too.
	_ = want.Add(scan.New(bytes.NewReader(data[:x.End]), 0))
	got.Finish()
	want.Finish()
	if a, b := lines(got), lines(want); !reflect.DeepEqual(a, b) || !reflect.DeepEqual(got.Formats(), want.Formats()) ||
		got.Values != want.Values || got.Bytes != want.Bytes || got.Deepest != want.Deepest || got.LimitReached != want.LimitReached {
		t.Fatalf("% x:\ngot  %q\n%+v\nwant %q\n%+v", data, a, got.Formats(), b, want.Formats())
	}
}

// TestAddIndex counts maps that have other keys, keys in another order and keys of other
// kinds than the maps before.
func TestAddIndex(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for range 500 {
		var data []byte
		var value func(depth int)
		value = func(depth int) {
			switch n := r.IntN(9); {
			case n < 4 && depth < 4:
				count, first := r.IntN(5), r.IntN(3)
				data = wire.AppendMapHeader(data, uint32(count))
				for i := range count {
					switch r.IntN(20) {
					case 0:
						data = wire.AppendString(data, strings.Repeat("long", 20)+fmt.Sprint(r.IntN(2)))
					case 1:
						data = append(data, "\xd9\x02k2"...)
					case 2:
						value(depth + 1)
					case 3:
						data = wire.AppendInt(data, int64(i))
					default:
						data = wire.AppendString(data, fmt.Sprint("k", first+i))
					}
					value(depth + 1)
				}
			case n < 5 && depth < 4:
				count := r.IntN(5)
				data = wire.AppendArrayHeader(data, uint32(count))
				for range count {
					value(depth + 1)
				}
			default:
				data = append(data, "\xd1\x01\x00"...)
			}
		}
		for range 20 {
			value(0)
		}
		requireSame(t, data)
		requireSame(t, data[:r.IntN(len(data))])
	}
}

// TestAddIndexStops ends at an error of watch.
func TestAddIndexStops(t *testing.T) {
	data := append(wire.AppendArrayHeader(nil, 1<<20), make([]byte, 1<<20)...)
	x, err := index.New(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	stop, calls := errors.New("stop"), 0
	err = NewCounter(Limits{Keys: 1, Paths: 1}).AddIndex(x, func(done, total int) error {
		if calls++; calls == 3 {
			return stop
		}
		return nil
	})
	if err != stop || calls != 3 {
		t.Errorf("%d calls, %v", calls, err)
	}
}
