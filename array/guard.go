package array

import (
	"runtime"
	"runtime/debug"

	"github.com/octet-go/octet/internal/mem"
)

// Guard calls work and returns an error if work accesses mapped memory of f that
// does not exist, because another process has cut the file short, or because the
// disk has no room for a page that is stored to for the first time. It does the
// same if [File.At], [File.All] or [File.Chunks] cannot read. In a read-only
// file, it returns an error for a store. Without Guard, such an access ends the
// program.
//
// The access ends work, so locks that it holds stay locked. Guard covers the
// goroutine that calls it, and not goroutines that work starts. A part of a page
// that was cut off reads as zeros and is not detected. Other panics of work pass
// through.
func (f *File[T]) Guard(work func()) error {
	s := f.store()
	return wrap("guard", s.path, s.guardOpen(work))
}

func (s *store) guardOpen(work func()) error {
	if err := s.open(); err != nil {
		return err
	}
	return s.guard(work)
}

func (s *store) guard(work func()) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		if r := recover(); r != nil {
			if err = s.faultOf(r); err == nil {
				panic(r)
			}
		}
	}()
	work()
	return nil
}

// A failure is what At and the iterators panic with.
type failure struct {
	error
	s *store
}

func (f failure) Unwrap() error { return f.error }

func (s *store) failure(op string, err error) error { return failure{wrap(op, s.path, err), s} }

// faultOf returns the error for a recovered panic that concerns s, or nil.
func (s *store) faultOf(r any) error {
	if f, ok := r.(failure); ok && f.s == s {
		return f.error
	}
	e, ok := r.(interface {
		runtime.Error
		Addr() uintptr
	})
	if !ok {
		return nil
	}
	for _, m := range s.maps {
		if mem.Contains(m, e.Addr()) {
			if err := s.checkSize(); err != nil {
				return err
			}
			return fault(-1, ErrFault, "the mapped memory could not be accessed")
		}
	}
	return nil
}
