package index

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
)

// sample returns values of every shape, with containers that are longer than the
// distance of marks.
func sample() []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b []byte
	var value func(depth int)
	value = func(depth int) {
		switch n := r.IntN(12); {
		case n < 2 && depth < 3:
			count := r.IntN(9)
			b = wire.AppendArrayHeader(b, uint32(count))
			for range count {
				value(depth + 1)
			}
		case n < 4 && depth < 3:
			count := r.IntN(9)
			b = wire.AppendMapHeader(b, uint32(count))
			for range count {
				value(depth + 1)
				value(depth + 1)
			}
		case n < 8:
			b = wire.AppendInt(b, int64(r.IntN(1<<20)))
		default:
			b = wire.AppendString(b, "0123456789"[:r.IntN(10)])
		}
	}
	for range 2000 {
		value(0)
	}
	b = wire.AppendArrayHeader(b, 3)
	for _, n := range []int{20000, 3, 9000} {
		b = wire.AppendMapHeader(b, uint32(n))
		for range n {
			value(1)
			value(1)
		}
	}
	b = wire.AppendBin(b, make([]byte, 5*distance))
	for range 500 {
		value(0)
	}
	return b
}

// of returns the index of data.
func of(data []byte) *Index {
	x, _ := New(data, nil)
	return x
}

// TestLookups compares every lookup with the tokens that a scanner returns.
func TestLookups(t *testing.T) {
	data := sample()
	x := of(data)
	if x.Fault != nil || x.End != len(data) {
		t.Fatalf("End %d, fault %v; want %d and none", x.End, x.Fault, len(data))
	}
	if len(x.marks) < 20 {
		t.Fatalf("only %d marks: the sample is too short to test them", len(x.marks))
	}
	s := scan.New(bytes.NewReader(data), 0)
	var tokens int64
	tops := map[int64]int{}
	r := rand.New(rand.NewPCG(3, 4))
	type container struct {
		offset int
		number int64
	}
	var open []container
	for {
		want, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		tokens++
		offset := int(want.Offset)
		if want.Role == scan.Top {
			tops[int64(want.Index)] = offset
		}
		open = open[:want.Depth]
		number := int64(want.Index)
		if want.Role == scan.Key || want.Role == scan.Value {
			number = 2*number + int64(want.Role-scan.Key)
		}
		open = append(open, container{offset, number})
		if r.IntN(300) > 0 {
			continue
		}
		c, ok := x.At(offset + r.IntN(int(want.Size)+int(want.Payload)))
		if !ok {
			t.Fatalf("At(%d) found nothing", offset)
		}
		got := c.Token()
		if got.Offset != offset || got.Depth != want.Depth || got.Role != want.Role || got.Number != number || got.Header != want.Header {
			t.Fatalf("At(%d) = %+v, want %+v", offset, *got, want)
		}
		if path := x.Path(c.Steps()); path != s.Path() {
			t.Fatalf("path at %d is %q, want %q", offset, path, s.Path())
		}
		if end, err := wire.Skip(data[offset:], wire.MaxDepth); err != nil || x.Size(got) != end {
			t.Fatalf("Size at %d is %d, want %d", offset, x.Size(got), end)
		}
		if want.Depth > 0 {
			parent, ok := x.At(open[want.Depth-1].offset)
			if !ok {
				t.Fatal("no parent")
			}
			child := x.Child(parent.Token(), uint64(number))
			if !child.Next() || child.Token().Offset != offset {
				t.Fatalf("Child %d of the container at %d is at %d, want %d", number, open[want.Depth-1].offset, child.Token().Offset, offset)
			}
			if child.Token().Line != got.Line || child.Token().Depth != got.Depth {
				t.Fatalf("Child at %d: line %d, depth %d; At says %d, %d", offset, child.Token().Line, child.Token().Depth, got.Line, got.Depth)
			}
		}
	}
	if tokens != x.Tokens || int64(len(tops)) != x.Values {
		t.Errorf("%d tokens, %d values; want %d, %d", x.Tokens, x.Values, tokens, len(tops))
	}
	for n, offset := range tops {
		c := x.Top(n)
		if !c.Next() || c.Token().Offset != offset || c.Token().Number != n {
			t.Fatalf("Top(%d) is %+v, want offset %d", n, *c.Token(), offset)
		}
	}
}

// TestLines checks that a cursor that starts at a line agrees with one that
// started at the beginning.
func TestLines(t *testing.T) {
	data := sample()
	x := of(data)
	r := rand.New(rand.NewPCG(5, 6))
	for c := x.at(0); c.Next(); {
		if r.IntN(1000) > 0 {
			continue
		}
		want := *c.Token()
		d := x.BeforeLine(want.Line)
		for d.Next() && d.Token().Offset < want.Offset {
			continue
		}
		if *d.Token() != want {
			t.Fatalf("BeforeLine(%d) leads to %+v, want %+v", want.Line, *d.Token(), want)
		}
	}
}

