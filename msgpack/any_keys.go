package msgpack

import (
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
)

// A keyCache remembers map keys, which repeat within and between messages. It
// is one slot per hash: a collision forgets the older key, so hostile keys cost
// no more than having no cache.
//
// The strings have their own memory, since caches live longer than messages. A
// key gets it when it comes again; until then the slot has its words only.
type keyCache [256]cachedKey

type cachedKey struct {
	first, last uint64 // see keyWords
	key         string // or empty
}

const maxCachedKey = shortString

// key returns the n bytes at pos, which are there, as a string.
func (d *decoder) key(pos, n int) string {
	if n > maxCachedKey || n == 0 {
		d.pos = pos + n
		return d.newString(d.data[pos : pos+n])
	}
	first, last := keyWords(d.data, pos, n)
	hash := (first ^ bits.RotateLeft64(last, 27) ^ uint64(n)) * 0x9e3779b97f4a7c15
	slot := &d.extras.keys[hash>>56]
	if slot.first == first && slot.last == last {
		if len(slot.key) == n && (n <= 16 || slot.key == string(d.data[pos:pos+n])) {
			return slot.key
		}
		if slot.key == "" {
			slot.key = string(d.data[pos : pos+n])
			return slot.key
		}
	}
	*slot = cachedKey{first: first, last: last}
	d.pos = pos + n // for the size of a new chunk
	return d.newString(d.data[pos : pos+n])
}

// keyWords returns the first and the last eight bytes of a key of n bytes at
// pos, which together with the length are all of it up to 16 bytes. Of a
// shorter key they are the same, in the high and in the low bytes of the words.
func keyWords(data []byte, pos, n int) (first, last uint64) {
	p := mem.Bytes(data)
	unused := uint(64-8*min(n, 8)) & 63
	if pos+8 <= len(data) && pos+n >= 8 {
		return mem.Load64(p, pos) << unused, mem.Load64(p, pos+n-8) >> unused
	}
	// Less than eight bytes, at either end of a message.
	for i := n - 1; i >= 0; i-- {
		last = last<<8 | uint64(data[pos+i])
	}
	return last << unused, last
}
