package faulty

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"
)

// A Source is a function that reads.
type Source struct {
	Name  string // of the function, perhaps with a space and the case
	Input []byte

	// Read calls the function, and returns what it decoded.
	Read func(r io.Reader) (any, error)

	// ToEnd says that the function reads to the end of the input. Then it must report an error even after the last
	// byte of Input.
	ToEnd bool

	// Prefixes says that the function accepts some inputs that end early, such as a stream of messages that ends
	// between two of them.
	Prefixes bool

	// Panics says that the function is documented to panic if the reader returns an invalid count.
	Panics bool

	// Passes has faults that the function returns to its caller, as a method Read may do.
	Passes []string
}

// The names of faults for Source.Passes.
const (
	Idle     = idle
	Negative = negative
	TooMany  = tooMany
)

// TestSources calls every function with readers that have every fault at every position. The function must return
// the error of the reader, or one for its fault. It must not panic or read for ever, and a correct reader afterwards
// must give the correct result.
func TestSources(t *testing.T, sources []Source) {
	for _, s := range sources {
		t.Run(s.Name, func(t *testing.T) { s.test(t) })
	}
}

func (s *Source) test(t TB) {
	t.Helper()
	want, _, err := s.run(s.Input, len(s.Input), ends, nil)
	if err != nil {
		t.Errorf("correct reader: %v", err)
		return
	}
	for seed := range uint64(5) {
		got, _, err := s.run(s.Input, len(s.Input), ends, rand.New(rand.NewPCG(seed, 1)))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("pieces of random size: %v, %v, want %v", got, err, want)
		}
	}
	for _, p := range Positions(len(s.Input), amount()) {
		short, _, shortErr := s.run(s.Input, p, ends, nil)
		// The function needs no more than p bytes if it gives the same result with an input that ends there.
		enough := shortErr == nil && reflect.DeepEqual(short, want) && !s.ToEnd
		for _, fault := range readFaults {
			if slices.Contains(s.Passes, fault) {
				continue
			}
			if problem := s.check(p, fault, enough, want); problem != "" {
				t.Errorf("reader %s after %d of %d bytes: %s", fault, p, len(s.Input), problem)
				return
			}
		}
		if got, _, err := s.run(s.Input, len(s.Input), ends, nil); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("correct reader after faults at %d: %v, %v, want %v", p, got, err, want)
			return
		}
	}
}

// check calls the function with a fault and returns what is wrong with the result, or "".
func (s *Source) check(p int, fault string, enough bool, want any) (problem string) {
	invalid := fault == negative || fault == tooMany || fault == tooManyFails
	if s.Panics && invalid {
		defer func() {
			if recover() == nil && !enough {
				problem = "no panic for an invalid count"
			}
		}()
	}
	got, r, err := s.run(s.Input, p, fault, nil)
	if r.calls > maxCalls {
		return fmt.Sprintf("%d calls of Read after the fault", r.calls)
	}
	if enough {
		if err == nil && !reflect.DeepEqual(got, want) {
			return fmt.Sprintf("got %v without an error, want %v", got, want)
		}
		return ""
	}
	return wrongError(fault, err, s.Prefixes || s.ToEnd && p == len(s.Input))
}

// wrongError returns what is wrong with the error for a fault, or "". An end may be accepted.
func wrongError(fault string, err error, endAccepted bool) string {
	ok := false
	switch fault {
	case fails, wrapsEnd, failsWithBytes, failsPartly, failsLate:
		ok = errors.Is(err, Err)
	case ends, endsWithBytes:
		ok = (err != nil || endAccepted) && !errors.Is(err, Err)
	case idle:
		ok = errors.Is(err, io.ErrNoProgress)
	case short, nothing:
		ok = errors.Is(err, io.ErrShortWrite)
	case negative, tooMany:
		ok = err != nil && err != io.EOF
	case tooManyFails:
		ok = err != nil
	}
	if ok {
		return ""
	}
	return fmt.Sprintf("error %v", err)
}

func (s *Source) run(data []byte, position int, fault string, pieces *rand.Rand) (any, *reader, error) {
	r := &reader{data: data, position: position, fault: fault, pieces: pieces}
	v, err := s.Read(r)
	return v, r, err
}

// amount returns the number of positions to try.
func amount() int {
	if testing.Short() || os.Getenv("OCTET_LONG") == "" {
		return few
	}
	return many
}

// A FileSource is a function that reads from an io.ReaderAt.
type FileSource struct {
	Name  string
	Input []byte
	Read  func(r io.ReaderAt, size int64) (any, error)
}

// TestFileSources calls every function with files that have every fault at every position. It requires the same as
// TestSources. An end before the size is the fault of a file that was cut short after it was opened.
func TestFileSources(t *testing.T, sources []FileSource) {
	for _, s := range sources {
		t.Run(s.Name, func(t *testing.T) { s.test(t) })
	}
}

func (s *FileSource) test(t TB) {
	t.Helper()
	size := int64(len(s.Input))
	want, err := s.Read(&readerAt{data: s.Input, position: len(s.Input)}, size)
	if err != nil {
		t.Errorf("correct file: %v", err)
		return
	}
	for _, p := range Positions(len(s.Input)-1, amount()) {
		for _, fault := range readFaults {
			r := &readerAt{data: s.Input, position: p, fault: fault}
			got, err := s.Read(r, size)
			problem := ""
			switch {
			case r.calls == 0: // the function does not need the bytes after p
				if err != nil || !reflect.DeepEqual(got, want) {
					problem = fmt.Sprintf("got %v, %v without a fault, want %v", got, err, want)
				}
			case r.calls > maxCalls:
				problem = fmt.Sprintf("%d calls of ReadAt after the fault", r.calls)
			case err == nil && reflect.DeepEqual(got, want) && slices.Contains([]string{idle, ends, endsWithBytes, failsWithBytes}, fault):
				// The function had the bytes that it needs, or does not need those
				// after p.
			case fault == idle: // for an io.ReaderAt, this is the end
				problem = wrongError(ends, err, false)
			default:
				problem = wrongError(fault, err, false)
			}
			if problem != "" {
				t.Errorf("file %s after %d of %d bytes: %s", fault, p, len(s.Input), problem)
				return
			}
		}
	}
}
