package layout

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
)

// This file allocates the variables that decoding makes: targets of pointers, variants and
// elements. It also limits what a message may cost.

// A maker allocates variables of one type. Where there are no pointers, that takes no
// reflection.
type maker struct {
	typ   reflect.Type
	size  uint64
	plain bool // there are no pointers in the type, but bytes
}

// makerOf returns the maker of t.
func makerOf(t reflect.Type) maker {
	return maker{t, uint64(t.Size()), t.Size() > 0 && !hasPointers(t)}
}

// hasPointers reports whether variables of type t have pointers.
func hasPointers(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return t.Len() > 0 && hasPointers(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if hasPointers(f.Type) {
				return true
			}
		}
		return false
	default:
		return k < reflect.Bool || k > reflect.Complex128
	}
}

// one returns a new variable.
func (m *maker) one() mem.Ptr {
	if m.plain {
		return mem.NewPlain(m.size)
	}
	return mem.New(m.typ)
}

// takeMemory accounts for n values of size bytes before they are allocated.
func (d *decoder) takeMemory(pos, n int, size uint64) *Error {
	if d.memory += uint64(n) * size; d.memory <= freeMemory {
		return nil
	}
	return d.checkMemory(pos)
}

// checkMemory returns an error if the values take more memory than the input may cost.
func (d *decoder) checkMemory(pos int) *Error {
	if most := memoryPerByte*uint64(len(d.data)) + freeMemory; d.memory > most {
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

// takeAgain accounts for n bytes of a range that a raw field or a checksum of a recursive type
// reads again. So many recursive structs around the field are not calls.
func (d *decoder) takeAgain(pos, n int, around int32) *Error {
	if d.calls == 0 && around == 0 {
		return nil // The type is not recursive, so it determines how often.
	}
	d.again += uint64(n)
	if most := againPerByte*uint64(len(d.data)) + freeAgain; d.again > most {
		return failure(pos, ErrLimit, "raw fields and checksums of nested structs cover more than %d bytes, %d for each byte of the input and 1 MiB", most, againPerByte)
	}
	return nil
}
