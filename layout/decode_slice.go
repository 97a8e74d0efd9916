package layout

import (
	"math"
	"reflect"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/mem"
)

// firstElements is how many elements of variable size get memory before any of
// them has been decoded. A count in the message is not trusted beyond that.
const firstElements = 16

// A slice whose number of elements is not known has memory for fewElements when it
// begins, if they have at most smallElement bytes.
const (
	fewElements  = 4
	smallElement = 64
)

// counted reads what precedes the elements of a slice. It returns their number, or -1
// if they end elsewhere, and where they begin. The number is checked against the bytes
// that are left, so the caller may allocate for it.
func (d *decoder) counted(x *detail, pos int) (n, at int, err *Error) {
	g := &x.node.tag
	switch {
	case g.count != "":
		v, size, err := d.prefix(&x.num, pos)
		if err == nil {
			n, err = d.count(x, v, pos+size)
		}
		return n, pos + size, err
	case g.fixed >= 0:
		return g.fixed, pos, nil
	case !g.toZero && x.node.countBefore() != nil:
		v, err := d.amount(x.node, pos)
		if err == nil {
			n, err = d.count(x, v, pos)
		}
		return n, pos, err
	}
	return -1, pos, nil
}

// count checks a number of elements against the bytes that are left. Every element
// takes at least one byte. So no count, whatever the message claims, makes the decoder
// allocate more than the message could fill.
func (d *decoder) count(x *detail, v uint64, pos int) (int, *Error) {
	if g := &x.node.tag; g.limited && v > g.limit {
		return 0, failure(pos, ErrLimit, "the number of elements %d exceeds the maximum %d", v, g.limit)
	}
	if left := uint64(d.end - pos); v > left/uint64(max(1, x.least)) {
		return 0, d.truncated(pos, "%s of at least %s cannot fit the %s left", errtext.Counted(v, "element"), plural(max(1, x.least)), plural(int(left)))
	}
	return int(v), nil
}

// begin begins the elements of a slice. Its level has their number, or -1 and where
// they end. It reuses the memory of the slice in the variable. Elements that decoding
// sets as a whole need not be cleared for that; those with fields that it leaves alone
// must be, or a new message would show values of the old one.
func (d *decoder) begin(o *op, pos int, p mem.Ptr) (next *op, at int, q mem.Ptr, err *Error) {
	x, s := o.x, d.level(o)
	n, at, err := d.counted(x, pos)
	if err != nil {
		return nil, pos, p, err
	}
	*s = level{outer: p, left: n}
	d.slots[x.begins] = int64(pos)
	if n < 0 {
		if s.stop = unbounded; !x.node.tag.toZero {
			if s.stop, err = d.rest(x.node.rest, at); err != nil {
				return nil, pos, p, err
			}
		}
	}
	if err := d.makeRoom(x, at, p.Add(o.off), max(0, min(n, firstElements))); err != nil {
		return nil, pos, p, err
	}
	h := mem.At[mem.SliceHeader](p.Add(o.off))
	if x.clear {
		// Elements that are reused have fields that decoding leaves as they are. The zero element
		// that ends a slice is decoded into memory of the slice, too.
		most := n
		switch {
		case n >= 0:
		case d.source != nil:
			most = h.Cap
		default:
			most = (min(d.end, s.stop) - at) / max(1, x.least)
		}
		if h.Len = min(h.Cap, most+1); h.Len > 0 {
			mem.Variable(x.word, p.Add(o.off)).Clear()
		}
	}
	h.Len = 0
	if n == 0 || n < 0 && s.stop == at {
		return mem.Skip(o, int(o.to)), at, p, d.ended(x, 0)
	}
	q, err = d.grow(x, at)
	return mem.Next(o), at, q, err
}

// ended notes the number of elements of a slice, and checks it. The number is for links
// that count the elements, which are compared when both are known.
func (d *decoder) ended(x *detail, n int) *Error {
	d.slots[x.node.amount] = int64(n)
	if g := &x.node.tag; g.limited && uint64(n) > g.limit {
		return failure(int(d.slots[x.begins]), ErrLimit, "the number of elements %d exceeds the maximum %d", n, g.limit)
	}
	return nil
}

// grow appends an element to a slice and returns its place. It grows by one element or
// a few, and leaves it to the runtime to double larger slices, because the count is
// only a claim until the elements arrive.
func (d *decoder) grow(x *detail, pos int) (mem.Ptr, *Error) {
	s := levelAt(d.levels, x.level)
	p := s.outer.Add(x.off)
	h := mem.At[mem.SliceHeader](p)
	if n := h.Len; n == h.Cap {
		if err := d.takeMemory(pos, max(1, n), uint64(x.typ.Size())); err != nil {
			return p, underIndex(n, err)
		}
		more := 1
		if n == 0 && x.typ.Size() <= smallElement {
			more = fewElements
		}
		mem.Variable(x.word, p).Grow(more)
	}
	h.Len++
	q := h.Data
	if size := x.typ.Size(); size > 0 {
		q = q.Add(uintptr(h.Len-1) * size)
	}
	if x.own != 0 {
		d.slots[x.own] = int64(pos)
	}
	return q, nil
}

