//go:build !linux

package interrupt

import (
	"os"
	"time"
)

// patience is how long flush waits.
const patience = 20 * time.Millisecond

func isProbe(os.Signal) bool { return false }

// flush waits for a time in which signals usually arrive.
func (w *watcher) flush() {
	select {
	case <-w.ended:
	case <-time.After(w.patience):
	}
}
