package layout

import (
	"bytes"
	"reflect"
	"slices"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/mem"
)

// magic compares constant bytes.
func (d *decoder) magic(o *op, pos int, p mem.Ptr) *Error {
	n := o.x.node
	b := d.data[pos : pos+int(o.n)]
	if !bytes.Equal(b, n.tag.magic) {
		return failure(pos, ErrConst, "found %q, want %q", b, n.tag.magic)
	}
	if !n.blank {
		d.setText(n, p.Add(o.off), pos, len(b))
	}
	return nil
}

// setText stores n bytes at pos in a string, []byte or array. An empty string refers to no
// memory, so that it does not keep a chunk alive.
func (d *decoder) setText(x *node, p mem.Ptr, pos, n int) {
	switch k := x.typ.Kind(); {
	case k == reflect.Array:
		copy(mem.Slice(p, n), d.data[pos:pos+n])
	case k == reflect.String && n == 0:
		*mem.At[string](p) = ""
	case k == reflect.String:
		*mem.At[string](p) = mem.String(d.text(pos, n))
	default:
		*mem.At[[]byte](p) = d.text(pos, n)
	}
}

// bytes decodes a string or []byte. First it finds where the text ends, in one of the ways
// that a tag can say; then it makes sure of the bytes, and takes from them what fills up or
// ends the text.
func (d *decoder) bytes(o *op, pos int, p mem.Ptr) (int, *Error) {
	x, g := o.x, &o.x.node.tag
	at := pos
	var n, more int // more follow the text
	v, known, err := d.measured(x, &pos)
	switch {
	case err != nil:
		return at, err
	case known:
		if v > uint64(d.end-pos) {
			return at, d.tooLong(pos, v)
		}
		n = int(v)
	case g.fixed >= 0:
		n = g.fixed
	case len(g.magic) > 0:
		n = len(g.magic)
	case g.cstring || g.until >= 0:
		if n, err = d.find(x, pos); err != nil {
			return at, err
		}
		more = x.unit()
	default:
		end, err := d.rest(x.node.rest, pos)
		if err != nil {
			return at, err
		}
		n = end - pos
	}
	next := pos + n + more
	if err := d.need(pos, next-pos); err != nil {
		return at, err
	}
	b := d.data[pos : pos+n : pos+n]
	if g.fixed >= 0 && (g.fillByte >= 0 || x.node.typ.Kind() == reflect.String) {
		b = trimFill(b, byte(max(g.fillByte, 0)), x.unit())
	}
	if x.node.amount != 0 {
		d.slots[x.node.amount] = int64(len(b))
	}
	if g.limited && !g.utf16 && uint64(len(b)) > g.limit {
		return at, failure(pos, ErrLimit, "length %d exceeds the maximum %d", len(b), g.limit)
	}
	// The maximum of a UTF-16 string is that of the Go string, in bytes of UTF-8.
	if g.utf16 {
		if len(b)%2 != 0 {
			return at, failure(pos, ErrLength, "UTF-16 cannot have %s", plural(len(b)))
		}
		s, ok := fromUTF16(b, x.order)
		if !ok {
			return at, failure(pos, ErrUTF8, "the text is not valid UTF-16")
		}
		if g.limited && uint64(len(s)) > g.limit {
			return at, failure(pos, ErrLimit, "length %d exceeds the maximum %d", len(s), g.limit)
		}
		*mem.At[string](p) = s
		return next, nil
	}
	d.setText(x.node, p, pos, len(b))
	return next, nil
}

// measured returns the length of a string or []byte that a number says: a prefix, which it
// reads and passes, or an earlier number.
func (d *decoder) measured(x *detail, pos *int) (v uint64, known bool, err *Error) {
	n, g := x.node, &x.node.tag
	switch {
	case g.prefix != "" || g.count != "":
		var size int
		v, size, err = d.prefix(&x.num, *pos)
		*pos += size
	case n.sized != nil:
		v, err = d.length(n, *pos)
	case g.fixed < 0 && len(g.magic) == 0 && !g.cstring && g.until < 0 && n.countBefore() != nil:
		v, err = d.amount(n, *pos)
	default:
		return 0, false, nil
	}
	return v, true, err
}

