package msgpack

import (
	"runtime"
	"sync"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// marshal is [Marshal].
func (c *plans) marshal(v any) ([]byte, error) {
	mem.EscapeBelow(v) // users' methods receive copies of v, but with its pointers
	w, data := mem.HideAny(v)
	p := c.table.Home(w)
	if p == nil || p.word != w {
		p = c.table.Get(w)
	}
	if p != nil && p.target != nil {
		// The first case of marshalAt is written out here, because a call takes time.
		if p = p.target; p.begin == nil || p.long.Load() > maxTiny {
			if p.generated != nil {
				if b, ok := p.generated.marshalTiny(p, data); ok {
					return b, nil
				}
			}
			return p.marshalAt(data, 0)
		}
		b, err := marshalShort[[maxTiny]byte](p, data, 0)
		if err != nil {
			return nil, c.withType(err, p.typ)
		}
		return b, nil
	}
	return c.marshalOther(v)
}

// marshalOther is marshal without the assumptions that the plan is the first with its
// hash and that the data word of v is an address. It is a function of its own, because
// its variables would take memory and time in marshal.
func (c *plans) marshalOther(v any) ([]byte, error) {
	p, data := c.orDefault().of(v)
	switch {
	case p == nil: // v is a nil interface
		return wire.AppendNil(nil), nil
	case p.target != nil:
		return p.target.marshalAt(data, 0)
	}
	word := p.heapWord(data)
	b, err := p.marshalAt(mem.Hide(mem.PtrTo(&word)), 0)
	runtime.KeepAlive(&word)
	return b, err
}

// marshalAt encodes the value at v, which may be nil. The length of an earlier value of
// the type decides where: on the stack, so that only the result is allocated, or see
// marshalLong. A result that is copied gets spare bytes of free capacity.
func (p *plan) marshalAt(v mem.Ptr, spare int) (b []byte, err error) {
	switch last := p.long.Load(); {
	case fast && last <= maxTiny:
		b, err = marshalShort[[maxTiny]byte](p, v, spare)
	case fast && last <= maxMedium:
		b, err = marshalShort[[maxMedium]byte](p, v, spare)
	case last <= maxShort:
		b, err = marshalShort[[maxShort]byte](p, v, spare)
	default:
		b, err = p.marshalLong(v, int(last), spare)
	}
	c := p.plans
	if err != nil {
		return nil, c.withType(err, p.typ)
	}
	if c.guard.on { // the Options check every message
		if err = c.checkOutput(&c.guard, b); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// marshalShort encodes a value in a B on the stack, which every call clears.
func marshalShort[B [maxTiny]byte | [maxMedium]byte | [maxShort]byte](p *plan, v mem.Ptr, spare int) ([]byte, error) {
	var buf B
	base, n, limit := mem.Hide(mem.PtrTo(&buf)), 0, len(buf)
	var err error
	if p.begin != nil && !v.IsNil() {
		base, n, limit, err = emit(p.begin, base, 0, limit, v, p.plans.depth, 1, 0, 0)
	} else {
		var b []byte
		b, err = p.encodeMessage(mem.Slice(base, limit)[:0], v, p.plans.depth)
		base, n, limit = mem.Bytes(b), len(b), cap(b)
	}
	if err != nil {
		return nil, err
	}
	// A buffer that is nearly full takes longer, because some steps do not fit.
	if n > len(buf)-maxScalar {
		p.long.Store(int64(max(n, len(buf)+1)))
	}
	b := mem.Slice(base, limit)[:n]
	if limit > len(buf) {
		return trimmed(b), nil // it has been moved to the heap
	}
	return copied(b, spare), nil
}

// copied returns a copy of b with that many spare bytes of free capacity.
func copied(b []byte, spare int) []byte {
	if spare > 0 {
		return append(make([]byte, 0, len(b)+spare), b...)
	}
	return mem.Copied(b)
}

// marshalLong encodes a value of a type that has had long values. last is the length
// of such a value, which decides where to encode this one: up to maxScratch bytes in
// a buffer from the pool, which is then copied, otherwise directly in the result,
// which saves the copy. A slice may have fewer elements than the last one, so it
// begins in a smaller buffer, and its first elements tell how much it needs: see
// growth.
func (p *plan) marshalLong(v mem.Ptr, last, spare int) ([]byte, error) {
	var s *scratch
	var b []byte
	room := last + last/8
	if room > maxScratch && p.get == getList {
		room = maxScratch / 16
	}
	if room <= maxScratch {
		s = scratchPool.Get().(*scratch)
		if cap(s.buf) < room { // otherwise append might grow it beyond what the pool keeps
			s.buf = make([]byte, 0, room)
		}
		b = s.buf[:0]
	} else {
		b = mem.Uncleared(room)
	}
	b, err := p.encodeMessage(b, v, p.plans.depth)
	n := len(b)
	// The caller gets b itself if it is not from the pool, or if it has grown to more
	// than the pool keeps.
	own := s == nil || cap(b) != cap(s.buf) && cap(b) > maxScratch
	if s != nil {
		defer s.put(b)
	}
	// Follow the lengths of the values. The factors of two avoid a store in most calls:
	// goroutines that use the same plan would slow down each other.
	switch {
	case err != nil:
		return nil, err
	case n < maxShort/2: // short again, so the stack suffices
		p.long.Store(maxShort)
	case n > last || n < last/2:
		p.long.Store(int64(n))
	}
	if own {
		return trimmed(b), nil
	}
	return copied(b, spare), nil
}

// trimmed returns b without its free capacity, which may hold data of other
// messages. It copies b if the free capacity would waste much memory.
func trimmed(b []byte) []byte {
	n := len(b)
	// A copy would take longer than the memory is worth.
	if cap(b)-n <= n/4 {
		return b[:n:n]
	}
	return copied(b, 0)
}

// marshalAppend is [MarshalAppend].
func (c *plans) marshalAppend(dst []byte, v any) ([]byte, error) {
	mem.EscapeBelow(v) // users' methods receive copies of v, but with its pointers
	w, data := mem.HideAny(v)
	p := c.table.Home(w)
	if p == nil || p.word != w {
		p = c.table.Get(w)
	}
	// appendAt is written out here, because a call takes time.
	if p != nil && p.pointed != nil && !data.IsNil() && cap(dst) > 0 {
		base, n, limit, err := emit(p.pointed, mem.Bytes(dst), len(dst), cap(dst), data, c.depth, 1, 0, 0)
		if err == nil && limit == cap(dst) {
			return dst[:n], nil
		}
		return p.target.appended(dst, mem.Slice(base, limit)[:max(n, len(dst))], err)
	}
	if p != nil && p.target != nil {
		return p.target.appendElsewhere(dst, data)
	}
	return c.appendOther(dst, v)
}

// appendOther is to marshalAppend what marshalOther is to marshal.
func (c *plans) appendOther(dst []byte, v any) ([]byte, error) {
	p, data := c.orDefault().of(v)
	switch {
	case p == nil: // v is a nil interface
		return wire.AppendNil(dst), nil
	case p.target != nil:
		return p.target.appendAt(dst, v)
	}
	word := p.heapWord(data)
	b, err := p.appendAt(dst, &word)
	runtime.KeepAlive(&word)
	return b, err
}

// appendAt appends the value that the data word of at points to, or nil if the word is
// nil. On error it returns dst with its original length. The value does not escape,
// because users' methods receive copies. What it points to does, because those copies
// contain the same pointers.
//
// The type of at matters only if p is nil, as in the zero Typed: at is then a pointer
// to the value.
func (p *plan) appendAt(dst []byte, at any) ([]byte, error) {
	if p == nil {
		return defaults.plans.marshalAppend(dst, at)
	}
	mem.EscapeBelow(at)
	_, v := mem.HideAny(at)
	if p.begin != nil && !v.IsNil() && cap(dst) > 0 {
		base, n, limit, err := emit(p.begin, mem.Bytes(dst), len(dst), cap(dst), v, p.plans.depth, 1, 0, 0)
		if err == nil && limit == cap(dst) {
			return dst[:n], nil
		}
		return p.appended(dst, mem.Slice(base, limit)[:max(n, len(dst))], err)
	}
	return p.appendElsewhere(dst, v)
}

// appendElsewhere is appendAt for a plan that is not nil and all other cases.
func (p *plan) appendElsewhere(dst []byte, v mem.Ptr) ([]byte, error) {
	if g := p.generated; g != nil && g.current && !v.IsNil() && cap(dst) > 0 && !p.plans.guard.on {
		if b, ok := g.append(dst, v, p.plans.depth); ok {
			clearRest(b, dst)
			return b, nil
		}
	}
	if cap(dst) == 0 {
		b, err := p.marshalAt(v, maxScalar) // some room, because it will probably be reused
		if err != nil {
			return dst, err
		}
		return b, nil
	}
	b, err := p.encodeMessage(dst, v, p.plans.depth)
	return p.appended(dst, b, err)
}

// appended returns b, which is dst with a value, or dst and the error that encoding
// or checking the value has returned.
func (p *plan) appended(dst, b []byte, err error) ([]byte, error) {
	c := p.plans
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

// A scratch is a pooled buffer, in which Marshal encodes long values until their
// length is known, and to which users' methods append.
type scratch struct{ buf []byte }

const (
	// Bytes that Marshal encodes on the stack. Every call clears all of them.
	maxTiny   = 128
	maxMedium = 256
	maxShort  = 512
)

// maxScratch limits the length of a pooled buffer, so that one very long message
// does not keep memory for good.
const maxScratch = 1 << 20

var scratchPool = sync.Pool{New: func() any { return &scratch{make([]byte, 0, 1024)} }}

// put returns s to the pool with b, which is its buffer after it may have grown.
func (s *scratch) put(b []byte) {
	if cap(b) <= maxScratch {
		s.buf = b[:0]
	}
	scratchPool.Put(s)
}

// A growth makes room for the elements of one container. It does nothing while they
// fit in dst, so a buffer with enough room is never replaced. When append has had to
// grow dst, growth estimates the length of the remaining elements from those written
// so far and grows dst to that length at once, instead of in several steps that each
// copy it.
type growth struct {
	start int // where the elements begin in dst
	cap   int // of dst after the last call of grow
	low   int // grow is called when less than this is free; 0 until dst has grown
}

const (
	minGrowth  = 1 << 10 // shorter buffers grow as fast by append
	fewGrowth  = 1 << 14 // growth in bytes while the estimate is unreliable
	longGrowth = 1 << 18 // the estimate must be reliable for a growth of more bytes
	few        = 64      // the estimate is unreliable with fewer elements

	// dst grows to at most maxGrowth times the minimum length of the message. This
	// limits the waste if the first elements are longer than the others.
	maxGrowth = 3

	leastEntry = 2 // bytes of an entry of a map
)

// newGrowth returns the growth for a container whose header is at the end of dst.
func newGrowth(dst []byte) growth { return growth{start: len(dst), cap: cap(dst)} }

// short reports whether grow should be called before the next element.
func (g *growth) short(dst []byte) bool { return cap(dst) != g.cap || cap(dst)-len(dst) < g.low }

// grow makes room for the expected length of n elements, of which done have been
// written. Each takes at least least bytes. The new memory is not cleared: see
// clearRest.
//
//go:noinline
func (g *growth) grow(dst []byte, done, n, least int) []byte {
	g.cap, g.low = cap(dst), 0
	if done == 0 {
		return dst
	}
	mean := float64(len(dst)-g.start) / float64(done)
	left := float64(n - done)
	need := mean * left
	need += need / 8
	if need > longGrowth && done < few && len(dst) < fewGrowth {
		need = fewGrowth
	}
	g.low = int(2*mean) + maxScalar
	if need <= float64(cap(dst)-len(dst)) {
		g.low = 0 // the room suffices; if not, append grows dst and grow is called again
		return dst
	}
	size := min(float64(len(dst))+need, maxGrowth*(float64(len(dst))+left*float64(least)))
	size = max(size, 1.25*float64(len(dst)))
	if size <= float64(cap(dst)) || size < minGrowth || size > maxMemory/2 {
		g.low = 0
		return dst
	}
	dst = regrown(dst, int(size))
	g.cap = cap(dst)
	return dst
}

// growTexts makes room for the strings, whose lengths are known.
func growTexts(dst []byte, texts []string) []byte {
	size := uint64(len(dst)) + maxScalar
	for _, s := range texts {
		size += uint64(len(s)) + 1
		if len(s) > shortString {
			size += maxStrHeader - 1
		}
		if size > maxMemory/2 {
			return dst
		}
	}
	if size <= uint64(cap(dst)) || size < minGrowth {
		return dst
	}
	return regrown(dst, int(size))
}

// least returns the minimum length of an encoded value of the plan.
func (p *plan) least() int {
	if p.program == nil || p.program.groups != nil {
		return 1
	}
	n := 0
	for i := range p.program.steps {
		s := &p.program.steps[i]
		n += int(s.size)
		if s.put != putTemplate && s.put != putEnd {
			n += 1 - s.put.leading()
		}
	}
	return max(n, 1)
}

// regrown returns dst in a new array with room for n bytes in all.
func regrown(dst []byte, n int) []byte {
	b := mem.Uncleared(n)[:len(dst)]
	copy(b, dst)
	return b
}

// clearRest clears the free capacity of b if b is not in the array of dst. grow does
// not clear it, and the caller, who receives b, must not see old data there.
func clearRest(b, dst []byte) {
	if cap(b) != cap(dst) && cap(b) >= minGrowth {
		clear(b[len(b):cap(b)])
	}
}
