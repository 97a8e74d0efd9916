package layout

import (
	"runtime"
	"slices"

	"github.com/octet-go/octet/internal/mem"
)

// An encoder is the state of encoding one message.
type encoder struct {
	buf       []byte // with what precedes the message
	start     int    // of the message
	slots     []int64
	firstSlot mem.Ptr // the first slot
	sums      []pendingSum
	depth     int
	follows   bool // something follows what is being encoded, in the same frame
	absent    int  // where a field with if=more was left out in this frame, or -1
	message   *message
	list      list // the slice whose elements are being encoded
}

// A pendingSum is a checksum that is computed when the message is complete.
type pendingSum struct {
	check           *check
	from, to, place int
	order           order
}

// fewSlots is how many slots are on the stack. Most types need fewer.
const fewSlots = 24

// encode appends a value to dst. On error it returns dst with its original length.
func (m *message) encode(dst []byte, v mem.Ptr) ([]byte, error) {
	if b := m.block; b != nil && cap(dst)-len(dst) >= b.EncodeRoom {
		n := len(dst)
		b.Encode.One(mem.Bytes(dst).Add(uintptr(n)), v)
		return dst[:n+b.EncodeRoom], nil
	}
	if m.fast != nil {
		if n, ok := m.fast.store(dst, v); ok {
			return dst[:n], nil
		}
	}
	if m.sums {
		return m.encodeSums(dst, v)
	}
	return m.encodeAny(dst, v)
}

// marshal returns a value in memory of its own. A simple message is encoded on the
// stack, which no user's method sees, so that only the result is allocated. Others
// begin in a buffer of the length that messages of the type have had.
func (m *message) marshal(v mem.Ptr) ([]byte, error) {
	if m.fast != nil {
		var buf [maxShort]byte
		b := mem.HideSlice(buf[:])
		n, ok := m.fast.store(b[:0], v)
		var out []byte
		if ok {
			out = slices.Clone(b[:n])
		}
		runtime.KeepAlive(&buf)
		if ok {
			return out, nil
		}
	}
	last := int(m.recent.Load())
	b, err := m.encode(make([]byte, 0, last), v)
	if err != nil {
		return nil, err
	}
	// The factor of two avoids a store in most calls: goroutines that encode the same
	// type would slow down each other.
	if n := len(b); n > last || n < last/2 {
		m.recent.Store(int64(n))
	}
	return b, nil
}

// maxShort is how many bytes of a simple message are on the stack. More would make
// every call clear more.
const maxShort = 256

// encodeAny is encode for all messages without checksums. It is not inlined, because
// its variables take time to clear.
//
//go:noinline
func (m *message) encodeAny(dst []byte, v mem.Ptr) ([]byte, error) {
	e := encoder{buf: dst, start: len(dst), depth: maxDepth, absent: -1, message: m}
	var few [fewSlots]int64
	e.slots = slotsOf(m, &few)
	b, err := e.all(v)
	runtime.KeepAlive(&few)
	return b, err
}

// encodeSums is encodeAny for messages with checksums, which also have room for the
// first of them on the stack.
//
//go:noinline
func (m *message) encodeSums(dst []byte, v mem.Ptr) ([]byte, error) {
	e := encoder{buf: dst, start: len(dst), depth: maxDepth, absent: -1, message: m}
	var few [fewSlots]int64
	var sums [4]pendingSum
	e.slots, e.sums = slotsOf(m, &few), mem.HideSlice(sums[:])[:0]
	b, err := e.all(v)
	runtime.KeepAlive(&few)
	runtime.KeepAlive(&sums)
	return b, err
}

// slotsOf returns the slots of a message: those on the stack, if they suffice. They
// are hidden from escape analysis, because only an encoder or decoder uses them. The
// caller keeps them alive.
func slotsOf(m *message, few *[fewSlots]int64) []int64 {
	if m.slots >= fewSlots {
		return make([]int64, m.slots+1)
	}
	return mem.HideSlice(few[:])
}

// all encodes the whole message.
func (e *encoder) all(v mem.Ptr) ([]byte, error) {
	m, dst := e.message, e.buf
	e.firstSlot = mem.SliceStart(e.slots)
	err := e.run(m.program, v)
	if err == nil && (len(e.sums) > 0 || e.absent >= 0) {
		err = e.finish()
	}
	if err == nil && m.limit > 0 && len(e.buf)-e.start > m.limit {
		err = failure(e.start, ErrLimit, "message of %d bytes exceeds the limit of %d", len(e.buf)-e.start, m.limit)
	}
	if err != nil {
		err.Offset -= int64(e.start)
		return dst, finish(m.name, err)
	}
	return e.buf, nil
}

