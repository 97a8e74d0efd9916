//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package disk

import (
	"errors"
	"os"
	"syscall"
)

// nonBlocking makes opening a pipe return at once.
const nonBlocking = syscall.O_NONBLOCK

// lock locks the file for this open file, so that a second one of the same process is refused too.
func lock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrLocked
		case errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOSYS):
			return hold(f) // the file system does not have this
		}
		return os.NewSyscallError("flock", err)
	}
}

// unlock ends the lock. To close the file is not enough: a process that another goroutine has just started has the open
// file, too, until it executes its program.
func unlock(f *os.File) {
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
}
