package arrays

import (
	"io"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/binary"
)

// fortran is the format of a .npy file whose elements are read in C order.
const fortran = "npy in Fortran order"

// A transposed is the elements of a .npy file in Fortran order, in C order. It is a reader of
// their bytes, because their type does not matter.
type transposed struct {
	f      *array.File[byte]
	mapped []byte // nil if the file is not mapped
	info   array.Info
	piece  []byte // the bytes to return next
	buffer []byte

	steps []int // bytes from one index of a dimension to the next
	at    []int // the coordinates of the next element
	place int   // where it is in the file
	left  int
}

// openFortran opens the .npy file.
func openFortran(path string) (*transposed, error) {
	info, err := array.Stat(path) // all elements are there
	if err != nil {
		return nil, err
	}
	f, err := array.Open[byte](path, &array.Options{Format: array.Raw(binary.NativeEndian), ReadOnly: true})
	if err != nil {
		return nil, err
	}
	mapped, _ := f.Slice()
	size := info.ElementSize()
	t := &transposed{
		f: f, mapped: mapped, info: info, buffer: make([]byte, piece*size),
		at: make([]int, len(info.Shape)), place: int(info.Offset), left: info.Len,
	}
	for _, n := range info.Shape {
		t.steps = append(t.steps, size)
		size *= n
	}
	return t, nil
}

// Read implements io.Reader.
func (t *transposed) Read(b []byte) (int, error) {
	if len(t.piece) == 0 {
		if t.left == 0 {
			return 0, io.EOF
		}
		t.piece = t.buffer[:min(piece, t.left)*t.info.ElementSize()]
		if err := t.fill(t.piece); err != nil {
			return 0, err
		}
	}
	n := copy(b, t.piece)
	t.piece = t.piece[n:]
	return n, nil
}

// fill fills b with the next elements.
func (t *transposed) fill(b []byte) error {
	var failed error
	err := t.f.Guard(func() {
		for size := t.info.ElementSize(); len(b) > 0 && failed == nil; b = b[size:] {
			switch {
			case t.place+size > t.f.Len():
				failed = array.ErrTruncated // after Stat
			case t.mapped != nil:
				copy(b[:size], t.mapped[t.place:])
			default:
				_, failed = t.f.ReadAt(b[:size], t.place)
			}
			t.next()
		}
	})
	if err == nil {
		err = failed
	}
	return err
}

// next goes to the next element.
func (t *transposed) next() {
	t.left--
	for d := len(t.at) - 1; d >= 0; d-- {
		n := t.info.Shape[d]
		if t.at[d]++; t.at[d] < n {
			t.place += t.steps[d]
			return
		}
		t.at[d] = 0
		t.place -= t.steps[d] * (n - 1)
	}
}
