package canonical

import (
	"bytes"
	"cmp"
	"math"

	"github.com/octet-go/octet/msgpack/wire"
)

// Compare orders encoded map keys: integers, then floats, then str and bin by
// their bytes, then all others by the bytes of the whole value. It returns 0
// for keys that are equal in another format, such as 1 in one byte and in nine.
// Keys that are containers or exts must be in canonical form.
func Compare(a, b []byte) int {
	k, l := makeKey(a), makeKey(b)
	if k.rank != l.rank {
		return cmp.Compare(k.rank, l.rank)
	}
	switch k.rank {
	case rankNegative:
		return cmp.Compare(int64(k.number), int64(l.number))
	case rankFloat:
		f, g := math.Float64frombits(k.number), math.Float64frombits(l.number)
		return cmp.Or(cmp.Compare(f, g), cmp.Compare(k.number, l.number)) // NaNs compare equal
	}
	return cmp.Or(cmp.Compare(k.number, l.number), bytes.Compare(k.bytes, l.bytes))
}

const (
	rankNegative = iota
	rankInt
	rankFloat
	rankText
	rankOther
)

type key struct {
	rank   int
	number uint64
	bytes  []byte
}

func makeKey(b []byte) key {
	h, n, err := wire.ConsumeHeader(b)
	if err != nil {
		return key{rank: rankOther, bytes: b}
	}
	switch h.Format.Kind() {
	case wire.KindInt:
		if u, _, err := wire.ConsumeUint(b); err == nil {
			return key{rank: rankInt, number: u}
		}
		i, _, _ := wire.ConsumeInt(b)
		return key{rank: rankNegative, number: uint64(i)}
	case wire.KindFloat:
		f, _, _ := wire.ConsumeFloat64(b)
		if f == 0 {
			f = 0 // 0 and -0 are equal
		}
		return key{rank: rankFloat, number: math.Float64bits(f)}
	case wire.KindStr, wire.KindBin:
		return key{rank: rankText, bytes: b[n:]}
	}
	// The formats of the other kinds are ordered as in package msgpack, by kind.
	return key{rank: rankOther + int(h.Format.Kind()), bytes: b}
}
