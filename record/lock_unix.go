//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package record

import (
	"errors"
	"os"
	"syscall"
)

func openLock(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE, lockPermissions)
}

// tryLock locks the file for this open file, so that a second Writer of the same
// program is refused too.
func tryLock(file *os.File) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return ErrLocked
		}
		if !errors.Is(err, syscall.EINTR) {
			return os.NewSyscallError("flock", err)
		}
	}
}

func releaseLock(file *os.File) error {
	return errors.Join(os.Remove(file.Name()), file.Close())
}
