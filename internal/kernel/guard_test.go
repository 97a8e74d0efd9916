//go:build linux

package kernel

import (
	"syscall"
	"testing"

	"github.com/octet-go/octet/internal/mem"
)

// guarded is memory between two inaccessible pages, so that an access outside
// it is a fault.
type guarded struct{ b []byte }

func newGuarded(t *testing.T, pages int) guarded {
	size := syscall.Getpagesize()
	all, err := syscall.Mmap(-1, 0, (pages+2)*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skipf("cannot map memory: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(all) })
	for _, page := range [][]byte{all[:size], all[len(all)-size:]} {
		if err := syscall.Mprotect(page, syscall.PROT_NONE); err != nil {
			t.Skipf("cannot protect memory: %v", err)
		}
	}
	return guarded{all[size : len(all)-size]}
}

// head returns n bytes that start off bytes after the first guard page.
func (g guarded) head(off, n int) []byte { return g.b[off : off+n : off+n] }

// tail returns n bytes that end off bytes before the second guard page.
func (g guarded) tail(off, n int) []byte { return g.b[len(g.b)-off-n:][:n:n] }

// places returns the positions at which n bytes are tested. They are near one
// of the guard pages. offset selects the alignment.
func (g guarded) places(offset, n int) [][]byte {
	return [][]byte{g.head(offset, n), g.tail(offset, n)}
}

// fill sets b to bytes that differ from their neighbors and depend on seed.
func fill(b []byte, seed int) {
	x := uint32(seed)*2654435761 + 1
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
}

func ptr(b []byte) mem.Ptr { return mem.Bytes(b) }
