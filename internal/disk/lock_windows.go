package disk

import (
	"errors"
	"math"
	"os"

	"golang.org/x/sys/windows"
)

const nonBlocking = 0

// lock locks a byte that no file has, because Windows keeps all others away from what is locked.
func lock(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	at := windows.Overlapped{Offset: math.MaxUint32 - 1, OffsetHigh: math.MaxInt32}
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return os.NewSyscallError("LockFileEx", err)
}

// unlock does nothing: closing the file releases its lock.
func unlock(*os.File) {}
