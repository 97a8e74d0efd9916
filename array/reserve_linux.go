package array

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// reserve allocates blocks for the bytes from size, the size of f, to end. The
// size stays the same, so that a later Truncate changes it in one step.
func reserve(f *os.File, size, end int64) error {
	for {
		err := unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, size, end-size)
		switch {
		case err == unix.EINTR:
			continue
		case errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS):
			return errNoReserve
		}
		return err
	}
}

// syncMap does nothing: fsync also writes what was stored through a mapping.
func syncMap([]byte) error { return nil }
