package msgpack

import (
	"math"
	"runtime"
	"sync"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// marshal is [Marshal].
func (c *plans) marshal(v any) ([]byte, error) {
	mem.EscapeBelow(v) // users' methods receive copies of v, but with its pointers
	w, data := mem.HideAny(v)
	if p := c.table.Home(w); p != nil && p.word == w && p.target != nil {
		return p.target.marshalAt(data)
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
		return p.target.marshalAt(data)
	}
	word := p.heapWord(data)
	b, err := p.marshalAt(mem.Hide(mem.PtrTo(&word)))
	runtime.KeepAlive(&word)
	return b, err
}

// marshalAt encodes the value at v, which may be nil. It chooses where to encode by
// what is known about the type: small structs and scalars on the stack by store
// alone; values of types that have been short, on the stack; others, in a buffer from
// the pool or in the result.
func (p *plan) marshalAt(v mem.Ptr) ([]byte, error) {
	c := p.plans
	if p.room <= maxFlat && !v.IsNil() {
		// One integer takes less time without the steps of a program.
		if p.integer != putCall {
			var buf [maxScalar]byte
			to := mem.Hide(mem.PtrTo(&buf))
			b := mem.Slice(to, storeInteger(to, 0, loadInteger(p.integer, v)))
			out := make([]byte, len(b))
			copy(out, b)
			runtime.KeepAlive(&buf)
			return out, nil
		}
		// A string is copied once, into a result of the exact size.
		if p.firstStep.isText() {
			s := *mem.At[string](v)
			if n := len(s); n <= shortString {
				b := make([]byte, 1+n)
				b[0] = byte(wire.FixStr) | byte(n)
				copy(b[1:], s)
				return b, nil
			} else if uint64(n) <= math.MaxUint32 {
				return wire.AppendString(emptyFor(n+maxStrHeader), s), nil
			}
		}
		var b []byte
		// Clearing fewer bytes takes less time, and most such messages are one
		// scalar.
		if p.room <= maxScalar {
			b = marshalFlat[[maxScalar]byte](p.firstStep, v)
		} else {
			b = marshalFlat[[maxFlat]byte](p.firstStep, v)
		}
		if b != nil {
			return b, nil
		}
	}
	var b []byte
	var err error
	if last := p.long.Load(); last > 0 {
		b, err = p.marshalLong(v, c.depth, int(last))
	} else {
		b, err = p.marshalShort(v, c.depth)
	}
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

// marshalFlat encodes a value on the stack if store can do all of it; otherwise it
// returns nil. The room that first asks for is at most the length of B, which every
// call clears.
func marshalFlat[B [maxScalar]byte | [maxFlat]byte](first *step, v mem.Ptr) []byte {
	var buf B
	n, s, count := store(first, mem.Hide(mem.PtrTo(&buf)), 0, v)
	if s.put != putEnd {
		return nil
	}
	buf[0] += byte(count) // to the header, see program.encoder
	b := mem.Slice(mem.Hide(mem.PtrTo(&buf)), n)
	out := make([]byte, len(b))
	copy(out, b)
	return out
}

// marshalShort encodes a value on the stack, so that only the result is allocated.
func (p *plan) marshalShort(v mem.Ptr, depth int) ([]byte, error) {
	var buf [maxShort]byte
	b, err := p.encodeMessage(mem.Slice(mem.Hide(mem.PtrTo(&buf[0])), maxShort)[:0], v, depth)
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

// marshalLong encodes a value of a type that has had long values. last is the length
// of such a value, which decides where to encode this one: up to maxScratch bytes in
// a buffer from the pool, which is then copied, otherwise directly in the result,
// which saves the copy. A slice may have fewer elements than the last one, so it
// begins in a smaller buffer, and its first elements tell how much it needs: see
// growth.
func (p *plan) marshalLong(v mem.Ptr, depth, last int) ([]byte, error) {
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
	b, err := p.encodeMessage(b, v, depth)
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

// trimmed returns b without its free capacity, which may hold data of other
// messages. It copies b if the free capacity would waste much memory.
func trimmed(b []byte) []byte {
	n := len(b)
	// A copy would take longer than the memory is worth.
	if cap(b)-n <= n/4 {
		return b[:n:n]
	}
	out := make([]byte, n)
	copy(out, b)
	return out
}

// emptyFor returns an empty slice with a capacity of n bytes. The memory is cleared
// only if n is small, because clearing many bytes takes long.
func emptyFor(n int) []byte {
	if n < minGrowth {
		return make([]byte, 0, n)
	}
	return mem.Uncleared(n)
}

// marshalAppend is [MarshalAppend].
func (c *plans) marshalAppend(dst []byte, v any) ([]byte, error) {
	mem.EscapeBelow(v) // users' methods receive copies of v, but with its pointers
	w, _ := mem.HideAny(v)
	if p := c.table.Home(w); p != nil && p.word == w && p.target != nil {
		return p.target.appendAt(dst, v)
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
	if p.room > cap(dst)-len(dst) || v.IsNil() {
		b, err := p.encodeMessage(dst, v, p.plans.depth)
		return p.appended(dst, b, err)
	}
	start := len(dst)
	// One integer or short string takes less time without the steps of a program.
	if p.integer != putCall {
		var number int64
		if p.integer == putInt64 { // the usual type, without a call
			number = *mem.At[int64](v)
		} else {
			number = loadInteger(p.integer, v)
		}
		return dst[:storeInteger(mem.Bytes(dst), start, number)], nil
	}
	if p.firstStep.isText() {
		if s := *mem.At[string](v); len(s) <= shortString {
			return dst[:storeText(mem.Bytes(dst), start, s)], nil
		}
	}
	n, s, count := store(p.firstStep, mem.Bytes(dst), start, v)
	if s.put != putEnd { // at a long string
		b, err := p.root.finish(dst[:n], start, s, count, v, p.plans.depth)
		return p.appended(dst, b, err)
	}
	dst = dst[:n]
	dst[start] += byte(count) // to the header, see program.encoder
	return dst, nil
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
	maxShort = 512 // bytes that Marshal encodes on the stack; more would make every call clear more
	maxFlat  = 256 // bytes on the stack for marshalFlat
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
	if p.program == nil || p.program.optional {
		return 1
	}
	n := 0
	for i := range p.program.steps {
		s := &p.program.steps[i]
		n += int(s.size)
		if s.put != putTemplate && s.put != putEnd {
			n += 1 - len(s.put.lead())
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
