package layout

import (
	"hash/adler32"
	"hash/crc32"
)

// A Sum computes a checksum for the tag option sum=NAME:A..B. Data holds the bytes
// of the range. If the checksum is in the range, its n bytes at offset at are zeros
// in data; otherwise at is -1. A Sum must not modify or keep data.
type Sum func(data []byte, at, n int) uint64

// sums are the predefined checksums.
var sums = map[string]struct {
	bits int
	sum  Sum
}{
	"sum":     {},
	"crc32":   {32, func(data []byte, _, _ int) uint64 { return uint64(crc32.ChecksumIEEE(data)) }},
	"crc32c":  {32, func(data []byte, _, _ int) uint64 { return uint64(crc32.Checksum(data, castagnoli)) }},
	"adler32": {32, func(data []byte, _, _ int) uint64 { return uint64(adler32.Checksum(data)) }},
	"inet":    {16, func(data []byte, _, _ int) uint64 { return uint64(inet(data)) }},
	"sum8":    {8, func(data []byte, _, _ int) uint64 { return uint64(sum8(data)) }},
	"xor8":    {8, func(data []byte, _, _ int) uint64 { return uint64(xor8(data)) }},
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// inet is the Internet checksum of RFC 1071.
func inet(data []byte) uint16 {
	var sum uint64
	for len(data) >= 2 {
		sum += uint64(data[0])<<8 | uint64(data[1])
		data = data[2:]
	}
	if len(data) > 0 {
		sum += uint64(data[0]) << 8
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}

func sum8(data []byte) (sum byte) {
	for _, b := range data {
		sum += b
	}
	return sum
}

func xor8(data []byte) (sum byte) {
	for _, b := range data {
		sum ^= b
	}
	return sum
}
