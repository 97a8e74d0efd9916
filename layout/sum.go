package layout

import (
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"sync"
)

// A Sum computes a checksum for the tag option sum=NAME:A..B. Data holds the bytes
// of the range. If the checksum is in the range, its n bytes at offset at are zeros
// in data; otherwise at is -1. A Sum must not modify or keep data.
type Sum func(data []byte, at, n int) uint64

// Checksum returns a predefined checksum: crc32, crc32c, adler32, inet, sum8 or xor8. Unlike other
// Sums, it counts the n bytes at offset at as zeros, whatever they are. It returns nil for another name.
func Checksum(name string) Sum {
	s := sums[name]
	if s.sum == nil {
		return nil
	}
	return func(data []byte, at, n int) uint64 { return sumOf(s.sum, s.around, data, at, n) }
}

// scratches are for the ranges of checksums that contain the checksum.
var scratches = sync.Pool{New: func() any { return new([]byte) }}

// sumOf returns the checksum of data, of which the n bytes at offset at count as zeros, if at
// is not negative. Without a function around, data is copied for that.
func sumOf(sum, around Sum, data []byte, at, n int) uint64 {
	switch {
	case at < 0:
		return sum(data, at, n)
	case around != nil:
		return around(data, at, n)
	}
	scratch := scratches.Get().(*[]byte)
	defer scratches.Put(scratch)
	*scratch = append((*scratch)[:0], data...)
	clear((*scratch)[at : at+n])
	return sum(*scratch, at, n)
}

// sums are the predefined checksums. The function around, if there is one, computes the
// checksum of data whose n bytes at offset at count as zeros, whatever they are.
var sums = map[string]struct {
	bits        int
	sum, around Sum
}{
	"sum":     {},
	"crc32":   {32, func(data []byte, _, _ int) uint64 { return uint64(crc32.ChecksumIEEE(data)) }, crcAround(crc32.IEEETable)},
	"crc32c":  {32, func(data []byte, _, _ int) uint64 { return uint64(crc32.Checksum(data, castagnoli)) }, crcAround(castagnoli)},
	"adler32": {32, func(data []byte, _, _ int) uint64 { return uint64(adler32.Checksum(data)) }, nil},
	"inet":    {16, func(data []byte, _, _ int) uint64 { return uint64(inet(data, nil)) }, inetAround},
	"sum8":    {8, func(data []byte, _, _ int) uint64 { return uint64(sum8(data)) }, func(data []byte, at, n int) uint64 { return uint64(sum8(data[:at]) + sum8(data[at+n:])) }},
	"xor8":    {8, func(data []byte, _, _ int) uint64 { return uint64(xor8(data)) }, func(data []byte, at, n int) uint64 { return uint64(xor8(data[:at]) ^ xor8(data[at+n:])) }},
}

// crcAround returns the function around of a cyclic redundancy check. It continues with
// zeros in place of the checksum, so that the data need not be copied to clear it.
func crcAround(t *crc32.Table) Sum {
	return func(data []byte, at, n int) uint64 {
		var zeros [8]byte // digits are more
		crc, rest := crc32.Update(0, t, data[:at]), data[at+n:]
		for ; n > len(zeros); n -= len(zeros) {
			crc = crc32.Update(crc, t, zeros[:])
		}
		return uint64(crc32.Update(crc32.Update(crc, t, zeros[:n]), t, rest))
	}
}

// inetAround is the function around of the Internet checksum. If the checksum is not
// at an even offset, the bytes before it end with one that it shares a word with.
func inetAround(data []byte, at, n int) uint64 {
	if at%2 == 0 && n%2 == 0 {
		return uint64(inet(data[:at], data[at+n:]))
	}
	data = append([]byte(nil), data...)
	clear(data[at : at+n])
	return uint64(inet(data, nil))
}

// castagnoli is the table of crc32c, for which processors have an instruction.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// inet is the Internet checksum of RFC 1071, of data and then of more. The number of
// bytes of data is even, or there are no more.
func inet(data, more []byte) uint16 {
	var sum uint64
	for range 2 {
		for len(data) >= 8 {
			v := binary.BigEndian.Uint64(data)
			sum += v>>32 + v&0xffffffff
			data = data[8:]
		}
		for len(data) >= 2 {
			sum += uint64(data[0])<<8 | uint64(data[1])
			data = data[2:]
		}
		if len(data) > 0 {
			sum += uint64(data[0]) << 8
		}
		data, more = more, nil
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}

// sum8 returns the sum of the bytes, without what exceeds a byte.
func sum8(data []byte) (sum byte) {
	for _, b := range data {
		sum += b
	}
	return sum
}

// xor8 returns the exclusive or of the bytes.
func xor8(data []byte) (sum byte) {
	for _, b := range data {
		sum ^= b
	}
	return sum
}
