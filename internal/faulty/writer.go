package faulty

import (
	"bytes"
	"fmt"
)

// The faults of writers. Those of counts are the same as of readers.
const (
	failsPartly = "fails with a part" // a part of the bytes, and Err
	failsLate   = "fails late"        // all bytes, and Err
	short       = "short"             // a part of the bytes, without an error
	nothing     = "nothing"           // no bytes, without an error
)

var writeFaults = []string{fails, failsPartly, failsLate, short, nothing, negative, tooMany, tooManyFails}

// A writer accepts the bytes before position. The first call that goes beyond has the fault. Later calls succeed:
// they show what a function writes although it was told that bytes are missing.
type writer struct {
	position int
	fault    string
	want     []byte // the correct output, or nil if it varies
	got      int    // bytes accepted
	wrong    string // the first call that accepted other bytes than those of want
	late     int    // bytes written after the fault
	calls    int    // after the fault
	failed   bool
}

func (w *writer) Write(b []byte) (int, error) {
	if w.failed {
		w.late += len(b)
		if w.calls++; w.calls > 10*maxCalls {
			panic("faulty: endless loop of writes")
		}
		return len(b), nil
	}
	if w.got+len(b) <= w.position {
		return w.accept(b), nil
	}
	w.failed = true
	part := b[:w.position-w.got]
	switch w.fault {
	case failsPartly:
		return w.accept(part), Err
	case failsLate:
		return w.accept(b), Err
	case short:
		return w.accept(part), nil
	case nothing:
		return 0, nil
	}
	return faultyCount(w.fault, len(b))
}

// accept compares b with the correct output. It keeps no copy, because the outputs of some functions are long.
func (w *writer) accept(b []byte) int {
	if w.want != nil && w.wrong == "" && !bytes.HasPrefix(w.want[min(w.got, len(w.want)):], b) {
		w.wrong = fmt.Sprintf("% x at %d", b, w.got)
	}
	w.got += len(b)
	return len(b)
}
