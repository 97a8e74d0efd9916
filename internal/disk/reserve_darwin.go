package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// reserve allocates blocks beyond the end of the file.
func reserve(f *os.File, size, end int64) error {
	err := unix.FcntlFstore(f.Fd(), unix.F_PREALLOCATE, &unix.Fstore_t{
		Flags: unix.F_ALLOCATEALL, Posmode: unix.F_PEOFPOSMODE, Length: end - size,
	})
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EINVAL) {
		return ErrNoReserve
	}
	return err
}

func syncMap(b []byte) error { return unix.Msync(b, unix.MS_SYNC) }
