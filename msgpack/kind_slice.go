package msgpack

import (
	"math"
	"reflect"

	"github.com/octet-go/octet/internal/kernel"
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// makeSliceCodec returns the codec of a slice type. Bytes are encoded as bin, other
// elements as an array.
func (k *compiler) makeSliceCodec(t reflect.Type, p *plan) codec {
	elem := k.plan(planKey{typ: t.Elem()})
	if k.isBytes(t) {
		if !k.plans.NilSliceAsEmpty && !k.bytesAsText() {
			p.put = putBytes
		}
		c := k.makeBytesCodec(t)
		p.reuse = c.decode
		return c
	}
	p.part = elem
	p.get = getList
	p.numbers = elem.get.isNumber()
	s := newSliceCodec(t, elem)
	c := codec{s.encode, s.decode}
	if !isPlain(p.typ) {
		c.decode = s.decoder()
	}
	p.reuse = c.decode // the elements count as zero in any case
	switch {
	case elem.put.isNumber():
		p.emit = emitNumbers
	case elem.put == putString:
		p.emit = emitTexts
	case !s.isAny || k.plans.customForms():
		p.emit = emitElements
	}
	// With other forms, the elements of a []any need their plans.
	if s.isAny && !k.plans.customForms() {
		c.encode = func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			return k.plans.encodeAnySlice(dst, *mem.At[[]any](p), depth, s.want)
		}
	}
	if k.plans.NilSliceAsEmpty {
		p.emit = nil
		c.encode = emptyForNil(c.encode, wire.FixArray, s.want)
	} else {
		// emit can write a nil or empty slice itself.
		p.put = putList
	}
	return c
}

// emptyForNil returns an encoder that writes the header empty for a nil slice or map,
// which is a level as that of an empty one, and calls encode for others. The first word
// of a nil slice or map is nil.
//
//go:noinline
func emptyForNil(encode encodeFunc, empty wire.Format, found string) encodeFunc {
	return func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		if p.Deref().IsNil() {
			return appendHeader(dst, empty, 0, found, depth)
		}
		return encode(dst, p, depth)
	}
}

// zeroForNil returns a decoder that sets the variable to zero for a nil and calls
// decode for other values.
//
//go:noinline
func zeroForNil(t reflect.Type, decode decodeFunc) decodeFunc {
	return func(d *decoder, p mem.Ptr) error {
		if d.isNil() {
			mem.Value(t, p).SetZero()
			return nil
		}
		return decode(d, p)
	}
}

type sliceCodec struct {
	pointer mem.TypeWord // of the type of pointers to such slices
	want    string
	elem    codec
	part    *plan   // of the elements
	size    uintptr // of an element
	least   int     // bytes that an element takes
	put     putOp   // of an element
	get     getOp
	numbers numbersDecoder // if the elements are numbers
	kind    reflect.Kind   // of an element
	isAny   bool           // the elements are of type any
	plain   bool           // the elements have no pointers
}

// newSliceCodec returns the sliceCodec of a slice or array type.
func newSliceCodec(t reflect.Type, elem *plan) *sliceCodec {
	s := &sliceCodec{
		pointer: mem.WordOf(reflect.PointerTo(t)), want: t.String(),
		elem: elem.linked(), part: elem, size: t.Elem().Size(), least: elem.least(), put: elem.put, get: elem.get,
		kind: t.Elem().Kind(), isAny: elem.typ == anyType, plain: t.Elem().Size() > 0 && hasNoPointers(t.Elem()),
	}
	if s.get.isNumber() {
		s.numbers = numbersDecoders[s.get]
	}
	return s
}

// hasNoPointers reports whether values of a type have no pointers, so that their memory can
// be allocated as that of numbers, without reflect.
func hasNoPointers(t reflect.Type) bool {
	return allParts(t, func(k reflect.Kind) bool { return reflect.Bool <= k && k <= reflect.Complex128 })
}

// allParts reports whether f returns true for the kind of t, or, if t is an array or a
// struct, for the kinds of all values in its memory.
func allParts(t reflect.Type, f func(k reflect.Kind) bool) bool {
	switch t.Kind() {
	case reflect.Array:
		return allParts(t.Elem(), f)
	case reflect.Struct:
		for i := range t.NumField() {
			if !allParts(t.Field(i).Type, f) {
				return false
			}
		}
		return true
	}
	return f(t.Kind())
}

// keeps reports whether decodeOver keeps memory that a used element refers to.
func (s *sliceCodec) keeps() bool { return s.part.reuse != nil && !s.get.isScalar() }

