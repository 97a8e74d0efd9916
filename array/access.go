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
		done, err := s.read(b[:n*s.e.size], s.at(i))
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
// nothing and returns [ErrTruncated].
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
	return s.write(b, s.at(i))
}
