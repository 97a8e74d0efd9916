package msgpack

import (
	"encoding/binary"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// The short strings, slices of values without pointers, and numbers behind pointers of a
// message share chunks, so that ten of them take one or two allocations instead of ten. The variables of
// strings behind pointers share others, see newText. The disadvantage is that each value
// keeps its whole chunk alive. This is limited: values of maxShared bytes or more are not
// put into a chunk, and a chunk is not longer than maxChunk. The first chunk is as long as
// all that an earlier message of the type needed, or short, and not longer than the rest of
// the input; each further one can be twice as long.
const (
	maxShared  = 192
	ownMemory  = 64 // strings that are not shorter start no chunk, and leave the current one to others
	minChunk   = 48 // below, a single string is allocated on its own
	firstChunk = 192
	maxChunk   = 2048 - 16*maxTexts
)

// newString returns a copy of b as a string. The position must be after b, because
// the rest of the input limits the length of a new chunk.
func (d *decoder) newString(b []byte) string {
	if len(b) >= maxShared { // in a chunk it would keep too many others alive
		return string(b)
	}
	if len(b) > len(d.chunk)-d.used {
		if len(b) >= ownMemory {
			return string(b)
		}
		if d.left() < leastField && !d.stream { // nothing else would be in the chunk
			d.filled += int32(len(b)) // but a longer one would have had room for b, see learn
			return string(b)
		}
		d.newChunk(len(b), len(b)+d.left())
	}
	s := d.chunk[d.used : d.used+len(b)]
	d.used += len(b)
	copy(s, b)
	return mem.String(s)
}

// place copies n bytes, at least 1, into the chunk, which must have room, and returns them
// as a string. It copies few bytes by words that overlap, which takes less time than a call.
func (d *decoder) place(from mem.Ptr, n int) string {
	to := mem.Bytes(d.chunk).Add(uintptr(d.used))
	d.used += n
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
	return mem.StringAt(to, n)
}

// newPlain returns zeroed memory for values without pointers. It takes little memory
// from a chunk, which saves an allocation, unless the message, or the rest of it, is so
// short that a chunk would probably hold little else. Unused bytes of a chunk are always
// zero.
func (d *decoder) newPlain(size uint64) mem.Ptr {
	if size == 0 || size >= maxShared {
		return mem.NewPlain(size)
	}
	at := (d.used + 7) &^ 7 // aligned for numbers of any size
	if at+int(size) > len(d.chunk) {
		switch {
		case d.expected.numbers > 2 && d.left() >= leastField:
			most := int(size) + 8*min(int(d.expected.numbers), 1+d.left()/leastField)
			if d.expected.texts > 0 {
				most += min(d.left(), maxChunk)
			}
			d.expected.numbers = 0
			d.newChunk(int(size), most)
		case d.left() < minChunk || d.chunks == 0 && d.left() < firstChunk:
			return mem.NewPlain(size)
		default:
			d.newChunk(int(size), int(size)+8*min(d.left(), maxChunk)) // a byte is at most one number
		}
		at = 0
	}
	d.used = at + int(size)
	return mem.Bytes(d.chunk[at:d.used]) // with a check of both bounds
}

// newText returns a variable for a string of n bytes that a pointer is to point to. The
// variables of short strings share memory, so that ten of them take two or three
// allocations instead of ten. newString has returned the string before, which is in
// the current chunk if it is short.
func (d *decoder) newText(n int) *string {
	if n >= maxShared {
		return new(string) // shared, it would keep other long strings alive
	}
	if d.usedTexts == d.texts {
		count := max(int(d.expected.texts), 2*int(d.texts), 1)
		count = min(count, maxTexts, 1+d.left()/leastField)
		if count == 1 {
			d.text = new(string) // takes less time than a slice
		} else {
			d.text = &make([]string, count)[0]
		}
		d.texts, d.usedTexts, d.expected.texts = uint8(count), 0, 0
	}
	d.usedTexts++
	return mem.Skip(d.text, int(d.usedTexts)-1)
}

// expected are the numbers of pointers to strings and of pointers to numbers in a struct
// for which there is no memory yet.
type expected struct {
	texts, numbers uint8
	share          uint16 // 1<<16 divided by the number of fields, but less than 1<<16
}

// among returns what to expect of a message with n of the fields.
func (e expected) among(n int) expected {
	e.texts = uint8((uint32(e.texts)*uint32(n)*uint32(e.share) + 1<<15) >> 16)
	e.numbers = uint8((uint32(e.numbers)*uint32(n)*uint32(e.share) + 1<<15) >> 16)
	return e
}

// leastField is the least number of bytes that a field is expected to take, with its key.
const leastField = 3

// newChunk starts a new chunk of at least need bytes. most is the maximum length of all
// further strings.
func (d *decoder) newChunk(need, most int) {
	// A short message must not pay for a long chunk, but a long one needs few of them.
	size := firstChunk << min(d.chunks, 4)
	if d.chunks == 0 && d.usual > 0 {
		size = max(need, int(d.usual))
	}
	size = min(size, maxChunk, most)
	d.chunks++
	d.filled += int32(d.used)
	d.chunk = mem.Slice(mem.NewPlain(uint64(size)), size)
	d.used = 0
	d.texts, d.usedTexts = 0, 0
	// String headers of any values and behind pointers are in chunks too. Those of one chunk must refer to
	// only one chunk of bytes, or a retained string would keep several alive.
	if d.extras != nil {
		d.extras.texts = boxChunk[string]{}
	}
}

// learn keeps in usual how many bytes of chunks the values of a type need. They decide how
// long the first chunk of the next message is.
func (d *decoder) learn(usual *atomic.Int32) {
	// At least a short chunk: that it is full again would show that more is needed.
	need := min(max(d.filled+int32(d.used), 16), maxChunk)
	// The factor of two avoids a store in most calls: goroutines that decode the same type
	// would slow down each other.
	if need > d.usual || need < d.usual/2 {
		usual.Store(need)
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

// shortBytes reads the next value if it is a str or bin of less than 64 KiB, without
// building a header.
func (d *decoder) shortBytes() ([]byte, bool) {
	start := d.pos + 1
	if start > len(d.data) {
		return nil, false
	}
	b := d.data[d.pos]
	// The exclusive or gives the length of a fixstr. For all other formats it gives more
	// than shortString, so one comparison tests the format.
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
	return d.data[start:end:end], true // without free capacity, so that append cannot overwrite the input
}

// bytes reads a str or bin and returns its bytes, which are a part of the input. Str
// and bin are interchangeable, because older encoders have only one format for both.
// It returns nil for a nil.
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

// extras hold the state that only values of type any and unions need. They are
// pooled, so that other messages do not pay for them.
type extras struct {
	keys keyCache
	boxes
	ahead lookAhead
}

var extrasPool = sync.Pool{New: func() any { return new(extras) }}

// borrow gets extras from the pool if the decoder has none.
func (d *decoder) borrow() {
	if d.extras == nil {
		d.extras = extrasPool.Get().(*extras)
	}
}

// release returns the extras to the pool. It drops the boxes, because the decoded
// values are in them.
func (d *decoder) release() {
	d.extras.boxes = boxes{}
	d.extras.ahead.release()
	extrasPool.Put(d.extras)
}

// A keyCache holds map keys as strings, because keys repeat within a message and in
// later ones. Each hash has one slot, and a collision replaces the older key. Keys
// that are chosen to collide therefore cost no more than having no cache.
//
// Each string in the cache has memory of its own, because the cache lives longer than
// a message. A key is put into the cache when it appears for the second time. After
// the first time, the slot has only its words.
type keyCache [256]cachedKey

type cachedKey struct {
	_                   [0]func() // not comparable, which would take code for the type
	firstWord, lastWord uint64    // see keyWords
	key                 string    // empty after the first time
}

const maxCachedKey = shortString // bytes

// key returns the n bytes at pos as a string. The caller has checked that the input
// is long enough.
func (d *decoder) key(pos, n int) string {
	if n > maxCachedKey || n == 0 {
		d.pos = pos + n
		return d.newString(d.data[pos : pos+n])
	}
	first, last := keyWords(d.data, pos, n)
	hash := (first ^ bits.RotateLeft64(last, 27) ^ uint64(n)) * 0x9e3779b97f4a7c15
	slot := &d.extras.keys[hash>>56]
	if slot.firstWord == first && slot.lastWord == last {
		// The words and the length determine a key of up to 16 bytes.
		if len(slot.key) == n && (n <= 16 || slot.key == string(d.data[pos:pos+n])) {
			return slot.key
		}
		if slot.key == "" { // probably the second time; a wrong guess costs one allocation
			slot.key = string(d.data[pos : pos+n])
			return slot.key
		}
	}
	*slot = cachedKey{firstWord: first, lastWord: last}
	d.pos = pos + n // newString sizes a new chunk by the rest of the input
	return d.newString(d.data[pos : pos+n])
}

// keyWords returns the first and the last eight bytes of the key of n bytes at pos.
// They overlap if the key has less than 16 bytes. If it has less than eight, the
// first word has them in its high bytes and the last word in its low bytes.
func keyWords(data []byte, pos, n int) (first, last uint64) {
	p := mem.Bytes(data)
	unused := uint(64-8*min(n, 8)) & 63
	if pos+8 <= len(data) && pos+n >= 8 {
		return mem.Load64(p, pos) << unused, mem.Load64(p, pos+n-8) >> unused
	}
	// A word cannot be loaded here, because it would extend past either end of the
	// message.
	for i := n - 1; i >= 0; i-- {
		last = last<<8 | uint64(data[pos+i])
	}
	return last << unused, last
}
