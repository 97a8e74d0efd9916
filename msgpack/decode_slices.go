package msgpack

import (
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// decoder returns the decoder of the slice type. Slices of integers have a function for
// each type, because short ones would spend much of the time between the functions that
// serve all types.
func (s *sliceCodec) decoder() decodeFunc {
	switch {
	case !fast:
	case getInt8 <= s.get && s.get <= getUint64:
		return integersDecoders[s.get-getInt8](s)
	case s.get.isNumber():
		return s.decodeNumbers
	case s.get == getString:
		return s.decodeStrings
	}
	return s.decode
}

// integersDecoders has the function that makes the decoder for each type of integers.
var integersDecoders = [...]func(s *sliceCodec) decodeFunc{
	makeIntegersDecoder[int8], makeIntegersDecoder[int16], makeIntegersDecoder[int32], makeIntegersDecoder[int64],
	makeIntegersDecoder[uint8], makeIntegersDecoder[uint16], makeIntegersDecoder[uint32], makeIntegersDecoder[uint64],
}

// makeIntegersDecoder returns the decoder of slices of integers.
//
//go:noinline
func makeIntegersDecoder[T integer](s *sliceCodec) decodeFunc {
	return func(d *decoder, p mem.Ptr) error {
		n, size := d.shortArray()
		if size == 0 {
			return s.decode(d, p)
		}
		d.makePlain(mem.At[mem.SliceHeader](p), n, s.size)
		done, end := fastIntegers(d.data, d.pos+size, *mem.At[[]T](p))
		if done < n {
			return s.decodeRest(d, p, done, end)
		}
		d.pos = end
		return nil
	}
}

// decodeNumbers decodes a slice of bools or floats.
func (s *sliceCodec) decodeNumbers(d *decoder, p mem.Ptr) error {
	n, size := d.shortArray()
	if size == 0 {
		return s.decode(d, p)
	}
	h := mem.At[mem.SliceHeader](p)
	d.makePlain(h, n, s.size)
	done, end := s.numbers(d.data, d.pos+size, mem.Slice(h.Data, n*int(s.size)))
	if done < n {
		return s.decodeRest(d, p, done, end)
	}
	d.pos = end
	return nil
}

// decodeStrings decodes a slice of strings.
func (s *sliceCodec) decodeStrings(d *decoder, p mem.Ptr) error {
	n, size := d.shortArray()
	if size == 0 {
		return s.decode(d, p)
	}
	v := mem.At[[]string](p)
	if *v != nil && n <= cap(*v) {
		*v = (*v)[:n]
	} else {
		*v = make([]string, n)
	}
	d.pos += size
	if done := d.fastStrings(*v); done < n {
		return s.decodeRest(d, p, done, d.pos)
	}
	return nil
}

// decodeRest decodes the elements of a short array from element i on, which is at pos.
func (s *sliceCodec) decodeRest(d *decoder, p mem.Ptr, i, pos int) error {
	h, owed := mem.At[mem.SliceHeader](p), d.owed
	d.pos = pos
	d.depth--                                                 // shortArray has found that there is a level
	return s.decodeElements(d, h.Data, i, h.Len, owed, false) // scalars are replaced as a whole
}

// shortArray reads the header of an array of fewer than 65536 elements that the rest of
// the input can hold, without advancing. It returns the number of elements and the size
// of the header, which is 0 for every other value.
func (d *decoder) shortArray() (n, size int) {
	in, left := mem.Bytes(d.data), d.left()
	if left == 0 || d.depth == 0 {
		return 0, 0
	}
	switch b := mem.Load8(in, d.pos); {
	case b&^15 == byte(wire.FixArray):
		n, size = int(b&15), 1
	case b == byte(wire.Array16) && left >= 3:
		n, size = int(mem.Load16BE(in, d.pos+1)), 3
	}
	if !wire.Fits(uint64(n), d.owed, left-size) {
		return 0, 0
	}
	return n, size
}

// makePlain gives the slice h a length of n elements of the given size, which have no
// pointers. It keeps the memory of the slice if that is large enough.
func (d *decoder) makePlain(h *mem.SliceHeader, n int, size uintptr) {
	if n <= h.Cap && !h.Data.IsNil() {
		h.Len = n
		return
	}
	*h = mem.SliceHeader{Data: d.newPlain(uint64(n) * uint64(size)), Len: n, Cap: n}
}

// fastElements decodes elements of an array into the n variables at data, which are
// size bytes apart, as long as they are in the usual formats. It returns the number
// of elements that it has decoded; the caller decodes the next one by a call.
func (d *decoder) fastElements(o getOp, data mem.Ptr, n int, size uintptr) (done int) {
	h := mem.SliceHeader{Data: data, Len: n, Cap: n}
	switch o {
	case getString: // needs the chunk of the decoder
		return d.fastStrings(*mem.At[[]string](mem.PtrTo(&h)))
	case getTime:
		done, d.pos = fastTimes(d.data, d.pos, *mem.At[[]time.Time](mem.PtrTo(&h)))
	case getAlias: // has no loop
	default:
		done, d.pos = numbersDecoders[o](d.data, d.pos, mem.Slice(data, n*int(size)))
	}
	return done
}

// A numbersDecoder decodes numbers from data[pos:] into the memory s, like fastElements.
// It also returns the end of the last one.
type numbersDecoder func(data []byte, pos int, s []byte) (done, end int)

// numbersDecoders has the decoder of each number.
var numbersDecoders = [...]numbersDecoder{
	getBool:    fastBools,
	getInt8:    integersIn[int8],
	getInt16:   integersIn[int16],
	getInt32:   integersIn[int32],
	getInt64:   integersIn[int64],
	getUint8:   integersIn[uint8],
	getUint16:  integersIn[uint16],
	getUint32:  integersIn[uint32],
	getUint64:  integersIn[uint64],
	getFloat32: fastFloat32s,
	getFloat64: fastFloat64s,
}

// fastBools is a numbersDecoder for bools, whose formats differ in the lowest bit.
func fastBools(data []byte, pos int, s []byte) (done, end int) {
	for ; done < len(s) && pos < len(data) && data[pos]|1 == byte(wire.True); done++ {
		s[done] = data[pos] & 1
		pos++
	}
	return done, pos
}

// fastTimes is like a numbersDecoder, for times, which are timestamps of 32 or 64 bits.
func fastTimes(data []byte, pos int, s []time.Time) (done, end int) {
	in, last := mem.Bytes(data), len(data)
	for ; done < len(s) && pos+6 <= last; done++ {
		switch mem.Load16(in, pos) {
		case timestamp32:
			s[done] = time.Unix(int64(mem.Load32BE(in, pos+2)), 0).UTC()
			pos += 6
		case timestamp64:
			if pos+10 > last || mem.Load64BE(in, pos+2)>>34 > maxNanoseconds {
				return done, pos
			}
			v := mem.Load64BE(in, pos+2)
			s[done] = time.Unix(int64(v&(1<<34-1)), int64(v>>34)).UTC()
			pos += 10
		default:
			return done, pos
		}
	}
	return done, pos
}

// integersIn is a numbersDecoder for integers.
func integersIn[T integer](data []byte, pos int, s []byte) (done, end int) {
	return fastIntegers(data, pos, mem.SliceOf[T](s))
}

// fastIntegers is a numbersDecoder for integers in a slice. It keeps the table entry of the previous
// format, because elements often have the same format. The processor predicts that
// branch and begins with the next element before the table is loaded.
func fastIntegers[T integer](data []byte, pos int, s []T) (done, end int) {
	in, last := mem.Bytes(data), len(data)
	var before byte
	var f integerFormat
	for ; done < len(s) && pos < last; done++ {
		b := mem.Load8(in, pos)
		v, end := int64(int8(b)), pos+1
		if int8(b) < -32 { // not a fixint
			if pos+maxInteger > last { // too close to the end to load a word
				if v, end = fastInteger(data, pos); end == 0 {
					break
				}
			} else {
				if b != before {
					before, f = b, integerFormats[b]
				}
				// Load eight bytes and shift out those that follow the integer. The shift
				// is arithmetic for a signed format. The mask of the shift saves the
				// compiler a test for shifts of 64 bits or more.
				end = pos + f.size()
				u := mem.Load64BE(in, pos+1)
				if f&signedInteger != 0 {
					v = int64(u) >> (f & 63)
				} else if v = int64(u >> (f & 63)); v < 0 {
					if f == 0 || T(v) < 0 || uint64(T(v)) != uint64(v) {
						break // not an integer, or above the range of T
					}
					s[done] = T(v) // T is uint64
					pos = end
					continue
				} else if f == 0 {
					break // not an integer
				}
			}
		}
		// The second condition matters for uint64, where the conversion keeps all bits
		// of a negative number.
		if int64(T(v)) != v || (T(v) < 0) != (v < 0) {
			break
		}
		s[done] = T(v)
		pos = end
	}
	return done, pos
}

// fastStrings decodes strings of less than 64 KiB, and returns how many. The caller decodes
// other values, or returns their errors, by a call.
func (d *decoder) fastStrings(s []string) (i int) {
	in, pos, last := mem.Bytes(d.data), d.pos, len(d.data)
	for ; i < len(s) && pos < last; i++ {
		start := pos + 1
		size := int(mem.Load8(in, pos) ^ byte(wire.FixStr))
		if size > shortString {
			d.pos = pos
			b, ok := d.shortBytes()
			if !ok {
				break
			}
			s[i], pos = d.newString(b), d.pos
			continue
		}
		if start+size > last {
			break
		}
		pos = start + size
		switch {
		case size == 0:
			s[i] = ""
		case size <= len(d.chunk)-d.used:
			s[i] = d.place(in.Add(uintptr(start)), size)
		default:
			d.pos = pos // newString sizes a new chunk by the rest of the input
			s[i] = d.newString(d.data[start:pos])
		}
	}
	d.pos = pos
	return i
}

// fastScalar decodes the scalar at data[pos:] if it is in a usual format, and returns
// its end, otherwise 0. It is for whole messages, because the setup of a decoder would
// take longer than decoding the value, and for the targets of pointers to numbers.
func fastScalar(data []byte, pos int, p *plan, target mem.Ptr) (end int) {
	switch {
	case pos >= len(data):
		return 0
	case p.get == getBool:
		b := data[pos]
		if b|1 != byte(wire.True) { // neither c2 nor c3
			return 0
		}
		mem.Store8(target, 0, b&1)
		return pos + 1
	case getInt8 <= p.get && p.get <= getUint64:
		var v int64
		if v, end = fastInteger(data, pos); end == 0 {
			return 0
		}
		switch {
		case p.get == getInt64 || p.get == getUint64 && v >= 0: // the usual types, without a second call
			*mem.At[int64](target) = v
		case !setInteger(p.get, target, v):
			return 0
		}
	case p.get == getFloat64 && data[pos] == byte(wire.Float64) && len(data)-pos > 8:
		*mem.At[uint64](target) = mem.Load64BE(mem.Bytes(data), pos+1)
		return pos + 9
	default:
		// Floats in other formats have no function for a single value, so the value is
		// a slice of one element.
		var done int
		if done, end = numbersDecoders[p.get](data, pos, mem.Slice(target, p.size)); done == 0 {
			return 0
		}
	}
	return end
}

// An integerFormat says how to extract an integer from the eight bytes after its format
// byte. The low six bits are the distance to shift them to the right. The bits from 8
// on are the length of the value.
type integerFormat uint32

// integerFormats is indexed by format bytes. Entries of values that are not integers
// are 0.
var integerFormats = makeIntegerFormats()

const signedInteger = 1 << 7 // the shift is arithmetic

func makeIntegerFormats() (t [256]integerFormat) {
	for b := range t {
		if int8(b) >= -32 { // a fixint
			t[b] = 1 << 8
		}
	}
	for i := range 4 {
		size := 1 << i
		form := integerFormat(64-8*size) | integerFormat(1+size)<<8
		t[int(wire.Uint8)+i] = form
		t[int(wire.Int8)+i] = form | signedInteger
	}
	return t
}

func (f integerFormat) size() int { return int(f >> 8) }

// load returns the bytes of the integer whose format byte is at p, the first one in the
// highest bits. It does not read past the end of the integer. It makes two loads, which
// overlap unless the integer has two or eight bytes, because branches for each length
// would often be mispredicted.
func (f integerFormat) load(p mem.Ptr) uint64 {
	if f < 5<<8 { // one or two bytes
		return uint64(mem.Load8(p, 1))<<56 | uint64(mem.Load8(p, f.size()-1))<<48
	}
	return uint64(mem.Load32BE(p, 1))<<32 | uint64(mem.Load32BE(p, f.size()-4))
}

// integer returns the integer in the highest bytes of u, or false if it is above the
// range of int64.
func (f integerFormat) integer(u uint64) (v int64, ok bool) {
	v = int64(u >> (f & 63))
	if f&signedInteger != 0 { // without a branch
		v = int64(u) >> (f & 63)
	}
	return v, v&^(int64(f)<<56) >= 0 // positive or signed
}

// fastInteger reads an integer of any format at pos and returns its end. The end is
// 0 if the value is not an integer, is truncated, or is above the range of int64.
func fastInteger(data []byte, pos int) (v int64, end int) {
	in := mem.Bytes(data)
	b := mem.Load8(in, pos)
	if int8(b) >= -32 {
		return int64(int8(b)), pos + 1
	}
	f := integerFormats[b]
	if end = pos + f.size(); f == 0 || end > len(data) {
		return 0, 0
	}
	v, ok := f.integer(f.load(in.Add(uintptr(pos))))
	if !ok {
		return 0, 0
	}
	return v, end
}