// maxMemory is more memory than a program can have. Go panics if more is allocated.
const maxMemory = min(math.MaxInt, 1<<47)

func (s *sliceCodec) encode(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	h := mem.At[mem.SliceHeader](p)
	if h.Data.IsNil() {
		return wire.AppendNil(dst), nil
	}
	return s.appendList(dst, h.Data, h.Len, depth)
}

// appendHeader appends the header of an array of n elements or a map of n pairs, whose
// short format is fix. It returns an error for a container that is too long or nested
// too deeply. found names the container in errors.
func appendHeader(dst []byte, fix wire.Format, n int, found string, depth int) ([]byte, error) {
	switch {
	case n < 16 && depth > 0: // most containers are short
		return append(dst, byte(fix)|byte(n)), nil
	case uint64(n) > math.MaxUint32:
		return dst, failed(ErrLimit, found)
	case depth == 0:
		return dst, failed(ErrDepth, found)
	case fix == wire.FixMap:
		return wire.AppendMapHeader(dst, uint32(n)), nil
	}
	return wire.AppendArrayHeader(dst, uint32(n)), nil
}

// appendList appends an array of the n elements at data, which are contiguous.
func (s *sliceCodec) appendList(dst []byte, data mem.Ptr, n, depth int) ([]byte, error) {
	dst, err := appendHeader(dst, wire.FixArray, n, s.want, depth)
	switch {
	case err != nil:
		return dst, err
	case s.put.isNumber():
		return appendNumbers(dst, s.put, data, n, s.size), nil
	case s.put == putString:
		h := mem.SliceHeader{Data: data, Len: n, Cap: n}
		return appendTexts(dst, *mem.At[[]string](mem.PtrTo(&h)))
	}
	encode, size, room := s.elem.encode, s.size, newGrowth(dst)
	for i := range n {
		if room.short(dst) {
			dst = room.grow(dst, i, n, s.least)
		}
		if dst, err = encode(dst, data.Add(uintptr(i)*size), depth-1); err != nil {
			return dst, underIndex(i, err)
		}
	}
	return dst, nil
}

// decode reuses the old backing array if it is long enough, and memory that its elements
// refer to, see decodeOver. Elements beyond the old length can be copies of others, so
// they are cleared, and so are all elements that refer to no such memory.
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
	used := false
	switch {
	case n <= h.Cap && !h.Data.IsNil():
		used = s.keeps()
		kept := h.Len
		if !used && !s.isAny { // elements of type any are replaced
			kept = 0
		}
		if n > kept && !s.get.isScalar() {
			rest := mem.SliceHeader{Data: h.Data.Add(uintptr(kept) * s.size), Len: n - kept, Cap: n - kept}
			mem.Variable(s.pointer, mem.Hide(mem.PtrTo(&rest))).Clear()
		}
		h.Len = n
	// These types are allocated without reflect, which takes less time.
	case s.get == getString || s.get == getAlias:
		*mem.At[[]string](p) = make([]string, n)
	case s.isAny:
		*mem.At[[]any](p) = make([]any, n)
	case n == 0:
		*h = mem.SliceHeader{Data: mem.Nothing()}
	// The count fits the input, but elements can be larger in memory than on the
	// wire.
	case uint64(s.size) > maxMemory/uint64(n):
		return d.fail(ErrLimit, s.want)
	// Short slices of elements without pointers, as numbers are, can share a chunk.
	case s.plain:
		*h = mem.SliceHeader{Data: d.newPlain(uint64(n) * uint64(s.size)), Len: n, Cap: n}
	case s.kind == reflect.Pointer || s.kind == reflect.Map:
		*h = mem.SliceHeader{Data: mem.NewPointers(n), Len: n, Cap: n}
	case s.kind == reflect.Slice:
		*h = mem.SliceHeader{Data: mem.NewSlices(n), Len: n, Cap: n}
	default:
		*h = mem.SliceHeader{} // Grow would copy the old elements
		mem.Variable(s.pointer, p).Grow(n)
		h.Len = n
	}
	return s.decodeElements(d, h.Data, 0, n, owed, used)
}

