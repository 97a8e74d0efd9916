package bytebuf_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/octet-go/octet/bytebuf"
	"github.com/octet-go/octet/bytebuf/internal/buffertest"
)

func TestPoolGet(t *testing.T) {
	for _, size := range []int{0, 1, 64, 65, 5000, 1 << 20} {
		p := bytebuf.Pool{Size: size}
		for range 3 {
			b := p.Get()
			b.Grow(1)
			if b.Len() != 0 || b.Cap() < size {
				t.Errorf("Size %d: Len %d, Cap %d", size, b.Len(), b.Cap())
			}
			b.Write(buffertest.Data(size + 1))
			p.Put(b)
		}
	}
}

// TestPoolPut keeps a reference to the Buffer and checks it after Put, because sync.Pool does not guarantee that
// the next Get returns it.
func TestPoolPut(t *testing.T) {
	tests := []struct {
		name      string
		size, max int
		fill      int
		kept      bool
	}{
		{"short", 0, 0, 10, true},
		{"default", 0, 0, 64 << 10, true},
		{"above default", 0, 0, 64<<10 + 1, false},
		{"at max", 0, 1024, 1024, true},
		{"above max", 0, 1024, 1025, false},
		{"size", 1000, 1000, 1000, true},
		{"above size", 1000, 1000, 1001, false},
		{"size above default", 100 << 10, 0, 100 << 10, true},
		{"negative max", 0, -1, 10, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := bytebuf.Pool{Size: test.size, Max: test.max}
			b := p.Get()
			b.Write(buffertest.Data(test.fill))
			held := b.Cap()
			p.Put(b)
			if b.Len() != 0 {
				t.Errorf("Len %d after Put", b.Len())
			}
			if kept := b.Cap() == held; kept != test.kept || !kept && b.Cap() != 0 {
				t.Errorf("capacity changed from %d to %d, want kept = %t", held, b.Cap(), test.kept)
			}
		})
	}
}

func TestPoolWipe(t *testing.T) {
	for _, n := range []int{10, 1000, 100_000} {
		p := bytebuf.Pool{Wipe: true}
		b := p.Get()
		b.Write(bytes.Repeat([]byte{'s'}, n))
		held := b.Bytes()
		p.Put(b)
		if bytes.IndexByte(held, 's') >= 0 {
			t.Errorf("%d bytes were not overwritten", n)
		}
	}
}

// TestPoolConcurrently checks that two goroutines never have the same Buffer.
func TestPoolConcurrently(t *testing.T) {
	var p bytebuf.Pool
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 200 {
				b := p.Get()
				b.Write(buffertest.Data(i*10 + j))
				if b.String() != string(buffertest.Data(i*10+j)) {
					t.Errorf("%d, %d: %q", i, j, b.String())
				}
				p.Put(b)
			}
		})
	}
	all.Wait()
}
