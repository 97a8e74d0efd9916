package msgpack

import (
	"math"
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// markPresent records that f has occurred, and whether it had before: see decodeChecked.
func (d *decoder) markPresent(f *getField) {
	i := f.number - 1
	word := mem.At[uint64](d.seen.Add(uintptr(i/64) * 8))
	d.again = *word>>(i%64)&1 != 0
	*word |= 1 << (i % 64)
}

// decode decodes n values into the variable at p. If the fields have keys, each
// value follows its key. owed is the number of values that are owed after the last
// one, see decoder. f is the field before the first of them, or s.sentinel. After an
// error, decode returns the field whose value was wrong, or nil if a key was.
//
// It is the only loop over the fields of structs, the halves of map entries and the
// elements of arrays that are structs. Keys may come in any order. The key of the field
// that followed in earlier messages is tried first. A value in a usual format is decoded
// here, and every other one by the decoder of its field. next handles everything else.
//
// There is one indirect call, of the decoder of a field. The other calls are rare: they
// allocate a string, read an integer that an encoder wrote for a float or at the end of
// the input, skip the value of an unknown key, learn the order of keys, and handle rare
// keys. So the other variables stay in registers from one field to the next.
func (s *fieldSet) decode(d *decoder, f *getField, n int, owed uint64, p mem.Ptr) (_ *getField, err error) {
	for ; !fast && n > 0; n-- {
		if f, err = s.next(d, f, n, owed, p); err != nil {
			return f, err
		}
	}
	// The loop works on copies. d.pos is written only for calls and at the end.
	in, pos, last := mem.Bytes(d.data), d.pos, len(d.data)
	var (
		start int     // of the value
		at    mem.Ptr // the variable
		b     byte    // the format
	)
next:
	for n > 0 {
		before := f
		f = f.next.Load()
		if s.values > 1 {
			// Load the first word of the key. Less than eight bytes before the end of
			// the input, load the last word and shift out the bytes before the key,
			// because a load must not read past the input.
			var word uint64
			switch {
			case pos+8 <= last:
				word = mem.Load64(in, pos)
			case pos >= last:
				f = before
				goto key
			case last >= 8:
				word = mem.Load64(in, last-8) >> (8 * uint(pos+8-last) & 63)
			case last >= 4: // the whole message is shorter than a word, so load halves that overlap
				word = (uint64(mem.Load32(in, 0)) | uint64(mem.Load32(in, last-4))<<(8*uint(last-4)&63)) >> (8 * uint(pos) & 63)
			default: // a key of at most one character and its value, after the header
				for i := last - 1; i >= pos; i-- {
					word = word<<8 | uint64(mem.Load8(in, i))
				}
			}
			// In the usual case this is the expected key: the first word matches,
			// and the last one and the bytes between them if the key is that long.
			// A value must follow, because the code below loads its format byte.
			if start = pos + int(f.size); word&f.mask != f.first || start >= last ||
				f.size > 8 && (mem.Load64(in, start-8) != f.last || f.size > 16 && !f.isBetween(in, pos)) {
				// Not the expected key. Look it up by its words, see keyTable. The
				// exclusive or gives the length of a fixstr, and more than shortString for
				// every other format.
				size := 1 + int(byte(word)^byte(wire.FixStr))
				if start = pos + size; size > 1+shortString || start >= last {
					f = before
					goto key
				}
				// Look for the words of the key from its slot on, until a free slot tells
				// that the key is unknown. The table always has one.
				word &= keyMasks[size]
				hashed := word
				if s.keys.tails && size > 8 {
					hashed ^= mem.Load64(in, start-8)
				}
				for f = s.keys.list(hashed); ; f = f.same {
					if f == nil {
						// An unknown key.
						f = before
						if !s.lenient {
							goto key // an error, or an entry of an inline map
						}
						// Most unknown values are short, so one call is cheaper
						// than leaving the loop. decode returns the errors.
						skipped, err := wire.Skip(d.data[start:], d.depth)
						if err != nil {
							goto key
						}
						pos = start + skipped
						n--
						continue next
					}
					if f.first == word && (size <= 8 || mem.Load64(in, start-8) == f.last && (size <= 16 || f.isBetween(in, pos))) {
						break
					}
				}
				if s.changes.Load() > 0 {
					s.learn(before, f)
				}
			}
			if f.number != 0 {
				d.markPresent(f)
			}
		} else if start = pos; pos >= last {
			goto value
		}
		// start is in the input here, but only the format byte. Each case checks that
		// the rest of the value is too.
		at = p.Add(f.offset)
		b = mem.Load8(in, start)
		// Tests in the order of frequency in types that programs declare, not a jump table:
		// if keys come in changing order, the processor predicts the branches of tests, but
		// not the target of a jump.
		switch {
		case getInt8 <= f.get && f.get <= getUint64:
			// An integer. A field tends to have the same format in all messages.
			// Branches are faster than a table then, because the processor predicts
			// them and continues before it has loaded b.
			v, end := int64(int8(b)), start+1 // a fixint
			if int8(b) < -32 {
				// Near the end of the input, a function makes the checks of each format.
				format := wire.Format(b)
				if start+maxInteger > last {
					format = 0
				}
				switch format {
				case 0:
					if v, end = fastInteger(d.data, start); end == 0 {
						goto value
					}
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
		case f.get == getString:
			// The exclusive or gives the length of a fixstr and a larger number for
			// every other format, so one comparison tests the format.
			size, from := int(b^byte(wire.FixStr)), start+1
			if size > shortString {
				// Longer strings have memory of their own, so only str 8 can follow
				// here.
				if b != byte(wire.Str8) || start+2 > last {
					goto value
				}
				size, from = int(mem.Load8(in, from)), start+2
			}
			if from+size > last || size >= maxShared {
				goto value
			}
			pos = from + size
			if size > len(d.chunk)-d.used {
				// The chunk is full, and decode makes a new one. If there is none, the
				// caller expects no other strings and wants none.
				if d.chunk != nil {
					goto value
				}
				*mem.At[string](at) = string(mem.Slice(in.Add(uintptr(from)), size))
				break
			}
			if size == 0 { // a pointer into the chunk would keep the chunk alive
				*mem.At[string](at) = ""
				break
			}
			// Copy by words that overlap, as emit does.
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
		case f.get == getNil:
			if b != byte(wire.Nil) {
				goto value
			}
			at.SetPtr(mem.Ptr{})
			pos = start + 1
		case f.get == getList:
			switch h := mem.At[mem.SliceHeader](at); {
			case b == byte(wire.Nil):
				*h = mem.SliceHeader{}
			case b != byte(wire.FixArray) || d.depth == 0 || owed+uint64(n-1)*s.values > uint64(last-start-1):
				goto value // it has elements, is nested too deeply, or the input is too short for what is owed
			case h.Data.IsNil():
				h.Data = mem.Nothing() // an empty slice is not nil
			default:
				h.Len = 0 // the slice keeps its memory
			}
			pos = start + 1
		case f.get == getCall:
			goto value
		case f.get == getBool:
			if b|1 != byte(wire.True) { // neither c2 nor c3
				goto value
			}
			mem.Store8(at, 0, b&1)
			pos = start + 1
		case f.get == getFloat64:
			switch {
			case b == byte(wire.Float64) && start+9 <= last:
				*mem.At[uint64](at) = mem.Load64BE(in, start+1)
				pos = start + 9
			case b == byte(wire.Float32) && start+5 <= last:
				// NarrowFloats and other senders write a float64 as float 32 if
				// that is exact.
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
		case f.get == getTime:
			// Timestamp 96 is rare: it is for times before 1970 or after 2514.
			switch {
			case start+10 <= last && mem.Load16(in, start) == timestamp64 && mem.Load64BE(in, start+2)>>34 <= maxNanoseconds:
				v := mem.Load64BE(in, start+2)
				*mem.At[time.Time](at) = time.Unix(int64(v&(1<<34-1)), int64(v>>34)).UTC()
				pos = start + 10
			case start+6 <= last && mem.Load16(in, start) == timestamp32:
				*mem.At[time.Time](at) = time.Unix(int64(mem.Load32BE(in, start+2)), 0).UTC()
				pos = start + 6
			default:
				goto value
			}
		case f.get == getAlias:
			size := int(b ^ byte(wire.FixStr))
			if size > shortString || start+1+size > last {
				goto value
			}
			pos = start + 1 + size
			if size == 0 { // a pointer could point past the input
				*mem.At[string](at) = ""
				break
			}
			*mem.At[string](at) = mem.StringAt(in.Add(uintptr(start)+1), size)
		default: // getFloat32
			if b != byte(wire.Float32) || start+5 > last {
				goto value
			}
			*mem.At[uint32](at) = mem.Load32BE(in, start+1)
			pos = start + 5
		}
		n--
		continue
	value: // a rare format, a type without an operation, or an error
		n--
		d.pos, d.owed = start, owed+uint64(n)*s.values
		if err = s.decoders[s.index(f)](d, p.Add(f.offset)); err != nil {
			return f, err
		}
		pos = d.pos
		continue
	key: // a rare format, an unknown key, or an error; f is the field before
		d.pos = pos
		if f, err = s.next(d, f, n, owed, p); err != nil {
			return f, err
		}
		pos = d.pos
		n--
	}
	d.pos = pos
	return nil, nil
}

// next decodes one value, after its key if the fields have keys, without the fast loop:
// it handles keys in rare formats, the values of unknown keys, and the errors of both.
// n is the number of values that remain, with this one. The other parameters and the
// results are those of decode, except that next returns the last field that it knows.
func (s *fieldSet) next(d *decoder, f *getField, n int, owed uint64, p mem.Ptr) (*getField, error) {
	// Without keys, values are in the order of the fields.
	start, found := d.pos, f.next.Load()
	if s.values > 1 {
		// A key can be a container too, so the values after it are owed while it is
		// read.
		d.owed = owed + 2*uint64(n) - 1
		var err error
		if found, err = s.find(d); err != nil {
			return nil, under("[key]", err)
		}
		if found != nil && found.number != 0 {
			d.markPresent(found)
		}
		// The loop does not look up integers.
		if found != nil && s.integers && f.next.Load() != found && s.changes.Load() > 0 {
			s.learn(f, found)
		}
	}
	d.owed = owed + uint64(n-1)*s.values
	if found != nil {
		return found, s.decoders[s.index(found)](d, p.Add(found.offset))
	}
	if err := s.unknown(d, start, p); err != nil {
		return nil, err
	}
	return f, nil // an unknown key is not part of the learned order
}
