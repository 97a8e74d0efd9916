package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
)

// Users' methods are called on a copy of the value in the heap. After decoding, the
// copy is assigned back. A copy is necessary because a method may keep its receiver
// or pass it to another goroutine, and the value itself is hidden from escape
// analysis and may be on the stack. With copies, methods with pointer receivers also
// work for values that are not addressable.

// A copier makes the copies of values of one type.
type copier struct {
	typ     reflect.Type
	pointer mem.TypeWord // of the type of a pointer to a value
	plain   bool         // the type has no pointers
}

func newCopier(t reflect.Type) *copier {
	return &copier{t, mem.WordOf(reflect.PointerTo(t)), hasNoPointers(t)}
}

// copy returns the address of a copy in the heap of the value at p.
func (c *copier) copy(p mem.Ptr) (at mem.Ptr) {
	if c.plain {
		at = mem.NewPlain(uint64(c.typ.Size()))
	} else {
		at = mem.New(c.typ)
	}
	c.assign(at, p)
	return at
}

// assign copies the value at from to the variable at to.
func (c *copier) assign(to, from mem.Ptr) {
	if c.plain {
		mem.Copy(to, from, int(c.typ.Size()))
	} else {
		mem.Variable(c.pointer, to).Set(mem.Variable(c.pointer, from))
	}
}

// receiver returns a pointer to the value at p, which is a copy.
func (c *copier) receiver(p mem.Ptr) any { return mem.MakeAny(c.pointer, p) }
