package interrupt

import (
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// probe is a real-time signal, which other programs have no reason to send. Its number is
// higher than those of the signals that stop the process, so the kernel delivers it after
// them.
const probe = syscall.Signal(62)

func isProbe(s os.Signal) bool { return s == probe }

// patience is how long flush waits for all probes. A thread that waits for a disk, or that
// blocks the signal, may not take its probe for longer. flush does not wait again then: it
// could not tell its probes from the late ones.
const patience = time.Second

// flush waits until the signals that were sent before it have been handled.
//
// First, it sends the process a probe. Of several signals that wait for the process, a
// thread takes that with the lowest number first. When the probe has arrived, no signal
// that stops the process waits any more, but a thread may have taken one and not have told
// the runtime. Therefore flush sends a probe to each thread. A handler of the runtime blocks
// all signals, so the probe of a thread arrives after the signals that the thread took
// before. The runtime has a set of signals, in words of 32. It takes a set in one step for
// each word, and then passes the signals on in the order of their numbers. The last probe
// is for a signal of the first word that was added while the runtime took the set.
func (w *watcher) flush() {
	if w.deaf {
		return
	}
	signal.Notify(w.signals, probe)
	pid := os.Getpid()
	timeout := time.NewTimer(w.patience)
	defer timeout.Stop()
	arrives := func(err error) bool {
		if err != nil { // such as that of a thread that has ended
			return true
		}
		select {
		case <-w.arrived:
			return true
		case <-w.ended: // by a signal that stops the process
		case <-timeout.C:
			w.deaf = true
		}
		return false
	}
	if !arrives(unix.Kill(pid, probe)) {
		return
	}
	threads, _ := os.ReadDir("/proc/self/task") // without it, the probes of the process are what can be done
	for _, t := range threads {
		thread, err := strconv.Atoi(t.Name())
		if err == nil && !arrives(unix.Tgkill(pid, thread, probe)) {
			return
		}
	}
	arrives(unix.Kill(pid, probe))
}
