//go:build !unix

package cases

import "time"

// processorTime returns 0, because it is not implemented for this system.
func processorTime() time.Duration { return 0 }
