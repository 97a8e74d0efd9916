package chain

import (
	"bytes"
	"math"
	"math/rand/v2"
	"net"
	"testing"
)

// held returns all blocks that a Buffer references, including those in the unused capacity of its lists.
func held(c *Buffer) map[*block]bool {
	blocks := map[*block]bool{}
	for _, s := range c.segs[:cap(c.segs)] {
		if s.block != nil {
			blocks[s.block] = true
		}
	}
	if c.block != nil {
		blocks[c.block] = true
	}
	return blocks
}

// TestReleasedBlocksAreGone checks that a Buffer has no reference to a released block, and that its contents do not
// change with it. The test overwrites every released block.
func TestReleasedBlocksAreGone(t *testing.T) {
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 5))
		var c Buffer
		var want []byte
		given := 0
		for range 300 {
			before := held(&c)
			p := bytes.Repeat([]byte{byte(random.IntN(200))}, random.IntN(9000))
			switch random.IntN(8) {
			case 0, 1:
				c.Write(p)
				want = append(want, p...)
			case 2:
				c.Append(p)
				want = append(want, p...)
			case 3:
				c.ReadFrom(bytes.NewReader(p))
				want = append(want, p...)
			case 4, 5:
				n, _ := c.Read(p)
				want = want[n:]
			case 6:
				c.WriteTo(new(bytes.Buffer))
				want = nil
			case 7:
				c.Reset()
				want = nil
				if len(held(&c)) > 0 || len(c.vector[:cap(c.vector)]) > 0 && c.vector[:1][0] != nil {
					t.Fatal("Reset kept a block")
				}
			}
			after := held(&c)
			for b := range before {
				if b.refs == 0 {
					given++
					for i := range b.data {
						b.data[i] = 255
					}
					if after[b] {
						t.Fatal("a released block is still referenced")
					}
				} else if !after[b] {
					t.Fatal("an unreferenced block was not released")
				}
			}
			for b := range after {
				if b.refs <= 0 {
					t.Fatalf("a block in use has %d references", b.refs)
				}
			}
			if !bytes.Equal(c.Bytes(), want) {
				t.Fatal("the contents changed with a released block")
			}
		}
		if given == 0 {
			t.Error("no block was released")
		}
	}
}

// TestBlocksAreNotShared checks that two Buffers never use the same block.
func TestBlocksAreNotShared(t *testing.T) {
	var a, b Buffer
	for range 50 {
		a.Write(bytes.Repeat([]byte{'a'}, 10_000))
		a.Reset()
		a.Reset()
		a.Write(bytes.Repeat([]byte{'a'}, 10_000))
		b.Write(bytes.Repeat([]byte{'b'}, 10_000))
		for block := range held(&a) {
			if held(&b)[block] {
				t.Fatal("a block belongs to two Buffers")
			}
		}
		if bytes.IndexByte(a.Bytes(), 'b') >= 0 || bytes.IndexByte(b.Bytes(), 'a') >= 0 {
			t.Fatal("contents of one Buffer appear in another")
		}
		a.Reset()
		b.Reset()
	}
}

// TestBufferStaysInItsBlock checks that a Buffer that is repeatedly emptied stays in one block.
func TestBufferStaysInItsBlock(t *testing.T) {
	var c Buffer
	c.WriteByte(0)
	first := c.block
	for range 1000 {
		c.Write(make([]byte, 100))
		c.WriteTo(new(bytes.Buffer))
		if c.block != first {
			t.Fatal("the Buffer took another block")
		}
	}
}

// TestBufferListIsBounded checks that the list of segments grows with the number of segments at one time, not with
// the total number.
func TestBufferListIsBounded(t *testing.T) {
	var c Buffer
	for range 10 {
		c.Append([]byte{1})
	}
	for range 10_000 {
		c.Append([]byte{1})
		c.Read(make([]byte, 1))
	}
	if n := cap(c.segs); n > 64 {
		t.Errorf("a list of %d for 10 segments", n)
	}
}

// TestBufferForgetsFailedWrite checks that the list of slices that is passed to a connection has no references to the
// contents after a failed write.
func TestBufferForgetsFailedWrite(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip("cannot listen on a local port:  ", err)
	}
	defer l.Close()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	var c Buffer
	c.WriteString("hello")
	c.Append([]byte("world"))
	if n, err := c.WriteTo(conn); n != 0 || err == nil || c.Len() != 10 {
		t.Errorf("%d, %v, %d left", n, err, c.Len())
	}
	for _, p := range c.vector[:cap(c.vector)] {
		if p != nil {
			t.Errorf("the list still references %q", p)
		}
	}
}

// TestBufferCopyPanics checks that each method detects that a Buffer in use was copied, because both would release
// the same blocks.
func TestBufferCopyPanics(t *testing.T) {
	for name, do := range map[string]func(c *Buffer){
		"Write":    func(c *Buffer) { c.WriteByte(1) },
		"Append":   func(c *Buffer) { c.Append([]byte{1}) },
		"ReadFrom": func(c *Buffer) { c.ReadFrom(new(bytes.Buffer)) },
		"Read":     func(c *Buffer) { c.Read(make([]byte, 1)) },
		"WriteTo":  func(c *Buffer) { c.WriteTo(new(bytes.Buffer)) },
		"Bytes":    func(c *Buffer) { c.Bytes() },
		"Segments": func(c *Buffer) { c.Segments()(func([]byte) bool { return true }) },
		"Reset":    func(c *Buffer) { c.Reset() },
	} {
		t.Run(name, func(t *testing.T) {
			var c Buffer
			c.WriteString("hello")
			d := c
			defer func() {
				if recover() == nil {
					t.Error("a copied Buffer did not panic")
				}
			}()
			do(&d)
		})
	}
	var zero Buffer
	copied := zero
	copied.WriteString("a copy of an unused Buffer works")
}

func TestBufferTooLarge(t *testing.T) {
	c := Buffer{size: math.MaxInt - 3}
	defer func() {
		if e := recover(); e != any(bytes.ErrTooLarge) {
			t.Errorf("panic with %v", e)
		}
	}()
	c.Append([]byte("1234"))
}

// TestBlockSizes checks that blocks double in size between the bounds, and that each size has a pool.
func TestBlockSizes(t *testing.T) {
	tests := []struct{ last, n, want int }{
		{0, 1, minBlock},
		{0, minBlock + 1, 2 * minBlock},
		{0, 1 << 30, maxBlock},
		{minBlock, 1, 2 * minBlock},
		{maxBlock / 2, 1, maxBlock},
		{maxBlock, 1, maxBlock},
	}
	for _, test := range tests {
		if got := blockSize(test.last, test.n); got != test.want {
			t.Errorf("after %d, for %d: %d, want %d", test.last, test.n, got, test.want)
		}
	}
	for size, pool := minBlock, 0; size <= maxBlock; size, pool = size*2, pool+1 {
		b := newBlock(size)
		if len(b.data) != size || blockPool(size) != pool {
			t.Errorf("block of %d: %d bytes, pool %d", size, len(b.data), blockPool(size))
		}
		b.release()
	}
	if blockPool(maxBlock) != blockSizes-1 {
		t.Errorf("%d sizes", blockPool(maxBlock)+1)
	}
}
