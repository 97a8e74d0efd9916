package binary

import (
	"io"

	"github.com/octet-go/octet/internal/mem"
)

// A Number is an integer or floating-point number of a fixed size.
type Number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// AppendSlice appends the numbers of s to dst, one after the other in the order
// given, and returns the extended slice. The bytes may go to the memory of s itself,
// each number to its own place, but must not overlap it in another way; so it is
// with PutSlice and GetSlice.
func AppendSlice[T Number](dst []byte, order ByteOrder, s []T) []byte {
	start := len(dst)
	dst = grow(dst, len(s)*mem.SizeOf[T]())
	putNumbers(mem.Bytes(dst[start:]), order, s)
	return dst
}

// PutSlice stores the numbers of s at the beginning of dst and returns how many
// bytes that took. Like [ByteOrder.PutUint64], it panics if dst is too short.
func PutSlice[T Number](dst []byte, order ByteOrder, s []T) int {
	size := len(s) * mem.SizeOf[T]()
	putNumbers(mem.Bytes(dst[:size:len(dst)]), order, s)
	return size
}

// GetSlice fills dst with numbers from the beginning of src and returns how many
// bytes that took. If src is too short, nothing is loaded and the error is the
// one that [Decode] gives.
func GetSlice[T Number](src []byte, order ByteOrder, dst []T) (int, error) {
	size := len(dst) * mem.SizeOf[T]()
	if len(src) < size {
		return 0, errBufferTooSmall
	}
	getNumbers(mem.Bytes(src), order, dst)
	return size, nil
}

// Swap reverses the bytes of every number of s in place: what was read in the
// wrong order is right afterwards.
func Swap[T Number](s []T) {
	p := mem.SliceStart(s)
	move(p, p, mem.SizeOf[T](), len(s))
}

// View returns the memory of b as numbers, without copying: writing to one changes
// the other. That needs the machine's own order, whole numbers, and an address
// that the type allows; false means that one of them is missing, and [GetSlice]
// has to do the work.
func View[T Number](b []byte, order ByteOrder) ([]T, bool) {
	size := mem.SizeOf[T]()
	if size > 1 && endianOf(order) != native || len(b)%size != 0 || !mem.IsAligned[T](mem.Bytes(b)) {
		return nil, false
	}
	return mem.SliceOf[T](b), true
}

// WriteSlice writes the numbers of s to w, one after the other in the order given.
// In the machine's own order they go to w as they are, in one call; turned round,
// they go in pieces of 32 KiB, or 64 to a file. Nothing is allocated.
func WriteSlice[T Number](w io.Writer, order ByteOrder, s []T) error {
	b := mem.SliceBytes(s)
	if len(b) == 0 {
		return nil
	}
	var written int
	var err error
	if l := &numberLayouts[mem.SizeOf[T]()]; l.isImage(order) {
		written, err = w.Write(b)
	} else {
		written, err = writeValues(w, order, l, mem.SliceStart(s), len(s), chunkSize)
	}
	if err == nil && written != len(b) {
		err = shortWrite(written, len(b))
	}
	return err
}

// readPiece is how many bytes ReadSlice reads before it turns them round: they
// are still in the cache then, and few reads are enough for a file.
const readPiece = 256 << 10

// ReadSlice fills dst with numbers from r. They are read where they belong and
// turned round there; nothing is allocated.
//
// The error is [io.EOF] only if no bytes were read; it is [io.ErrUnexpectedEOF] if
// the input ended after that. The numbers that had arrived are in dst. A reader
// that returns no bytes and no error 100 times in a row gives [io.ErrNoProgress].
func ReadSlice[T Number](r io.Reader, order ByteOrder, dst []T) error {
	return readNumbers(r, order, mem.SliceBytes(dst), &numberLayouts[mem.SizeOf[T]()])
}

// readNumbers fills b, which is the memory of the numbers.
func readNumbers(r io.Reader, order ByteOrder, b []byte, l *layout) error {
	piece := readPiece
	if l.isImage(order) {
		piece = len(b)
	}
	for i := 0; i < len(b); i += piece {
		part := b[i:min(i+piece, len(b))]
		n, err := readFull(r, part)
		p := mem.Bytes(part)
		l.decode(p, p, n/l.size, order)
		if err != nil {
			return midway(err, i > 0)
		}
	}
	return nil
}

// putNumbers stores s where there is room for it.
func putNumbers[T Number](wire mem.Ptr, order ByteOrder, s []T) {
	p, width := mem.SliceStart(s), mem.SizeOf[T]()
	switch e := endianOf(order); {
	case width == 1 || e == native:
		mem.Copy(wire, p, len(s)*width)
	case e == swapped:
		move(wire, p, width, len(s))
	default:
		numberLayouts[width].coders[swapped].encodeCustom(wire, p, len(s), order)
	}
}

// getNumbers fills s from what is long enough.
func getNumbers[T Number](wire mem.Ptr, order ByteOrder, s []T) {
	p, width := mem.SliceStart(s), mem.SizeOf[T]()
	switch e := endianOf(order); {
	case width == 1 || e == native:
		mem.Copy(p, wire, len(s)*width)
	case e == swapped:
		move(p, wire, width, len(s))
	default:
		numberLayouts[width].coders[swapped].decodeCustom(wire, p, len(s), order)
	}
}

// numberLayouts has the layout of the numbers of each width.
var numberLayouts = [...]layout{1: numberLayout(1), 2: numberLayout(2), 4: numberLayout(4), 8: numberLayout(8)}

func numberLayout(width int) layout {
	number := func(width, n int) *coder {
		return &coder{plan: plan{size: width * n, mem: width * n, whole: width, count: n, steps: []step{{op: numberOp(width, n), n: n}}}}
	}
	return layout{size: width, mem: width, coders: [2]*coder{native: number(1, width), swapped: number(width, 1)}}
}
