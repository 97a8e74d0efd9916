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
	bits, negative, n, err := consumeInteger(src)
	if !negative && bits > math.MaxInt64 {
		return 0, 0, ErrRange
	}
	return int64(bits), n, err
}

// ConsumeUint reads an integer of any format. A negative integer is [ErrRange].
//
// Errors: [ErrTruncated], [ErrFormat], [ErrReserved], [ErrRange].
func ConsumeUint(src []byte) (v uint64, n int, err error) {
	bits, negative, n, err := consumeInteger(src)
	if negative {
		return 0, 0, ErrRange
	}
	return bits, n, err
}

// consumeInteger reads an integer of any format. It returns 64 bits in two's
// complement and whether the integer is negative, because uint 64 and int 64 values
// share bit patterns.
func consumeInteger(src []byte) (bits uint64, negative bool, n int, err error) {
	if len(src) == 0 {
		return 0, false, 0, ErrTruncated
	}
	b := src[0]
	if b < 0x80 {
		return uint64(b), false, 1, nil
	}
	if b >= 0xe0 {
		return uint64(int8(b)), true, 1, nil
	}
	s := shapes[b]
	if s.kind != KindInt {
		return 0, false, 0, mismatch(src)
	}
	n = 1 + int(s.fixed)
	if len(src) < n {
		return 0, false, 0, ErrTruncated
	}
	switch Format(b) {
	case Uint8:
		bits = uint64(src[1])
	case Uint16:
		bits = uint64(binary.BigEndian.Uint16(src[1:]))
	case Uint32:
		bits = uint64(binary.BigEndian.Uint32(src[1:]))
	case Uint64:
		return binary.BigEndian.Uint64(src[1:]), false, n, nil
	case Int8:
		bits = uint64(int8(src[1]))
	case Int16:
		bits = uint64(int16(binary.BigEndian.Uint16(src[1:])))
	case Int32:
		bits = uint64(int32(binary.BigEndian.Uint32(src[1:])))
	case Int64:
		bits = binary.BigEndian.Uint64(src[1:])
	}
	return bits, int64(bits) < 0, n, nil
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
func ConsumeString(src []byte) (s []byte, n int, err error) { return consumePayload(src, KindStr) }

// ConsumeBin reads a bin and returns its bytes, a part of src.
//
// Errors: [ErrTruncated], [ErrFormat], [ErrReserved].
func ConsumeBin(src []byte) (b []byte, n int, err error) { return consumePayload(src, KindBin) }

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
	return consumeCount(src, KindArray)
}

// ConsumeMapHeader reads the header of a map and returns the number of pairs
// that follow. The count is a claim: src may hold fewer.
//
// Errors: [ErrTruncated], [ErrFormat], [ErrReserved].
func ConsumeMapHeader(src []byte) (pairs uint32, n int, err error) {
	return consumeCount(src, KindMap)
}

func consumeCount(src []byte, want Kind) (uint32, int, error) {
	h, n, err := ConsumeHeader(src)
	if err != nil || h.Format.Kind() != want {
		return 0, 0, mismatch(src)
	}
	return h.Count, n, nil
}

func consumePayload(src []byte, want Kind) ([]byte, int, error) {
	h, n, err := ConsumeHeader(src)
	if err != nil || h.Format.Kind() != want {
		return nil, 0, mismatch(src)
	}
	if uint64(h.Payload) > uint64(len(src)-n) {
		return nil, 0, ErrTruncated
	}
	end := n + int(h.Payload)
	return src[n:end:end], end, nil
}

// mismatch returns why the value at the start of src is not of the wanted kind: its
// header is invalid, or it has another kind.
func mismatch(src []byte) error {
	if _, _, err := ConsumeHeader(src); err != nil {
		return err
	}
	return ErrFormat
}
