package reference

import (
	"math"
	"math/big"
)

// appendBig appends u as n bytes in big-endian order.
func appendBig(dst []byte, u uint64, n int) []byte {
	for i := n - 1; i >= 0; i-- {
		dst = append(dst, byte(u>>(8*i)))
	}
	return dst
}

func appendNil(dst []byte) []byte { return append(dst, 0xc0) }

func appendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, 0xc3)
	}
	return append(dst, 0xc2)
}

func appendUint(dst []byte, u uint64) []byte {
	switch {
	case u <= 127:
		return append(dst, byte(u))
	case u <= math.MaxUint8:
		return appendBig(append(dst, 0xcc), u, 1)
	case u <= math.MaxUint16:
		return appendBig(append(dst, 0xcd), u, 2)
	case u <= math.MaxUint32:
		return appendBig(append(dst, 0xce), u, 4)
	default:
		return appendBig(append(dst, 0xcf), u, 8)
	}
}

func appendInt(dst []byte, i int64) []byte {
	switch {
	case i >= 0:
		return appendUint(dst, uint64(i))
	case i >= -32:
		return append(dst, byte(i))
	case i >= math.MinInt8:
		return appendBig(append(dst, 0xd0), uint64(i), 1)
	case i >= math.MinInt16:
		return appendBig(append(dst, 0xd1), uint64(i), 2)
	case i >= math.MinInt32:
		return appendBig(append(dst, 0xd2), uint64(i), 4)
	default:
		return appendBig(append(dst, 0xd3), uint64(i), 8)
	}
}

func appendFloat32(dst []byte, f float32) []byte {
	return appendBig(append(dst, 0xca), uint64(math.Float32bits(f)), 4)
}

func appendFloat64(dst []byte, f float64) []byte {
	return appendBig(append(dst, 0xcb), math.Float64bits(f), 8)
}

// appendKey appends the key of a field.
func (f field) appendKey(dst []byte) []byte {
	if !f.keyAsInt {
		return appendStr(dst, []byte(f.name))
	}
	n, _ := new(big.Int).SetString(f.name, 10) // parseTag has checked it
	if n.IsInt64() {
		return appendInt(dst, n.Int64())
	}
	return appendUint(dst, n.Uint64())
}

func appendStr(dst []byte, content []byte) []byte {
	n := uint64(len(content))
	if n <= 31 {
		dst = append(dst, 0xa0|byte(n))
	} else {
		dst = appendLength(dst, n, 0xd9, 0xda, 0xdb)
	}
	return append(dst, content...)
}

func appendBin(dst []byte, content []byte) []byte {
	return append(appendLength(dst, uint64(len(content)), 0xc4, 0xc5, 0xc6), content...)
}

func appendExt(dst []byte, typ int8, content []byte) []byte {
	switch len(content) {
	case 1:
		dst = append(dst, 0xd4)
	case 2:
		dst = append(dst, 0xd5)
	case 4:
		dst = append(dst, 0xd6)
	case 8:
		dst = append(dst, 0xd7)
	case 16:
		dst = append(dst, 0xd8)
	default:
		dst = appendLength(dst, uint64(len(content)), 0xc7, 0xc8, 0xc9)
	}
	return append(append(dst, byte(typ)), content...)
}

// appendLength appends a length of bytes in the shortest of three formats.
func appendLength(dst []byte, n uint64, format8, format16, format32 byte) []byte {
	switch {
	case n <= math.MaxUint8:
		return appendBig(append(dst, format8), n, 1)
	case n <= math.MaxUint16:
		return appendBig(append(dst, format16), n, 2)
	default:
		return appendBig(append(dst, format32), n, 4)
	}
}

func appendArrayHeader(dst []byte, count int) []byte {
	return appendCount(dst, count, 0x90, 0xdc, 0xdd)
}

func appendMapHeader(dst []byte, pairs int) []byte { return appendCount(dst, pairs, 0x80, 0xde, 0xdf) }

func appendCount(dst []byte, n int, fixed, format16, format32 byte) []byte {
	switch {
	case n <= 15:
		return append(dst, fixed|byte(n))
	case n <= math.MaxUint16:
		return appendBig(append(dst, format16), uint64(n), 2)
	default:
		return appendBig(append(dst, format32), uint64(n), 4)
	}
}
