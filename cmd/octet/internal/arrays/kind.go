package arrays

import (
	"io"
	"reflect"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/msgpack"
)

// A Kind is the type of the elements of an array.
type Kind struct {
	kind reflect.Kind
	bits int // the number of bits of a key, or 0 for complex numbers, which have no order
	typed
}

// typed has what depends on the type of elements, together with part. All other code is
// compiled once, and not for each type. Type element implements it.
type typed interface {
	empty() part           // with room for a piece
	ofKey(key uint64) part // one element
	writeHeader(w io.Writer, n int, f array.Format) error
	read(r io.Reader, f array.Format) (stream, array.Info, error)
}

// A part has some elements of an array. Type elements implements it.
type part interface {
	len() int
	cut(n int) // keeps the first n

	// These methods append an element.
	parse(text string) error
	unpack(d *msgpack.Decoder) error

	// These append element i to dst.
	text(dst []byte, i int) []byte
	json(dst []byte, i int) ([]byte, error)
	pack(dst []byte, i int) []byte

	write(w io.Writer, order binary.ByteOrder) error

	// equal returns how many of n elements from i on are equal to those of other from j
	// on, up to the first difference. NaNs are equal.
	equal(i int, other part, j, n int) int

	// distance returns how far element i is from element j of other, which is not equal.
	distance(i int, other part, j int) float64

	// The following methods are not for complex numbers. float returns element i, and
	// keys appends the keys and the values of all elements but NaNs.
	float(i int) float64
	keys(keys []uint64, values []float64) ([]uint64, []float64)
}

// A stream returns the next elements, which are valid until the next call. After the last
// ones, the error is io.EOF.
type stream func() (part, error)

// kinds lists the types in the order of the documentation.
var kinds = []*Kind{
	{reflect.Bool, 8, bools()},
	{reflect.Int8, 8, signed[int8](8)},
	{reflect.Int16, 16, signed[int16](16)},
	{reflect.Int32, 32, signed[int32](32)},
	{reflect.Int64, 64, signed[int64](64)},
	{reflect.Uint8, 8, unsigned[uint8](8)},
	{reflect.Uint16, 16, unsigned[uint16](16)},
	{reflect.Uint32, 32, unsigned[uint32](32)},
	{reflect.Uint64, 64, unsigned[uint64](64)},
	{reflect.Float32, 32, float32s()},
	{reflect.Float64, 64, float64s()},
	{reflect.Complex64, 0, complexes[complex64](64)},
	{reflect.Complex128, 0, complexes[complex128](128)},
}

// Name returns the name of the type in Go.
func (k *Kind) Name() string { return k.kind.String() }

func (k *Kind) isFloat() bool { return k.kind == reflect.Float32 || k.kind == reflect.Float64 }

func (k *Kind) isComplex() bool { return k.bits == 0 }

// Names returns the names of all types.
func Names() []string {
	list := make([]string, len(kinds))
	for i, k := range kinds {
		list[i] = k.Name()
	}
	return list
}

// Named returns the type with this name, or nil.
func Named(name string) *Kind {
	for _, k := range kinds {
		if k.Name() == name {
			return k
		}
	}
	return nil
}

func kindOf(of reflect.Kind) *Kind {
	for _, k := range kinds {
		if k.kind == of {
			return k
		}
	}
	return nil
}
