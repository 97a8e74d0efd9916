package record

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

func openLock(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE, lockPermissions)
}

func tryLock(file *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return os.NewSyscallError("LockFileEx", err)
}

// releaseLock leaves the file, because Windows may refuse to remove an open one, and
// a closed one can belong to the next Writer.
func releaseLock(file *os.File) error { return file.Close() }
