package msgpack

import (
	"math"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// makeSliceCodec is for slices: bin for bytes, otherwise an array.
func (k *compiler) makeSliceCodec(t reflect.Type, p *plan) codec {
	elem := k.plan(planKey{typ: t.Elem()})
	if elem.scalar == scalarUint8 {
		return k.makeBytesCodec(t)
	}
	p.list = true
	p.numbers = elem.scalar != scalarNone && elem.scalar != scalarString
	s := &sliceCodec{
		pointer: mem.WordOf(reflect.PointerTo(t)), want: t.String(),
		elem: elem.linked(), size: t.Elem().Size(), scalar: elem.scalar,
	}
	c := codec{s.encode, s.decode}
	switch elem.stored {
	case scalarNone:
	case scalarString:
		c.encode = s.encodeTexts
	default:
		c.encode = s.encodeNumbers()
	}
	c = k.anySliceCodec(t, c)
	if k.plans.NilSliceAsEmpty {
		c.encode = emptyForNil(c.encode, func(dst []byte) []byte { return wire.AppendArrayHeader(dst, 0) })
	}
	return c
}

// emptyForNil makes an encoder write something else for a nil slice or map. The
// first word of both is nil then.
func emptyForNil(encode encodeFunc, empty func(dst []byte) []byte) encodeFunc {
	return func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		if p.Deref().IsNil() {
			return empty(dst), nil
		}
		return encode(dst, p, depth)
	}
}

type sliceCodec struct {
	pointer mem.TypeWord // of the type of pointers to such slices
	want    string
	elem    codec
	size    uintptr // of an element
	scalar  scalar  // that the elements are
}

// maxMemory is more than a program can have, where Go panics.
const maxMemory = min(math.MaxInt, 1<<47)

func (s *sliceCodec) encode(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	h := mem.At[mem.SliceHeader](p)
	if h.Data.IsNil() {
		return wire.AppendNil(dst), nil
	}
	dst, err := appendArrayHeader(dst, h.Len, s.want, depth)
	if err != nil {
		return dst, err
	}
	return appendElements(dst, h.Data, h.Len, s.size, s.elem.encode, depth-1)
}

func (s *sliceCodec) encodeNumbers() encodeFunc {
	return func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		h := mem.At[mem.SliceHeader](p)
		if h.Data.IsNil() {
			return wire.AppendNil(dst), nil
		}
		dst, err := appendArrayHeader(dst, h.Len, s.want, depth)
		if err != nil {
			return dst, err
		}
		return appendScalars(dst, h.Data, h.Len, s.size, s.scalar), nil
	}
}

func (s *sliceCodec) encodeTexts(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	texts := *mem.At[[]string](p)
	if texts == nil {
		return wire.AppendNil(dst), nil
	}
	dst, err := appendArrayHeader(dst, len(texts), s.want, depth)
	if err != nil {
		return dst, err
	}
	return appendTexts(dst, texts)
}

// appendArrayHeader opens an array of n elements.
func appendArrayHeader(dst []byte, n int, found string, depth int) ([]byte, error) {
	if n < 16 && depth > 0 {
		return append(dst, byte(wire.FixArray)|byte(n)), nil
	}
	if err := checkContainer(n, found, depth); err != nil {
		return dst, err
	}
	return wire.AppendArrayHeader(dst, uint32(n)), nil
}

// checkContainer refuses what is too long or nested too deeply.
func checkContainer(n int, found string, depth int) error {
	if uint64(n) > math.MaxUint32 {
		return failed(ErrLimit, found)
	}
	if depth == 0 {
		return failed(ErrDepth, found)
	}
	return nil
}

// appendElements appends n values that lie size bytes apart.
func appendElements(dst []byte, data mem.Ptr, n int, size uintptr, elem encodeFunc, depth int) ([]byte, error) {
	var err error
	for i := range n {
		if dst, err = elem(dst, data.Add(uintptr(i)*size), depth); err != nil {
			return dst, underIndex(i, err)
		}
	}
	return dst, nil
}

// decode keeps the old backing array where it is long enough, with the
// elements cleared, since what they held belongs to the old value. Scalars
// need no clearing: nothing of the old one is left.
func (s *sliceCodec) decode(d *decoder, p mem.Ptr) error {
	h := mem.At[mem.SliceHeader](p)
	if d.isNil() {
		*h = mem.SliceHeader{}
		return nil
	}
	n, owed, err := d.array(s.want)
	if err != nil {
		return err
	}
	switch {
	case n <= h.Cap && !h.Data.IsNil():
		h.Len = n
		if s.scalar == scalarNone {
			mem.Variable(s.pointer, p).Clear()
		}
	case s.scalar == scalarString:
		*mem.At[[]string](p) = make([]string, n)
	case s.scalar != scalarNone:
		*h = mem.SliceHeader{Data: d.newPlain(uint64(n) * uint64(s.size)), Len: n, Cap: n}
	case n == 0:
		*h = mem.SliceHeader{Data: mem.Nothing()}
	case uint64(s.size) > maxMemory/uint64(n):
		return d.fail(ErrLimit, s.want)
	default:
		*h = mem.SliceHeader{} // so that Grow has nothing to copy
		v := mem.Variable(s.pointer, p)
		v.Grow(n)
		v.SetLen(n)
	}
	return d.elements(h.Data, n, owed, s.size, s.scalar, s.elem.decode, s.want)
}

// elements decodes the n elements of an array that has been opened, and closes
// it.
func (d *decoder) elements(data mem.Ptr, n int, owed uint64, size uintptr, scalar scalar, elem decodeFunc, want string) error {
	for i := 0; i < n; i++ {
		if fast && scalar != scalarNone {
			if i += d.fastScalars(data.Add(uintptr(i)*size), n-i, size, scalar); i == n {
				break
			}
		}
		d.owed = owed + uint64(n-i-1)
		if err := elem(d, data.Add(uintptr(i)*size)); err != nil {
			return underIndex(i, err)
		}
	}
	d.close(owed)
	return nil
}

// makeArrayCodec is for arrays: bin for bytes, otherwise an array of exactly as
// many elements.
func (k *compiler) makeArrayCodec(t reflect.Type) codec {
	elem := k.plan(planKey{typ: t.Elem()})
	n, want := t.Len(), t.String()
	if elem.scalar == scalarUint8 {
		return k.makeByteArrayCodec(t)
	}
	c, size, scalar, stored := elem.linked(), t.Elem().Size(), elem.scalar, elem.stored
	return codec{
		func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			dst, err := appendArrayHeader(dst, n, want, depth)
			if err != nil {
				return dst, err
			}
			switch stored {
			case scalarNone:
			case scalarString:
				h := mem.SliceHeader{Data: p, Len: n, Cap: n}
				return appendTexts(dst, *mem.At[[]string](mem.PtrTo(&h)))
			default:
				return appendScalars(dst, p, n, size, stored), nil
			}
			return appendElements(dst, p, n, size, c.encode, depth-1)
		},
		func(d *decoder, p mem.Ptr) error {
			if d.isNil() {
				mem.Value(t, p).SetZero()
				return nil
			}
			owed, err := d.arrayOf(n, want)
			if err != nil {
				return err
			}
			mem.Value(t, p).SetZero()
			return d.elements(p, n, owed, size, scalar, c.decode, want)
		},
	}
}
