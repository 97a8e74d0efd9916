package layout

import (
	"slices"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/mem"
)

// exit executes an operation at which the loop stopped, because it needs a call or more
// room, or because something is wrong. It returns the operation and the variable with
// which the loop goes on. It does every operation from its beginning and then makes
// room for the run that follows, because the loop writes without a check.
func (e *encoder) exit(o *op, p mem.Ptr) (next *op, q mem.Ptr, err *Error) {
	next, q = mem.Next(o), p
	switch o.code {
	case opSeq, opEach:
		first, n := p.Add(o.off), int(o.n)
		if o.code != opEach {
			first, n, err = e.counted(o, p)
		}
		if n == 0 {
			next = mem.Skip(o, int(o.to))
		} else {
			q, *e.level(o) = first, level{outer: p, left: n}
			e.slots[o.slot] = int64(len(e.buf))
		}
	case opNext:
		next, q = e.next(o, p)
	case opNextSome:
		if err = e.isElement(o.x, int(e.slots[o.slot]), o.x.end, e.index(o.x)); err == nil {
			next, q = e.next(o, p)
		}
	case opDeref:
		if q = p.Add(o.off).Deref(); q.IsNil() {
			if !e.ending {
				err = nilPointer(len(e.buf), o.x.node)
			}
			q = o.x.makers[0].one()
		}
		e.level(o).outer = p
	case opIf:
		var present bool
		if present, err = e.present(o, p); !present {
			return mem.Skip(o, int(o.to)), p, e.located(o.x, err)
		}
	case opOrder:
		next, err = o.chosen(uint64(e.slots[o.x.node.value]), len(e.buf))
	case opUnion:
		next, q, err = e.union(o, p)
	default:
		err = e.step(o, p)
	}
	if err != nil {
		return nil, p, e.located(o.x, err)
	}
	e.buf = slices.Grow(e.buf, int(o.after))
	return next, q, nil
}

// nilPointer returns the error for a nil pointer at a place of the message.
func nilPointer(pos int, n *node) *Error {
	if n.embedded != "" {
		return failure(pos, ErrRange, "embedded pointer %s is nil", n.embedded)
	}
	return failure(pos, ErrRange, "nil pointer")
}

// step executes an operation that changes neither the variable nor the order of the
// operations.
func (e *encoder) step(o *op, p mem.Ptr) (err *Error) {
	switch o.code {
	case opRoom, opOpen:
	case opNumber, opDigits, opVarint:
		err = e.number(o, p)
	case opWord:
		if o.x.joined == nil { // constant bytes
			e.buf = e.buf[:len(e.buf)+int(o.width)]
			putFixed(e.buf[len(e.buf)-int(o.width):], o.imm, o.x.order)
		}
		err = e.joined(o.x, p)
	case opCopy1, opCopy2, opCopy4, opCopy8, opSwap2, opSwap4, opSwap8: // of a word
		order := native
		if o.isSwap() {
			order = big + little - native
		}
		e.buf = e.buf[:len(e.buf)+int(o.width)]
		putFixed(e.buf[len(e.buf)-int(o.width):], loadUint(p.Add(o.off), o.width), order)
	case opBits:
		err = e.bits(o, p)
	case opMagic:
		err = e.magic(o, p)
	case opSpace:
		at := len(e.buf)
		e.buf = e.buf[:at+int(o.n)]
		clear(e.buf[at:])
	case opAlign:
		for (len(e.buf)-e.start)%int(o.n) != 0 {
			e.buf = append(e.buf, 0)
		}
	case opBytes, opText, opEnded, opFixed:
		err = e.bytes(o, p.Add(o.off))
	case opItems:
		err = e.items(o, p)
	case opSeqZero:
		err = e.toZero(o, p)
	case opCall:
		err = e.call(o.x.list, p.Add(o.off), int(o.n)+1, e.message.more && e.isFollowed(o.x))
	case opFrame:
		err = e.frame(o, p)
	case opClose:
		err = e.close(o)
	case opUnknown:
		e.buf = append(e.buf, mem.At[Unknown](p.Add(o.off)).Data...)
	case opUser:
		err = e.user(o, p.Add(o.off))
	case opDerive, opPatch:
		err = e.derive(o)
	case opBegin:
		e.slots[o.n], e.slots[o.slot], e.absent = int64(len(e.buf)), int64(e.absent-1), 0
	case opFinish:
		err = e.checkAbsent()
		e.slots[o.n], e.absent = int64(len(e.buf)), int(e.slots[o.slot])+1
	}
	return err
}

