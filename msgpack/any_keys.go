package msgpack

import (
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
)

// A keyCache holds map keys as strings, because keys repeat within a message and in
// later ones. Each hash has one slot, and a collision replaces the older key. Keys
// that are chosen to collide therefore cost no more than having no cache.
//
// Each string in the cache has memory of its own, because the cache lives longer than
// a message. A key is put into the cache when it appears for the second time. After
// the first time, the slot has only its words.
type keyCache [256]cachedKey

type cachedKey struct {
	firstWord, lastWord uint64 // see keyWords
	key                 string // empty after the first time
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
