//go:build !linux

package interrupt

import (
	"os"
	"time"
)

func isProbe(os.Signal) bool { return false }

// flush waits for a time in which signals usually arrive.
func (w *watcher) flush() {
	select {
	case <-w.ended:
	case <-time.After(20 * time.Millisecond):
	}
}