// length returns the length that an earlier number gives the node. It is 0 if all
// numbers that could give one are absent.
func (d *decoder) length(n *node, pos int) (uint64, *Error) {
	for _, l := range n.lengths {
		if d.slots[l.num.place] != 0 {
			return l.length(uint64(d.slots[l.num.value]), pos)
		}
	}
	return 0, nil
}

// amount returns the number of elements that an earlier number gives the node. It
// is 0 if all numbers that could give one are absent.
func (d *decoder) amount(n *node, pos int) (uint64, *Error) {
	for _, l := range n.counts {
		if l.num.seq < n.seq && d.slots[l.num.place] != 0 {
			v := uint64(d.slots[l.amount])
			if l.isScaledCount() {
				return v, nil
			}
			return l.length(v, pos)
		}
	}
	return 0, nil
}

// prefix reads a length or count and returns its size. The caller compares it with what is
// left of the frame, in its own unit.
func (d *decoder) prefix(n *number, pos int) (v uint64, size int, err *Error) {
	if n.form == varintForm {
		return d.getVarint(n, pos)
	}
	size = int(n.width)
	if err := d.need(pos, size); err != nil {
		return 0, 0, err
	}
	return getFixed(d.data[pos:pos+size], n.order), size, nil
}

// raw sets a field to the bytes of a range, which have been decoded before. Copies count as
// work, because the ranges of a recursive type contain each other.
func (d *decoder) raw(o *op, pos int, p mem.Ptr) *Error {
	from, to := int(d.slots[o.x.node.raw.start]), int(d.slots[o.x.node.raw.stop])
	if !d.alias {
		if err := d.takeAgain(pos, to-from, o.n); err != nil {
			return err
		}
	}
	*mem.At[[]byte](p.Add(o.off)) = d.keep(d.data[from:to:to])
	return nil
}

// find returns the number of bytes before the terminator. In a stream it looks only at what
// has arrived since it looked last, so that a long text takes linear time.
func (d *decoder) find(x *detail, pos int) (int, *Error) {
	unit := x.unit()
	for n := 0; ; {
		from := min(pos+n, len(d.data))
		have := d.data[from:max(from, min(d.end, len(d.data)))]
		if i := x.terminator(have); i >= 0 {
			return n + i, nil
		}
		n += len(have) / unit * unit
		if n+unit > d.end-pos || d.source == nil {
			return 0, d.truncated(pos, "the text has no terminator in the %s left", plural(d.end-pos))
		}
		if err := d.need(pos, n+unit); err != nil {
			return 0, err
		}
	}
}

// rest returns the end of a field that takes what its frame leaves. The sizes of what
// follows are known by then, because analyze refuses other types. A stream has no end, so it
// is read up to its own.
func (d *decoder) rest(tail []size, pos int) (int, *Error) {
	if d.end == unbounded {
		if err := d.fillAll(); err != nil {
			return 0, err
		}
	}
	after, err := d.total(tail, pos)
	if err != nil {
		return 0, err
	}
	if after > uint64(d.end-pos) {
		return 0, d.truncated(pos, "the fields that follow need %s, but %s", errtext.Counted(after, "byte"), bytesAre(d.end-pos, "left"))
	}
	return d.end - int(after), nil
}

