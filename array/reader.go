package array

import (
	"io"

	"github.com/octet-go/octet/internal/mem"
)

// A Reader reads the elements of an array from a stream, such as a pipe or an
// entry of a .npz file, a part at a time.
type Reader[T Element] struct{ r reader }

// A reader is a Reader without its Go type. Code that does not need the type is
// compiled once, and not in each program for each of its types.
type reader struct {
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
	a := &Reader[T]{reader{r: r, e: elementOf[T](), left: -1}}
	if err := a.r.open(f); err != nil {
		return nil, wrap("read", "", err)
	}
	return a, nil
}

func (r *reader) open(f Format) error {
	if f.layout == rawLayout {
		info, err := f.infoOf(r.e, 0)
		if err != nil {
			return err
		}
		info.Len, info.Shape = -1, nil
		r.info = info
	} else {
		h, err := readHeader(r.r)
		if err != nil {
			return err
		}
		if err := h.match(r.e, f); err != nil {
			return err
		}
		r.info, r.left, r.offset = h.Info, h.Len, h.Offset
	}
	r.swapped = r.e.unit > 1 && r.info.big() != nativeBig
	return nil
}

// Info returns the description of the array. For raw elements, Len is -1.
func (r *Reader[T]) Info() Info { return r.r.known() }

func (r *reader) known() Info {
	if r.r == nil {
		panic("array: " + errZeroReader.Error())
	}
	return r.info
}

// Read fills dst with the next elements and returns how many it read. At the
// end of the array, it returns 0 and io.EOF. If the stream ends before the array
// does, or inside an element, the error is [ErrTruncated].
func (r *Reader[T]) Read(dst []T) (int, error) { return r.r.read(mem.SliceBytes(dst)) }

// read fills b and returns the number of elements.
func (r *reader) read(b []byte) (int, error) {
	if r.r == nil {
		return 0, wrap("read", "", errZeroReader)
	}
	if r.left >= 0 && len(b)/r.e.size > r.left {
		b = b[:r.left*r.e.size]
	}
	if r.err != nil {
		return 0, r.err
	}
	if len(b) == 0 {
		if r.left == 0 {
			return 0, io.EOF
		}
		return 0, nil
	}
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
	return wrap("write", "", writeHeader(w, n, elementOf[T](), f))
}

func writeHeader(w io.Writer, n int, e element, f Format) error {
	info, err := f.infoOf(e, n)
	if err == nil && f.layout != npyLayout {
		err = fault(-1, ErrOptions, "only array.NPY has a header")
	}
	if err == nil {
		err = writeFull(w, newHeader(info).bytes)
	}
	return err
}
