package binary

import (
	"io"

	"github.com/octet-go/octet/internal/block"
	"github.com/octet-go/octet/internal/mem"
)

// Number is the constraint for integers and floats of a fixed size.
type Number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// AppendSlice appends the numbers of s to dst in the given byte order and
// returns the extended slice. The bytes may overlap s only if each number is
// stored in its own place. The same rule applies to GetSlice.
func AppendSlice[T Number](dst []byte, order ByteOrder, s []T) []byte {
	start := len(dst)
	dst = grow(dst, len(s)*mem.SizeOf[T]())
	putNumbers(mem.Bytes(dst[start:]), order, s)
	return dst
}

// putSlice stores the numbers of s at the start of dst and returns the number
// of bytes stored. Like [ByteOrder.PutUint64], it panics if dst is too short.
func putSlice[T Number](dst []byte, order ByteOrder, s []T) int {
	size := len(s) * mem.SizeOf[T]()
	putNumbers(mem.Bytes(dst[:size:len(dst)]), order, s)
	return size
}

// GetSlice fills dst with numbers from the start of src and returns the number
// of bytes consumed. If src is too short, it loads nothing and returns
// [ErrTruncated].
func GetSlice[T Number](src []byte, order ByteOrder, dst []T) (int, error) {
	size := len(dst) * mem.SizeOf[T]()
	if len(src) < size {
		return 0, tooShort(src)
	}
	getNumbers(mem.Bytes(src), order, dst)
	return size, nil
}

// View returns the memory of b as a slice of numbers, without copying. A change
// to one is visible in the other. View returns false if order is not the byte
// order of the machine, if the length of b is not a multiple of the size of T,
// or if b is not aligned for T. Use [GetSlice] in these cases.
func View[T Number](b []byte, order ByteOrder) ([]T, bool) {
	size := mem.SizeOf[T]()
	if size > 1 && endianOf(order) != native || len(b)%size != 0 || !mem.IsAligned[T](mem.Bytes(b)) {
		return nil, false
	}
	return mem.SliceOf[T](b), true
}

// WriteSlice writes the numbers of s to w in the given byte order. In the
// native order, it calls Write once with the memory of s. In the swapped order,
// it writes pieces of 32 KiB, or of 64 KiB to a file, and does not allocate. From
// 16 MiB for a regular file on Unix, two goroutines swap and write pieces, if
// GOMAXPROCS is not 1, so that one swaps while the other writes. They use up to
// 128 KiB. After an error, pieces after the failed one may have been written.
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

// readPiece is the number of bytes that ReadSlice reads before it swaps them.
// It is small enough for the bytes to be still in the cache, and large enough
// for a file to need few reads.
const readPiece = 256 << 10

// ReadSlice fills dst with numbers from r. It reads directly into dst and swaps
// the bytes there. It does not allocate.
//
// The error is [io.EOF] if no bytes were read, and [io.ErrUnexpectedEOF] if the
// input ended after some bytes. The numbers that arrived are in dst. If the
// reader returns no bytes and no error 100 times in a row, the error is
// [io.ErrNoProgress].
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

// putNumbers stores s at wire, which must have room for it.
func putNumbers[T Number](wire mem.Ptr, order ByteOrder, s []T) {
	p, width := mem.SliceStart(s), mem.SizeOf[T]()
	switch e := endianOf(order); {
	case width == 1 || e == native:
		mem.Copy(wire, p, len(s)*width)
	case e == swapped:
		block.Move(wire, p, width, len(s))
	default:
		numberLayouts[width].coders[swapped].plan.EncodeCustom(wire, p, len(s), order)
	}
}

// getNumbers fills s from wire, which must have enough bytes.
func getNumbers[T Number](wire mem.Ptr, order ByteOrder, s []T) {
	p, width := mem.SliceStart(s), mem.SizeOf[T]()
	switch e := endianOf(order); {
	case width == 1 || e == native:
		mem.Copy(p, wire, len(s)*width)
	case e == swapped:
		block.Move(p, wire, width, len(s))
	default:
		numberLayouts[width].coders[swapped].plan.DecodeCustom(wire, p, len(s), order)
	}
}

// numberLayouts contains the layouts of numbers by width.
var numberLayouts = [...]layout{1: numberLayout(1), 2: numberLayout(2), 4: numberLayout(4), 8: numberLayout(8)}

func numberLayout(width int) layout {
	number := func(width, n int) *coder { return &coder{plan: block.Numbers(width, n)} }
	return layout{size: width, mem: width, coders: [2]*coder{native: number(1, width), swapped: number(width, 1)}}
}
