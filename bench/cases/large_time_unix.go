//go:build unix

package cases

import (
	"syscall"
	"time"
)

// processorTime returns the user and system time of this process on all processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
