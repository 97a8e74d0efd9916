package faulty

import (
	"bytes"
	"fmt"
	"io"
	"testing"
)

// A Sink is a function that writes.
type Sink struct {
	Name string // of the function, perhaps with a space and the case

	// Write calls the function, which writes the same bytes every time, unless Varies is set. The number of bytes is
	// the same in any case.
	Write  func(w io.Writer) error
	Varies bool

	// Panics says that the function is documented to panic if the writer returns a count that is too large.
	Panics bool

	// TrustsCounts says that the function is documented to ignore the number of bytes that the writer returns, as
	// encoding/binary.Write does.
	TrustsCounts bool
}

// TestSinks calls every function with writers that have every fault at every position. The function must return the
// error of the writer, or one for its fault. It must not panic. What the writer accepted before the fault must be
// the beginning of the correct output, and nothing may follow.
func TestSinks(t *testing.T, sinks []Sink) {
	for _, s := range sinks {
		t.Run(s.Name, func(t *testing.T) { s.test(t) })
	}
}

func (s *Sink) test(t TB) {
	t.Helper()
	var want, again bytes.Buffer
	if err := s.Write(&want); err != nil || want.Len() == 0 {
		t.Errorf("correct writer: %d bytes, %v", want.Len(), err)
		return
	}
	for _, p := range Positions(want.Len()-1, amount()) {
		for _, fault := range writeFaults {
			if problem := s.check(p, fault, want.Bytes()); problem != "" {
				t.Errorf("writer %s after %d of %d bytes: %s", fault, p, want.Len(), problem)
				return
			}
		}
		again.Reset()
		if err := s.Write(&again); err != nil || again.Len() != want.Len() || !s.Varies && !bytes.Equal(again.Bytes(), want.Bytes()) {
			t.Errorf("correct writer after faults at %d: % x, %v", p, again.Bytes(), err)
			return
		}
	}
}

// check calls the function with a fault and returns what is wrong with the result, or "".
func (s *Sink) check(p int, fault string, want []byte) (problem string) {
	if s.Panics && (fault == tooMany || fault == tooManyFails) {
		defer func() {
			if recover() == nil {
				problem = "no panic for an invalid count"
			}
		}()
	}
	w := &writer{position: p, fault: fault}
	if !s.Varies {
		w.want = want
	}
	err := s.Write(w)
	switch {
	case w.calls > maxCalls:
		return fmt.Sprintf("%d calls of Write after the fault", w.calls)
	case w.wrong != "":
		return fmt.Sprintf("wrote %s, which is not the beginning of the output", w.wrong)
	case w.late > 0:
		return fmt.Sprintf("wrote %d bytes after the fault", w.late)
	}
	if s.TrustsCounts && err == nil && (fault == short || fault == nothing || fault == negative || fault == tooMany) {
		return ""
	}
	return wrongError(fault, err, false)
}
