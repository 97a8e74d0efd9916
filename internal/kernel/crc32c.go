package kernel

import (
	"hash/crc32"

	"github.com/octet-go/octet/internal/mem"
)

// minCRC32C is the number of bytes from which assembly is faster.
const minCRC32C = 512

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// CRC32C returns the CRC-32 with the Castagnoli polynomial of some bytes, whose
// checksum is crc, and b. It is the same as [crc32.Update], which is its Go twin.
func CRC32C(crc uint32, b []byte) uint32 {
	for hasFold && len(b) >= minCRC32C {
		n := min(len(b)&^255, maxCall)
		crc = ^foldCRC32C(^crc, mem.Bytes(b), n)
		b = b[n:]
	}
	return crc32.Update(crc, castagnoli, b)
}