// TestMalformed cuts the data everywhere near a mark and checks that what is
// left can be looked up.
func TestMalformed(t *testing.T) {
	data := sample()
	for _, cut := range []int{1, distance - 1, distance, distance + 1, len(data) / 2, len(data) - 1} {
		x := of(data[:cut])
		for offset := 0; offset < x.End; offset += 1 + offset/7 {
			c, ok := x.At(offset)
			if !ok {
				t.Fatalf("cut at %d: At(%d) found nothing before the end %d", cut, offset, x.End)
			}
			if x.Size(c.Token()) > cut-c.Token().Offset {
				t.Fatalf("cut at %d: the value at %d has %d bytes", cut, c.Token().Offset, x.Size(c.Token()))
			}
		}
	}
	for _, bad := range []string{"\xc1", "\x93\x01", "\xdd\xff\xff\xff\xff", "\xdb\xff\xff\xff\xffab", "\x82\x01", "\xdf\x80\x00\x00\x00\x01\x02"} {
		x := of([]byte(bad))
		if x.Fault == nil {
			t.Errorf("%x: no fault", bad)
		}
		if c, ok := x.At(0); ok && x.Count(c.Token()) > int64(len(bad)) {
			t.Errorf("%x: the container has %d rows", bad, x.Count(c.Token()))
		}
	}
	deep := bytes.Repeat([]byte{0x91}, 1<<20)
	if x := of(deep); x.Fault == nil || x.Deepest > wire.MaxDepth {
		t.Errorf("fault %v, depth %d", x.Fault, x.Deepest)
	}
}

// TestDeepChildren goes down through containers, as the tree of the inspector does. The memory for each step must
// not depend on its depth.
func TestDeepChildren(t *testing.T) {
	for _, open := range []string{"\x91", "\x92", "\x81\x01"} {
		x := of([]byte(strings.Repeat(open, wire.MaxDepth)))
		heaptest.AtMost(t, wire.MaxDepth<<10, func() {
			c := x.Top(0)
			for depth := range wire.MaxDepth {
				if !c.Next() || c.Token().Depth != depth || !c.Token().IsContainer() {
					t.Fatalf("%x: at depth %d is %+v", open, depth, *c.Token())
				}
				token := *c.Token()
				c = x.Child(&token, uint64(len(open)-1))
			}
		})
	}
}

// TestMemory checks the size of the marks of data with deep containers.
func TestMemory(t *testing.T) {
	var b []byte
	for len(b) < 8<<20 {
		b = append(append(b, bytes.Repeat([]byte{0x91}, 500)...), 1)
	}
	x := of(b)
	if size := len(x.around) * 40; size > len(b)/10 {
		t.Errorf("the marks of %d bytes take %d bytes", len(b), size)
	}
}

// TestDeepSizes compares the sizes and counts of containers inside each other, which have
// values before and after those inside them, whole and cut off. A page asks for those of
// hundreds of containers, so Size and Count read no tokens, for which they would allocate.
func TestDeepSizes(t *testing.T) {
	for _, shape := range []struct{ levels, keys int }{{400, 200}, {12, 5000}} {
		data := []byte{1}
		for i := range shape.levels {
			level := wire.AppendMapHeader(nil, uint32(shape.keys)+1)
			for k := range shape.keys {
				if k == i%shape.keys {
					level = append(append(level, 0xa1, 'z'), data...)
				}
				level = append(wire.AppendInt(level, int64(k)), 1)
			}
			data = level
		}
		for _, end := range []int{len(data), len(data) - 1, len(data) / 2} {
			x := of(data[:end])
			for c := (&Cursor{data: x.Data[:x.End]}); c.Next(); {
				k := *c.Token()
				if !k.IsContainer() {
					continue
				}
				want, err := wire.Skip(x.Data[k.Offset:], wire.MaxDepth)
				if err != nil {
					want = x.End - k.Offset
				} else if n := x.Count(&k); n != int64(shape.keys)+1 {
					t.Errorf("%d pairs at %d, want %d", n, k.Offset, shape.keys+1)
				}
				if got := x.Size(&k); got != want {
					t.Errorf("%d of %d bytes: size %d at %d, want %d", end, len(data), got, k.Offset, want)
				}
				if shape.levels > 16 {
					continue // wire.Skip allocates, too
				}
				if n := testing.AllocsPerRun(1, func() { x.Size(&k); x.Count(&k) }); n > 0 {
					t.Fatalf("%v allocations for the container at %d", n, k.Offset)
				}
			}
		}
	}
}
