package syntax

import (
	"cmp"
	"math"
	"strings"

	"github.com/octet-go/octet/msgpack/wire"
)

// A Key represents a key of a map. Keys that are equal have equal representations.
type Key struct {
	kind   wire.Kind
	number uint64
	bytes  string // a part of the message
}

// MakeKey returns the Key for the valid value b. text is b as a string; the Key
// refers to a part of it.
func MakeKey(b []byte, text string) Key {
	h, size, _ := wire.ConsumeHeader(b)
	k := Key{kind: h.Format.Kind()}
	switch k.kind {
	case wire.KindInt:
		// The format does not matter: 1 as uint 8 and 1 as int 64 are the same key.
		if u, _, err := wire.ConsumeUint(b); err == nil {
			k.number = u
			return k
		}
		i, _, _ := wire.ConsumeInt(b)
		return Key{kind: wire.KindReserved, number: uint64(i)} // a kind that only negative integers have
	case wire.KindFloat:
		if f, _, _ := wire.ConsumeFloat64(b); f != 0 { // 0 and -0 are equal
			k.number = math.Float64bits(f)
		}
	// Old encoders have one format for both, so keys with the same bytes are equal.
	case wire.KindStr, wire.KindBin:
		k.kind, k.bytes = wire.KindStr, text[size:]
	default:
		k.bytes = text
	}
	return k
}

// Compare orders keys: integers, then floats, then strings by their bytes, then all
// others by the bytes of the whole value.
func (k *Key) Compare(l *Key) int {
	if k.kind != l.kind {
		return cmp.Compare(keyRanks[k.kind], keyRanks[l.kind])
	}
	switch k.kind {
	case wire.KindReserved: // integers below zero
		return cmp.Compare(int64(k.number), int64(l.number))
	case wire.KindFloat:
		f, g := math.Float64frombits(k.number), math.Float64frombits(l.number)
		return cmp.Or(cmp.Compare(f, g), cmp.Compare(k.number, l.number)) // NaNs compare equal but differ in their bits
	}
	return cmp.Or(cmp.Compare(k.number, l.number), strings.Compare(k.bytes, l.bytes))
}

var keyRanks = [...]int{
	wire.KindReserved: 0, wire.KindInt: 1, wire.KindFloat: 2, wire.KindStr: 3,
	wire.KindNil: 4, wire.KindBool: 5, wire.KindBin: 6, wire.KindArray: 7, wire.KindMap: 8, wire.KindExt: 9,
}