// close writes the length before a frame that the loop could not write: it does not fit,
// or it is a varint that may take more than the byte before the frame.
func (e *encoder) close(o *op) *Error {
	at, num := int(e.slots[o.slot]), &o.x.num
	n := uint64(len(e.buf) - at)
	if num.form != varintForm {
		return failure(at-int(o.width), ErrLength, "length %d does not fit %s", n, num.describe())
	}
	e.insert(at, varintLen(n)-1)
	num.appendVarint(e.buf[at-1:at-1], n)
	return nil
}

// level returns the level of an operation.
func (e *encoder) level(o *op) *level { return levelAt(e.levels, o.level) }

// located completes the path of an error of the operation that x belongs to: with its
// own path, then with the indexes and paths of what is around it in this list. It stops
// at the beginning of the list; what called the list adds the rest.
func (e *encoder) located(x *detail, err *Error) *Error {
	if err == nil || x == nil {
		return err
	}
	err = under(x.path, err)
	for x = x.outer; x != nil; x = x.outer {
		switch x.opens {
		case opSeq, opEach:
			err = underIndex(e.index(x), err)
		}
		err = under(x.path, err)
	}
	return err
}

// index returns the index of the element that is being encoded.
func (e *encoder) index(x *detail) int {
	s := levelAt(e.levels, x.level)
	return x.node.count(s.outer.Add(x.off)) - s.left
}

// count returns the number of elements of the slice or array at p.
func (n *node) count(p mem.Ptr) int {
	if n.kind == arrayNode {
		return n.typ.Len()
	}
	_, k := mem.SliceAt(p)
	return k
}

// isFollowed reports whether something follows the operation that x belongs to in its
// frame, although not in the same struct: an element, or a field of a struct around. A
// field with if=more needs to know it: it may be left out only at the end of what there
// is.
func (e *encoder) isFollowed(x *detail) bool {
	closed := x.closed
	for x = x.outer; x != nil && !closed; x = x.outer {
		if x.opens == opFrame {
			return false
		}
		s := levelAt(e.levels, x.level)
		more := false
		switch x.opens {
		case opSeq, opEach:
			more = x.must || s.left > 1
		case opDeref, opUnion:
			more = x.must
		}
		if more || e.later(x.later, s.outer) {
			return true
		}
		closed = x.closed
	}
	return e.follows && !closed
}

// counted writes what precedes the elements of a slice, and returns the first one and
// their number. A slice of the wrong length for fixed=n is an error, and neither cut
// off nor filled up.
func (e *encoder) counted(o *op, p mem.Ptr) (first mem.Ptr, n int, err *Error) {
	x, g := o.x, &o.x.node.tag
	first, n = mem.SliceAt(p.Add(o.off))
	at := len(e.buf)
	if g.limited && uint64(n) > g.limit {
		return first, n, failure(at, ErrLimit, "the number of elements %d exceeds the maximum %d", n, g.limit)
	}
	if x.node.amount != 0 {
		e.slots[x.node.amount] = int64(n)
	}
	switch {
	case g.count != "":
		if !x.num.fitsWire(uint64(n)) {
			return first, n, failure(at, ErrLength, "%s cannot fit %s", errtext.Counted(n, "element"), x.num.describe())
		}
		e.buf = x.num.appendTo(e.buf, uint64(n))
	case g.fixed >= 0 && n != g.fixed:
		return first, n, failure(at, ErrLength, "%s, want %d", errtext.Counted(n, "element"), g.fixed)
	}
	return first, n, nil
}

// next goes on to the next element, or leaves the slice.
func (e *encoder) next(o *op, p mem.Ptr) (*op, mem.Ptr) {
	s := e.level(o)
	if s.left == 1 {
		return mem.Next(o), s.outer
	}
	s.left--
	e.slots[o.slot] = int64(len(e.buf))
	return mem.Skip(o, int(o.to)), p.Add(uintptr(o.imm))
}

