package array

import (
	"io"

	"github.com/octet-go/octet/internal/mem"
)

// A Reader reads the elements of an array from a stream, such as a pipe or an
// entry of a .npz file, a part at a time.
type Reader[T Element] struct {
	r       io.Reader
	info    Info
	e       element
	swapped bool
	left    int // elements that follow, -1 if unknown
	offset  int64
	err     error
}

// NewReader returns a Reader for a .npy array, if f is [NPY] or the zero Format,
// or for raw elements that end with the stream, if f is [Raw].
func NewReader[T Element](r io.Reader, f Format) (*Reader[T], error) {
	a, err := newReader[T](r, f)
	return a, wrap("read", "", err)
}

func newReader[T Element](r io.Reader, f Format) (*Reader[T], error) {
	a := &Reader[T]{r: r, e: elementOf[T](), left: -1}
	if f.layout == rawLayout {
		info, err := f.infoOf(a.e, 0)
		if err != nil {
			return nil, err
		}
		info.Len, info.Shape = -1, nil
		a.info = info
	} else {
		h, err := readHeader(r)
		if err != nil {
			return nil, err
		}
		if err := h.match(a.e, f); err != nil {
			return nil, err
		}
		a.info, a.left, a.offset = h.Info, h.Len, h.Offset
	}
	a.swapped = a.e.unit > 1 && a.info.big() != nativeBig
	return a, nil
}

// Info returns the description of the array. For raw elements, Len is -1.
func (r *Reader[T]) Info() Info {
	if r.r == nil {
		panic("array: " + errZeroReader.Error())
	}
	return r.info
}

// Read fills dst with the next elements and returns how many it read. At the
// end of the array, it returns 0 and io.EOF. If the stream ends before the array
// does, or inside an element, the error is [ErrTruncated].
func (r *Reader[T]) Read(dst []T) (int, error) {
	if r.r == nil {
		return 0, wrap("read", "", errZeroReader)
	}
	if r.left >= 0 {
		dst = dst[:min(len(dst), r.left)]
	}
	if r.err != nil {
		return 0, r.err
	}
	if len(dst) == 0 {
		if r.left == 0 {
			return 0, io.EOF
		}
		return 0, nil
	}
	b := mem.SliceBytes(dst)
	got, err := readFull(r.r, b)
	n := got / r.e.size
	r.e.fix(b[:n*r.e.size], r.swapped)
	clear(b[n*r.e.size:])
	r.offset += int64(got)
	switch {
	case err == nil:
	case !isEnd(err):
		r.err = wrap("read", "", err)
	case r.left >= 0 || got%r.e.size != 0:
		r.err = wrap("read", "", fault(r.offset, ErrTruncated, "the array has more elements of %v", r.e.kind))
	default:
		r.err = io.EOF
	}
	if r.left >= 0 {
		r.left -= n
	}
	if n > 0 && r.err == io.EOF {
		return n, nil
	}
	return n, r.err
}

// ReadHeader reads the header of a .npy array and leaves r at the first element.
// The program can then choose the type for the elements; see [Info].Kind.
func ReadHeader(r io.Reader) (Info, error) {
	h, err := readHeader(r)
	return h.Info, wrap("read", "", err)
}

// WriteHeader writes the header of a .npy array of n elements. The program then
// writes the elements in parts, with [Write] and [Raw].
func WriteHeader[T Element](w io.Writer, n int, f Format) error {
	info, err := f.infoOf(elementOf[T](), n)
	if err == nil && f.layout != npyLayout {
		err = fault(-1, ErrOptions, "only array.NPY has a header")
	}
	if err == nil {
		err = writeFull(w, newHeader(info).bytes)
	}
	return wrap("write", "", err)
}