// total returns the sum of the sizes. It stays below a quarter of what an int64 holds, so
// that the caller can add and compare without overflow.
func (d *decoder) total(list []size, pos int) (sum uint64, err *Error) {
	for i := range list {
		s := &list[i]
		n := uint64(s.fixed)
		switch {
		case s.link != nil && d.slots[s.link.num.place] == 0, s.count != nil && d.slots[s.count.num.place] == 0:
			if n, err = d.total(s.inner, pos); err != nil {
				return 0, err
			}
		case s.link != nil:
			if n, err = s.link.length(uint64(d.slots[s.link.num.value]), pos); err != nil {
				return 0, err
			}
		case s.count != nil:
			k := uint64(d.slots[s.count.amount])
			if n > 0 && k > uint64(unbounded)/4/n {
				return 0, failure(pos, ErrLength, "count %d is out of range", k)
			}
			n *= k
		case s.conditions != nil || s.absent != nil:
			n = 0
			if allHold(s.conditions, d.slots) && (s.absent == nil || d.slots[s.absent.num.place] == 0) {
				if n, err = d.total(s.inner, pos); err != nil {
					return 0, err
				}
			}
		}
		if sum += n; sum > uint64(unbounded)/4 {
			return 0, failure(pos, ErrLength, "the fields that follow are too long")
		}
	}
	return sum, nil
}

// present reports whether the optional field is in the message. If it is not, present
// clears the variable, which may hold an old value, and forgets the numbers in the field,
// so that a length or condition that depends on them does not see those of an earlier
// element. It may read more data, because if=more asks whether there is any.
func (d *decoder) present(o *op, pos int, p mem.Ptr) (bool, *Error) {
	x := o.x
	present, err := allHold(x.node.conditions, d.slots), (*Error)(nil)
	if present && x.node.hasMore() {
		if present, err = d.more(x.node, pos); err != nil {
			return false, err
		}
	}
	if present {
		return true, nil
	}
	if !x.node.blank {
		mem.Value(x.node.typ, p.Add(o.off)).SetZero()
	}
	for _, s := range x.reset {
		d.slots[s] = 0
	}
	return false, nil
}

// more reports whether the frame of n has bytes left. In a stream whose end is not known, that
// takes an attempt to read one.
func (d *decoder) more(n *node, pos int) (bool, *Error) {
	if n.sized != nil {
		v, err := d.length(n, pos)
		return v > 0, err
	}
	if n.countBefore() != nil {
		if v, err := d.amount(n, pos); v > 0 || err != nil {
			return true, err // elements that the frame has no bytes for are an error
		}
	}
	if d.end == unbounded && pos >= len(d.data) {
		return d.another(pos)
	}
	return pos < d.end, nil
}

// takeRest returns the end of a value that takes what its frame leaves, and makes sure of the
// bytes.
func (d *decoder) takeRest(x *detail, pos int) (int, *Error) {
	end, err := d.rest(x.node.rest, pos)
	if err == nil {
		err = d.need(pos, end-pos)
	}
	return end, err
}

// unknown decodes an Unknown. Its tag was stored when the interface was set.
func (d *decoder) unknown(o *op, pos int, p mem.Ptr) (int, *Error) {
	end, err := d.takeRest(o.x, pos)
	if err != nil {
		return pos, err
	}
	mem.At[Unknown](p).Data = d.keep(d.data[pos:end:end])
	return end, nil
}

// user decodes a value of a type with methods. Its methods get a slice without capacity
// beyond the frame. Those of package encoding get a copy, because the values of one that
// kept the slice would change with the caller's data.
func (d *decoder) user(o *op, pos int, p mem.Ptr) (int, *Error) {
	u := o.x.node.user
	if u.binary {
		end, err := d.takeRest(o.x, pos)
		if err != nil {
			return pos, err
		}
		if _, err := u.decode(slices.Clone(d.data[pos:end]), p); err != nil {
			return pos, d.failedBy(pos, err)
		}
		return end, nil
	}
	if d.end == unbounded {
		return pos, cannotRead(o.x.node)
	}
	if err := d.need(pos, d.end-pos); err != nil {
		return pos, err
	}
	n, err := u.decode(d.data[pos:d.end:d.end], p)
	if err != nil {
		return pos, d.failedBy(pos, err)
	}
	return pos + n, nil
}
