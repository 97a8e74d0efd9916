package msgpack

import (
	"sync"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// The short strings of one message share chunks, so that a message of ten
// strings costs one or two allocations instead of ten. The price is that a
// string keeps its chunk alive, hence the bounds: no string of maxShared bytes
// or more lies in a chunk, and no chunk is longer than maxChunk. A first chunk
// is short and no longer than the input that is left; each next one doubles.
const (
	maxShared  = 256
	firstChunk = 256
	maxChunk   = 2048
)

// newString returns a copy of b as a string.
func (d *decoder) newString(b []byte) string {
	if len(b) >= maxShared {
		return string(b)
	}
	if len(b) > len(d.chunk) {
		if len(b) == 0 {
			return ""
		}
		d.newChunk(len(b))
	}
	s := d.chunk[:len(b)]
	d.chunk = d.chunk[len(b):]
	copy(s, b)
	return mem.String(s)
}

// newChunk starts a chunk with room for a string of n bytes, whose bytes have
// been passed already.
func (d *decoder) newChunk(n int) {
	size := firstChunk << min(d.chunks, 3)
	d.chunks++
	size = min(size, maxChunk, n+d.left())
	d.chunk = make([]byte, max(size, n))
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

// bytes reads a str or bin and returns its bytes, a part of the input; nil is
// nil.
func (d *decoder) bytes(want string) ([]byte, error) {
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

// A keyCache remembers map keys, which repeat within and between messages. It
// is one slot per hash: a collision forgets the older key, so hostile keys cost
// no more than having no cache. The strings have their own memory, at most
// maxCachedKey bytes each, because caches live longer than messages.
type keyCache [256]string

const maxCachedKey = 32

var keyCaches = sync.Pool{New: func() any { return new(keyCache) }}

// key returns b as a string, from the cache where possible.
func (d *decoder) key(b []byte) string {
	if len(b) > maxCachedKey || len(b) == 0 {
		return d.newString(b)
	}
	if d.keys == nil {
		d.keys = keyCaches.Get().(*keyCache)
	}
	slot := &d.keys[hashKey(b, 0x9e3779b97f4a7c15)>>56]
	if *slot != string(b) {
		*slot = string(b)
	}
	return *slot
}
