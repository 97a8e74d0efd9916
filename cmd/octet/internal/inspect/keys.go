package inspect

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"strconv"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// maxKeys limits the number of keys that are remembered, and with it the memory.
// Later keys are not checked.
const maxKeys = 1 << 18

// keys finds keys that a map has twice. It remembers the hashes of the keys of
// all open maps.
type keys struct {
	maps  []map[uint64]int64 // by depth of the map: the offset of each key
	count int
	hash  maphash.Hash
	raw   []byte // a key that is a number, as encoded
	on    bool   // the current token is a key that is not a container
}

// begin begins a token.
func (k *keys) begin(t scan.Token, head []byte) {
	k.on = t.Role == scan.Key && k.count < maxKeys
	if !k.on {
		return
	}
	kind := t.Format.Kind()
	k.hash.Reset()
	if kind == wire.KindBin {
		k.hash.WriteByte(byte(wire.KindStr)) // a str and a bin are equal if their bytes are
	} else {
		k.hash.WriteByte(byte(kind))
	}
	switch kind {
	case wire.KindArray, wire.KindMap:
		k.on = false
	case wire.KindStr, wire.KindBin: // the width of the header does not matter
	case wire.KindInt, wire.KindFloat:
		k.raw = append(k.raw[:0], head...)
	case wire.KindExt:
		k.hash.WriteByte(byte(t.Ext))
	default:
		k.hash.Write(head)
	}
}

// write adds a part of the payload.
func (k *keys) write(t scan.Token, part []byte) {
	switch {
	case !k.on:
	case isNumber(t):
		k.raw = append(k.raw, part...)
	default:
		k.hash.Write(part)
	}
}

func isNumber(t scan.Token) bool {
	return t.Format.Kind() == wire.KindInt || t.Format.Kind() == wire.KindFloat
}

// number adds a number in a form that does not depend on its format.
func (k *keys) number() {
	var shortest [9]byte
	if v, _, err := wire.ConsumeInt(k.raw); err == nil {
		k.hash.Write(wire.AppendInt(shortest[:0], v))
	} else if v, _, err := wire.ConsumeUint(k.raw); err == nil {
		k.hash.Write(wire.AppendUint(shortest[:0], v))
	} else if v, _, err := wire.ConsumeFloat64(k.raw); err == nil {
		if v == 0 {
			v = 0 // 0 and -0 are equal
		}
		k.hash.Write(binary.BigEndian.AppendUint64(shortest[:0], math.Float64bits(v)))
	}
}

// end ends the payload of the token. It returns the offset of an equal key
// before it in the same map.
func (k *keys) end(t scan.Token) (first int64, twice bool) {
	if !k.on {
		return 0, false
	}
	if isNumber(t) {
		k.number()
	}
	for len(k.maps) < t.Depth {
		k.maps = append(k.maps, nil)
	}
	m := k.maps[t.Depth-1]
	if m == nil {
		m = map[uint64]int64{}
		k.maps[t.Depth-1] = m
	}
	sum := k.hash.Sum64()
	if first, twice = m[sum]; !twice {
		m[sum] = t.Offset
		k.count++
	}
	return first, twice
}

// close forgets the keys of the maps that are complete.
func (k *keys) close(open int) {
	for i := open; i < len(k.maps); i++ {
		k.count -= len(k.maps[i])
		if len(k.maps[i]) > 1000 {
			k.maps[i] = nil // clearing a large map takes as long as it is large
		}
		clear(k.maps[i])
	}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
