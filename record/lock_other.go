//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package record

import (
	"errors"
	"os"
)

// openLock makes the file, which is the lock where the system has no other. A crash
// leaves it, and it must be removed by hand.
func openLock(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, lockPermissions)
	if errors.Is(err, os.ErrExist) {
		return nil, ErrLocked
	}
	return file, err
}

func tryLock(*os.File) error { return nil }

func releaseLock(file *os.File) error {
	return errors.Join(os.Remove(file.Name()), file.Close())
}
