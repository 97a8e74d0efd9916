package record

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// The index, a skippable frame of kind 3:
//
//	 0  u32  magicRecord
//	 4  u32  number of bytes that follow
//	 8  u8   kindIndex
//	 9  u64  offset of this frame from the file header
//	17  u32  crc32c at the end of the file header
//	21  u64  number of records
//	29  u32  number of blocks
//	33       for each block: u64 offset of its header from the file header,
//	         u64 ordinal of its first record, u32 raw length
//	    u32  length of the whole frame
//	    u32  crc32c of the bytes before
//
// The seek table follows, as in the zstd seekable format:
//
//	0  u32  magicSeekTable
//	4  u32  number of bytes that follow
//	8       for each entry: u32 bytes in the file, u32 bytes of content
//	   u32  number of entries
//	   u8   0: no checksums in the entries
//	   u32  seekFooterMagic
const (
	indexFixed   = 33
	indexEntry   = 20
	indexTail    = 8
	minIndex     = indexFixed + indexTail
	seekEntry    = 8
	seekFooter   = 9
	minSeekTable = skippableHeader + seekFooter

	seekFooterMagic = 0x8f92eab1
)

// MaxIndexed is the number of blocks of a file up to which [Writer.Close] writes an index.
// A Writer keeps 24 bytes in memory for each block until then. A file with more of them is read by its block headers.
const MaxIndexed = 4 << 20

// maxSeek is the largest number of bytes for one entry of the seek table.
const maxSeek = 1 << 28

// An entry is what a Writer keeps of a block.
type entry struct {
	offset      int64
	ordinal     int64
	raw, stored uint32
}

// appendIndex appends the index to dst. The first offset is that of the index.
func appendIndex(dst []byte, offset int64, h *fileHeader, entries []entry, records int64) []byte {
	start := len(dst)
	n := minIndex + indexEntry*len(entries)
	dst = slices.Grow(dst, n)
	dst = binary.LittleEndian.AppendUint32(dst, magicRecord)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(n-skippableHeader))
	dst = append(dst, kindIndex)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(offset))
	dst = binary.LittleEndian.AppendUint32(dst, h.sum())
	dst = binary.LittleEndian.AppendUint64(dst, uint64(records))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(entries)))
	for i := range entries {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(entries[i].offset))
		dst = binary.LittleEndian.AppendUint64(dst, uint64(entries[i].ordinal))
		dst = binary.LittleEndian.AppendUint32(dst, entries[i].raw)
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	return binary.LittleEndian.AppendUint32(dst, checksum(dst[start:]))
}

// appendSeekTable appends the seek table of a file whose blocks are entries and
// which has no other frames with content. end is its offset in the file.
func appendSeekTable(dst []byte, entries []entry, end int64) []byte {
	start := len(dst)
	dst = binary.LittleEndian.AppendUint32(dst, magicSeekTable)
	dst = append(dst, 0, 0, 0, 0)
	count := uint32(0)
	add := func(bytes, content int64) {
		for bytes > 0 { // what lies between two blocks can be long
			part := min(bytes, maxSeek)
			dst = binary.LittleEndian.AppendUint32(dst, uint32(part))
			dst = binary.LittleEndian.AppendUint32(dst, uint32(content))
			bytes -= part
			count++
		}
	}
	pos := int64(0)
	for i := range entries {
		e := &entries[i]
		add(e.offset+blockHeaderSize-pos, 0)
		add(int64(e.stored), int64(e.raw)) // less than maxSeek, see largestMax
		pos = e.offset + blockHeaderSize + int64(e.stored)
	}
	add(end-pos, 0)
	dst = binary.LittleEndian.AppendUint32(dst, count)
	dst = append(dst, 0)
	dst = binary.LittleEndian.AppendUint32(dst, seekFooterMagic)
	binary.LittleEndian.PutUint32(dst[start+4:], uint32(len(dst)-start-skippableHeader))
	return dst
}

// isIndexOf reports whether b is the beginning of an index that is at this offset from
// its file header h, which was read.
func isIndexOf(b []byte, offset int64, h *fileHeader) bool {
	return len(b) >= 21 && b[8] == kindIndex && binary.LittleEndian.Uint64(b[9:]) == uint64(offset) &&
		binary.LittleEndian.Uint32(b[17:]) == h.crc
}

// sum returns the checksum at the end of the header.
func (h *fileHeader) sum() uint32 {
	b := h.bytes()
	return binary.LittleEndian.Uint32(b[len(b)-4:])
}

