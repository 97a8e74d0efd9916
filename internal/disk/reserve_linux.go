package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// reserve allocates blocks beyond the end of the file.
func reserve(f *os.File, size, end int64) error {
	for {
		err := unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, size, end-size)
		switch {
		case err == unix.EINTR:
			continue
		case errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS):
			return ErrNoReserve
		}
		return err
	}
}

// syncMap does nothing: fsync also writes what was stored through a mapping.
func syncMap([]byte) error { return nil }
