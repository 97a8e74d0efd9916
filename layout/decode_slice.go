package layout

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
)

// firstElements is how many elements of variable size get memory before any of
// them has been decoded. A count in the message is not trusted beyond that.
const firstElements = 16

func (d *decoder) slice(o *op, pos int, p mem.Ptr) (int, *Error) {
	x, g := o.x, &o.x.node.tag
	at, count := pos, -1
	var err *Error
	switch {
	case g.count != "":
		v, size, err := d.prefix(&x.num, pos)
		if err != nil {
			return at, err
		}
		pos += size
		if count, err = d.count(x, v, pos); err != nil {
			return at, err
		}
	case g.fixed >= 0:
		count = g.fixed
	case g.toZero:
	default:
		if x.node.countBefore() != nil {
			if count, err = d.count(x, d.amount(x.node), pos); err != nil {
				return at, err
			}
		}
	}
	switch {
	case g.toZero:
		pos, err = d.untilZero(x, pos, p)
	case count >= 0:
		pos, err = d.counted(x, pos, p, count)
	default:
		pos, err = d.toEnd(x, pos, p)
	}
	if err != nil {
		return at, err
	}
	_, n := mem.SliceAt(p)
	if x.node.amount != 0 {
		d.slots[x.node.amount] = int64(n)
	}
	if g.limited && uint64(n) > g.limit {
		return at, failure(at, ErrLimit, "%d elements exceed the maximum %d", n, g.limit)
	}
	return pos, nil
}

// count checks a number of elements against the bytes that are left.
func (d *decoder) count(x *detail, v uint64, pos int) (int, *Error) {
	if g := &x.node.tag; g.limited && v > g.limit {
		return 0, failure(pos, ErrLimit, "%d elements exceed the maximum %d", v, g.limit)
	}
	if left := uint64(d.end - pos); v > left/uint64(max(1, x.sub.min)) {
		if d.end == unbounded {
			return 0, d.source.tooLong(pos)
		}
		err := failure(pos, ErrTruncated, "%d elements of at least %s exceed the %s left", v, plural(max(1, x.sub.min)), plural(int(left)))
		err.frameEnd = d.end
		return 0, err
	}
	return int(v), nil
}

// counted decodes so many elements.
func (d *decoder) counted(x *detail, pos int, p mem.Ptr, n int) (int, *Error) {
	if x.plan != nil {
		if err := d.need(pos, n*x.plan.Size); err != nil {
			return pos, err
		}
		first := d.makeRoom(x, p, n)
		if n > 0 {
			x.plan.DecodeAll(mem.Bytes(d.data).Add(uintptr(pos)), first, n)
		}
		return pos + n*x.plan.Size, nil
	}
	d.makeRoom(x, p, min(n, firstElements))
	for i := range n {
		var err *Error
		if pos, err = d.element(x, pos, p, i); err != nil {
			return pos, err
		}
	}
	setLen(p, n)
	return pos, nil
}

// toEnd decodes elements up to the end of what the frame leaves.
func (d *decoder) toEnd(x *detail, pos int, p mem.Ptr) (int, *Error) {
	end, err := d.rest(x.tail, pos)
	if err != nil {
		return pos, err
	}
	if x.plan != nil {
		n := (end - pos) / x.plan.Size
		if left := (end - pos) % x.plan.Size; left != 0 {
			return pos, failure(end-left, ErrLength, "%d bytes are left over, but an element has %d", left, x.plan.Size)
		}
		return d.counted(x, pos, p, n)
	}
	d.makeRoom(x, p, 0)
	i := 0
	outer := d.end
	for ; pos < end; i++ {
		if pos, err = d.element(x, pos, p, i); err != nil {
			return pos, err
		}
		if pos > end {
			return pos, failure(pos, ErrLength, "the last element exceeds what is left by %d bytes", pos-end)
		}
	}
	d.end = outer
	setLen(p, i)
	return pos, nil
}

// untilZero decodes elements up to one that is zero.
func (d *decoder) untilZero(x *detail, pos int, p mem.Ptr) (int, *Error) {
	d.makeRoom(x, p, 0)
	for i := 0; ; i++ {
		var err *Error
		if pos, err = d.element(x, pos, p, i); err != nil {
			return pos, err
		}
		first, _ := mem.SliceAt(p)
		if isEmpty(mem.Value(x.sub.typ, first.Add(uintptr(i)*x.sub.typ.Size()))) {
			mem.Value(x.sub.typ, first.Add(uintptr(i)*x.sub.typ.Size())).SetZero()
			setLen(p, i)
			return pos, nil
		}
	}
}

// element decodes element i of the slice at p, which has i elements.
func (d *decoder) element(x *detail, pos int, p mem.Ptr, i int) (int, *Error) {
	h := mem.At[mem.SliceHeader](p)
	if i == h.Cap {
		mem.Value(x.node.typ, p).Grow(1)
	}
	h.Len = i + 1
	q := h.Data
	if size := x.sub.typ.Size(); size > 0 {
		q = q.Add(uintptr(i) * size)
		if x.clear {
			mem.Value(x.sub.typ, q).SetZero()
		}
	}
	next, err := d.runSub(x.sub, pos, q)
	if err == nil && next == pos {
		err = failure(pos, ErrLength, "an element of a slice must take at least one byte")
	}
	if err != nil {
		return pos, underIndex(i, err)
	}
	return next, nil
}

// makeRoom makes the slice at p empty, with room for n elements, and returns the
// address of the first. The slice is not nil.
func (d *decoder) makeRoom(x *detail, p mem.Ptr, n int) mem.Ptr {
	h := mem.At[mem.SliceHeader](p)
	if h.Cap < n || h.Data.IsNil() {
		v := mem.Value(x.node.typ, p)
		v.Set(reflect.MakeSlice(x.node.typ, n, n))
	}
	h.Len = n
	return h.Data
}

func setLen(p mem.Ptr, n int) { mem.At[mem.SliceHeader](p).Len = n }

// elements decodes the elements of an array.
func (d *decoder) elements(x *detail, pos int, p mem.Ptr, n int) (int, *Error) {
	size := x.sub.typ.Size()
	for i := range n {
		q := p
		if size > 0 {
			q = p.Add(uintptr(i) * size)
		}
		var err *Error
		if pos, err = d.run(x.sub, pos, q); err != nil {
			return pos, underIndex(i, err)
		}
	}
	return pos, nil
}

// isEmpty reports whether v is the zero value, apart from slices that are empty but
// not nil.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice:
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
	return v.IsZero()
}
