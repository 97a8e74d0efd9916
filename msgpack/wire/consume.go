package wire

import (
	"encoding/binary"
	"math"
)

// A Header is the content of the first bytes of a value.
type Header struct {
	Format  Format
	Ext     int8   // type of an ext, otherwise 0
	Size    uint8  // length of the header itself, 1 to 6 bytes
	Payload uint32 // length of the payload of a number, str, bin or ext, in bytes
	Count   uint32 // number of elements of an array or pairs of a map
}

// Values returns how many values are directly inside the value: the elements of an
// array, the keys and values of a map, otherwise 0. The result has 64 bits because
// a map header can claim 2^33 - 2 values.
func (h Header) Values() uint64 {
	if h.Format.Kind() == KindMap {
		return 2 * uint64(h.Count)
	}
	return uint64(h.Count)
}

// ConsumeHeader reads the header of the next value, which may have any format
// except c1, and returns it with its size. It does not look at the payload or the
// elements, so the header can claim more than src holds.
//
// Errors: [ErrTruncated], [ErrReserved].
func ConsumeHeader(src []byte) (h Header, n int, err error) {
	if len(src) == 0 {
		return Header{}, 0, ErrTruncated
	}
	s := shapes[src[0]]
	n = int(s.header)
	if len(src) < n {
		return Header{}, 0, ErrTruncated
	}
	value := uint32(s.fixed) // for formats without a length field
	switch s.length {
	case 1:
		value = uint32(src[1])
	case 2:
		value = uint32(binary.BigEndian.Uint16(src[1:]))
	case 4:
		value = binary.BigEndian.Uint32(src[1:])
	}
	h = Header{Format: FormatOf(src[0]), Size: s.header}
	switch s.kind {
	case KindReserved:
		return Header{}, 0, ErrReserved
	case KindArray, KindMap:
		h.Count = value
	case KindExt:
		h.Ext = int8(src[n-1]) // the type is the last byte of the header
		h.Payload = value
	default:
		h.Payload = value
	}
	return h, n, nil
}

// ConsumeNil reads nil.
//
// Errors: [ErrTruncated], [ErrFormat], [ErrReserved].
func ConsumeNil(src []byte) (n int, err error) {
	if len(src) > 0 && src[0] == byte(Nil) {
		return 1, nil
	}
	return 0, mismatch(src)
}

// ConsumeBool reads false or true.
//
// Errors: [ErrTruncated], [ErrFormat], [ErrReserved].
func ConsumeBool(src []byte) (v bool, n int, err error) {
	if len(src) > 0 && src[0]&^1 == byte(False) {
		return src[0] == byte(True), 1, nil
	}
	return false, 0, mismatch(src)
}

// ConsumeInt reads an integer of any format. An integer above the range of int64 is
// [ErrRange]; use [ConsumeUint] to read it.
//
// Errors: [ErrTruncated], [ErrFormat], [ErrReserved], [ErrRange].
func ConsumeInt(src []byte) (v int64, n int, err error) {
	bits, n, err := consumeInteger(src, false)
	return int64(bits), n, err
}

// ConsumeUint reads an integer of any format. A negative integer is [ErrRange].
//
// Errors: [ErrTruncated], [ErrFormat], [ErrReserved], [ErrRange].
func ConsumeUint(src []byte) (v uint64, n int, err error) { return consumeInteger(src, true) }

// consumeInteger reads an integer of any format and returns its 64 bits. It must not be
// negative if unsigned is set, and otherwise not be above the range of int64.
func consumeInteger(src []byte, unsigned bool) (bits uint64, n int, err error) {
	if len(src) == 0 {
		return 0, 0, ErrTruncated
	}
	b := src[0]
	if b < 0x80 {
		return uint64(b), 1, nil
	}
	switch Format(b) {
	case Uint8:
		if len(src) >= 2 {
			return uint64(src[1]), 2, nil
		}
	case Uint16:
		if len(src) >= 3 {
			return uint64(binary.BigEndian.Uint16(src[1:])), 3, nil
		}
	case Uint32:
		if len(src) >= 5 {
			return uint64(binary.BigEndian.Uint32(src[1:])), 5, nil
		}
	case Uint64, Int64:
		if len(src) >= 9 {
			bits, n = binary.BigEndian.Uint64(src[1:]), 9
		}
	case Int8:
		if len(src) >= 2 {
			bits, n = uint64(int8(src[1])), 2
		}
	case Int16:
		if len(src) >= 3 {
			bits, n = uint64(int16(binary.BigEndian.Uint16(src[1:]))), 3
		}
	case Int32:
		if len(src) >= 5 {
			bits, n = uint64(int32(binary.BigEndian.Uint32(src[1:]))), 5
		}
	default:
		if b < byte(NegativeFixint) {
			return 0, 0, mismatch(src)
		}
		bits, n = uint64(int8(b)), 1
	}
	switch {
	case n == 0:
		return 0, 0, ErrTruncated
	case int64(bits) < 0 && unsigned != (Format(b) == Uint64):
		return 0, 0, ErrRange
	}
	return bits, n, nil
}

