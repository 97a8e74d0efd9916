package array

import (
	"iter"

	"github.com/octet-go/octet/internal/mem"
)

// All returns an iterator over the indexes and values of all elements that the
// file has when the loop begins. Elements are read some time before the loop gets
// them, so it may not see values that are stored during the loop. Like At, it
// panics if an element cannot be read.
func (f *File[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		s := f.store()
		s.mustBeOpen()
		i := 0
		if view := f.view; view != nil && (s.populator != nil || !s.readsAhead()) {
			for ; i < len(view); i++ {
				if !yield(i, view[i]) {
					return
				}
			}
			return
		}
		for chunk := range f.copies(ringPiece / s.e.size) {
			for _, v := range chunk {
				if !yield(i, v) {
					return
				}
				i++
			}
		}
	}
}

// Chunks returns an iterator over all elements that the file has when the loop
// begins, n at a time; the last slice may be shorter. If [File.Slice] returns no
// error, the slices are parts of it: mapped memory. Otherwise they are copies in a
// buffer, which are only valid until the next step, and which are read some time
// before the loop gets them.
//
// For at least 16 MiB, and if there is more than one processor, a second goroutine
// works ahead of the loop. If the file is mapped, it maps pages, on Linux, so that
// the loop has no page faults. In the first loop, it also unmaps those that the loop
// has passed, so that Close takes less time; the next access is a page fault then.
// If the slices are copies, both goroutines read. The second one ends with the loop, or
// a second after a panic in it.
//
// Chunks panics if n is less than 1. Like At, it panics if elements cannot be
// read.
func (f *File[T]) Chunks(n int) iter.Seq[[]T] {
	if n < 1 {
		panic("array: Chunks with less than one element")
	}
	return func(yield func([]T) bool) {
		s := f.store()
		s.mustBeOpen()
		view := f.view
		if view == nil {
			f.copies(n)(yield)
			return
		}
		ahead := s.ahead()
		// There is no defer, because a function with one is not inlined in the loop. The
		// goroutine ends by itself if the loop panics.
		for i, next := 0, 0; i < len(view); {
			k := min(n, len(view)-i)
			if at := i * s.e.size; at >= next {
				next = ahead.receives(at, at+k*s.e.size)
			}
			if !yield(view[i : i+k : i+k]) {
				break
			}
			s.mustBeOpen()
			i += k
		}
		ahead.stop()
	}
}

// copies returns an iterator like Chunks over copies of the elements.
func (f *File[T]) copies(n int) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		s := f.s
		r, room := s.newRing(n)
		r.start(mem.SliceBytes(make([]T, room)))
		for i := range r.blocks {
			b, err := r.receive(i)
			if err != nil {
				r.stop()
				panic(s.failure("read", err))
			}
			for part := mem.SliceOf[T](b); len(part) > 0; {
				k := min(n, len(part))
				if !yield(part[:k:k]) {
					r.stop()
					return
				}
				part = part[k:]
			}
		}
		r.stop()
	}
}

// load fills b with elements from index i: from the mapping, if there is one, or
// from the file.
func (s *store) load(b []byte, i int) error {
	if mapped := s.elements(); mapped != nil {
		from := mapped[i*s.e.size:][:len(b)]
		if s.swapped {
			s.e.swap(b, from)
		} else {
			copy(b, from)
			s.e.fix(b, false)
		}
		return nil
	}
	_, err := s.read(b, s.at(i))
	return err
}
