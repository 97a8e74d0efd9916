package record

import (
	"crypto/rand"
	"encoding/binary"
	"hash/crc32"

	"github.com/octet-go/octet/internal/kernel"
)

// docs/record-format.md describes the format for readers in other languages. All
// numbers are little-endian.
const (
	magicRecord    = 0x184d2a5d // skippable frame of this package
	magicSeekTable = 0x184d2a5e // skippable frame of a zstd seek table
	magicSkippable = 0x184d2a50 // the first of 16
	magicFrame     = 0xfd2fb528 // zstd frame

	kindFile  = 1
	kindBlock = 2
	kindIndex = 3
	kindMark  = 4

	version = 1

	skippableHeader = 8 // magic, size
	markerSize      = 16
)

// name follows the kind of a file header. Like a marker, it never occurs in the
// frames of a file, so that a search for the next file header is exact.
const name = "octet-rec"

// A marker is the random number of a file. Each block header has it.
type marker [markerSize]byte

// newMarker returns a random marker. Bit 7 and bit 1 of each byte are set, because
// it must not occur where the parts of a file meet:
//
//   - A raw zstd block has a header of three bytes. The first has bits 1 and 2
//     clear, and the last is at most 0x10, because a block has at most 128 KiB. A
//     marker that contains one of the two is impossible, so a marker cannot begin
//     in the data before a header and end after it.
//   - The lengths and the ordinal in a block header end with a byte of at most 0x10,
//     because their values are limited.
//   - Magic numbers of frames contain 0x18 and 0x2f.
//
// The bytes of name have the same properties. 96 bits are random.
func newMarker() (m marker) {
	fillMarker(m[:])
	for i := range m {
		m[i] |= 0x82
	}
	return m
}

// fillMarker makes random bytes. A test that repeats what it did replaces it.
var fillMarker = func(b []byte) { rand.Read(b) } // never fails

// The block header, a skippable frame of kind 2:
//
//	 0  u32  magicRecord
//	 4  u32  45, the number of bytes that follow
//	 8  u8   kindBlock
//	 9       marker
//	25  u32  stored length: bytes of the zstd frame that follows
//	29  u32  raw length: bytes of the records in it
//	33  u32  number of records
//	37  u64  ordinal of the first record
//	45  u32  crc32c of the zstd frame
//	49  u32  crc32c of the bytes before
//	53
const (
	blockHeaderSize = 53
	blockMarkerAt   = 9
)

// maxOrdinal limits the ordinal of a record, so that its last byte is at most 0x10.
const maxOrdinal = 1 << 60

// A blockHeader is the header of a block without the marker.
type blockHeader struct {
	stored, raw, records uint32
	ordinal              int64
	crc                  uint32 // of the frame
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return appendChecksum(0, b) }

// appendChecksum returns the checksum of some bytes, whose checksum is sum, and b.
func appendChecksum(sum uint32, b []byte) uint32 {
	sum, n := kernel.CRC32C(sum, b)
	return crc32.Update(sum, castagnoli, b[n:])
}

// put writes the header to the first bytes of b.
func (h *blockHeader) put(b []byte, m *marker) {
	b = b[:blockHeaderSize]
	binary.LittleEndian.PutUint32(b, magicRecord)
	binary.LittleEndian.PutUint32(b[4:], blockHeaderSize-skippableHeader)
	b[8] = kindBlock
	copy(b[blockMarkerAt:], m[:])
	binary.LittleEndian.PutUint32(b[25:], h.stored)
	binary.LittleEndian.PutUint32(b[29:], h.raw)
	binary.LittleEndian.PutUint32(b[33:], h.records)
	binary.LittleEndian.PutUint64(b[37:], uint64(h.ordinal))
	binary.LittleEndian.PutUint32(b[45:], h.crc)
	binary.LittleEndian.PutUint32(b[49:], checksum(b[:49]))
}

// parseBlockHeader reads the block header at the start of b, which has enough
// bytes. ok is false if it is none, or its checksum does not match. The values
// can still be larger than a reader allows.
func parseBlockHeader(b []byte) (h blockHeader, m marker, ok bool) {
	b = b[:blockHeaderSize]
	if binary.LittleEndian.Uint32(b) != magicRecord || binary.LittleEndian.Uint32(b[4:]) != blockHeaderSize-skippableHeader ||
		b[8] != kindBlock || binary.LittleEndian.Uint32(b[49:]) != checksum(b[:49]) {
		return h, m, false
	}
	h = blockHeader{
		stored:  binary.LittleEndian.Uint32(b[25:]),
		raw:     binary.LittleEndian.Uint32(b[29:]),
		records: binary.LittleEndian.Uint32(b[33:]),
		ordinal: int64(binary.LittleEndian.Uint64(b[37:])),
		crc:     binary.LittleEndian.Uint32(b[45:]),
	}
	ok = h.records > 0 && h.records <= h.raw && h.stored >= minFrame && h.ordinal >= 0 && h.ordinal <= maxOrdinal-int64(h.records)
	return h, marker(b[blockMarkerAt:]), ok
}

// check returns [ErrLimit] if the block is larger than a reader allows. It comes
// before memory is allocated for the block.
func (h *blockHeader) check(limit int) error {
	if int64(h.raw) > int64(limit) || int64(h.stored) > maxStored(limit) {
		return ErrLimit
	}
	return nil
}

// size returns the length of the block in the file.
func (h *blockHeader) size() int64 { return blockHeaderSize + int64(h.stored) }

// The sync mark, a skippable frame of kind 4:
//
//	 0  u32  magicRecord
//	 4  u32  29, the number of bytes that follow
//	 8  u8   kindMark
//	 9       marker
//	25  u64  offset, from the file header, before which everything was synced
//	33  u32  crc32c of the bytes before
//	37
const markSize = 37

// appendMark appends a sync mark to dst.
func appendMark(dst []byte, m *marker, synced int64) []byte {
	start := len(dst)
	dst = binary.LittleEndian.AppendUint32(dst, magicRecord)
	dst = binary.LittleEndian.AppendUint32(dst, markSize-skippableHeader)
	dst = append(dst, kindMark)
	dst = append(dst, m[:]...)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(synced))
	return binary.LittleEndian.AppendUint32(dst, checksum(dst[start:]))
}

// parseMark reads the sync mark at the start of b. ok is false if it is none, or is that
// of another file.
func parseMark(b []byte, m *marker) (synced int64, ok bool) {
	if len(b) < markSize || binary.LittleEndian.Uint32(b) != magicRecord || binary.LittleEndian.Uint32(b[4:]) != markSize-skippableHeader ||
		b[8] != kindMark || marker(b[blockMarkerAt:]) != *m || binary.LittleEndian.Uint32(b[33:]) != checksum(b[:33]) {
		return 0, false
	}
	synced = int64(binary.LittleEndian.Uint64(b[25:]))
	return synced, synced >= 0
}
