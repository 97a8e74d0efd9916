package interrupt

import (
	"os/signal"
	"testing"
	"time"
)

// TestDeaf flushes where no probe arrives, as in a process that blocks the signal. The second time, flush sends none
// and does not wait for one.
func TestDeaf(t *testing.T) {
	w := newWatcher()
	defer signal.Stop(w.signals)
	w.flush()
	if s := <-w.signals; !isProbe(s) || !w.deaf {
		t.Fatalf("%v; deaf: %v", s, w.deaf)
	}
	w.flush()
	select {
	case s := <-w.signals:
		t.Errorf("another probe: %v", s)
	case <-time.After(50 * time.Millisecond):
	}
}
