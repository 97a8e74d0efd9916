package lint

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"strconv"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// A hash identifies a key. Keys that are equal in another format have the same
// hash. The seeds are random, so that input cannot be made to collide.
type hash [2]uint64

// A keyHash hashes the tokens of one key.
type keyHash struct{ a, b maphash.Hash }

func (k *keyHash) reset() {
	k.a.Reset()
	k.b.Reset()
}

func (k *keyHash) write(b []byte) {
	_, _ = k.a.Write(b) // a Hash never fails
	_, _ = k.b.Write(b)
}

func (k *keyHash) sum() hash { return hash{k.a.Sum64(), k.b.Sum64()} }

// header adds the header of a token and, for a number or a timestamp, the value;
// whole is then true. head is the encoded token, with at least its first
// canonical.LongestHead bytes.
func (k *keyHash) header(t scan.Token, head []byte) (whole bool) {
	var short [canonical.LongestHead + 1]byte
	switch t.Format.Kind() {
	case wire.KindFloat:
		f, _, _ := wire.ConsumeFloat64(head)
		if f == 0 {
			f = 0 // 0 and -0 are equal
		}
		k.write(binary.BigEndian.AppendUint64(append(short[:0], byte(wire.Float64)), math.Float64bits(f)))
		return true
	case wire.KindStr, wire.KindBin: // equal if their bytes are
		k.write(wire.AppendBinHeader(short[:0], t.Payload))
	default:
		b, complete := canonical.AppendShortest(short[:0], t.Header, head)
		k.write(b)
		return complete
	}
	return false
}

// longestOrdered is the maximum number of bytes of a key that are compared for
// the order.
const longestOrdered = 1 << 10

// A frame is an open map.
type frame struct {
	seen     map[hash]int64 // offsets of its keys
	last     []byte         // the beginning of the last key
	unsorted bool           // a finding about the order was reported
}

// maps holds the open maps. It reuses their memory.
type maps struct {
	frames []frame
	keys   int // of all open maps
}

func (m *maps) push() {
	if len(m.frames) < cap(m.frames) {
		m.frames = m.frames[:len(m.frames)+1]
		f := &m.frames[len(m.frames)-1]
		f.last, f.unsorted = f.last[:0], false
		return
	}
	m.frames = append(m.frames, frame{})
}

func (m *maps) pop() {
	f := &m.frames[len(m.frames)-1]
	m.keys -= len(f.seen)
	if len(f.seen) > 1000 {
		f.seen = nil // clearing a large map takes as long as for all its keys
	}
	clear(f.seen)
	m.frames = m.frames[:len(m.frames)-1]
}

// add records a key. It returns the offset of an equal key of the map, or -1.
// checked is false if there are too many keys.
func (m *maps) add(h hash, offset int64) (first int64, checked bool) {
	f := &m.frames[len(m.frames)-1]
	if at, ok := f.seen[h]; ok {
		return at, true
	}
	if m.keys >= MaxKeys {
		return -1, false
	}
	if f.seen == nil {
		f.seen = map[hash]int64{}
	}
	f.seen[h] = offset
	m.keys++
	return -1, true
}

// describe returns a short text for the beginning of an encoded key.
func describe(key []byte) string {
	const longest = 40
	h, n, err := wire.ConsumeHeader(key)
	if err != nil {
		return "?"
	}
	switch h.Format.Kind() {
	case wire.KindStr:
		text := key[n:]
		if len(text) > longest || int(h.Payload) > len(text) {
			return strconv.Quote(string(text[:min(longest, len(text))])) + "…"
		}
		return strconv.Quote(string(text))
	case wire.KindInt:
		if i, _, err := wire.ConsumeInt(key); err == nil {
			return strconv.FormatInt(i, 10)
		}
		u, _, _ := wire.ConsumeUint(key)
		return strconv.FormatUint(u, 10)
	case wire.KindFloat:
		f, _, _ := wire.ConsumeFloat64(key)
		return strconv.FormatFloat(f, 'g', -1, 64)
	case wire.KindNil, wire.KindBool:
		return h.Format.String()
	}
	return fmt.Sprintf("a %s", h.Format.Kind())
}
