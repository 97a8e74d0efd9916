package binary

import (
	"reflect"

	"github.com/octet-go/octet/internal/kernel"
)

// A layout is how the values of one fixed-size type lie in memory and on the
// wire. On the wire, field follows field without padding.
type layout struct {
	size   int       // bytes on the wire
	mem    int       // bytes in memory
	coders [2]*coder // for native and swapped order
	fixed  *Error    // why it can be encoded but not decoded, nil if it can
}

// A plan is how a layout is encoded and decoded in one byte order. There are up
// to three ways, the first that applies being the fastest.
type plan struct {
	size, mem int

	// whole is the width of the numbers if a value is nothing but count of them,
	// without padding: then many values are just more numbers. A width of 1 means
	// that wire and memory are the same. 0 if it does not apply; bool is whole
	// for encoding only.
	whole, count int
	bools        bool

	// Whether a value is a cache line of eight swapped numbers. A call of assembly
	// would take longer than turning them round one by one, and have to wait for
	// those that have only just been stored.
	encodeLine, decodeLine bool

	// Whether the permutation of one value is one shuffle of 64 bytes, and used.
	encodeFull, decodeFull bool

	// How many bytes of room, or of input, one value needs to be encoded, or
	// decoded, as a line or as a permutation: size, or more than there can be.
	encodeRoom, decodeRoom int

	// The value as a permutation of its bytes, one by one and in groups that make
	// a block full. There are none where steps are as fast.
	encode, decode         kernel.Permutation
	encodeMany, decodeMany kernel.Permutation
	group                  int

	steps []step // always there
}

// A step is a run of bytes that are treated alike.
type step struct {
	op   op
	wire int   // where the run begins on the wire
	mem  int   // and in memory
	n    int   // how many bytes, numbers or elements
	elem *plan // what is repeated
}

// op is what a step does. The ops for one number are apart from those for many
// because most fields are one number.
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

// Arrays of structs are unrolled up to maxSteps; permutations are made of values
// up to maxPermuted bytes, or maxWhole if they are nothing but numbers of one
// width. Beyond, tables cost more cache than they save time.
const (
	maxSteps    = 128
	maxPermuted = 1024
	maxWhole    = 128
)

// layoutOf compiles t. An error says which part of t is not fixed-size.
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
			// Codec.Get would use these without a question.
			c.decode, c.decodeLine = kernel.Permutation{}, false
		}
		c.setRooms()
		l.coders[order] = c
	}
	return l, nil
}

// wireSize returns how many bytes the values of t have on the wire.
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

// access is what reflection allows with a variable.
type access uint8

const (
	settable access = iota
	embedded        // of an unexported embedded type: its exported fields are settable
	sealed          // unexported, and so is all that it has
)

// unsettable returns an error for the first number in a t that decoding could not
// set, by the rules that reflection has for fields, nil if there is none.
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
