package array

import (
	"io"

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
	s := f.store()
	if err := s.open(); err != nil {
		return 0, wrap("read", s.path, err)
	}
	if i < 0 {
		return 0, wrap("read", s.path, fault(-1, ErrRange, "index %d", i))
	}
	n := min(len(dst), max(0, s.Len-i))
	if n > 0 {
		done, err := s.read(mem.SliceBytes(dst[:n]), s.at(i))
		if err != nil {
			return done / s.e.size, wrap("read", s.path, err)
		}
	}
	if n < len(dst) {
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
	err := s.writable()
	if err == nil && (i < 0 || i > s.Len || len(src) > s.Len-i) {
		err = fault(-1, ErrRange, "%d elements at index %d of %d", len(src), i, s.Len)
	}
	if err == nil && len(src) > 0 {
		if err = s.checkSize(); err == nil {
			err = s.write(mem.SliceBytes(src), s.at(i))
		}
	}
	if err != nil {
		return 0, wrap("write", s.path, err)
	}
	return len(src), nil
}
