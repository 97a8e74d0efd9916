package msgpack

import (
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// Pairs holds the entries of a MessagePack map in the order of the input. It is encoded
// as a map in the same order, even with SortKeys. A key may have any type, including
// those that a Go map cannot have as keys, and may appear more than once.
type Pairs []Pair

// A Pair is one entry of a map.
type Pair struct{ Key, Value any }

// pairs decodes the entries of an open map into s.
func (d *decoder) pairs(s Pairs, owed uint64) (err error) {
	for i := range s {
		d.owed = owed + 2*uint64(len(s)-i) - 1
		if s[i].Key, err = d.anyKey(); err != nil {
			return under("[key]", err)
		}
		d.owed--
		if s[i].Value, err = d.any(); err != nil {
			return underKey(s[i].Key, err)
		}
	}
	d.close(owed)
	return nil
}

// makePairsCodec returns the codec of [Pairs].
func (k *compiler) makePairsCodec() codec {
	c := k.plans
	const want = "msgpack.Pairs"
	encode := func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		s := *mem.At[Pairs](p)
		if s == nil {
			return wire.AppendNil(dst), nil
		}
		dst, err := appendMapHeader(dst, len(s), want, depth)
		if err != nil {
			return dst, err
		}
		for i := range s {
			if dst, err = c.encodeAny(dst, s[i].Key, depth-1); err != nil {
				return dst, under("[key]", err)
			}
			if dst, err = c.encodeAny(dst, s[i].Value, depth-1); err != nil {
				return dst, underKey(s[i].Key, err)
			}
		}
		return dst, nil
	}
	if k.plans.NilMapAsEmpty {
		encode = emptyForNil(encode, func(dst []byte) []byte { return wire.AppendMapHeader(dst, 0) })
	}
	return codec{encode, func(d *decoder, p mem.Ptr) error {
		v := mem.At[Pairs](p)
		if d.isNil() {
			*v = nil
			return nil
		}
		n, owed, err := d.container(wire.FixMap, 2, want)
		if err != nil {
			return err
		}
		// container has compared the count with the input.
		*v = make(Pairs, n)
		return d.pairs(*v, owed)
	}}
}
