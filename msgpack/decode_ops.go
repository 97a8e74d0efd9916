package msgpack

import (
	"math"
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// decode decodes n values, for fields from f on, into the variable at p. If the
// fields have keys, each value follows its key. owed is the number of values that
// are owed after the last one, see decoder. at is where fast has stopped. After an
// error, decode returns the field whose value was wrong, or nil if a key was.
//
// decode and fast are the only loop over the fields of structs and the halves of map
// entries. decode handles by calls what fast does not: values in rare formats, values
// of types without an operation, keys in rare formats, the values of unknown keys,
// and errors. After each of them it returns to fast.
func (s *fieldSet) decode(d *decoder, f *getField, n int, at stop, owed uint64, p mem.Ptr) (*getField, error) {
	for {
		if at == stopAtUnknown { // fast has read the key
			n--
			d.owed = owed + 2*uint64(n)
			if err := d.skip(); err != nil {
				return nil, under("[unknown field]", err)
			}
			if n == 0 {
				return nil, nil
			}
			f, n, at = s.fast(d, f, n, p)
			if n == 0 {
				return nil, nil
			}
			continue
		}
		if at == stopBeforeKey && f.keyed {
			d.owed = owed + 2*uint64(n) - 1
			start := d.pos
			found, err := s.find(d)
			if err != nil {
				return nil, under("[key]", err)
			}
			if found == nil { // an unknown key: skip its value, or report it
				d.owed-- // the value of the key is next
				if err := s.unknown(d, start, p); err != nil {
					return nil, err
				}
				if n--; n == 0 {
					return nil, nil
				}
				if fast {
					if f, n, at = s.fast(d, f, n, p); n == 0 {
						return nil, nil
					}
				}
				continue
			}
			if f = found; f.check != 0 { // as in fast
				*mem.At[uint64](d.seen.Add(uintptr(f.word) * 8)) |= f.check
			}
		}
		// The key of f has been read. Its value comes next.
		n--
		d.owed = owed + uint64(n)*s.values
		if err := s.decoders[s.index(f)](d, p.Add(f.offset)); err != nil {
			return f, err
		}
		f = mem.Next(f)
		if n == 0 {
			return nil, nil
		}
		if at = stopBeforeKey; fast {
			if f, n, at = s.fast(d, f, n, p); n == 0 {
				return nil, nil
			}
		}
	}
}

// A stop is the position at which fast has stopped.
type stop uint8

const (
	stopAtValue   stop = iota // after the key of a field
	stopBeforeKey             // before a key that fast cannot find or read
	stopAtUnknown             // after an unknown key, whose value must be skipped
)

// fast decodes up to n values like decode, as long as keys and values are in the
// usual formats. Keys may come in any order. The key of the next field in declared
// order is tried first, because most encoders keep that order. fast returns the field
// at which it stopped and the number of values that remain.
//
// Its only calls are rare: they allocate a string, and read the integer that an
// encoder wrote for a float. So its variables stay in registers. It stops before it
// changes anything for the value that it cannot decode, so that decode can start
// again with that value.
func (s *fieldSet) fast(d *decoder, f *getField, n int, p mem.Ptr) (*getField, int, stop) {
	// The loop works on copies. d.pos is written only when the loop stops.
	in, pos, last := mem.Bytes(d.data), d.pos, len(d.data)
	var start int // of the value
	if last < 8 {
		return f, n, stopBeforeKey // too short to load a word: decode handles all of it
	}
next:
	for n > 0 {
		if f.keyed {
			// Load the first word of the key. Less than eight bytes before the end of
			// the input, load the last word and shift out the bytes before the key,
			// because a load must not read behind the input.
			var word uint64
			if pos+8 <= last {
				word = mem.Load64(in, pos)
			} else if word = mem.Load64(in, last-8) >> (8 * uint(pos+8-last) & 63); pos >= last {
				goto key
			}
			if start = pos + int(f.size); word&f.mask != f.first || start >= last ||
				f.size > 8 && (mem.Load64(in, start-8) != f.last || f.size > 16 && !f.isBetween(in, pos)) {
				// Not the expected key. Look it up by its words, see keyTable. The
				// exclusive or gives the length of a fixstr, and more than
				// shortString for every other format.
				size := 1 + int(byte(word)^byte(wire.FixStr))
				start = pos + size
				if size > 1+shortString || start >= last {
					goto key
				}
				// Look for the words of the key from its slot on, until a free slot tells
				// that the key is unknown. The table always has one.
				word &= keyMasks[size]
				slot := s.keys.hash(word)
				if s.keys.tails && size > 8 {
					slot = s.keys.hash(word ^ mem.Load64(in, start-8))
				}
				for {
					i := s.keys.at(slot)
					if i == 0 {
						// An unknown key. Skip its value if the format byte tells its
						// length.
						if !s.lenient {
							goto key // an error, or an entry of an inline map
						}
						b := mem.Load8(in, start)
						end := start + int(shortSizes[b])
						if b == byte(wire.Str8) && start+1 < last {
							end += int(mem.Load8(in, start+1))
						}
						if end == start || end > last { // a container, a long value, or the end of the input
							d.pos = start
							return f, n, stopAtUnknown
						}
						pos = end
						n--
						continue next
					}
					c := s.field(i - 1)
					if c.first == word && (size <= 8 || mem.Load64(in, start-8) == c.last && (size <= 16 || c.isBetween(in, pos))) {
						f = c
						break
					}
					slot++
				}
			}
			if f.check != 0 { // a required field, see decodeChecked
				*mem.At[uint64](d.seen.Add(uintptr(f.word) * 8)) |= f.check
			}
		} else if start = pos; pos >= last {
			goto value
		}
		// start is in the input here, but only the format byte. Each case checks that
		// the rest of the value is too.
		at := p.Add(f.offset)
		b := mem.Load8(in, start)
		switch f.get {
		case getCall:
			goto value
		case getBool:
			if b|1 != byte(wire.True) { // neither c2 nor c3
				goto value
			}
			mem.Store8(at, 0, b&1)
			pos = start + 1
		case getFloat32:
			if b != byte(wire.Float32) || start+5 > last {
				goto value
			}
			*mem.At[uint32](at) = mem.Load32BE(in, start+1)
			pos = start + 5
		case getFloat64:
			// Other formats are common here, unlike for float32: encoders write the
			// shortest one that holds the value.
			switch {
			case b == byte(wire.Float64) && start+9 <= last:
				*mem.At[uint64](at) = mem.Load64BE(in, start+1)
				pos = start + 9
			case b == byte(wire.Float32) && start+5 <= last:
				f32 := math.Float32frombits(mem.Load32BE(in, start+1))
				if f32 != f32 {
					goto value // a NaN, which decodeOp converts
				}
				*mem.At[float64](at) = float64(f32)
				pos = start + 5
			default:
				// Many encoders write a float without a fraction as an integer.
				v, end := fastInteger(d.data, start)
				if end == 0 || v < -1<<53 || v > 1<<53 { // a float64 may not represent it exactly
					goto value
				}
				*mem.At[float64](at) = float64(v)
				pos = end
			}
		case getString:
			// A fixstr or a str 8 that fits in a chunk. A bin and a longer str need a
			// call.
			size, from := int(b^byte(wire.FixStr)), start+1
			if size > shortString { // not a fixstr
				if b != byte(wire.Str8) || start+2 > last {
					goto value
				}
				size, from = int(mem.Load8(in, from)), start+2
			}
			// A long string must not be put into a chunk, see maxShared.
			if from+size > last || size >= maxShared {
				goto value
			}
			pos = from + size
			if size > len(d.chunk)-d.used {
				// The chunk is full, and decode makes a new one. If there is none, this
				// is the only string of a short message, which needs no chunk.
				if d.chunk != nil || last-pos >= minChunk {
					goto value
				}
				*mem.At[string](at) = string(mem.Slice(in.Add(uintptr(from)), size))
				break
			}
			if size == 0 { // a pointer into the chunk would keep the chunk alive
				*mem.At[string](at) = ""
				break
			}
			// Copy by words that overlap, as store does.
			to := mem.Bytes(d.chunk).Add(uintptr(d.used))
			switch {
			case size >= 4 && size <= 16:
				mem.CopyWords(to, in.Add(uintptr(from)), size)
			case size > 16:
				for i := 0; i < size-16; i += 16 {
					mem.Copy16(to, i, in, from+i)
				}
				mem.Copy16(to, size-16, in, pos-16)
			default:
				mem.Store8(to, 0, mem.Load8(in, from))
				mem.Store8(to, size/2, mem.Load8(in, from+size/2))
				mem.Store8(to, size-1, mem.Load8(in, pos-1))
			}
			*mem.At[string](at) = mem.StringAt(to, size)
			d.used += size
		case getAlias:
			// The same for a string that shares the input. Only a fixstr is usual.
			size := int(b ^ byte(wire.FixStr))
			if size > shortString || start+1+size > last {
				goto value
			}
			pos = start + 1 + size
			if size == 0 { // a pointer could point behind the input
				*mem.At[string](at) = ""
				break
			}
			*mem.At[string](at) = mem.StringAt(in.Add(uintptr(start)+1), size)
		case getTime:
			// Timestamp 96 is rare: it is for times before 1970 or after 2514.
			switch {
			case start+10 <= last && mem.Load16(in, start) == timestamp64 && mem.Load64BE(in, start+2)>>34 <= maxNanoseconds:
				v := mem.Load64BE(in, start+2) // 34 bits of seconds below 30 bits of nanoseconds
				*mem.At[time.Time](at) = time.Unix(int64(v&(1<<34-1)), int64(v>>34)).UTC()
				pos = start + 10
			case start+6 <= last && mem.Load16(in, start) == timestamp32:
				*mem.At[time.Time](at) = time.Unix(int64(mem.Load32BE(in, start+2)), 0).UTC()
				pos = start + 6
			default:
				goto value
			}
		case getNil:
			// Optional fields are often nil. Everything else needs a call.
			if b != byte(wire.Nil) {
				goto value
			}
			at.SetPtr(mem.Ptr{})
			pos = start + 1
		case getList:
			switch h := mem.At[mem.SliceHeader](at); {
			case b == byte(wire.Nil):
				*h = mem.SliceHeader{}
			case b != byte(wire.FixArray) || d.depth == 0:
				goto value // it has elements, or it is nested too deeply
			case h.Data.IsNil():
				h.Data = mem.Nothing() // an empty slice is not nil
			default:
				h.Len = 0 // the slice keeps its memory
			}
			pos = start + 1
		default:
			// An integer. A field tends to have the same format in all messages.
			// Branches are faster than a table then, because the processor predicts
			// them and continues before it has loaded b.
			v, end := int64(int8(b)), start+1 // a fixint
			if int8(b) < -32 {
				if start+maxInteger > last {
					goto value // near the end of the input, one check for all formats
				}
				switch wire.Format(b) {
				case wire.Uint8:
					v, end = int64(mem.Load8(in, start+1)), start+2
				case wire.Uint16:
					v, end = int64(mem.Load16BE(in, start+1)), start+3
				case wire.Uint32:
					v, end = int64(mem.Load32BE(in, start+1)), start+5
				case wire.Uint64:
					v, end = int64(mem.Load64BE(in, start+1)), start+9
					if v < 0 && f.get != getUint64 {
						goto value // above the range of int64
					}
				case wire.Int8:
					v, end = int64(int8(mem.Load8(in, start+1))), start+2
				case wire.Int16:
					v, end = int64(int16(mem.Load16BE(in, start+1))), start+3
				case wire.Int32:
					v, end = int64(int32(mem.Load32BE(in, start+1))), start+5
				case wire.Int64:
					v, end = int64(mem.Load64BE(in, start+1)), start+9
				default:
					goto value
				}
			}
			// A value that does not fit is left to decode, which returns the error.
			switch f.get {
			case getInt8:
				if int64(int8(v)) != v {
					goto value
				}
				*mem.At[int8](at) = int8(v)
			case getInt16:
				if int64(int16(v)) != v {
					goto value
				}
				*mem.At[int16](at) = int16(v)
			case getInt32:
				if int64(int32(v)) != v {
					goto value
				}
				*mem.At[int32](at) = int32(v)
			case getInt64:
				*mem.At[int64](at) = v
			case getUint8:
				if int64(uint8(v)) != v {
					goto value
				}
				*mem.At[uint8](at) = uint8(v)
			case getUint16:
				if int64(uint16(v)) != v {
					goto value
				}
				*mem.At[uint16](at) = uint16(v)
			case getUint32:
				if int64(uint32(v)) != v {
					goto value
				}
				*mem.At[uint32](at) = uint32(v)
			case getUint64:
				// A negative v is a number above the range of int64 if the format is
				// uint 64, and otherwise a negative number.
				if v < 0 && b != byte(wire.Uint64) {
					goto value
				}
				*mem.At[uint64](at) = uint64(v)
			}
			pos = end
		}
		n--
		f = mem.Next(f)
	}
	d.pos = pos
	return f, 0, stopAtValue
	// The other exits are labels, so that all cases share them.
value:
	d.pos = start
	return f, n, stopAtValue
key:
	d.pos = pos
	return f, n, stopBeforeKey
}

// shortSizes holds, by format byte, the length of a value if the format byte
// determines it and the value is not a container. For a str 8 it holds 2, the length
// of the header. For all other formats it holds 0.
var shortSizes = makeShortSizes()

func makeShortSizes() (t [256]uint8) {
	for i := range t {
		h, size, err := wire.ConsumeHeader([]byte{byte(i), 0, 0, 0, 0, 0})
		switch k := h.Format.Kind(); {
		case err != nil || k == wire.KindArray || k == wire.KindMap:
		case size == 1 || h.Format == wire.Str8:
			t[i] = uint8(size) + uint8(h.Payload)
		}
	}
	return t
}
