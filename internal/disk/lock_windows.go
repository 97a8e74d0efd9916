package disk

import (
	"errors"
	"math"
	"os"

	"golang.org/x/sys/windows"
)

const nonBlocking = 0

// lockedByte is a byte that no file has, because Windows keeps all others away from what is locked.
func lockedByte() *windows.Overlapped {
	return &windows.Overlapped{Offset: math.MaxUint32 - 1, OffsetHigh: math.MaxInt32}
}

func lock(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, lockedByte())
	switch {
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION):
		return ErrLocked
	case errors.Is(err, windows.ERROR_NOT_SUPPORTED), errors.Is(err, windows.ERROR_INVALID_FUNCTION):
		return hold(f) // the file system does not have this
	}
	return os.NewSyscallError("LockFileEx", err)
}

// unlock ends the lock. After closing the file alone, Windows may keep it for a while.
func unlock(f *os.File) {
	_ = windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, lockedByte())
}