// finish computes what depends on all bytes of the message.
func (e *encoder) finish() *Error {
	if e.absent >= 0 && len(e.buf) > e.absent {
		return failure(e.absent, ErrRange, "a field with if=more is zero and left out, but bytes follow it; give it a value")
	}
	slices.SortStableFunc(e.sums, func(a, b pendingSum) int { return a.check.rank - b.check.rank })
	for _, s := range e.sums {
		own, data := s.place-s.from, e.buf[s.from:s.to]
		if s.place < s.from || s.place >= s.to {
			own = -1
		}
		num := s.check.num.num
		num.order = s.order
		if err := e.patch(&num, s.place, s.check.sum(data, own, int(num.width))); err != nil {
			return under(s.check.num.fieldPath(), err)
		}
	}
	return nil
}

// run encodes the value at p. store executes the usual operations, and run those at
// which store stops.
func (e *encoder) run(g *program, p mem.Ptr) *Error {
	saved := e.list.op
	if saved != nil {
		outer := e.list
		e.list.op = nil
		err := e.run(g, p)
		e.list = outer
		return err
	}
	o := &g.out[0]
	for {
		var n int
		o, n, p = store(o, mem.Bytes(e.buf), len(e.buf), cap(e.buf), p, e)
		e.buf = e.buf[:n]
		var err *Error
		switch o.code {
		case opEnd:
			return nil
		case opRoom:
			e.buf = slices.Grow(e.buf, int(o.n))
		case opConst1, opConst2, opConst4:
			err = o.notConstant(n, p)
		case opLength:
			size := mem.At[mem.TextHeader](p.Add(uintptr(uint32(o.imm)))).Len
			err = failure(n, ErrLength, "%d does not fit %s", size, o.x.num.describe())
		case opTemplate:
			err = e.template(o, p)
		case opText, opPlain, opMeasured:
			err = e.text(o, p)
		case opBitRun:
			err = o.x.tooWide(p, n)
		case opPatch:
			err = e.derive(o)
		case opList: // in an element of another list
			first, left := mem.SliceAt(p.Add(o.off))
			err = e.elements(o.x, first, left)
		default:
			var skip int
			skip, err = e.step(o, p)
			for range skip {
				o = mem.Next(o)
			}
		}
		if err != nil {
			return e.list.failed(o, err)
		}
		o = mem.Next(o)
	}
}

// text writes a string or []byte, after its prefix or the number that measures it,
// and makes room for what follows.
func (e *encoder) text(o *op, p mem.Ptr) *Error {
	h := mem.At[mem.TextHeader](p.Add(o.off))
	n := len(e.buf)
	if o.width > 0 {
		if uint64(h.Len)>>(8*o.width) != 0 {
			return failure(n, ErrLength, "length %d does not fit %s", h.Len, o.x.num.describe())
		}
		e.buf = slices.Grow(e.buf, int(o.width)+h.Len+int(o.n))[:n+int(o.width)]
		storeLength(mem.Bytes(e.buf), n, o, uint64(h.Len))
	}
	if uint64(h.Len) > o.imm {
		err := failure(n, ErrLimit, "length %d exceeds the maximum %d", h.Len, o.imm)
		if o.code == opMeasured {
			err.Offset = int64(len(e.buf))
			err.other = o.x.name
		}
		return err
	}
	e.buf = append(e.buf, mem.Slice(h.Data, h.Len)...)
	e.buf = slices.Grow(e.buf, int(o.n))
	return nil
}

// notConstant returns the error for a number that is not its constant.
func (o *op) notConstant(n int, p mem.Ptr) *Error {
	return o.x.num.notConstant(o.x.num.load(p.Add(o.off)), n)
}

