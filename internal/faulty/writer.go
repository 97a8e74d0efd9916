package faulty

import "bytes"

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
	got      bytes.Buffer
	late     int // bytes written after the fault
	calls    int // after the fault
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
	if w.got.Len()+len(b) <= w.position {
		return w.got.Write(b)
	}
	w.failed = true
	part := b[:w.position-w.got.Len()]
	switch w.fault {
	case failsPartly:
		n, _ := w.got.Write(part)
		return n, Err
	case failsLate:
		n, _ := w.got.Write(b)
		return n, Err
	case short:
		return w.got.Write(part)
	case nothing:
		return 0, nil
	}
	return faultyCount(w.fault, len(b))
}