// nextElement goes on after an element of a slice. An element without bytes is an
// error: a slice up to the end of the frame would never end.
func (d *decoder) nextElement(o *op, pos int, p mem.Ptr) (next *op, q mem.Ptr, err *Error) {
	x, s := o.x, d.level(o)
	h := mem.At[mem.SliceHeader](s.outer.Add(x.off))
	if x.own != 0 && int(d.slots[x.own]) == pos {
		return nil, p, underIndex(h.Len-1, failure(pos, ErrLength, "an element of a slice must take at least one byte"))
	}
	if x.node.tag.toZero && isEmpty(mem.Value(x.typ, p)) {
		h.Len--
		return mem.Next(o), s.outer, d.ended(x, h.Len)
	}
	switch {
	case s.left == h.Len || s.left < 0 && pos == s.stop:
		return mem.Next(o), s.outer, d.ended(x, h.Len)
	case s.left < 0 && pos > s.stop:
		return nil, p, failure(pos, ErrLength, "the last element exceeds what is left by %s", plural(pos-s.stop))
	}
	q, err = d.grow(x, pos)
	return mem.Skip(o, int(o.to)), q, err
}

// items decodes the elements of a slice or array that are one block each. The elements
// need no loop of their own, because one call of the block does them all, with vectors
// where there are many.
func (d *decoder) items(o *op, pos int, p mem.Ptr) (int, *Error) {
	x := o.x
	n, at, err := d.counted(x, pos)
	if err != nil {
		return pos, err
	}
	size := x.plan.Size
	if n < 0 {
		end, err := d.rest(x.node.rest, at)
		if err != nil {
			return pos, err
		}
		n = (end - at) / size
		if left := (end - at) % size; left != 0 {
			return pos, failure(end-left, ErrLength, "%s left over, but an element has %d", areBytes(left), size)
		}
	}
	if err := d.need(at, n*size); err != nil {
		return pos, err
	}
	if err := d.makeRoom(x, at, p, n); err != nil {
		return pos, err
	}
	if n > 0 {
		first, _ := mem.SliceAt(p)
		x.plan.DecodeAll(mem.Bytes(d.data).Add(uintptr(at)), first, n)
	}
	d.slots[x.begins] = int64(pos)
	return at + n*size, d.ended(x, n)
}

// makeRoom gives the slice at p the length n. It has memory for so many elements and is
// not nil. A slice without elements is empty and not nil, so that a value that was
// decoded is equal to itself decoded again into a used variable.
func (d *decoder) makeRoom(x *detail, pos int, p mem.Ptr, n int) *Error {
	h := mem.At[mem.SliceHeader](p)
	if h.Cap < n || h.Data.IsNil() {
		if err := d.takeMemory(pos, n, uint64(x.typ.Size())); err != nil {
			return err
		}
		if h.Data, h.Len, h.Cap = mem.Nothing(), 0, 0; n > 0 {
			mem.Variable(x.word, p).Grow(n)
		}
	}
	h.Len = n
	return nil
}

// isEmpty reports whether v is the zero value, apart from slices and maps that are empty but
// not nil.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	case reflect.Pointer:
		return v.IsNil() || isEmpty(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if !isEmpty(v.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Array:
		for i := range v.Len() {
			if !isEmpty(v.Index(i)) {
				return false
			}
		}
		return true
	}
	return isZero(v)
}

// isZero reports whether v is the zero value. That of a float is not -0, which has other bytes and for
// which v.IsZero is true.
func isZero(v reflect.Value) bool { return v.IsZero() && !hasNegativeZero(v) }

// hasNegativeZero reports whether a float in v, which is zero or a part of what is zero, is -0.
func hasNegativeZero(v reflect.Value) bool {
	switch k := v.Kind(); {
	case k == reflect.Float32 || k == reflect.Float64:
		return math.Signbit(v.Float())
	case k == reflect.Struct:
		for i := range v.NumField() {
			if hasNegativeZero(v.Field(i)) {
				return true
			}
		}
	case k == reflect.Array && v.Type().Elem().Kind() >= reflect.Float32: // no integers
		for i := range v.Len() {
			if hasNegativeZero(v.Index(i)) {
				return true
			}
		}
	}
	return false
}