// seekTableAt returns where the seek table that ends a file of this size begins, or the size if there is none.
func seekTableAt(src source, size int64) (int64, error) {
	b, err := src.at(max(0, size-seekFooter), seekFooter)
	if err != nil || len(b) < seekFooter || binary.LittleEndian.Uint32(b[5:]) != seekFooterMagic {
		return size, err
	}
	length := int64(minSeekTable) + seekEntry*int64(binary.LittleEndian.Uint32(b))
	if b[4]&0x80 != 0 {
		length += 4 * int64(binary.LittleEndian.Uint32(b)) // entries with checksums
	}
	if length > size {
		return size, nil
	}
	if b, err = src.at(size-length, skippableHeader); err != nil {
		return size, err
	}
	if binary.LittleEndian.Uint32(b) == magicSeekTable && int64(binary.LittleEndian.Uint32(b[4:])) == length-skippableHeader {
		return size - length, nil
	}
	return size, nil
}

// hasSeekTable reports whether a file of this size, whose blocks are entries, ends with their seek table. A file that was
// joined can end with that of its last part.
func hasSeekTable(src source, size int64, entries []entry) (bool, error) {
	start, err := seekTableAt(src, size)
	if err != nil || start == size {
		return false, err
	}
	want := appendSeekTable(nil, entries, start)
	if int64(len(want)) != size-start {
		return false, nil
	}
	b, err := src.at(start, len(want))
	return bytes.Equal(b, want), err
}

// findIndex returns where the index that ends the file begins and how long it is.
// ok is false if there is none, or another file was appended.
func findIndex(src source, size int64) (start, length int64, ok bool, err error) {
	end, err := seekTableAt(src, size)
	if err != nil {
		return 0, 0, false, err
	}
	if end < minIndex {
		return 0, 0, false, nil
	}
	b, err := src.at(end-indexTail, indexTail)
	if err != nil {
		return 0, 0, false, err
	}
	length = int64(binary.LittleEndian.Uint32(b))
	if length < minIndex || length > end || (length-minIndex)%indexEntry != 0 {
		return 0, 0, false, nil
	}
	start = end - length
	if b, err = src.at(start, indexFixed); err != nil {
		return 0, 0, false, err
	}
	ok = binary.LittleEndian.Uint32(b) == magicRecord && int64(binary.LittleEndian.Uint32(b[4:])) == length-skippableHeader &&
		b[8] == kindIndex && binary.LittleEndian.Uint64(b[9:]) == uint64(start) &&
		indexEntry*int64(binary.LittleEndian.Uint32(b[29:])) == length-minIndex
	return start, length, ok, nil
}

// readIndex reads the index at start and calls add for each block, in order. ok is
// false if the index is not that of the file or not consistent; what add has
// received is then void.
func readIndex(src source, h *fileHeader, start, length int64, add func(offset, ordinal int64, raw uint32)) (records int64, ok bool, err error) {
	b, err := src.at(start, indexFixed)
	if err != nil || len(b) < indexFixed {
		return 0, false, err
	}
	sum := checksum(b)
	if binary.LittleEndian.Uint32(b[17:]) != h.sum() {
		return 0, false, nil
	}
	records = int64(binary.LittleEndian.Uint64(b[21:]))
	offset, ordinal := int64(h.size), int64(0)
	pos, end := start+indexFixed, start+length-indexTail
	for pos < end {
		const batch = 2048 * indexEntry
		n := int(min(batch, end-pos))
		if b, err = src.at(pos, n); err != nil || len(b) < n {
			return 0, false, err
		}
		sum = appendChecksum(sum, b)
		pos += int64(n)
		for ; len(b) > 0; b = b[indexEntry:] {
			o, r := int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:]))
			first := pos == start+indexFixed+int64(n) && len(b) == n
			if o < offset || o > start-blockHeaderSize-minFrame || first != (r == 0) || !first && r <= ordinal || r >= records {
				return 0, false, nil
			}
			offset, ordinal = o+blockHeaderSize+minFrame, r
			add(o, r, binary.LittleEndian.Uint32(b[16:]))
		}
	}
	if b, err = src.at(end, indexTail); err != nil || len(b) < indexTail {
		return 0, false, err
	}
	ok = appendChecksum(sum, b[:4]) == binary.LittleEndian.Uint32(b[4:])
	return records, ok && (records > 0) == (length > minIndex) && records >= 0 && records <= maxOrdinal, nil
}

// hasIndex reports whether the file ends with an index that can be used and has this
// number of records.
func hasIndex(src source, size int64, h *fileHeader, records int64) (bool, error) {
	start, length, ok, err := findIndex(src, size)
	if err != nil || !ok {
		return false, err
	}
	n, ok, err := readIndex(src, h, start, length, func(int64, int64, uint32) {})
	return ok && n == records, err
}
