package array

import (
	"errors"
	"fmt"
	"math/bits"
	"os"
	"reflect"

	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/internal/disk"
)

// Info describes the array in a file.
type Info struct {
	Format  Format           // Raw or NPY
	Version [2]byte          // version of the .npy format
	Kind    reflect.Kind     // of the elements: Bool, Int8 to Uint64, Float32 to Complex128
	Order   binary.ByteOrder // LittleEndian or BigEndian
	Shape   []int            // the dimensions as numpy shows them; a raw file has one, its length
	Fortran bool             // stored column by column: the first index changes fastest
	Len     int              // number of elements, the product of Shape
	Offset  int64            // where the first element is in the file
}

// String returns the type, the shape and the format on one line, such as
// "float64[3 4] npy 1.0, little-endian".
func (i Info) String() string {
	text := fmt.Sprintf("%v%v %v", i.Kind, i.Shape, i.Format)
	if i.Format.layout == npyLayout {
		text += fmt.Sprintf(" %d.%d", i.Version[0], i.Version[1])
	}
	if elementOfKind(i.Kind).unit > 1 {
		text += ", " + orderName(i.Order)
	}
	if i.Fortran {
		text += ", Fortran order"
	}
	return text
}

func orderName(order binary.ByteOrder) string {
	if order == binary.ByteOrder(binary.BigEndian) {
		return "big-endian"
	}
	return "little-endian"
}

// ElementSize returns the size of an element in bytes.
func (i Info) ElementSize() int { return elementOfKind(i.Kind).size }

// big reports whether the numbers are big-endian.
func (i Info) big() bool { return i.Order == binary.ByteOrder(binary.BigEndian) }

// grows returns the index of the dimension along which the file can grow: the
// slowest one. It is -1 for an array without dimensions.
func (i Info) grows() int {
	if i.Fortran {
		return len(i.Shape) - 1
	}
	return min(0, len(i.Shape)-1)
}

// row returns the number of elements that one more step of the growing
// dimension needs. It is 0 if the array cannot grow.
func (i Info) row() int {
	if len(i.Shape) == 0 {
		return 0
	}
	row, axis := 1, i.grows()
	for k, d := range i.Shape {
		if k != axis {
			row *= d
		}
	}
	return row
}

// Stat returns the description of the .npy file at path without opening the
// array. A file without the signature of this format is ErrFormat: nothing in a
// raw file says what it contains.
func Stat(path string) (Info, error) { return stat(disk.OS, path) }

func stat(d disk.Disk, path string) (Info, error) {
	f, err := openFile(d, path, os.O_RDONLY)
	if err != nil {
		return Info{}, wrap("stat", path, err)
	}
	defer f.Close()
	h, size, err := fileHeader(f)
	if err == nil {
		err = h.checkSize(size)
	}
	return h.Info, wrap("stat", path, err)
}

// openFile opens a regular file, and locks it if it can be written.
func openFile(d disk.Disk, path string, flags int) (f disk.File, err error) {
	if flags == os.O_RDONLY {
		f, err = d.OpenFile(path, flags, 0)
	} else {
		f, err = disk.OpenLocked(d, path, flags)
	}
	switch {
	case errors.Is(err, disk.ErrNotRegular):
		err = fault(-1, ErrUnsupported, "not a regular file")
	case err == disk.ErrLocked:
		err = fault(-1, ErrLocked, "set Options.ReadOnly to read it")
	}
	return f, err
}

// sizeOf returns the size of a file.
func sizeOf(f disk.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// productOf returns the product of the dimensions. It reports false if a
// dimension is negative or if the product of those that are not 0 overflows.
func productOf(shape []int) (int, bool) {
	product, zero := uint(1), false
	for _, d := range shape {
		if d < 0 {
			return 0, false
		}
		if d == 0 {
			zero = true
			continue
		}
		high, low := bits.Mul(product, uint(d))
		if high != 0 || int(low) < 0 {
			return 0, false
		}
		product = low
	}
	if zero {
		return 0, true
	}
	return int(product), true
}

// bytesOf returns the size of n elements. It reports false if the size, with
// room for a header, does not fit an int64.
func bytesOf(n, size int) (int64, bool) {
	high, low := bits.Mul64(uint64(n), uint64(size))
	return int64(low), high == 0 && low < 1<<62
}
