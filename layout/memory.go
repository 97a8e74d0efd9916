package layout

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
)

// This file allocates the variables that decoding makes: targets of pointers, variants and
// elements. It also limits what a message may cost.

// A maker allocates variables of one type. Where the garbage collector needs to know no
// more than that there are no pointers, or a single slice or string, that takes no
// reflection.
type maker struct {
	typ   reflect.Type
	size  uint64
	shape shape
}

// A shape says where a type has pointers.
type shape uint8

const (
	anyShape     shape = iota
	plainShape         // nowhere
	sliceShape         // it has the size of a slice, and is one
	pointerShape       // it has the size of a pointer, and is one
)

// makerOf returns the maker of t.
func makerOf(t reflect.Type) maker {
	m := maker{typ: t, size: uint64(t.Size())}
	if m.size > 0 {
		m.shape = shapeOf(t)
	}
	return m
}

// shapeOf returns the shape of t.
func shapeOf(t reflect.Type) shape {
	switch k := t.Kind(); k {
	case reflect.Slice:
		return sliceShape
	case reflect.Pointer:
		return pointerShape
	case reflect.Array:
		if s := shapeOf(t.Elem()); s == plainShape || t.Len() == 0 {
			return plainShape
		}
	case reflect.Struct:
		s := plainShape
		for f := range t.Fields() {
			switch one := shapeOf(f.Type); {
			case one == plainShape:
			case f.Type.Size() == t.Size() && s == plainShape:
				s = one
			default:
				return anyShape
			}
		}
		return s
	default:
		if k >= reflect.Bool && k <= reflect.Complex128 {
			return plainShape
		}
	}
	return anyShape
}

// one returns a new variable.
func (m *maker) one() mem.Ptr {
	switch m.shape {
	case plainShape:
		return mem.NewPlain(m.size)
	case sliceShape:
		return mem.NewSlices(1)
	case pointerShape:
		return mem.NewPointers(1)
	}
	return mem.New(m.typ)
}

// takeMemory accounts for n values of size bytes before they are allocated.
func (d *decoder) takeMemory(pos, n int, size uint64) *Error {
	if d.used.memory += uint64(n) * size; d.used.memory <= freeMemory {
		return nil
	}
	return d.checkMemory(pos)
}

// checkMemory returns an error if the values take more memory than the input may cost.
func (d *decoder) checkMemory(pos int) *Error {
	if most := memoryPerByte*uint64(len(d.data)) + freeMemory; d.used.memory > most {
		return failure(pos, ErrLimit, "the values take more than %d bytes of memory, %d for each byte of the input and 1 MiB", most, memoryPerByte)
	}
	return nil
}

// The bounds of decoding beside those of lengths and counts. SECURITY.md lists them.
const (
	// memoryPerByte is how many bytes of memory the elements of slices, the targets of
	// pointers and the variants of unions may take for each byte of the input, after
	// the first freeMemory. Without it, elements with fields that take no bytes on the
	// wire would take any amount.
	memoryPerByte = 256
	freeMemory    = 1 << 20

	// againPerByte is how many bytes raw fields and checksums of recursive types may
	// read again for each byte of the input, after the first freeAgain. Without it, each
	// of 512 levels could copy or sum all levels inside.
	againPerByte = 16
	freeAgain    = 1 << 20
)

// A budget is what decoding a message has used of its bounds.
type budget struct {
	memory, again uint64
}

// takeAgain accounts for n bytes of a range that a raw field or a checksum of a
// recursive type reads again.
func (d *decoder) takeAgain(pos, n int) *Error {
	if d.calls == 0 {
		return nil // The type is not recursive, so it determines how often.
	}
	d.used.again += uint64(n)
	if most := againPerByte*uint64(len(d.data)) + freeAgain; d.used.again > most {
		return failure(pos, ErrLimit, "raw fields and checksums of nested structs cover more than %d bytes, %d for each byte of the input and 1 MiB", most, againPerByte)
	}
	return nil
}
