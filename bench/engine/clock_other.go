//go:build !unix

package engine

import "time"

// ProcessorTime returns 0, because it is not implemented for this system: only the time on the clock is measured.
func ProcessorTime() time.Duration { return 0 }
