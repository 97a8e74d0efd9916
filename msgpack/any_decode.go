package msgpack

import (
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// The functions here decode values of the usual formats into an any. The result is
// that of the general functions in any.go, to which they leave rare formats and
// errors. They pass and return the position and the ledger by value, so that both
// stay in registers.

// fastAny decodes the value at pos and returns its end. owed is the ledger, see
// decoder. Each case first checks that the value is complete. A value that is not
// complete falls through to rareAny, which returns the error.
func (d *decoder) fastAny(pos int, owed uint64) (v any, end int, err error) {
	if pos >= len(d.data) {
		return d.rareAny(pos, owed)
	}
	in, left := mem.Bytes(d.data), len(d.data)-pos // format byte included
	b := mem.Load8(in, pos)
	// Two tests find the formats of one byte. The others are few, so the compiler makes
	// a jump table.
	if int8(b) >= -32 {
		return mem.MakeAny(int64Word, mem.PtrTo(&fixints[b])), pos + 1, nil
	}
	if b < byte(wire.Nil) {
		switch b >> 4 {
		case byte(wire.FixMap) >> 4:
			return d.fastAnyMap(pos, 1, int(b&15), owed)
		case byte(wire.FixArray) >> 4:
			return d.fastAnySlice(pos, 1, int(b&15), owed)
		}
		if n := int(b & 31); n < left {
			return d.anyString(pos+1, n), pos + 1 + n, nil
		}
		return d.rareAny(pos, owed)
	}
	switch wire.Format(b) {
	case wire.Float64:
		if left >= 9 {
			return mem.MakeAny(float64Word, d.number(mem.Load64BE(in, pos+1))), pos + 9, nil
		}
	case wire.Uint8, wire.Uint16, wire.Uint32, wire.Uint64, wire.Int8, wire.Int16, wire.Int32, wire.Int64:
		if i, end := fastInteger(d.data, pos); end > 0 {
			return mem.MakeAny(int64Word, d.number(uint64(i))), end, nil
		}
	case wire.Nil:
		return nil, pos + 1, nil
	case wire.False, wire.True:
		return b == byte(wire.True), pos + 1, nil
	case wire.Str8, wire.Str16:
		if start, n := d.textAt(pos); start > 0 && n <= len(d.data)-start {
			return d.anyString(start, n), start + n, nil
		}
	case wire.Array16:
		if left >= 3 {
			return d.fastAnySlice(pos, 3, int(mem.Load16BE(in, pos+1)), owed)
		}
	case wire.Map16:
		if left >= 3 {
			return d.fastAnyMap(pos, 3, int(mem.Load16BE(in, pos+1)), owed)
		}
	}
	return d.rareAny(pos, owed)
}

// singleAny decodes a scalar at pos and returns its end, or 0 for another value. It needs no
// extras and gives the value its own memory, which takes less time for the only such value
// at the end of a message.
func (d *decoder) singleAny(pos int) (v any, end int) {
	if start, n := d.textAt(pos); start > 0 {
		if n > len(d.data)-start {
			return nil, 0
		}
		return string(d.data[start : start+n]), start + n
	}
	if pos >= len(d.data) {
		return nil, 0
	}
	switch b := d.data[pos]; wire.Format(b) {
	case wire.Nil:
		return nil, pos + 1
	case wire.False, wire.True:
		return b == byte(wire.True), pos + 1
	}
	if i, end := fastInteger(d.data, pos); end > 0 {
		return i, end
	}
	return nil, 0
}

// rareAny decodes the value at pos with the general function.
func (d *decoder) rareAny(pos int, owed uint64) (any, int, error) {
	d.pos, d.owed = pos, owed
	v, err := d.generalAny()
	return v, d.pos, err
}

// fastAnySlice decodes an array of n elements whose header, of the given size, is at
// pos. After an error it does not restore d.depth, because decoding ends then.
func (d *decoder) fastAnySlice(pos, size, n int, owed uint64) (any, int, error) {
	if !wire.Fits(uint64(n), owed, len(d.data)-pos-size) || d.depth == 0 {
		return d.rareAny(pos, owed) // which returns the error
	}
	v, s := newAnySlice(n)
	d.depth--
	pos += size
	owed += uint64(n)
	var err error
	for i := range s {
		owed--
		if s[i], pos, err = d.fastAny(pos, owed); err != nil {
			return nil, 0, underIndex(i, err)
		}
	}
	d.depth++
	return v, pos, nil
}

// fastAnyMap is fastAnySlice for a map of n pairs.
func (d *decoder) fastAnyMap(pos, size, n int, owed uint64) (any, int, error) {
	if !wire.Fits(2*uint64(n), owed, len(d.data)-pos-size) || d.depth == 0 {
		return d.rareAny(pos, owed) // which returns the error
	}
	// The first key usually tells the type of the map, so that a map[any]any need not
	// copy the pairs of a map[string]any.
	// wire.Fits has found at least two bytes after the header.
	if n > 0 && wire.FormatOf(d.data[pos+size]).Kind() != wire.KindStr {
		return d.rareAny(pos, owed)
	}
	m := make(map[string]any, n)
	d.depth--
	pos += size
	for i := range n {
		start, size := d.textAt(pos)
		// A rare or truncated key is left to the general function.
		if start == 0 || size > len(d.data)-start {
			d.pos = pos
			v, err := d.anyPairs(m, n, i, owed)
			return v, d.pos, err
		}
		key := d.key(start, size)
		v, end, err := d.fastAny(start+size, owed+2*uint64(n-i-1))
		if err != nil {
			return nil, 0, underKey(key, err)
		}
		m[key] = v
		pos = end
	}
	d.depth++
	return m, pos, nil
}

// textAt reads the header of a str of less than 64 KiB at pos. It returns the offset
// of the contents and their length, which may exceed the input. For all other values
// it returns a start of 0.
func (d *decoder) textAt(pos int) (start, size int) {
	in, left := mem.Bytes(d.data), len(d.data)-pos
	if left > 0 {
		b := mem.Load8(in, pos)
		if b&^31 == byte(wire.FixStr) {
			return pos + 1, int(b & 31)
		}
		if b == byte(wire.Str8) && left > 1 {
			return pos + 2, int(mem.Load8(in, pos+1))
		}
		if b == byte(wire.Str16) && left > 2 {
			return pos + 3, int(mem.Load16BE(in, pos+1))
		}
	}
	return 0, 0
}

// anyString returns the n bytes at pos as a string in an any. The caller has checked
// that the input is long enough.
func (d *decoder) anyString(pos, n int) any {
	x, left := d.extras, d.after(pos)
	switch {
	case n == 0:
		return ""
	case n >= maxBoxed: // in a chunk, the header would keep other long strings alive
		return string(d.data[pos : pos+n])
	case n >= maxShared:
		text := x.long.next(maxLong, left/maxShared)
		*text = string(d.data[pos : pos+n])
		return mem.MakeAny(stringWord, mem.PtrTo(text))
	}
	// Short strings share a chunk, see strings.go.
	if n > len(d.chunk)-d.used {
		d.pos = pos + n // newChunk sizes the chunk by the rest of the input
		d.newChunk(n, n+d.left())
	}
	text := x.texts.next(maxTexts, left/6)
	*text = d.place(mem.Bytes(d.data).Add(uintptr(pos)), n)
	return mem.MakeAny(stringWord, mem.PtrTo(text))
}

// An interface points to its value, so each number or string in an any needs memory
// of its own. One allocation for each would take most of the time. Numbers and
// string headers therefore share chunks, and a short slice is allocated together
// with its header. The disadvantage is that a retained value keeps its chunk alive.
// The constants below limit a chunk to 2 KiB, strings included.
type boxes struct {
	numbers boxChunk[uint64]
	texts   boxChunk[string] // headers of strings whose bytes are in the current chunk of the decoder
	long    boxChunk[string] // headers of strings of maxShared bytes or more, which have their own memory
}

const (
	// Values in a chunk.
	maxNumbers = 64
	maxTexts   = 32
	maxLong    = 4

	maxBoxed = 512 // bytes; the header of a string of this length or more has memory of its own
)

// A boxChunk is memory for several values that interfaces point to.
type boxChunk[T any] struct {
	boxes []T
	used  int // an index: advancing the slice would store a pointer, which takes a write barrier
}

// next returns a free box. If the chunk is full, next allocates a new one of most
// boxes, or of fewer if only expected more values can follow.
func (c *boxChunk[T]) next(most, expected int) *T {
	if c.used == len(c.boxes) {
		c.boxes, c.used = make([]T, min(most, 1+expected)), 0
	}
	c.used++
	return &c.boxes[c.used-1]
}

var (
	int64Word   = mem.TypeWordOf(int64(0))
	float64Word = mem.TypeWordOf(float64(0))
	stringWord  = mem.TypeWordOf("")
	slicesWord  = mem.TypeWordOf([]any(nil))
)

// fixints holds the values of all fixints by format byte. Interfaces point into it,
// so small numbers need no allocation.
var fixints = makeFixints()

func makeFixints() (t [256]int64) {
	for i := range t {
		t[i] = int64(int8(i))
	}
	return t
}

// number stores v in a box and returns a pointer to the box. The rest of the input
// limits the length of a new chunk. The divisor is a guess at the input that a number
// takes, with its share of keys and headers.
func (d *decoder) number(v uint64) mem.Ptr {
	box := d.extras.numbers.next(maxNumbers, d.after(d.pos)/3)
	*box = v
	return mem.PtrTo(box)
}

// emptySlice is shared by all empty slices, because nothing can be stored in it.
var emptySlice = any([]any{})

// newAnySlice returns a slice of n nils, as an interface and as a slice. Up to four
// elements are allocated together with the slice header, to save one of the two
// allocations.
func newAnySlice(n int) (any, []any) {
	switch n {
	case 0:
		return emptySlice, nil
	case 1:
		return newShortSlice[[1]any](n)
	case 2:
		return newShortSlice[[2]any](n)
	case 3:
		return newShortSlice[[3]any](n)
	case 4:
		return newShortSlice[[4]any](n)
	}
	s := make([]any, n)
	return s, s
}

// newShortSlice is newAnySlice for a slice with the n elements of an A.
func newShortSlice[A [1]any | [2]any | [3]any | [4]any](n int) (any, []any) {
	b := new(struct {
		header   mem.SliceHeader
		elements A
	})
	b.header = mem.SliceHeader{Data: mem.PtrTo(&b.elements), Len: n, Cap: n}
	p := mem.PtrTo(&b.header)
	return mem.MakeAny(slicesWord, p), *mem.At[[]any](p)
}

// anyMapInto decodes into a map like [mapCodec.decode]. Its keys come from the cache,
// because most messages repeat them.
func (d *decoder) anyMapInto(p mem.Ptr, want string) error {
	n, owed, err := d.openMap(p, want)
	if n < 0 || err != nil {
		return err
	}
	d.borrow()
	m := mem.At[map[string]any](p)
	if *m == nil {
		*m = make(map[string]any, n)
	}
	for i := range n {
		d.owed = owed + 2*uint64(n-i) - 1
		var key string
		// A usual key comes from the cache, without a header and without a copy.
		if start, size := d.textAt(d.pos); start > 0 && size <= len(d.data)-start {
			key = d.key(start, size)
			d.pos = start + size
		} else if err := d.stringInto(&key, "string"); err != nil { // nil, bin, a long str or an error
			return under("[key]", err)
		}
		d.owed--
		v, err := d.any()
		if err != nil {
			return underKey(key, err)
		}
		(*m)[key] = v
	}
	d.close(owed)
	return nil
}

// anyKeyMapInto is anyMapInto for a map[any]any.
func (d *decoder) anyKeyMapInto(p mem.Ptr, want string) error {
	n, owed, err := d.openMap(p, want)
	if n < 0 || err != nil {
		return err
	}
	m := mem.At[map[any]any](p)
	if *m == nil {
		*m = make(map[any]any, n)
	}
	return d.anyKeyPairs(*m, n, 0, owed, want)
}
