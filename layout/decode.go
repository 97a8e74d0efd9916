package layout

import (
	"math"
	"runtime"

	"github.com/octet-go/octet/internal/mem"
)

// A decoder is the state of decoding one message.
type decoder struct {
	data      []byte
	end       int // of the frame that is being decoded
	slots     []int64
	depth     int
	alias     bool
	source    *source // where more data comes from, or nil
	message   *message
	list      list // the slice whose elements are being decoded
	firstSlot mem.Ptr
}

// unbounded is the end of a message whose length is not known.
const unbounded = math.MaxInt

// decode decodes the message at the start of data.
func (m *message) decode(data []byte, v mem.Ptr) (int, error) {
	if b := m.block; b != nil && len(data) >= b.DecodeRoom {
		b.Decode.One(v, mem.Bytes(data))
		return b.DecodeRoom, nil
	}
	if m.fast != nil {
		if n, ok := m.fast.load(data, v); ok {
			return n, nil
		}
	}
	return m.decodeAny(data, v)
}

// decodeAny is decode for all messages. It is not inlined, because its variables take
// time to clear.
//
//go:noinline
func (m *message) decodeAny(data []byte, v mem.Ptr) (int, error) {
	d := decoder{data: data, end: len(data), depth: maxDepth, alias: m.alias, message: m}
	var few [fewSlots]int64
	d.slots = slotsOf(m, &few)
	n, err := d.all(v)
	runtime.KeepAlive(&few)
	if err != nil {
		err.empty = len(data) == 0 && isShort(err.Err)
		return 0, err
	}
	return n, nil
}

// all decodes the whole message.
func (d *decoder) all(v mem.Ptr) (int, *Error) {
	m := d.message
	d.firstSlot = mem.SliceStart(d.slots)
	n, err := d.run(m.program, 0, v)
	if err == nil && m.limit > 0 && n > m.limit {
		// The end of the frame is that of the data: the limit does not shorten a field
		// that takes the rest.
		err = failure(m.limit, ErrLimit, "the message has %d bytes, which exceeds the limit of %d", n, m.limit)
	}
	if err == nil {
		return n, nil
	}
	if err.frameEnd >= 0 {
		err.Text += " in the message"
	}
	return n, finish(m.name, err)
}

// short returns the error for a field that needs more bytes than its frame has.
func (d *decoder) short(pos, n int) *Error {
	if d.end == unbounded {
		return d.source.tooLong(pos)
	}
	err := failure(pos, ErrTruncated, "%s, which exceeds the %s left", needed(n), plural(d.end-pos))
	err.frameEnd = d.end
	return err
}

// tooLong is like short for a length that the message states.
func (d *decoder) tooLong(pos int, n uint64) *Error {
	if d.end == unbounded {
		return d.source.tooLong(pos)
	}
	err := failure(pos, ErrTruncated, "length %d exceeds the %s left", n, plural(d.end-pos))
	err.frameEnd = d.end
	return err
}

// inFrame completes an error about the end of the frame that is called name.
func inFrame(err *Error, end int, name string) *Error {
	if err.frameEnd == end && end >= 0 {
		err.frameEnd = -1
		err.Text += " in " + name
		if err.Err == ErrTruncated {
			err.Err = ErrLength
		}
	}
	return err
}

// need checks that there are n bytes at pos, and reads them from a stream.
func (d *decoder) need(pos, n int) *Error {
	switch {
	case n > d.end-pos:
		return d.short(pos, n)
	case n > len(d.data)-pos:
		return d.fill(pos, n)
	}
	return nil
}

