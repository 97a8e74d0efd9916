//go:build linux

package kernel

import (
	"syscall"
	"testing"

	"github.com/octet-go/octet/internal/mem"
)

// A guarded area is memory with an unreadable page on either side, so that one
// byte too many is a fault.
type guarded struct{ b []byte }

func newGuarded(t *testing.T, pages int) guarded {
	size := syscall.Getpagesize()
	all, err := syscall.Mmap(-1, 0, (pages+2)*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skipf("no memory to map: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(all) })
	for _, page := range [][]byte{all[:size], all[len(all)-size:]} {
		if err := syscall.Mprotect(page, syscall.PROT_NONE); err != nil {
			t.Skipf("no page to protect: %v", err)
		}
	}
	return guarded{all[size : len(all)-size]}
}

// head returns n bytes, the first of which is off bytes after the guard page.
func (g guarded) head(off, n int) []byte { return g.b[off : off+n : off+n] }

// tail returns n bytes, the last of which is off bytes before the guard page.
func (g guarded) tail(off, n int) []byte { return g.b[len(g.b)-off-n:][:n:n] }

// places lists where n bytes are tried: near either guard page. Nearer than a
// register, all that counts is on which side of n the page is; offset makes every
// alignment.
func (g guarded) places(offset, n int) [][]byte {
	return [][]byte{g.head(offset, n), g.tail(offset, n)}
}

// fill gives b bytes that differ from their neighbours and from seed to seed.
func fill(b []byte, seed int) {
	x := uint32(seed)*2654435761 + 1
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
}

func ptr(b []byte) mem.Ptr { return mem.Bytes(b) }
