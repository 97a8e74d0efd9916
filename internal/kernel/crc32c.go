package kernel

import "github.com/octet-go/octet/internal/mem"

// minCRC32C is the number of bytes from which assembly is faster than package crc32.
const minCRC32C = 512

// CRC32C computes the CRC-32 with the Castagnoli polynomial of some bytes, whose
// checksum is crc, and the first n bytes of b. n can be anything from 0 to len(b). The
// Go twin is [hash/crc32.Update], with which the caller adds the other bytes. This
// package does not call it, because its table takes time when a program starts.
func CRC32C(crc uint32, b []byte) (sum uint32, n int) {
	for hasFold && len(b)-n >= minCRC32C {
		size := min((len(b)-n)&^255, maxCall)
		crc = ^foldCRC32C(^crc, mem.Bytes(b[n:]), size)
		n += size
	}
	return crc, n
}
