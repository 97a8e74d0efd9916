package array

import (
	"iter"

	"github.com/octet-go/octet/internal/mem"
)

// All returns an iterator over the indexes and values of all elements that the
// file has when the loop begins. Like At, it panics if an element cannot be
// read.
func (f *File[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		i := 0
		for chunk := range f.Chunks(f.s.chunk()) {
			for _, v := range chunk {
				if !yield(i, v) {
					return
				}
				i++
			}
		}
	}
}

// chunk returns how many elements All reads at once.
func (s *store) chunk() int { return readPiece / s.e.size }

// Chunks returns an iterator over all elements that the file has when the loop
// begins, n at a time; the last slice may be shorter. If [File.Slice] is not
// nil, the slices are parts of it: mapped memory. Otherwise they are copies in
// one buffer, which is only valid until the next step.
//
// If the file is mapped and has at least 16 MiB, a second goroutine maps pages
// ahead of the loop on Linux, so that the loop has no page faults. It ends with
// the loop.
//
// Chunks panics if n is less than 1. Like At, it panics if elements cannot be
// read.
func (f *File[T]) Chunks(n int) iter.Seq[[]T] {
	if n < 1 {
		panic("array: Chunks with less than one element")
	}
	return func(yield func([]T) bool) {
		s := f.s
		if s.closed {
			panic("array: Chunks after Close")
		}
		if view := f.view; view != nil {
			var ahead *populator
			if s.populator == nil {
				ahead = populate(s.current[:s.end()], false)
			}
			// There is no defer, because a function with one is not inlined in All and in
			// the loop. The goroutine ends by itself if the loop panics.
			for i, next := 0, 0; i < len(view); {
				k := min(n, len(view)-i)
				if at := i * s.e.size; at >= next {
					next = ahead.receives(at, at+k*s.e.size)
				}
				if !yield(view[i : i+k : i+k]) {
					break
				}
				i += k
			}
			ahead.stop()
			return
		}
		length := s.Len
		buffer := make([]T, min(n, length))
		for i := 0; i < length; {
			part := buffer[:min(n, length-i)]
			if err := s.load(mem.SliceBytes(part), i); err != nil {
				panic(s.failure("read", err))
			}
			if !yield(part) {
				return
			}
			i += len(part)
		}
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