// isElement returns an error if the bytes from start on cannot be those of element i,
// because they are equal to end: there are none, or they say that the slice ends.
func (e *encoder) isElement(x *detail, start int, end string, i int) *Error {
	switch {
	case string(e.buf[start:]) != end:
		return nil
	case x.node.tag.toZero:
		return underIndex(i, failure(start, ErrRange, "the element is zero, which ends the slice"))
	}
	return underIndex(i, failure(start, ErrLength, "an element of a slice must take at least one byte"))
}

// items encodes elements that are only moved. One call of the block encodes them all,
// with vectors where there are many.
func (e *encoder) items(o *op, p mem.Ptr) (err *Error) {
	plan := o.x.plan
	first, n := p.Add(o.off), int(o.n)
	if o.x.node.kind == sliceNode {
		if first, n, err = e.counted(o, p); err != nil {
			return err
		}
	}
	at, size := len(e.buf), n*plan.Size
	e.buf = slices.Grow(e.buf, size+int(o.after))[:at+size]
	if n > 0 {
		plan.EncodeAll(mem.Bytes(e.buf).Add(uintptr(at)), first, n)
	}
	return nil
}

// toZero encodes a slice with until=zero whose zero element may depend on what is around it.
// The zero element, with which the others are compared, is encoded first and removed again: once,
// or before each element if zeros for alignment make it depend on its place. Bytes are compared
// rather than values, because a field that is computed can make a zero element differ from zero
// bytes.
func (e *encoder) toZero(o *op, p mem.Ptr) *Error {
	x, zero := o.x, ""
	first, n, err := e.counted(o, p)
	follows := e.later(x.later, p) || e.isFollowed(x)
	for i := 0; i <= n && err == nil; i++ {
		at := len(e.buf)
		e.slots[o.slot] = int64(at)
		if i == 0 || x.aligned {
			outer := e.ending
			e.ending = true
			if err := e.call(x.list, x.zero, 0, follows); err != nil {
				return underIndex(n, err)
			}
			e.ending = outer
			zero, e.buf = string(e.buf[at:]), e.buf[:at]
		}
		if i == n {
			e.buf = append(e.buf, zero...)
		} else if err = e.call(x.list, first.Add(uintptr(i)*x.typ.Size()), 0, follows); err != nil {
			err = underIndex(i, err)
		} else {
			err = e.isElement(x, int(e.slots[o.slot]), zero, i)
		}
	}
	return err
}

// call runs a list of its own: that of a recursive struct, of an element, or of what is nested
// more deeply than a list has levels. A call of a recursive struct has its own slots, and counts for so many
// levels. After an error the slots remain as they are: the message is given up.
func (e *encoder) call(f *flat, p mem.Ptr, levels int, follows bool) (err *Error) {
	outer := e.follows
	e.follows = follows
	switch {
	case !f.recursive:
		err = e.inner(f, p)
	case e.calls+levels > maxDepth:
		return failure(len(e.buf), ErrDepth, "nested more than %d deep", maxDepth)
	default:
		e.calls += levels
		slots := e.slots[:e.message.slots+1]
		var room [someSlots]int64 // on the stack
		saved := room[:copy(room[:], slots)]
		many := len(slots) > len(room) || e.message.outward
		if many {
			e.rare.saved = append(e.rare.saved, slots...)
		}
		if err = e.inner(f, p); err == nil {
			if many {
				saved = e.rare.saved[len(e.rare.saved)-len(slots):]
				e.rare.saved = e.rare.saved[:len(e.rare.saved)-len(slots)]
			}
			copy(slots, saved)
		}
		e.calls -= levels
	}
	e.follows = outer
	return err
}

// joined executes the operations that one operation does at once. The loop tests all of
// them at once and so cannot say which one is wrong; one by one, each makes its own
// error.
func (e *encoder) joined(x *detail, p mem.Ptr) *Error {
	for i := range x.joined {
		if err := e.step(&x.joined[i], p); err != nil {
			return under(x.joined[i].x.path, err)
		}
	}
	return nil
}
