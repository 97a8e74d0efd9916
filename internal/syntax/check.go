package syntax

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/octet-go/octet/msgpack/wire"
)

// Rules are requirements for a message beyond those of the specification.
type Rules struct {
	Elements uint64 // maximum number of elements of an array or pairs of a map
	Bytes    uint64 // maximum length of a str, bin or ext
	UTF8     bool   // each str must be valid UTF-8
	Unique   bool   // no map may have a key twice
}

// Check checks the first value in data, which may be nested depth levels deep, and
// returns its end. It also finds invalid values. On error, n is the offset of the
// value at fault. text is data as a string.
func (r *Rules) Check(data []byte, text string, depth int) (n int, err error) {
	c := checker{Rules: r, data: data, text: text}
	err = c.value(depth)
	return c.pos, err
}

// A checker checks one value. After an error, pos is the offset of the fault.
type checker struct {
	*Rules
	data []byte
	text string
	pos  int
	owed uint64 // values that the containers around the current one expect after it
	keys []span // where the keys of the open maps are that have few
}

// A span is a part of the message.
type span struct{ start, end int }

// value checks one value that may be nested depth levels deep.
func (c *checker) value(depth int) error {
	rest := c.data[c.pos:]
	if len(rest) == 0 {
		return wire.ErrTruncated
	}
	// Most values are numbers or short strings, for which the format byte says it all.
	switch b := rest[0]; {
	case b < 0x80 || b >= byte(wire.NegativeFixint) || b == byte(wire.Nil) || b&^1 == byte(wire.False):
		c.pos++
		return nil
	case b&0xe0 == byte(wire.FixStr):
		return c.payload(rest, 1, uint32(b&31), c.UTF8)
	case b >= byte(wire.Float32) && b <= byte(wire.Int64):
		size := int(numberSizes[b-byte(wire.Float32)])
		if size > len(rest) {
			return wire.ErrTruncated
		}
		c.pos += size
		return nil
	}
	h, size, err := wire.ConsumeHeader(rest)
	if err != nil {
		return err
	}
	switch kind := h.Format.Kind(); kind {
	case wire.KindArray, wire.KindMap:
		// A claim that the input cannot hold is reported first, as by
		// wire.Skip.
		if !wire.Fits(h.Values(), c.owed, len(rest)-size) {
			return wire.ErrTruncated
		}
		if uint64(h.Count) > c.Elements {
			return wire.ErrLimit
		}
		if depth == 0 {
			return wire.ErrDepth
		}
		c.pos += size
		return c.elements(h, depth-1)
	case wire.KindExt:
		if uint64(h.Payload) > c.Bytes {
			return wire.ErrLimit
		}
		n, err := wire.Skip(rest, 0) // a timestamp must be well-formed
		if err != nil {
			return err
		}
		c.pos += n
		return nil
	default:
		return c.payload(rest, size, h.Payload, c.UTF8 && kind == wire.KindStr)
	}
}

// numberSizes has the lengths of the formats float 32 to int 64.
const numberSizes = "\x05\x09\x02\x03\x05\x09\x02\x03\x05\x09"

// payload checks a str or bin with n bytes after a header of the given size.
func (c *checker) payload(rest []byte, size int, n uint32, text bool) error {
	if uint64(n) > c.Bytes {
		return wire.ErrLimit
	}
	if uint64(n) > uint64(len(rest)-size) {
		return wire.ErrTruncated
	}
	end := size + int(n)
	if text && !utf8.Valid(rest[size:end]) {
		return wire.ErrUTF8
	}
	c.pos += end
	return nil
}

// elements checks the elements of a container.
func (c *checker) elements(h wire.Header, depth int) error {
	owed := c.owed
	set := keySet{base: len(c.keys)}
	unique := c.Unique && h.Format.Kind() == wire.KindMap
	for i := range h.Values() {
		c.owed = owed + h.Values() - i - 1
		start := c.pos
		if err := c.value(depth); err != nil {
			return err
		}
		if unique && i%2 == 0 && !c.add(&set, span{start, c.pos}) {
			c.pos = start
			return wire.ErrDuplicateKey
		}
	}
	c.keys = c.keys[:set.base]
	c.owed = owed
	return nil
}

// A keySet holds the keys of one map. Few keys are in the list of the checker, from
// index base on. Many are in a Go map, because an attacker cannot predict its hash
// and cause collisions.
type keySet struct {
	base int
	bits uint64 // a bit for each key in the list; different keys can have the same
	many map[Key]struct{}
}

const fewKeys = 16

// add reports whether the key is new to the set.
func (c *checker) add(s *keySet, at span) bool {
	k := c.key(at)
	if s.many != nil {
		n := len(s.many)
		s.many[k] = struct{}{}
		return len(s.many) > n
	}
	keys := c.keys[s.base:]
	bit := k.bit()
	if s.bits&bit != 0 && slices.ContainsFunc(keys, func(at span) bool { return c.key(at) == k }) {
		return false
	}
	s.bits |= bit
	// Comparing few keys takes less time than a hash table.
	if len(keys) < fewKeys {
		if c.keys == nil {
			c.keys = make([]span, 0, fewKeys)
		}
		c.keys = append(c.keys, at)
		return true
	}
	// The list would take quadratic time from here on.
	s.many = make(map[Key]struct{}, fewKeys+1)
	for _, at := range keys {
		s.many[c.key(at)] = struct{}{}
	}
	s.many[k] = struct{}{}
	c.keys = c.keys[:s.base]
	return true
}

// key returns the key at a place of the message.
func (c *checker) key(at span) Key { return MakeKey(c.data[at.start:at.end], c.text[at.start:at.end]) }

// A Key represents a key of a map. Keys that are equal have equal representations.
type Key struct {
	kind   wire.Kind
	number uint64
	bytes  string // a part of the message
}

// MakeKey returns the Key for the valid value b. text is b as a string; the Key
// refers to a part of it.
func MakeKey(b []byte, text string) Key {
	if b[0]&0xe0 == byte(wire.FixStr) { // as most keys are
		return Key{kind: wire.KindStr, bytes: text[1:]}
	}
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

// bit returns one of 64 bits, the same for equal keys.
func (k *Key) bit() uint64 {
	n := uint(k.number) ^ uint(k.number>>32)
	if len(k.bytes) > 0 {
		n = uint(len(k.bytes)) + 7*uint(k.bytes[0]) + 13*uint(k.bytes[len(k.bytes)-1])
	}
	return 1 << (n % 64)
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
