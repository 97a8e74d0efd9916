package array

import (
	"io"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/mem"
)

// ReadAt fills dst with elements from index i and returns how many it read. If
// these are fewer than len(dst), because the array ends, the error is io.EOF, as
// for io.ReaderAt. If the file has become shorter than the array, the error is
// [ErrTruncated].
//
// ReadAt reads by system calls, also from a mapped file, because only these
// report exactly where a file ends that someone else has cut short. [File.At] is
// faster for single elements.
func (f *File[T]) ReadAt(dst []T, i int) (int, error) {
	return f.store().readAt(mem.SliceBytes(dst), len(dst), i)
}

// readAt fills b, which has room for want elements.
func (s *store) readAt(b []byte, want, i int) (int, error) {
	if err := s.open(); err != nil {
		return 0, wrap("read", s.path, err)
	}
	if i < 0 {
		return 0, wrap("read", s.path, fault(-1, ErrRange, "index %d", i))
	}
	n := min(want, max(0, s.Len-i))
	if n > 0 {
		done, err := s.copyAt(b[:n*s.e.size], s.at(i), false)
		if err != nil {
			return done / s.e.size, wrap("read", s.path, err)
		}
	}
	if n < want {
		return n, io.EOF
	}
	return n, nil
}

// WriteAt replaces elements from index i with src and returns how many it
// replaced. Like ReadAt it uses system calls; see the package documentation for
// the reason. If src does not fit in the array, WriteAt writes nothing and
// returns [ErrRange]. If the file has become shorter than the array, it writes
// nothing and returns [ErrTruncated]. Like copy, WriteAt and ReadAt can be called with
// a part of [File.Slice] that overlaps the elements at i.
func (f *File[T]) WriteAt(src []T, i int) (int, error) {
	s := f.store()
	if err := s.writeAt(mem.SliceBytes(src), len(src), i); err != nil {
		return 0, wrap("write", s.path, err)
	}
	return len(src), nil
}

// writeAt writes b, which has n elements.
func (s *store) writeAt(b []byte, n, i int) error {
	err := s.writable()
	if err == nil && (i < 0 || i > s.Len || n > s.Len-i) {
		err = fault(-1, ErrRange, "%s at index %d of %d", errtext.Counted(n, "element"), i, s.Len)
	}
	if err == nil && n > 0 {
		err = s.checkSize()
	}
	if err != nil || n == 0 {
		return err
	}
	_, err = s.copyAt(b, s.at(i), true)
	return err
}

// copyAt writes b at an offset of the file, or fills b from there, and returns how many bytes it read. If b is mapped
// memory of the file and overlaps the bytes at the offset, the result is that of copy. A single system call could
// replace bytes before it copies them, because systems copy from the first byte to the last.
func (s *store) copyAt(b []byte, offset int64, write bool) (done int, err error) {
	from, overlaps := s.overlaps(b, offset)
	switch {
	case !overlaps && write:
		return 0, s.write(b, offset)
	case !overlaps:
		return s.read(b, offset)
	}
	buffer := pieces.Get().(*[writePiece]byte)
	defer pieces.Put(buffer)
	for err == nil && done < len(b) {
		n := min(len(b)-done, writePiece)
		i := done
		if write == (from < offset) { // the bytes move towards the end, so the last ones are first
			i = len(b) - done - n
		}
		part, piece := b[i:i+n], buffer[:n]
		if write {
			if err = s.guard(func() { copy(piece, part) }); err == nil {
				err = s.write(piece, offset+int64(i))
			}
		} else if _, err = s.read(piece, offset+int64(i)); err == nil {
			err = s.guard(func() { copy(part, piece) })
		}
		done += n
	}
	if err != nil {
		return 0, err
	}
	return done, nil
}

// overlaps reports whether b is mapped memory of the file that overlaps the bytes at an offset, but is not the same,
// and where in the file b is.
func (s *store) overlaps(b []byte, offset int64) (from int64, ok bool) {
	for _, m := range s.maps {
		if from := int64(mem.Distance(mem.Bytes(m), mem.Bytes(b))); from >= 0 && from < int64(len(m)) {
			return from, from != offset && max(from, offset)-min(from, offset) < int64(len(b))
		}
	}
	return 0, false
}
