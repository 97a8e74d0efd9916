package msgpack

import (
	"encoding/binary"
	"sync"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// The short strings and slices of numbers of one message share chunks, so that a
// message of ten of them costs one or two allocations instead of ten. The price
// is that each keeps its chunk alive, hence the bounds: nothing of maxShared
// bytes or more lies in a chunk, and no chunk is longer than maxChunk. The first
// one is short and in proportion to the input that is left; each next one may
// be twice as long.
const (
	maxShared  = 192
	minChunk   = 48 // for a single string, whose own allocation takes less
	firstChunk = 192
	maxChunk   = 2048 - 16*maxTexts
)

// newString returns a copy of b, which has been passed, as a string.
func (d *decoder) newString(b []byte) string {
	if len(b) >= maxShared {
		return string(b)
	}
	if len(b) > len(d.chunk)-d.used {
		d.newChunk(len(b) + d.left())
	}
	s := d.chunk[d.used : d.used+len(b)]
	d.used += len(b)
	copy(s, b)
	return mem.String(s)
}

// newPlain returns zeroed memory for values without pointers: from the chunk if
// they are few and there is room, which saves an allocation.
func (d *decoder) newPlain(size uint64) mem.Ptr {
	if at := (d.used + 7) &^ 7; size > 0 && size < maxShared && at+int(size) <= len(d.chunk) {
		d.used = at + int(size)
		return mem.Bytes(d.chunk).Add(uintptr(at))
	}
	return mem.NewPlain(size)
}

// newChunk starts a chunk. most is how many bytes of strings may still come, of
// which the first string at least must fit.
func (d *decoder) newChunk(most int) {
	size := min(firstChunk<<min(d.chunks, 4), maxChunk, most)
	d.chunks++
	d.chunk = mem.Slice(mem.NewPlain(uint64(size)), size)
	d.used = 0
	if d.extras != nil { // headers are in chunks that belong to one of these
		d.extras.texts = boxChunk[string]{}
	}
}

// stringInto decodes a str or bin, or nil as "".
func (d *decoder) stringInto(s *string, want string) error {
	b, err := d.bytes(want)
	if err != nil {
		return err
	}
	*s = d.newString(b)
	return nil
}

// stringAliased is stringInto without the copy.
func (d *decoder) stringAliased(s *string, want string) error {
	b, err := d.bytes(want)
	if err != nil {
		return err
	}
	*s = mem.String(b)
	return nil
}

// shortBytes reads a str or bin of less than 64 KiB, if that comes next.
func (d *decoder) shortBytes() ([]byte, bool) {
	start := d.pos + 1
	if start > len(d.data) {
		return nil, false
	}
	b := d.data[d.pos]
	n := int(b ^ byte(wire.FixStr))
	if n > shortString {
		left := d.data[start:]
		switch wire.Format(b) {
		case wire.Str8, wire.Bin8:
			if len(left) < 1 {
				return nil, false
			}
			n = int(left[0])
			start++
		case wire.Str16, wire.Bin16:
			if len(left) < 2 {
				return nil, false
			}
			n = int(binary.BigEndian.Uint16(left))
			start += 2
		default:
			return nil, false
		}
	}
	end := start + n
	if end > len(d.data) {
		return nil, false
	}
	d.pos = end
	return d.data[start:end:end], true
}

// copyText copies n bytes, at least one, by words that overlap where they are
// few.
func copyText(to, from mem.Ptr, n int) {
	switch {
	case n > 32:
		mem.Copy(to, from, n)
	case n > 16:
		mem.Copy16(to, 0, from, 0)
		mem.Copy16(to, n-16, from, n-16)
	case n >= 4:
		mem.CopyWords(to, from, n)
	default:
		mem.Store8(to, 0, mem.Load8(from, 0))
		mem.Store8(to, n/2, mem.Load8(from, n/2))
		mem.Store8(to, n-1, mem.Load8(from, n-1))
	}
}

// bytes reads a str or bin and returns its bytes, a part of the input; nil is
// nil.
func (d *decoder) bytes(want string) ([]byte, error) {
	if b, ok := d.shortBytes(); ok {
		return b, nil
	}
	if d.isNil() {
		return nil, nil
	}
	h, err := d.header(want)
	if err != nil {
		return nil, err
	}
	if k := h.Format.Kind(); k != wire.KindStr && k != wire.KindBin {
		return nil, d.mismatch(want)
	}
	return d.payload(h, want)
}

// extras are what only values of type any and unions need.
type extras struct {
	keys keyCache
	boxes
	ahead lookAhead
}

var extrasPool = sync.Pool{New: func() any { return new(extras) }}

// borrow makes sure that the decoder has its extras.
func (d *decoder) borrow() {
	if d.extras == nil {
		d.extras = extrasPool.Get().(*extras)
	}
}

// release gives back what the decoder has borrowed. The boxes stay with the
// message: its values are in them.
func (d *decoder) release() {
	d.extras.boxes = boxes{}
	d.extras.ahead.release()
	extrasPool.Put(d.extras)
}
