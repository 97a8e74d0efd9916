package layout

import (
	"errors"
	"fmt"
	"reflect"
)

// Config has the parameters of a message that its type does not state.
type Config struct {
	// Order is "be" or "le": the byte order of structs that state none. The
	// empty string means "be".
	Order string

	// Unions has the variants of each interface type.
	Unions map[reflect.Type]Union

	// Sums has the named checksums. Each gets the bytes of its range, with its
	// own bytes as zeros, and the place of its own bytes in the range: an offset,
	// -1 if they are outside, and a length.
	Sums map[string]func(data []byte, at, n int) uint64

	// MaxMessage limits the bytes of a message if it is not 0.
	MaxMessage int
}

// Union lists the variants of an interface type by tag.
type Union struct {
	Variants map[uint64]reflect.Type

	// Unknown is the type that holds a variant that is not listed, or nil. It is
	// a struct with the fields Tag, an unsigned integer, and Data, a []byte.
	Unknown reflect.Type
}

func (u Union) tagOf(v reflect.Value) (uint64, bool) {
	for tag, t := range u.Variants {
		if t == v.Type() {
			return tag, true
		}
	}
	return 0, false
}

// The reasons of errors.
var (
	ErrTruncated = errors.New("truncated")
	ErrTrailing  = errors.New("trailing bytes")
	ErrLength    = errors.New("wrong length")
	ErrRange     = errors.New("out of range")
	ErrConst     = errors.New("wrong constant")
	ErrChecksum  = errors.New("wrong checksum")
	ErrVariant   = errors.New("unknown variant")
	ErrLimit     = errors.New("above the limit")
	ErrUTF8      = errors.New("invalid text")
	ErrTag       = errors.New("wrong declaration")
)

// failure carries an error through the recursion. The exported functions
// recover it.
type failure struct{ err error }

func fail(reason error, format string, args ...any) {
	panic(failure{fmt.Errorf("%w: %s", reason, fmt.Sprintf(format, args...))})
}

func catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case failure:
		*err = r.err
	default:
		panic(r)
	}
}
