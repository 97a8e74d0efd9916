package msgpack

import "github.com/octet-go/octet/internal/mem"

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
