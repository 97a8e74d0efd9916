package tally

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReader(t *testing.T) {
	broken := errors.New("broken")
	r := &Reader{R: io.MultiReader(strings.NewReader("12345"), iotest.ErrReader(broken))}
	if _, err := io.ReadAll(r); err != broken || r.Err() != broken || r.N() != 5 {
		t.Errorf("%v, %v after %d bytes", err, r.Err(), r.N())
	}
	r.R = iotest.ErrReader(errors.New("another"))
	_, _ = r.Read(nil)
	if r.Err() != broken {
		t.Errorf("the second error has replaced the first: %v", r.Err())
	}
	r.Reset()
	r.R = strings.NewReader("12")
	if _, err := io.ReadAll(r); err != nil || r.N() != 2 {
		t.Errorf("%v, %d bytes, want 2", err, r.N())
	}
	end := &Reader{R: strings.NewReader("")}
	if _, err := end.Read(make([]byte, 1)); err != io.EOF || end.Err() != nil {
		t.Errorf("%v, and the end is the error %v", err, end.Err())
	}
}

// short is a writer that fails after some bytes.
type short struct {
	left int
	err  error
}

func (s *short) Write(b []byte) (int, error) {
	n := min(len(b), s.left)
	if s.left -= n; n < len(b) {
		return n, s.err
	}
	return n, nil
}

func TestWriter(t *testing.T) {
	full := errors.New("full")
	w := &Writer{W: &short{5, full}}
	if _, err := io.WriteString(w, "123"); err != nil || w.N() != 3 || w.Err() != nil {
		t.Errorf("%v, %v after %d bytes", err, w.Err(), w.N())
	}
	if _, err := io.WriteString(w, "456"); err != full || w.Err() != full || w.N() != 5 {
		t.Errorf("%v, %v after %d bytes, want 5", err, w.Err(), w.N())
	}
}