// decodeElements decodes the elements of an open array of n elements from element i on,
// and closes the array. used says that the variables may not be zero.
func (s *sliceCodec) decodeElements(d *decoder, data mem.Ptr, i, n int, owed uint64, used bool) error {
	if s.isAny {
		h := mem.SliceHeader{Data: data, Len: n, Cap: n}
		return d.anyElements(*mem.At[[]any](mem.PtrTo(&h)), owed)
	}
	decode, size := s.elem.decode, s.size
	if fields := s.part.fields; fields != nil && !used {
		return fields.decodeList(d, data, i, n, size, owed)
	}
	for ; i < n; i++ {
		if fast && s.get.isScalar() {
			// fastElements stops at a value in a rare format. The call below
			// decodes that value, or returns its error.
			if i += d.fastElements(s.get, data.Add(uintptr(i)*size), n-i, size); i == n {
				break
			}
		}
		d.owed = owed + uint64(n-i-1)
		var err error
		if at := data.Add(uintptr(i) * size); used {
			err = s.part.decodeOver(d, at)
		} else {
			err = decode(d, at)
		}
		if err != nil {
			return underIndex(i, err)
		}
	}
	d.close(owed)
	return nil
}

// makeArrayCodec returns the codec of an array type. Bytes are encoded as bin, other
// elements as an array of exactly that length.
func (k *compiler) makeArrayCodec(t reflect.Type, p *plan) codec {
	elem := k.plan(planKey{typ: t.Elem()})
	if k.isBytes(t) {
		if t.Len() <= shortString && !k.bytesAsText() {
			p.put = putBlock
		}
		return k.makeByteArrayCodec(t)
	}
	p.part, p.put, p.emit = elem, putArray, emitElements
	if elem.put.isNumber() {
		p.emit = emitNumbers
	}
	short := k.plans.Compat.Arrays == ArraysShort
	s, n, want, usual := newSliceCodec(t, elem), t.Len(), t.String(), fast && !isPlain(p.typ)
	c := codec{
		func(dst []byte, p mem.Ptr, depth int) ([]byte, error) { return s.appendList(dst, p, n, depth) },
		func(d *decoder, p mem.Ptr) error {
			if d.isNil() {
				if !short {
					mem.Value(t, p).SetZero()
				}
				return nil
			}
			// Numbers in their usual formats need no open array.
			if count, size := d.shortArray(); usual && s.get.isNumber() && size > 0 && count == n {
				done, end := s.numbers(d.data, d.pos+size, mem.Slice(p, n*int(s.size)))
				if done == n {
					d.pos = end
					return nil
				}
			}
			length := n
			if short {
				if h, _ := d.header(want); h.Format.Kind() == wire.KindArray {
					length = int(min(uint64(h.Count), uint64(n)))
				}
			}
			owed, err := d.arrayOf(length, want)
			if err != nil {
				return err
			}
			used := s.keeps()
			if !used && !s.get.isScalar() && !s.isAny { // as in a slice
				if v := mem.Value(t, p); length == n {
					v.SetZero()
				} else {
					for i := range length {
						v.Index(i).SetZero()
					}
				}
			}
			return s.decodeElements(d, p, 0, length, owed, used)
		},
	}
	if !short { // otherwise decoding may leave elements as they are
		p.reuse = c.decode
	}
	return c
}

// All elements of a slice of floats have the same format. The length of the output
// is therefore known in advance, and a kernel can process many elements at a time
// with vector instructions.

const (
	float32Size = 5 // a float with its format byte
	float64Size = 9
)

// storeFloat32s is a numbersEncoder.
func storeFloat32s(base mem.Ptr, n int, b []byte) int {
	kernel.Tag4(base.Add(uintptr(n)), mem.Bytes(b), len(b)/4, byte(wire.Float32))
	return n + len(b)/4*float32Size
}

// storeFloat64s is the same for float64.
func storeFloat64s(base mem.Ptr, n int, b []byte) int {
	kernel.Tag8(base.Add(uintptr(n)), mem.Bytes(b), len(b)/8, byte(wire.Float64))
	return n + len(b)/8*float64Size
}

// fastFloat32s is a numbersDecoder for floats in the format of their type.
func fastFloat32s(data []byte, pos int, s []byte) (done, end int) {
	if n := min(len(s)/4, (len(data)-pos)/float32Size); n > 0 {
		done = kernel.Untag4(mem.Bytes(s), mem.Bytes(data).Add(uintptr(pos)), n, byte(wire.Float32))
	}
	return done, pos + done*float32Size
}

// fastFloat64s is the same for float64.
func fastFloat64s(data []byte, pos int, s []byte) (done, end int) {
	if n := min(len(s)/8, (len(data)-pos)/float64Size); n > 0 {
		done = kernel.Untag8(mem.Bytes(s), mem.Bytes(data).Add(uintptr(pos)), n, byte(wire.Float64))
	}
	return done, pos + done*float64Size
}
