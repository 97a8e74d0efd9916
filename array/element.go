package array

import (
	"reflect"
	"strconv"

	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/internal/kernel"
	"github.com/octet-go/octet/internal/mem"
)

// Element is the constraint for the elements of an array: every integer and
// float of a fixed size, bool and the complex types, including named types.
type Element interface {
	binary.Number | ~bool | ~complex64 | ~complex128
}

// An element describes the type of the elements in a file.
type element struct {
	kind reflect.Kind // Bool, Int8 to Complex128
	size int          // in bytes
	unit int          // the number of bytes that a change of byte order reverses
}

// elementOf returns the description of T.
func elementOf[T Element]() element { return elementOfKind(reflect.TypeFor[T]().Kind()) }

func elementOfKind(k reflect.Kind) element {
	switch k {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		return element{k, 1, 1}
	case reflect.Int16, reflect.Uint16:
		return element{k, 2, 2}
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		return element{k, 4, 4}
	case reflect.Int64, reflect.Uint64, reflect.Float64:
		return element{k, 8, 8}
	case reflect.Complex64:
		return element{k, 8, 4}
	case reflect.Complex128:
		return element{k, 16, 8}
	}
	return element{}
}

const boolKind = reflect.Bool

// letters are the codes of numpy for the kinds of numbers.
var letters = map[byte][]reflect.Kind{
	'b': {reflect.Bool},
	'i': {reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64},
	'u': {reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64},
	'f': {reflect.Float32, reflect.Float64},
	'c': {reflect.Complex64, reflect.Complex128},
}

// letter returns the code of numpy for the kind of e.
func (e element) letter() byte {
	switch e.kind {
	case reflect.Bool:
		return 'b'
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return 'i'
	case reflect.Float32, reflect.Float64:
		return 'f'
	case reflect.Complex64, reflect.Complex128:
		return 'c'
	}
	return 'u'
}

// numpy returns the name of the type in numpy without a byte order, such as u8.
func (e element) numpy() string { return string([]byte{e.letter()}) + strconv.Itoa(e.size) }

// swap reverses the bytes of the numbers in src and stores them at dst. The two
// have the same length and are the same memory or do not overlap.
func (e element) swap(dst, src []byte) {
	d, s, n := mem.Bytes(dst), mem.Bytes(src), len(src)/e.unit
	switch e.unit {
	case 1:
		copy(dst, src)
	case 2:
		kernel.Swap2(d, s, n)
	case 4:
		kernel.Swap4(d, s, n)
	case 8:
		kernel.Swap8(d, s, n)
	}
}

// fix makes bytes from a file valid for Go: it reverses the bytes of the numbers
// if swapped is set. It turns a byte of a bool into 0 or 1, because Go requires
// that. Every byte other than 0 is true, as in numpy.
func (e element) fix(b []byte, swapped bool) {
	if swapped {
		e.swap(b, b)
	}
	if e.kind == boolKind {
		for i, x := range b {
			if x > 1 {
				b[i] = 1
			}
		}
	}
}

// load returns the element at the start of b, which has at least its size.
func load[T Element](b []byte, e element, swapped bool) (v T) {
	dst, src := mem.PtrTo(&v), mem.Bytes(b)
	if !swapped {
		mem.Copy(dst, src, mem.SizeOf[T]())
		if e.kind == boolKind {
			e.fix(mem.Slice(dst, 1), false)
		}
		return v
	}
	// A store in one order of what was loaded in the other reverses the bytes, on
	// every machine.
	switch e.unit {
	case 2:
		mem.Store16(dst, 0, mem.Load16BE(src, 0))
	case 4:
		mem.Store32(dst, 0, mem.Load32BE(src, 0))
		if e.size == 8 {
			mem.Store32(dst, 4, mem.Load32BE(src, 4))
		}
	case 8:
		mem.Store64(dst, 0, mem.Load64BE(src, 0))
		if e.size == 16 {
			mem.Store64(dst, 8, mem.Load64BE(src, 8))
		}
	}
	return v
}