// step executes an operation that run does not execute itself. It returns how many of
// the following operations to skip.
func (e *encoder) step(o *op, p mem.Ptr) (skip int, err *Error) {
	switch o.code {
	case opNumber:
		err = e.number(o, p)
	case opBlock:
		at := len(e.buf)
		e.buf = e.buf[:at+int(o.n)]
		o.x.plan.EncodeOne(mem.Bytes(e.buf).Add(uintptr(at)), p.Add(o.off))
	case opBits:
		err = e.bits(o, p)
	case opMagic:
		err = e.magic(o, p)
	case opSpace:
		at := len(e.buf)
		e.buf = e.buf[:at+int(o.n)]
		clear(e.buf[at:])
	case opVarint:
		err = e.varint(o, p)
	case opAlign:
		for (len(e.buf)-e.start)%int(o.n) != 0 {
			e.buf = append(e.buf, 0)
		}
	case opBytes:
		err = e.bytes(o, p.Add(o.off))
	case opSlice, opCall, opUnion:
		follows := e.follows
		e.follows = follows || e.later(o.x.later, p)
		switch o.code {
		case opSlice:
			err = e.slice(o, p.Add(o.off))
		case opCall:
			err = e.call(o, p.Add(o.off))
		default:
			err = e.union(o, p.Add(o.off))
		}
		e.follows = follows
	case opArray:
		err = e.elements(o.x, p.Add(o.off), int(o.n))
	case opFrame:
		err = e.frame(o, p)
	case opUnknown:
		e.buf = append(e.buf, mem.At[Unknown](p.Add(o.off)).Data...)
	case opUser:
		err = e.user(o, p.Add(o.off))
	case opRaw, opEnter:
	case opIf:
		var present bool
		if present, err = e.present(o, p); !present {
			skip = int(o.n)
		}
	case opOrder:
		switch o.x.node.orderOfValue(uint64(e.slots[o.x.node.value])) {
		case big:
			err = e.run(o.x.sub, p)
		case little:
			err = e.run(o.x.alt, p)
		default:
			err = failure(len(e.buf), ErrConst, "%s does not name a byte order", o.x.node.name)
		}
	case opBegin:
		e.slots[o.x.of.start] = int64(len(e.buf))
	case opFinish:
		e.slots[o.x.of.stop] = int64(len(e.buf))
	case opDerive:
		err = e.derive(o)
	case opSum:
		e.addSum(o.x.sum)
	}
	return skip, err
}

// orderOfValue returns the order that a constant of the number names.
func (n *node) orderOfValue(v uint64) order {
	for _, c := range n.num.constants {
		if c.value == v {
			return c.order
		}
	}
	return noOrder
}

// value returns the value of a number to write. If the number is computed from
// what follows, it is 0.
func (e *encoder) value(x *detail, p mem.Ptr, off uintptr) (v uint64, err *Error) {
	n := x.node
	if len(n.links) > 0 || n.sum != nil || len(n.unions) > 0 {
		return e.derived(x, p, off)
	}
	v = x.num.load(p.Add(off))
	if c := x.num.constants; len(c) > 0 {
		if v, err = x.num.constant(v, len(e.buf)); err != nil {
			return 0, err
		}
	}
	if x.num.limited && x.num.exceeds(v) {
		return 0, failure(len(e.buf), ErrLimit, "%s exceeds the maximum %d", x.num.text(v), x.num.limit)
	}
	return v, nil
}

// constant returns the constant that v is, or the first one if v is 0.
func (n *number) constant(v uint64, pos int) (uint64, *Error) {
	for _, c := range n.constants {
		if c.value == v {
			return v, nil
		}
	}
	if v == 0 {
		return n.constants[0].value, nil
	}
	return 0, n.notConstant(v, pos)
}

func (e *encoder) varint(o *op, p mem.Ptr) *Error {
	x := o.x
	v, err := e.value(x, p, o.off)
	if err != nil {
		return err
	}
	at := len(e.buf)
	w, ok := x.num.toWire(v)
	if !ok {
		return failure(at, ErrRange, "%s does not fit %s", x.num.text(v), x.num.describe())
	}
	e.buf = x.num.appendVarint(e.buf, w)
	e.record(x, v, at)
	return nil
}

func (e *encoder) bits(o *op, p mem.Ptr) *Error {
	at := len(e.buf)
	e.buf = e.buf[:at+int(o.n)]
	var run uint64
	for i := range o.x.bits {
		f := &o.x.bits[i]
		v, err := e.value(f.detail, p, f.off)
		if err == nil {
			if w, ok := f.num.toWire(v); ok {
				run |= w << (64 - f.num.width) >> (64 - f.num.width - f.shift)
			} else {
				err = failure(at, ErrRange, "%s does not fit %s", f.num.text(v), f.num.describe())
			}
		}
		if err != nil {
			return under(f.path, err)
		}
		e.record(f.detail, v, at)
	}
	putFixed(e.buf[at:], run, o.x.order)
	return nil
}
