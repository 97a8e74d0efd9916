package syntax

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/octet-go/octet/internal/mem"
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
	var keys [16]entry
	c := checker{Rules: r, data: data, text: text, keys: mem.HideSlice(keys[:])[:0]}
	err = c.values(1, depth, false)
	runtime.KeepAlive(&keys)
	return c.pos, err
}

// A checker checks one value. After an error, pos is the offset of the fault.
type checker struct {
	*Rules
	data []byte
	text string
	pos  int
	owed uint64  // values that the containers around the current one expect after it
	keys []entry // the keys of the open maps that have few
}

// An entry is a key of an open map: where it is in the message, and its print.
type entry struct {
	start, end int
	print      uint64
}

// values checks n values that may be nested depth levels deep: the elements of an
// array, or the keys and values of a map. unique says that the keys must differ.
func (c *checker) values(n uint64, depth int, unique bool) error {
	owed, pos := c.owed, c.pos
	set := keySet{base: len(c.keys)}
	for left := n; left > 0; left-- {
		start := pos
		rest := c.data[pos:]
		if len(rest) == 0 {
			return wire.ErrTruncated
		}
		// Most values are numbers or short strings, for which the format byte says it all.
		b := rest[0]
		if size := int(plainSizes[b]); size > 0 {
			if b&0xe0 == byte(wire.FixStr) {
				if uint64(size-1) > c.Bytes {
					return wire.ErrLimit
				}
				if size > len(rest) {
					return wire.ErrTruncated
				}
				if c.UTF8 && !isText(rest[1:size]) {
					return wire.ErrUTF8
				}
			} else if size > len(rest) {
				return wire.ErrTruncated
			}
			pos += size
			c.pos = pos
		} else {
			c.owed = owed + left - 1
			if err := c.long(rest, depth); err != nil {
				return err
			}
			pos = c.pos
		}
		if unique && left%2 == 0 && !c.add(&set, start) {
			c.pos = start
			return wire.ErrDuplicateKey
		}
	}
	c.keys = c.keys[:set.base]
	c.owed = owed
	return nil
}

// long checks the value at the start of rest, whose length is in its header.
func (c *checker) long(rest []byte, depth int) error {
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
		return c.values(h.Values(), depth-1, c.Unique && kind == wire.KindMap)
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

// payload checks a str or bin with n bytes after a header of the given size.
func (c *checker) payload(rest []byte, size int, n uint32, text bool) error {
	if uint64(n) > c.Bytes {
		return wire.ErrLimit
	}
	if uint64(n) > uint64(len(rest)-size) {
		return wire.ErrTruncated
	}
	end := size + int(n)
	if text && !isText(rest[size:end]) {
		return wire.ErrUTF8
	}
	c.pos += end
	return nil
}

// isText reports whether b is valid UTF-8. Most strings are short and ASCII.
func isText(b []byte) bool {
	var all uint64
	switch n := len(b); {
	case n > 32:
		return utf8.Valid(b)
	case n >= 8:
		all = binary.LittleEndian.Uint64(b[n-8:])
		for i := 0; i < n-8; i += 8 {
			all |= binary.LittleEndian.Uint64(b[i:])
		}
	case n >= 4:
		all = uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))
	case n > 0:
		all = uint64(b[0] | b[n/2] | b[n-1])
	}
	return all&0x8080808080808080 == 0 || utf8.Valid(b)
}

// A keySet holds the keys of one map. Few keys are in the list of the checker, from
// index base on. Many are in a Go map, because an attacker cannot predict its hash
// and cause collisions.
type keySet struct {
	base int
	bits uint64 // a bit for each key in the list; different keys can have the same
	many map[Key]struct{}
}

const fewKeys = 64

// add reports whether the key from start to c.pos is new to the set.
func (c *checker) add(s *keySet, start int) bool {
	e := entry{start: start, end: c.pos}
	if c.data[start]&0xe0 == byte(wire.FixStr) { // as most keys are
		e.print = fingerprint(c.data[start+1 : e.end])
	} else if k := c.key(e); len(k.bytes) > 0 {
		e.print = fingerprint(c.data[e.end-len(k.bytes) : e.end])
	} else {
		e.print = k.number * spread
	}
	keys := c.keys[s.base:]
	if bit := uint64(1) << (e.print >> 58); s.bits&bit == 0 {
		s.bits |= bit
	} else if slices.ContainsFunc(keys, func(f entry) bool { return f.print == e.print && c.key(f) == c.key(e) }) {
		return false
	}
	// Comparing few keys takes less time than a hash table.
	if s.many == nil && len(keys) < fewKeys {
		c.keys = append(c.keys, e)
		return true
	}
	// The list would take quadratic time from here on.
	if s.many == nil {
		s.many = make(map[Key]struct{}, fewKeys+1)
		for _, f := range keys {
			s.many[c.key(f)] = struct{}{}
		}
		c.keys = c.keys[:s.base]
	}
	n := len(s.many)
	s.many[c.key(e)] = struct{}{}
	return len(s.many) > n
}

// key returns the key at a place of the message.
func (c *checker) key(e entry) Key { return MakeKey(c.data[e.start:e.end], c.text[e.start:e.end]) }

// fingerprint returns a number that is the same for equal b, and almost never for others.
func fingerprint(b []byte) uint64 {
	var v uint64
	switch n := len(b); {
	case n > 16:
		// Many long keys with the same print would take long to compare.
		return maphash.Bytes(seed, b)
	case n >= 8:
		v = binary.LittleEndian.Uint64(b) ^ bits.RotateLeft64(binary.LittleEndian.Uint64(b[n-8:]), 27+n)
	case n >= 4:
		v = uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<32
	case n > 0:
		v = uint64(b[0]) | uint64(b[n/2])<<8 | uint64(b[n-1])<<16
	}
	return v * spread
}

// spread is an odd number whose product with a small one has random upper bits.
const spread = 0x9e3779b97f4a7c15

var seed = maphash.MakeSeed()

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
