package engine

import (
	"time"

	"golang.org/x/sys/unix"
)

// ProcessorTime returns the time that this process has used on all processors, in nanoseconds of its own clock.
func ProcessorTime() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
