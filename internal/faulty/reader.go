package faulty

import (
	"fmt"
	"io"
	"math/rand/v2"
)

// The faults of readers.
const (
	fails          = "fails"               // 0, Err
	wrapsEnd       = "wraps the end"       // 0, Err that wraps io.EOF, as of a connection that broke
	failsWithBytes = "fails with bytes"    // Err together with the last bytes
	ends           = "ends"                // 0, io.EOF
	endsWithBytes  = "ends with bytes"     // io.EOF together with the last bytes
	idle           = "idle"                // 0, nil for ever
	negative       = "negative"            // a count of -1
	tooMany        = "too many"            // a count of one more than the length of the slice
	tooManyFails   = "too many with error" // the same with Err
)

var readFaults = []string{fails, wrapsEnd, failsWithBytes, ends, endsWithBytes, idle, negative, tooMany, tooManyFails}

var errWrapsEnd = fmt.Errorf("%w: %w", Err, io.EOF)

// A reader returns the bytes of data before position, and then has the fault.
type reader struct {
	data     []byte
	position int
	fault    string
	at       int
	calls    int        // after the fault
	pieces   *rand.Rand // if not nil, every call returns 0 to 8 bytes
}

func (r *reader) Read(b []byte) (int, error) {
	if r.at < r.position || len(b) == 0 {
		room := len(b)
		if r.pieces != nil {
			room = min(room, r.pieces.IntN(9))
		}
		n := copy(b[:room], r.data[r.at:r.position])
		r.at += n
		if r.at == r.position && n > 0 {
			switch r.fault {
			case failsWithBytes:
				return n, Err
			case endsWithBytes:
				return n, io.EOF
			}
		}
		return n, nil
	}
	n, err := faultyCount(r.fault, len(b))
	r.calls++
	if r.calls > 10*maxCalls {
		panic("faulty: endless loop of reads")
	}
	return n, err
}

// faultyCount returns the results of a call with the fault.
func faultyCount(fault string, room int) (int, error) {
	switch fault {
	case fails, failsWithBytes:
		return 0, Err
	case wrapsEnd:
		return 0, errWrapsEnd
	case idle:
		return 0, nil
	case negative:
		return -1, nil
	case tooMany:
		return room + 1, nil
	case tooManyFails:
		return room + 1, Err
	}
	return 0, io.EOF
}

// A readerAt has the bytes of data before position. Reads that reach further have the fault.
type readerAt struct {
	data     []byte
	position int
	fault    string
	calls    int
}

func (r *readerAt) ReadAt(b []byte, off int64) (int, error) {
	if off >= 0 && off+int64(len(b)) <= int64(r.position) {
		return copy(b, r.data[off:]), nil
	}
	if r.calls++; r.calls > 10*maxCalls {
		panic("faulty: endless loop of reads")
	}
	switch r.fault {
	case failsWithBytes, endsWithBytes:
		_, err := faultyCount(r.fault, len(b))
		return copy(b, r.data[min(max(off, 0), int64(r.position)):r.position]), err
	}
	return faultyCount(r.fault, len(b))
}
