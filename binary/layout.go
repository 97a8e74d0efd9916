package binary

import (
	"reflect"

	"github.com/octet-go/octet/internal/block"
	"github.com/octet-go/octet/internal/kernel"
)

// A layout describes the values of a fixed-size type in memory and on the wire.
// On the wire, fields follow each other without padding.
type layout struct {
	size   int         // bytes on the wire
	mem    int         // bytes in memory
	number int         // size of a type that is one number or bool, else 0
	isBool bool        // that type is a bool
	ops    [2]block.Op // of that number, in native and swapped order
	coders [2]*coder   // for native and swapped order
	fixed  *Error      // the reason why it cannot be decoded, or nil
}

// layoutOf compiles t. The error names the part of t that is not fixed-size.
func layoutOf(t reflect.Type) (*layout, error) {
	size, err := wireSize(t, "")
	if err != nil {
		return nil, err
	}
	l := &layout{size: size, mem: int(t.Size()), isBool: t.Kind() == reflect.Bool}
	switch t.Kind() {
	case reflect.Array, reflect.Struct, reflect.Complex64, reflect.Complex128:
	default:
		l.number = size
		l.ops = [2]block.Op{native: block.NumberOp(size, false), swapped: block.NumberOp(size, true)}
	}
	if l.fixed = unsettable(t, settable, ""); l.fixed != nil {
		l.fixed.Type = t
	}
	for order := range l.coders {
		c := &coder{plan: *block.New(t, order == int(swapped)), fixed: l.fixed}
		if c.fixed != nil {
			// Clear these because Typed.Get uses them without checking fixed.
			c.plan.Decode, c.plan.DecodeLine = kernel.Permutation{}, false
		}
		c.plan.SetRooms()
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
	return 0, &Error{Path: path, Part: t, Err: ErrUnsupported}
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
