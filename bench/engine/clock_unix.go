//go:build unix && !linux

package engine

import (
	"syscall"
	"time"
)

// ProcessorTime returns the user and system time of this process on all processors.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
