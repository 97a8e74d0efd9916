package msgpack

import (
	"math"
	"sync"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

func (c *plans) marshal(v any) ([]byte, error) {
	mem.EscapeBelow(v) // users' methods are given copies of it
	p, data := c.of(v)
	if p == nil {
		return wire.AppendNil(nil), nil
	}
	if p.first != nil && p.room <= maxFlat && !data.IsNil() {
		if p.first.isText() {
			if s := *mem.At[string](data); len(s) > shortString && uint64(len(s)) <= math.MaxUint32 {
				return wire.AppendString(emptyFor(len(s)+maxStrHeader), s), nil
			}
		}
		if b := marshalFlat(p.first, data); b != nil {
			return b, nil
		}
	}
	var b []byte
	var err error
	if last := p.long.Load(); last > 0 {
		b, err = p.marshalLong(data, c.depth, int(last))
	} else {
		b, err = p.marshalShort(data, c.depth)
	}
	if err != nil {
		return nil, c.withType(err, p.typ)
	}
	if c.guard.on {
		if err = c.checkOutput(&c.guard, b); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// marshalFlat encodes a value if that takes no calls and little room, which
// store knows beforehand; otherwise it returns nil.
func marshalFlat(first *step, v mem.Ptr) []byte {
	var buf [maxFlat]byte
	n, s, found := store(first, mem.Hide(mem.PtrTo(&buf[0])), 0, v)
	if s.put != putEnd {
		return nil
	}
	buf[0] += byte(found) // to the header, see program.encode
	b := buf[:n]
	out := make([]byte, len(b))
	copy(out, b)
	return out
}

// marshalShort encodes a value on the stack, and so spends an allocation on the
// result only.
func (p *plan) marshalShort(v mem.Ptr, depth int) ([]byte, error) {
	var buf [maxShort]byte
	b, err := p.encodeRoot(mem.Slice(mem.Hide(mem.PtrTo(&buf[0])), maxShort)[:0], v, depth)
	if err != nil {
		return nil, err
	}
	if len(b) > maxShort {
		p.long.Store(int64(len(b)))
		return trimmed(b), nil // it has been moved to the heap
	}
	out := make([]byte, len(b))
	copy(out, b)
	return out, nil
}

// marshalLong is for types of which values have been long. last is how long one
// was, which decides where to encode the next: up to maxScratch in a buffer from
// the pool, beyond that in the result itself, too long to be copied. A slice may
// have fewer elements this time, and soon tells how long it is: see growth.
func (p *plan) marshalLong(v mem.Ptr, depth, last int) ([]byte, error) {
	var s *scratch
	var b []byte
	room := last + last/8
	if room > maxScratch && p.isList() {
		room = maxScratch / 16
	}
	if room <= maxScratch {
		s = scratchPool.Get().(*scratch)
		if cap(s.buf) < room { // else append would overshoot what the pool keeps
			s.buf = make([]byte, 0, room)
		}
		b = s.buf[:0]
	} else {
		b = mem.Uncleared(room)
	}
	b, err := p.encodeRoot(b, v, depth)
	n := len(b)
	own := s == nil || cap(b) != cap(s.buf) && cap(b) > maxScratch
	if s != nil {
		defer s.put(b)
	}
	switch {
	case err != nil:
		return nil, err
	case n < maxShort/2:
		p.long.Store(0)
	case n > last || n < last/2:
		p.long.Store(int64(n))
	}
	if own {
		return trimmed(b), nil
	}
	out := make([]byte, n)
	copy(out, b)
	return out, nil
}

// isList reports whether p is for a slice, or for a pointer to one.
func (p *plan) isList() bool {
	return p.get == getList || p.elem != nil && p.elem.get == getList
}

// trimmed returns b without the room behind it, which may hold what others have
// left. A copy is made if that wastes less memory.
func trimmed(b []byte) []byte {
	n := len(b)
	if cap(b)-n <= n/4 {
		return b[:n:n]
	}
	out := make([]byte, n)
	copy(out, b)
	return out
}

// emptyFor returns an empty slice with room for n bytes, which are not cleared if
// they are many.
func emptyFor(n int) []byte {
	if n < minGrowth {
		return make([]byte, 0, n)
	}
	return mem.Uncleared(n)
}

func (c *plans) marshalAppend(dst []byte, v any) ([]byte, error) {
	mem.EscapeBelow(v) // users' methods are given copies of it
	p, data := c.of(v)
	if p == nil {
		return wire.AppendNil(dst), nil
	}
	if p.first != nil && cap(dst)-len(dst) >= p.room && !data.IsNil() {
		return p.appendFlat(dst, data, c)
	}
	return p.appendRoot(dst, data, c)
}

// appendFlat appends a value of which store does all or nearly all. dst has the
// room that p.first asks for.
func (p *plan) appendFlat(dst []byte, v mem.Ptr, c *plans) ([]byte, error) {
	start := len(dst)
	n, s, found := store(p.first, mem.Bytes(dst), start, v)
	if s.put != putEnd {
		return p.finish(dst, dst[:n], s, found, v, c)
	}
	dst = dst[:n]
	dst[start] += byte(found) // to the header, see program.encode
	return dst, nil
}

// finish goes on where store has stopped, at s. b is dst with what it has written.
func (p *plan) finish(dst, b []byte, s *step, found int, v mem.Ptr, c *plans) ([]byte, error) {
	b, err := p.root.finish(b, len(dst), s, found, v, c.depth)
	if err != nil {
		return dst, c.withType(err, p.typ)
	}
	clearRest(b, dst)
	return b, nil
}

// appendRoot appends any value. An error leaves dst as it was.
func (p *plan) appendRoot(dst []byte, v mem.Ptr, c *plans) ([]byte, error) {
	b, err := p.encodeRoot(dst, v, c.depth)
	if err != nil {
		return dst, c.withType(err, p.typ)
	}
	if c.guard.on {
		if err = c.checkOutput(&c.guard, b[len(dst):]); err != nil {
			return dst, err
		}
	}
	clearRest(b, dst)
	return b, nil
}

// A scratch is where Marshal encodes long values before it knows the length, and
// where users' methods append.
type scratch struct{ buf []byte }

const (
	maxShort = 512 // bytes that Marshal encodes on the stack
	maxFlat  = 256 // the same where it knows the struct
)

// maxScratch bounds what one pooled buffer keeps.
const maxScratch = 1 << 20

var scratchPool = sync.Pool{New: func() any { return &scratch{make([]byte, 0, 1024)} }}

// put gives s back to the pool with b, its buffer as it has grown.
func (s *scratch) put(b []byte) {
	if cap(b) <= maxScratch {
		s.buf = b[:0]
	}
	scratchPool.Put(s)
}
