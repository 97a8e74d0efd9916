// Package interrupt cancels the work of a command on a signal.
//
// Ctrl-C sends the signal to all programs of a pipeline. The one that writes the input of
// a command can end so fast that the command reads the end of its input before it gets its
// own signal. It would then take a part of the input for all of it. [Err] prevents that: it
// waits for signals that are on their way.
package interrupt

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"time"
)

// A watcher cancels a context on a signal.
type watcher struct {
	signals  chan os.Signal
	arrived  chan struct{} // receives a value for each probe
	ended    chan struct{}
	patience time.Duration // how long flush waits
	mu       sync.Mutex    // of flush
	deaf     bool          // a probe did not arrive in time
}

// key is the key of the watcher in a context.
type key struct{}

// Notify returns a context that is canceled on the first interrupt, SIGTERM or SIGHUP. The
// second one ends the process, because it may be blocked in a call that does not return,
// such as reading a file on a network. SIGPIPE no longer ends the process: writing to a
// closed pipe fails. stop releases the resources.
func Notify(parent context.Context) (ctx context.Context, stop func()) {
	w := newWatcher()
	ctx, cancel := context.WithCancel(context.WithValue(parent, key{}, w))
	catchClosedPipes()
	signal.Notify(w.signals, stopSignals...)
	go w.watch(ctx, cancel)
	return ctx, cancel
}

// newWatcher returns a watcher that gets no signals yet.
func newWatcher() *watcher {
	return &watcher{
		signals: make(chan os.Signal, 16), arrived: make(chan struct{}, 16), ended: make(chan struct{}), patience: patience,
	}
}

// watch handles the signals one after the other, in the order in which they have arrived.
func (w *watcher) watch(ctx context.Context, cancel func()) {
	defer close(w.ended)
	defer signal.Stop(w.signals)
	for {
		select {
		case <-ctx.Done():
			return
		case s := <-w.signals:
			if !isProbe(s) {
				cancel()
				return
			}
			select {
			case w.arrived <- struct{}{}:
			default: // no one waits for as many
			}
		}
	}
}

// Err returns the error of a context that [Notify] has returned, or of one that was made
// from it. It first waits until the signals that the process has been sent have canceled
// the context.
//
// On Linux, this is certain for every signal that the kernel has sent before the call,
// unless a thread does not take signals for a second. The kernel signals the programs of
// a terminal one after the other, those that started last first, so that the program that
// writes into a pipe is signaled after the one that reads from it, in the shells that
// start them in this order. Other systems do not tell whether a signal is on its way;
// there, Err waits for 20 milliseconds.
func Err(ctx context.Context) error {
	w, _ := ctx.Value(key{}).(*watcher)
	if w == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush()
	return ctx.Err()
}
