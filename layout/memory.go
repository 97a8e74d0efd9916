package layout

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
)

// This file allocates the variables that decoding makes: targets of pointers, variants and
// elements.

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
