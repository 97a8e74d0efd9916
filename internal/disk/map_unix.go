//go:build linux || darwin || freebsd || netbsd || dragonfly

package disk

import (
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// CanMap reports whether files can be mapped on this system. On OpenBSD, mapped
// memory and the results of read and write differ until msync is called, so
// files are not mapped there.
const CanMap = true

func mapFile(f *os.File, size int64, write bool) ([]byte, error) {
	if size > math.MaxInt {
		return nil, unix.ENOMEM
	}
	protection := unix.PROT_READ
	if write {
		protection |= unix.PROT_WRITE
	}
	return unix.Mmap(int(f.Fd()), 0, int(size), protection, unix.MAP_SHARED)
}

func unmap(b []byte) error { return unix.Munmap(b) }
