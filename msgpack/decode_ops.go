package msgpack

import (
	"math"
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A getField is one field of a struct: its key, as it is compared by words, and
// what is done with the value behind it. The entries of maps, the elements of
// arrays and values that stand alone are fields without a key.
type getField struct {
	first, last uint64 // the first and last eight bytes of the key with its header, the same where it is shorter
	mask        uint64 // which bytes of them count
	offset      uintptr
	check       uint64 // the bit of a field that must be there, see fieldCheck
	whole       string // the key, if it is longer than these two words
	word        uint16 // where check is
	tail        uint8  // where last begins
	size        uint8  // of the key with its header; 0 for one that is too long to be compared like this
	reach       uint8  // bytes that must be left to load the words, 0 for no key
	get         getOp
}

const maxKeySize = math.MaxUint8

// makeGetField returns the field of a key.
func makeGetField(name string, offset uintptr, o getOp) getField {
	key := wire.AppendString(nil, name)
	n := len(key)
	if n > maxKeySize {
		f := noField
		f.offset, f.get = offset, o
		return f // found by its name alone
	}
	f := getField{offset: offset, size: uint8(n), reach: uint8(max(n, 8)), get: o, mask: math.MaxUint64}
	if n < 8 {
		f.mask = 1<<(8*n) - 1
	} else {
		f.tail = uint8(n - 8)
	}
	if n > 16 {
		f.whole = string(key)
	}
	p := mem.Bytes(append(key, make([]byte, 8)...))
	f.first, f.last = mem.Load64(p, 0)&f.mask, mem.Load64(p, int(f.tail))&f.mask
	return f
}

// noField has a key that no key is: its first and its last word are one word of
// the input, which is never 0 and 1.
var noField = getField{last: 1, mask: math.MaxUint64, reach: 8}

// unnamed returns the field without a key.
func unnamed(offset uintptr, o getOp) getField { return getField{offset: offset, get: o} }

// is reports whether the bytes at in+pos, of which reach are left, are the key.
func (f *getField) is(in mem.Ptr, pos int) bool {
	first := mem.Load64(in, pos) ^ f.first
	last := mem.Load64(in, pos+int(f.tail)) ^ f.last
	return (first|last)&f.mask == 0
}

// isLast is for a key of less than a word so close to the end, last, that a
// word from pos on would reach behind it.
func (f *getField) isLast(in mem.Ptr, pos, last int) bool {
	return f.size > 0 && f.reach == 8 && pos+int(f.size) <= last && last >= 8 &&
		(mem.Load64(in, last-8)>>(8*uint(pos+8-last)&63)^f.first)&f.mask == 0
}

// isBetween compares what lies between the first and the last word.
func (f *getField) isBetween(in mem.Ptr, pos int) bool {
	key := mem.StringBytes(f.whole)
	for i := 8; i < len(f.whole)-8; i += 8 {
		if mem.Load64(in, pos+i) != mem.Load64(key, i) {
			return false
		}
	}
	return true
}

// decode decodes n values, of fields from f on, into the variable at p: pairs of
// key and value if the fields have keys. owed is what the ledger counts behind
// the last one. After an error it returns the field whose value was wrong, nil
// if it was a key.
//
// This is the only loop over the fields of structs, the halves of map entries,
// and values that stand alone. What comes in one of the usual formats it decodes
// itself. Everything else goes through a call: keys in another order than the
// declared one, unknown keys, rare formats, errors, and values of all types that
// are no operation.
func (s *fieldSet) decode(d *decoder, f *getField, n int, owed uint64, p mem.Ptr) (*getField, error) {
	in, pos, last := mem.Bytes(d.data), d.pos, len(d.data)
	for n > 0 {
		start := pos
		if f.reach > 0 {
			expected := false
			if pos+int(f.reach) <= last {
				expected = f.is(in, pos) && (f.size <= 16 || f.isBetween(in, pos))
			} else {
				expected = f.isLast(in, pos, last)
			}
			start += int(f.size)
			if !fast || !expected {
				d.pos, d.owed = pos, owed+2*uint64(n)-1
				found, err := s.find(d)
				if err != nil {
					return nil, under("[key]", err)
				}
				if found == nil {
					d.owed--
					if err := s.unknown(d, pos, p); err != nil {
						return nil, err
					}
					pos = d.pos
					n--
					continue
				}
				f, start = found, d.pos
			}
			if f.check != 0 {
				*mem.At[uint64](d.seen.Add(uintptr(f.word) * 8)) |= f.check
			}
		}
		at := p.Add(f.offset)
		if fast && start < last {
			b := mem.Load8(in, start)
			switch f.get {
			case getBool:
				if b|1 != byte(wire.True) {
					break
				}
				mem.Store8(at, 0, b&1)
				pos = start + 1
				goto next
			case getFloat32:
				if b != byte(wire.Float32) || start+5 > last {
					break
				}
				*mem.At[uint32](at) = mem.Load32BE(in, start+1)
				pos = start + 5
				goto next
			case getFloat64:
				if b == byte(wire.Float64) && start+9 <= last {
					*mem.At[uint64](at) = mem.Load64BE(in, start+1)
					pos = start + 9
					goto next
				}
				if b == byte(wire.Float32) && start+5 <= last {
					*mem.At[float64](at) = float64(math.Float32frombits(mem.Load32BE(in, start+1)))
					pos = start + 5
					goto next
				}
				if v, end := d.fastInteger(start); end > 0 && exactInFloat64(v) {
					*mem.At[float64](at) = float64(v)
					pos = end
					goto next
				}
			case getString:
				size, from := int(b^byte(wire.FixStr)), start+1
				if size > shortString {
					if b != byte(wire.Str8) || start+2 > last {
						break
					}
					size, from = int(mem.Load8(in, from)), start+2
				}
				if from+size > last {
					break
				}
				pos = from + size
				if size > len(d.chunk)-d.used || size >= maxShared {
					d.pos = pos // for the size of the chunk
					*mem.At[string](at) = d.newString(d.data[from:pos])
					goto next
				}
				if size == 0 {
					*mem.At[string](at) = ""
					goto next
				}
				to := mem.Bytes(d.chunk).Add(uintptr(d.used))
				switch {
				case size >= 4 && size <= 16:
					copyWords(to, 0, in, from, size)
				case size > 32:
					mem.Copy(to, in.Add(uintptr(from)), size)
				case size > 16:
					mem.Copy16(to, 0, in, from)
					mem.Copy16(to, size-16, in, from+size-16)
				default:
					mem.Store8(to, 0, mem.Load8(in, from))
					mem.Store8(to, size/2, mem.Load8(in, from+size/2))
					mem.Store8(to, size-1, mem.Load8(in, from+size-1))
				}
				*mem.At[string](at) = mem.StringAt(to, size)
				d.used += size
				goto next
			case getAlias:
				size := int(b ^ byte(wire.FixStr))
				if size > shortString || start+1+size > last {
					break
				}
				if size == 0 {
					*mem.At[string](at) = ""
				} else {
					*mem.At[string](at) = mem.StringAt(in.Add(uintptr(start)+1), size)
				}
				pos = start + 1 + size
				goto next
			case getTime:
				if start+10 <= last && mem.Load16(in, start) == timestamp64 {
					v := mem.Load64BE(in, start+2)
					if v>>34 <= maxNanoseconds {
						*mem.At[time.Time](at) = time.Unix(int64(v&(1<<34-1)), int64(v>>34)).UTC()
						pos = start + 10
						goto next
					}
				} else if start+6 <= last && mem.Load16(in, start) == timestamp32 {
					*mem.At[time.Time](at) = time.Unix(int64(mem.Load32BE(in, start+2)), 0).UTC()
					pos = start + 6
					goto next
				}
			case getNil:
				if b != byte(wire.Nil) {
					break
				}
				at.SetPtr(mem.Ptr{})
				pos = start + 1
				goto next
			case getList:
				switch h := mem.At[mem.SliceHeader](at); {
				case b == byte(wire.Nil):
					*h = mem.SliceHeader{}
				case b != byte(wire.FixArray) || d.depth == 0:
					goto call
				case h.Data.IsNil():
					h.Data = mem.Nothing()
				default:
					h.Len = 0
				}
				pos = start + 1
				goto next
			case getCall:
			default:
				// By branches rather than by a table, since a field tends to have
				// the same format in all messages, and then nothing waits for b.
				v, end := int64(int8(b)), start+1
				if int8(b) < -32 {
					if start+maxInteger > last {
						// Close to the end of the message, as its last value often is.
						if v, end = d.fastInteger(start); end == 0 {
							break
						}
					} else {
						switch wire.Format(b) {
						case wire.Uint8:
							v, end = int64(mem.Load8(in, start+1)), start+2
						case wire.Uint16:
							v, end = int64(mem.Load16BE(in, start+1)), start+3
						case wire.Uint32:
							v, end = int64(mem.Load32BE(in, start+1)), start+5
						case wire.Uint64:
							v, end = int64(mem.Load64BE(in, start+1)), start+9
							if v < 0 { // more than an int64 holds
								if f.get != getUint64 {
									goto call
								}
								*mem.At[uint64](at) = uint64(v)
								pos = end
								goto next
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
							goto call
						}
					}
				}
				pos = end
				switch f.get {
				case getInt8:
					if int64(int8(v)) == v {
						*mem.At[int8](at) = int8(v)
						goto next
					}
				case getInt16:
					if int64(int16(v)) == v {
						*mem.At[int16](at) = int16(v)
						goto next
					}
				case getInt32:
					if int64(int32(v)) == v {
						*mem.At[int32](at) = int32(v)
						goto next
					}
				case getInt64:
					*mem.At[int64](at) = v
					goto next
				case getUint8:
					if int64(uint8(v)) == v {
						*mem.At[uint8](at) = uint8(v)
						goto next
					}
				case getUint16:
					if int64(uint16(v)) == v {
						*mem.At[uint16](at) = uint16(v)
						goto next
					}
				case getUint32:
					if int64(uint32(v)) == v {
						*mem.At[uint32](at) = uint32(v)
						goto next
					}
				case getUint64:
					if v >= 0 {
						*mem.At[uint64](at) = uint64(v)
						goto next
					}
				}
			}
		}
	call:
		d.pos, d.owed = start, owed+uint64(n-1)*s.values
		if err := s.decoders[s.index(f)](d, at); err != nil {
			return f, err
		}
		pos = d.pos
	next:
		n--
		f = mem.Next(f)
	}
	d.pos = pos
	return nil, nil
}

// exactInFloat64 reports whether a float64 holds v.
func exactInFloat64(v int64) bool { return -1<<53 <= v && v <= 1<<53 }

// integerFormats holds, by format byte, how to take an integer out of eight
// bytes: in the low six bits, how far to shift them right; from bit 8 on, how
// long the value is, 0 for what is no integer or a fixint.
var integerFormats = makeIntegerFormats()

const signedInteger = 1 << 7 // the shift is arithmetic

func makeIntegerFormats() (t [256]uint16) {
	for i := range 4 {
		size := 1 << i
		form := uint16(64-8*size) | uint16(1+size)<<8
		t[int(wire.Uint8)+i] = form
		t[int(wire.Int8)+i] = form | signedInteger
	}
	return t
}

// fastInteger reads the integer at pos, of any format, and returns where it
// ends, or 0.
func (d *decoder) fastInteger(pos int) (v int64, end int) {
	in := mem.Bytes(d.data)
	b := mem.Load8(in, pos)
	if int8(b) >= -32 {
		return int64(int8(b)), pos + 1
	}
	f := integerFormats[b]
	end = pos + int(f>>8)
	var u uint64
	switch {
	case f == 0:
		return 0, 0
	case pos+maxInteger <= len(d.data):
		u = mem.Load64BE(in, pos+1)
	case end <= len(d.data) && end >= 8:
		u = mem.Load64BE(in, end-8) << (f & 63)
	default:
		return 0, 0
	}
	if f&signedInteger != 0 {
		return int64(u) >> (f & 63), end
	}
	if v = int64(u >> (f & 63)); v < 0 {
		return 0, 0 // more than an int64 holds
	}
	return v, end
}
