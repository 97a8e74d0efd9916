package msgpack

import (
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A decoder is the cursor that decode functions share.
//
// owed is the ledger: how many values the containers around the current one
// still expect after it. Each takes a byte at least, so a header that claims n
// values is believed only if n + owed bytes are left. Whoever decodes the
// elements of a container sets owed before each element that may be a
// container itself, and restores it at the end.
type decoder struct {
	data  []byte
	pos   int
	owed  uint64
	depth int // levels of containers that may still be opened

	chunk  []byte // where short strings go, see arena.go
	chunks int    // how many have been used
	keys   *keyCache
	boxes  boxes
}

// release gives back what the decoder has borrowed.
func (d *decoder) release() {
	if d.keys != nil {
		keyCaches.Put(d.keys)
	}
}

// left returns the number of bytes after the position.
func (d *decoder) left() int { return len(d.data) - d.pos }

// formatByte returns the next format byte without passing it.
func (d *decoder) formatByte(want string) (byte, error) {
	if d.pos >= len(d.data) {
		return 0, d.fail(ErrTruncated, want)
	}
	return d.data[d.pos], nil
}

// isNil passes a nil and reports whether there was one.
func (d *decoder) isNil() bool {
	if d.pos < len(d.data) && d.data[d.pos] == byte(wire.Nil) {
		d.pos++
		return true
	}
	return false
}

// header reads the next header, of any kind, without passing it.
func (d *decoder) header(want string) (wire.Header, error) {
	h, _, err := wire.ConsumeHeader(d.data[d.pos:])
	if err != nil {
		return h, d.fail(err, want)
	}
	return h, nil
}

// payload passes a header and returns the bytes after it, a part of the input.
func (d *decoder) payload(h wire.Header, want string) ([]byte, error) {
	start := d.pos + int(h.Size)
	if uint64(h.Payload) > uint64(len(d.data)-start) {
		return nil, d.fail(ErrTruncated, want)
	}
	end := start + int(h.Payload)
	d.pos = end
	return d.data[start:end:end], nil
}

// open passes the header of an array or map after checking that the elements
// fit what is left and that it is not nested too deeply. close undoes it.
func (d *decoder) open(h wire.Header, want string) (owed uint64, err error) {
	if h.Values()+d.owed > uint64(d.left()-int(h.Size)) {
		return 0, d.fail(ErrTruncated, want)
	}
	if d.depth == 0 {
		return 0, d.fail(ErrDepth, want)
	}
	d.depth--
	d.pos += int(h.Size)
	return d.owed, nil
}

func (d *decoder) close(owed uint64) {
	d.depth++
	d.owed = owed
}

// array opens an array and returns the number of its elements.
func (d *decoder) array(want string) (n int, owed uint64, err error) {
	h, err := d.header(want)
	if err != nil {
		return 0, 0, err
	}
	if h.Format.Kind() != wire.KindArray {
		return 0, 0, d.mismatch(want)
	}
	owed, err = d.open(h, want)
	return int(h.Count), owed, err
}

// arrayOf opens an array that must have n elements.
func (d *decoder) arrayOf(n int, want string) (owed uint64, err error) {
	h, err := d.header(want)
	if err != nil {
		return 0, err
	}
	if h.Format.Kind() != wire.KindArray || uint64(h.Count) != uint64(n) {
		return 0, d.mismatch(want)
	}
	return d.open(h, want)
}

// skip passes one value of any kind.
func (d *decoder) skip() error {
	n, err := wire.Skip(d.data[d.pos:], d.depth)
	d.pos += n
	if err != nil {
		return d.fail(err, "")
	}
	return nil
}

// one returns the bytes of the next value and passes it.
func (d *decoder) one() ([]byte, error) {
	start := d.pos
	if err := d.skip(); err != nil {
		return nil, err
	}
	return d.data[start:d.pos:d.pos], nil
}

// fail makes an error for the value at the position.
func (d *decoder) fail(reason error, want string) error {
	return &Error{Op: opUnmarshal, Offset: d.pos, Want: want, Found: d.found(), Err: reason}
}

// mismatch says that the value at the position is of the wrong kind, unless it
// is not a value at all.
func (d *decoder) mismatch(want string) error {
	if _, err := d.header(want); err != nil {
		return err
	}
	return d.fail(ErrMismatch, want)
}

// rangeError says that the number at offset start does not fit.
func (d *decoder) rangeError(start int, want string) error {
	d.pos = start
	return d.fail(ErrRange, want)
}

// found describes what is at the position.
func (d *decoder) found() string { return describe(d.data[d.pos:]) }

// integerShift holds, by format byte, how to take an integer out of the eight
// bytes after it: the low six bits are how far to shift them right, above them
// stand the bytes of the whole value. Zero is for what is no integer, and for
// the fixints, which have a test of their own.
var integerShift = makeIntegerShift()

func makeIntegerShift() (t [256]uint16) {
	for i := range 4 {
		size := 1 << i
		shift := uint16(64 - 8*size)
		t[int(wire.Uint8)+i] = shift | uint16(1+size)<<8
		t[int(wire.Int8)+i] = shift | uint16(1+size)<<8 | signedInteger
	}
	return t
}

const signedInteger = 1 << 7

// fastInteger reads the integer at data+pos, of which nine bytes must be
// readable. n is its length, 0 where it is no integer or none that an int64
// holds.
func fastInteger(data mem.Ptr, pos int) (v int64, n int) {
	b := mem.Load8(data, pos)
	if int8(b) >= -32 {
		return int64(int8(b)), 1
	}
	t := integerShift[b]
	u := mem.Load64BE(data, pos+1)
	v = int64(u >> (t & 63))
	if t&signedInteger != 0 {
		v = int64(u) >> (t & 63)
	} else if v < 0 {
		return 0, 0
	}
	return v, int(t >> 8)
}

// firstLast returns the first and the last eight bytes of a key as words,
// overlapping or shifted together where it is shorter than sixteen.
func firstLast(key []byte) (first, last uint64) {
	p, n := mem.Bytes(key), len(key)
	switch {
	case n >= 8:
		return mem.Load64(p, 0), mem.Load64(p, n-8)
	case n >= 4:
		return uint64(mem.Load32(p, 0)), uint64(mem.Load32(p, n-4))
	case n > 0:
		return uint64(key[0]) | uint64(key[n/2])<<8, uint64(key[n-1])
	}
	return 0, 0
}

// hashKey mixes the length and the ends of a key.
func hashKey(key []byte, seed uint64) uint64 {
	first, last := firstLast(key)
	return (first ^ bits.RotateLeft64(last, 27) ^ uint64(len(key))<<56) * seed
}
