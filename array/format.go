package array

import (
	"slices"

	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/internal/errtext"
)

// A Format says how an array is stored in a file: [Raw] or [NPY]. The zero
// Format, which only [Open] and [NewReader] accept, stands for a format that can be
// recognized, which is NPY.
type Format struct {
	layout  layout
	order   binary.ByteOrder // nil: the order of the machine, or of the file
	shape   []int            // nil: one dimension
	fortran bool
}

type layout uint8

const (
	anyLayout layout = iota
	rawLayout
	npyLayout
)

// NPY is the format of the files that numpy.save writes: a header with type,
// byte order and shape, then the numbers. Numbers have the byte order of the
// machine unless [Format.WithOrder] sets another one.
var NPY = Format{layout: npyLayout}

// Raw is the format of a file that contains nothing but numbers, as
// numpy.ndarray.tofile writes it. The order must be binary.LittleEndian,
// BigEndian or NativeEndian.
func Raw(order binary.ByteOrder) Format { return Format{layout: rawLayout, order: order} }

// WithOrder returns f with another byte order.
func (f Format) WithOrder(order binary.ByteOrder) Format {
	f.order = order
	return f
}

// WithShape returns f with dimensions. Their product is the number of elements.
// No dimension at all means a single element. Only .npy files have a shape.
func (f Format) WithShape(dimensions ...int) Format {
	f.shape = slices.Clone(dimensions)
	if f.shape == nil {
		f.shape = []int{}
	}
	return f
}

// WithFortranOrder returns f for an array that is stored column by column: the
// first index changes fastest. Only .npy files have this property.
func (f Format) WithFortranOrder() Format {
	f.fortran = true
	return f
}

// String returns "raw" or "npy", or "" for the zero Format.
func (f Format) String() string { return [...]string{"", "raw", "npy"}[f.layout] }

// bigEndian reports whether numbers are stored in big-endian order. An order
// other than the three standard ones is an error.
func (f Format) bigEndian() (bool, error) {
	switch f.order {
	case binary.ByteOrder(binary.LittleEndian):
		return false, nil
	case binary.ByteOrder(binary.BigEndian):
		return true, nil
	case nil, binary.ByteOrder(binary.NativeEndian):
		return nativeBig, nil
	}
	return false, fault(-1, ErrOptions, "byte order %v", f.order)
}

// nativeBig reports whether the machine is big-endian.
var nativeBig = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// orderOf returns the byte order as binary.LittleEndian or binary.BigEndian.
func orderOf(big bool) binary.ByteOrder {
	if big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// infoOf returns the description of a new array of n elements.
func (f Format) infoOf(e element, n int) (Info, error) {
	big, err := f.bigEndian()
	if err != nil {
		return Info{}, err
	}
	if n < 0 {
		return Info{}, fault(-1, ErrRange, "%d elements", n)
	}
	info := Info{Format: Format{layout: f.layout}, Kind: e.kind, Order: orderOf(big), Len: n, Shape: []int{n}}
	switch {
	case f.layout == anyLayout:
		return Info{}, fault(-1, ErrOptions, "no format was given; use array.Raw or array.NPY")
	case f.layout == rawLayout && (f.fortran || f.shape != nil):
		return Info{}, fault(-1, ErrOptions, "a raw file has no shape")
	case f.shape != nil:
		if product, ok := productOf(f.shape); !ok || product != n {
			return Info{}, fault(-1, ErrShape, "shape %s is not %s", shapeText(f.shape), errtext.Counted(n, "element"))
		}
		if len(f.shape) > maxDimensions {
			return Info{}, fault(-1, ErrLimit, "%d dimensions, more than %d", len(f.shape), maxDimensions)
		}
		info.Shape = slices.Clone(f.shape)
	}
	if _, ok := bytesOf(n, e.size); !ok {
		return Info{}, fault(-1, ErrLimit, "%d elements are too many", n)
	}
	info.Fortran = f.fortran
	return info, nil
}
