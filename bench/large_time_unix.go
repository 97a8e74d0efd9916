//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime returns the time that all processors have worked for this
// process, in the program and in the system.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
