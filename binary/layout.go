package binary

import (
	"reflect"

	"github.com/octet-go/octet/internal/kernel"
)

// A layout describes the values of a fixed-size type in memory and on the wire.
// On the wire, fields follow each other without padding.
type layout struct {
	size   int       // bytes on the wire
	mem    int       // bytes in memory
	coders [2]*coder // for native and swapped order
	fixed  *Error    // the reason why it cannot be decoded, or nil
}

// A plan encodes and decodes the values of a layout in one byte order. There
// are up to three ways to do this. The first one that applies is the fastest.
type plan struct {
	size, mem int

	// whole is the width of the numbers if a value consists only of count
	// numbers of one width, without padding. Many values are then just more
	// numbers. A width of 1 means that wire and memory are equal. whole is 0 if
	// this does not apply. It applies to bools only for encoding.
	whole, count int
	bools        bool

	// encodeLine and decodeLine say that a value is a cache line of eight
	// swapped numbers. These are swapped one by one, because a call of assembly
	// takes longer and must wait for numbers that have only just been stored.
	encodeLine, decodeLine bool

	// encodeFull and decodeFull say that the permutation of one value is a
	// single shuffle of 64 bytes.
	encodeFull, decodeFull bool

	// encodeRoom and decodeRoom are the number of bytes of output or input that
	// one value needs if it is processed as a line or a permutation. If neither
	// applies, they exceed every possible length.
	encodeRoom, decodeRoom int

	// encode and decode are the permutations of the bytes of one value. The
	// group permutations process as many values as fit in a block. They are
	// empty if the steps are as fast.
	encode, decode         kernel.Permutation
	encodeMany, decodeMany kernel.Permutation
	group                  int

	steps []step // set in every plan
}

// A step is a sequence of bytes that are handled in the same way.
type step struct {
	op   op
	wire int   // offset on the wire
	mem  int   // offset in memory
	n    int   // number of bytes, numbers or elements
	elem *plan // plan of the repeated element
}

// op is the operation of a step. The operations for one number are separate
// from those for many, because most fields are one number.
type op uint8

const (
	opCopy op = iota
	opCopy1
	opCopy2
	opCopy4
	opCopy8
	opSwap2
	opSwap4
	opSwap8
	opSwapMany2
	opSwapMany4
	opSwapMany8
	opBool   // decodes to 0 or 1
	opBlank  // zeros on the wire, never decoded
	opRepeat // a large array of structs
)

// Arrays of structs are unrolled up to maxSteps steps. Permutations are built
// for values of up to maxPermuted bytes, or maxWhole bytes if all numbers have
// the same width. Larger tables would use more cache than they save time.
const (
	maxSteps    = 128
	maxPermuted = 1024
	maxWhole    = 128
)

// layoutOf compiles t. The error names the part of t that is not fixed-size.
func layoutOf(t reflect.Type) (*layout, error) {
	size, err := wireSize(t, "")
	if err != nil {
		return nil, err
	}
	l := &layout{size: size, mem: int(t.Size())}
	if l.fixed = unsettable(t, settable, ""); l.fixed != nil {
		l.fixed.Type = t
	}
	for order := range l.coders {
		c := &coder{plan: *newPlan(t, order == int(swapped)), fixed: l.fixed}
		if c.fixed != nil {
			// Clear these because Codec.Get uses them without checking fixed.
			c.decode, c.decodeLine = kernel.Permutation{}, false
		}
		c.setRooms()
		l.coders[order] = c
	}
	return l, nil
}

// wireSize returns the number of bytes of a t on the wire.
func wireSize(t reflect.Type, path string) (int, error) {
	switch t.Kind() {
	case reflect.Bool,
		reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return int(t.Size()), nil
	case reflect.Array:
		n, err := wireSize(t.Elem(), path+"[]")
		return n * t.Len(), err
	case reflect.Struct:
		sum := 0
		for f := range t.Fields() {
			n, err := wireSize(f.Type, join(path, f.Name))
			if err != nil {
				return 0, err
			}
			sum += n
		}
		return sum, nil
	}
	return 0, &Error{Path: path, Part: t, Err: ErrNotFixedSize}
}

func join(path, field string) string {
	if path == "" {
		return field
	}
	return path + "." + field
}

// access is the access that reflection allows to a variable.
type access uint8

const (
	settable access = iota
	embedded        // an embedded field of unexported type: its exported fields are settable
	sealed          // unexported: nothing in it is settable
)

// unsettable returns an error for the first number in t that reflection could
// not set, or nil if it could set all of them.
func unsettable(t reflect.Type, a access, path string) *Error {
	switch t.Kind() {
	case reflect.Array:
		if t.Len() == 0 {
			return nil
		}
		if a == embedded {
			a = sealed
		}
		return unsettable(t.Elem(), a, path+"[]")
	case reflect.Struct:
		if a == embedded {
			a = settable
		}
		for f := range t.Fields() {
			if f.Name == "_" {
				continue
			}
			below := a
			if !f.IsExported() && a == settable {
				below = sealed
				if f.Anonymous {
					below = embedded
				}
			}
			if err := unsettable(f.Type, below, join(path, f.Name)); err != nil {
				return err
			}
		}
		return nil
	}
	if a == settable {
		return nil
	}
	return &Error{Path: path, Part: t, Err: ErrUnexported}
}