// ConsumeFloat32 reads a float 32. A float 64 is [ErrFormat], because it may not
// fit.
//
// Errors: [ErrTruncated], [ErrFormat], [ErrReserved].
func ConsumeFloat32(src []byte) (v float32, n int, err error) {
	if len(src) == 0 || src[0] != byte(Float32) {
		return 0, 0, mismatch(src)
	}
	if len(src) < 5 {
		return 0, 0, ErrTruncated
	}
	return math.Float32frombits(binary.BigEndian.Uint32(src[1:])), 5, nil
}

// ConsumeFloat64 reads a float 64 or a float 32.
//
// Errors: [ErrTruncated], [ErrFormat], [ErrReserved].
func ConsumeFloat64(src []byte) (v float64, n int, err error) {
	if len(src) == 0 || src[0] != byte(Float64) {
		f, n, err := ConsumeFloat32(src)
		return float64(f), n, err
	}
	if len(src) < 9 {
		return 0, 0, ErrTruncated
	}
	return math.Float64frombits(binary.BigEndian.Uint64(src[1:])), 9, nil
}

// ConsumeString reads a str and returns its bytes, a part of src. It does not check
// that they are UTF-8.
//
// Errors: [ErrTruncated], [ErrFormat], [ErrReserved].
func ConsumeString(src []byte) (s []byte, n int, err error) {
	if len(src) > 0 && src[0]&0xe0 == byte(FixStr) {
		return payload(src, 1, uint32(src[0]&31))
	}
	return consumeBytes(src, Str8)
}

// ConsumeBin reads a bin and returns its bytes, a part of src.
//
// Errors: [ErrTruncated], [ErrFormat], [ErrReserved].
func ConsumeBin(src []byte) (b []byte, n int, err error) { return consumeBytes(src, Bin8) }

// consumeBytes reads a value with a length of 1, 2 or 4 bytes. first is the format with
// 1 byte, which the others follow.
func consumeBytes(src []byte, first Format) ([]byte, int, error) {
	if len(src) >= 5 {
		switch Format(src[0]) - first {
		case 0:
			return payload(src, 2, uint32(src[1]))
		case 1:
			return payload(src, 3, uint32(binary.BigEndian.Uint16(src[1:])))
		case 2:
			return payload(src, 5, binary.BigEndian.Uint32(src[1:]))
		}
	}
	return consumePayload(src, shapes[first].kind)
}

// payload returns the n bytes of src after a header, and their end.
func payload(src []byte, header int, n uint32) ([]byte, int, error) {
	if uint64(n) > uint64(len(src)-header) {
		return nil, 0, ErrTruncated
	}
	end := header + int(n)
	return src[header:end:end], end, nil
}

// ConsumeExt reads an ext of any type and returns its payload, a part of src.
//
// Errors: [ErrTruncated], [ErrFormat], [ErrReserved].
func ConsumeExt(src []byte) (typ int8, data []byte, n int, err error) {
	data, n, err = consumePayload(src, KindExt)
	if err != nil {
		return 0, nil, 0, err
	}
	return int8(src[n-len(data)-1]), data, n, nil
}

// ConsumeArrayHeader reads the header of an array and returns the number of
// elements that follow. The count is a claim: src may hold fewer.
//
// Errors: [ErrTruncated], [ErrFormat], [ErrReserved].
func ConsumeArrayHeader(src []byte) (count uint32, n int, err error) {
	if len(src) > 0 && src[0]&0xf0 == byte(FixArray) {
		return uint32(src[0] & 15), 1, nil
	}
	return consumeCount(src, Array16)
}

// ConsumeMapHeader reads the header of a map and returns the number of pairs
// that follow. The count is a claim: src may hold fewer.
//
// Errors: [ErrTruncated], [ErrFormat], [ErrReserved].
func ConsumeMapHeader(src []byte) (pairs uint32, n int, err error) {
	if len(src) > 0 && src[0]&0xf0 == byte(FixMap) {
		return uint32(src[0] & 15), 1, nil
	}
	return consumeCount(src, Map16)
}

// consumeCount reads a header with a count of 2 or 4 bytes. first is the format with 2
// bytes, which the other follows.
func consumeCount(src []byte, first Format) (uint32, int, error) {
	switch {
	case len(src) >= 3 && Format(src[0]) == first:
		return uint32(binary.BigEndian.Uint16(src[1:])), 3, nil
	case len(src) >= 5 && Format(src[0]) == first+1:
		return binary.BigEndian.Uint32(src[1:]), 5, nil
	}
	return 0, 0, mismatch(src)
}

func consumePayload(src []byte, want Kind) ([]byte, int, error) {
	h, n, err := ConsumeHeader(src)
	if err != nil || h.Format.Kind() != want {
		return nil, 0, mismatch(src)
	}
	return payload(src, n, h.Payload)
}

// mismatch returns why the value at the start of src is not of the wanted kind: its
// header is invalid, or it has another kind.
func mismatch(src []byte) error {
	if _, _, err := ConsumeHeader(src); err != nil {
		return err
	}
	return ErrFormat
}