// step executes an operation that run does not execute itself. It returns where the
// value ends, and how many of the following operations to skip.
func (d *decoder) step(o *op, pos int, p mem.Ptr) (next, skip int, err *Error) {
	switch o.code {
	case opNumber, opPlace:
		pos, err = d.fixed(o, pos, p)
	case opBits:
		pos, err = d.bits(o, pos, p)
	case opMagic:
		err = d.magic(o, pos, p)
		pos += int(o.n)
	case opSpace:
		pos += int(o.n)
	case opVarint:
		pos, err = d.varint(o, pos, p)
	case opAlign:
		n := int(o.n)
		n = (n - pos%n) % n
		if err = d.need(pos, n); err == nil {
			pos += n
		}
	case opBytes:
		pos, err = d.bytes(o, pos, p.Add(o.off))
	case opSlice:
		pos, err = d.slice(o, pos, p.Add(o.off))
	case opArray:
		pos, err = d.elements(o.x, pos, p.Add(o.off), int(o.n))
	case opCall:
		pos, err = d.call(o, pos, p.Add(o.off))
	case opFrame:
		pos, err = d.frame(o, pos, p)
	case opUnion:
		pos, err = d.union(o, pos, p.Add(o.off))
	case opUnknown:
		pos, err = d.unknown(o, pos, p.Add(o.off))
	case opUser:
		pos, err = d.user(o, pos, p.Add(o.off))
	case opRaw:
		from, to := int(d.slots[o.x.node.raw.start]), int(d.slots[o.x.node.raw.stop])
		*mem.At[[]byte](p.Add(o.off)) = d.keep(d.data[from:to:to])
	case opIf:
		var present bool
		if present, err = d.present(o, pos, p); !present {
			skip = int(o.n)
		}
	case opOrder:
		pos, err = d.ordered(o, pos, p)
	case opEnter:
		d.slots[o.x.reset[0]] = int64(d.end)
		for _, l := range o.x.links {
			d.slots[l.bound] = unbounded
		}
	case opBegin:
		err = d.begin(o, pos)
	case opFinish:
		err = d.finish(o, pos)
	case opDerive, opPatch:
		err = d.compare(o, pos)
	case opSum:
		err = d.verify(o, pos)
	}
	return pos, skip, err
}

// ordered decodes fields in the byte order that an earlier one chose.
func (d *decoder) ordered(o *op, pos int, p mem.Ptr) (int, *Error) {
	switch o.x.node.orderOfValue(uint64(d.slots[o.x.node.value])) {
	case big:
		return d.run(o.x.sub, pos, p)
	case little:
		return d.run(o.x.alt, pos, p)
	}
	return pos, failure(pos, ErrConst, "%s does not name a byte order", o.x.node.name)
}

// inExtents completes an error about the end of a range of fields in this program.
func (g *program) inExtents(d *decoder, err *Error) *Error {
	if err.frameEnd < 0 {
		return err
	}
	for i := range g.ops {
		if o := &g.ops[i]; o.code == opEnter {
			for _, l := range o.x.links {
				if d.slots[l.bound] == int64(err.frameEnd) {
					err = inFrame(err, err.frameEnd, "the fields that "+l.num.name+" measures")
				}
			}
		}
	}
	return err
}

// room checks that the frame has the bytes of a run.
func (d *decoder) room(o *op, pos int) *Error {
	n := int(o.n)
	if n <= d.end-pos {
		err := d.fill(pos, n)
		if err == nil {
			return nil
		}
		return o.x.locateError(err, pos, len(d.data))
	}
	if d.end > len(d.data) {
		if err := d.fill(pos, d.end-pos); err != nil {
			return o.x.locateError(err, pos, len(d.data))
		}
	}
	return o.x.locateError(d.short(pos, n), pos, d.end)
}

// locateError gives an error the path and offset of the first field of the run that
// is not complete.
func (x *detail) locateError(err *Error, pos, end int) *Error {
	from := pos
	for _, f := range x.fields {
		if to := pos + f.end; to > end {
			if err.frameEnd >= 0 {
				short := failure(from, err.Err, "%s, which exceeds the %s left", needed(to-from), plural(max(0, end-from)))
				short.frameEnd = err.frameEnd
				err = short
			}
			err.Offset = int64(from)
			return under(f.path, err)
		} else {
			from = to
		}
	}
	return err
}
