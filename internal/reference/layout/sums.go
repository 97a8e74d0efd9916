package layout

import (
	"hash/adler32"
	"hash/crc32"
	"math/big"
)

// checksum computes the sum o.sum of data, in which its own n bytes at the
// offset at are zeros.
func (c Config) checksum(o options, data []byte, at, n int, where string) *big.Int {
	var sum uint64
	switch {
	case o.own:
		f := c.Sums[o.sum]
		if f == nil {
			fail(ErrTag, "%s: no sum %q", where, o.sum)
		}
		sum = f(data, at, n)
	case o.sum == "crc32":
		sum = uint64(crc32.ChecksumIEEE(data))
	case o.sum == "crc32c":
		sum = uint64(crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)))
	case o.sum == "adler32":
		sum = uint64(adler32.Checksum(data))
	case o.sum == "inet":
		sum = uint64(inet(data))
	case o.sum == "sum8":
		for _, b := range data {
			sum = (sum + uint64(b)) % 256
		}
	case o.sum == "xor8":
		for _, b := range data {
			sum ^= uint64(b)
		}
	}
	return new(big.Int).SetUint64(sum)
}

// inet is the Internet checksum of RFC 1071.
func inet(data []byte) uint16 {
	var sum uint64
	for i := 0; i < len(data); i += 2 {
		sum += uint64(data[i]) << 8
		if i+1 < len(data) {
			sum += uint64(data[i+1])
		}
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}

// sumData returns the bytes of the range first to last of in, with the bytes of
// the checksum itself as zeros, and their place.
func sumData(message []byte, in *scope, first, last int, own *state) (data []byte, at, n int) {
	start, end := in.states[first].start, in.states[last].end
	data = append([]byte{}, message[start:end]...)
	at, n = own.start-start, own.end-own.start
	if own.start < start || own.end > end {
		return data, -1, n
	}
	for i := range n {
		data[at+i] = 0
	}
	return data, at, n
}
