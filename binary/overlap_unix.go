//go:build unix

package binary

import (
	"os"

	"golang.org/x/sys/unix"
)

// appends reports whether every write to f goes to the end of the file, or
// whether this is not known.
func appends(f *os.File) bool {
	connection, err := f.SyscallConn()
	if err != nil {
		return true
	}
	appends := true
	err = connection.Control(func(fd uintptr) {
		flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
		appends = err != nil || flags&unix.O_APPEND != 0
	})
	return err != nil || appends
}
