package messages

import (
	"hash/crc32"
	"math/rand/v2"
)

// pngChunk is a chunk of a PNG file: PNG Specification, Third Edition, section 5.3.
type pngChunk struct {
	_      struct{} `layout:"be"`
	Length uint32   `layout:"len=Data,max=0x7fffffff"`
	Type   [4]byte
	Data   []byte
	CRC    uint32 `layout:"crc32=Type..Data"`
}

func appendPNG(dst []byte, m *pngChunk) ([]byte, error) {
	size := len(m.Data)
	if size > 1<<31-1 {
		return dst, errRange
	}
	n := len(dst)
	dst = extend(dst, 12+size)
	b := dst[n:]
	_ = b[7]
	be.PutUint32(b, uint32(size))
	copy(b[4:8], m.Type[:])
	copy(b[8:], m.Data)
	be.PutUint32(b[8+size:], crc32.ChecksumIEEE(b[4:8+size]))
	return dst, nil
}

func decodePNG(data []byte, m *pngChunk, alias bool) error {
	if len(data) < 12 {
		return errShort
	}
	m.Length = be.Uint32(data)
	if m.Length > 1<<31-1 {
		return errLength
	}
	size := int(m.Length)
	if len(data)-12 != size {
		return sizeError(len(data)-12, size)
	}
	m.Type, m.CRC = [4]byte(data[4:]), be.Uint32(data[8+size:])
	if crc32.ChecksumIEEE(data[4:8+size]) != m.CRC {
		return errChecksum
	}
	m.Data = own(data[8:8+size], alias)
	return nil
}

func randomPNG(r *rand.Rand) *pngChunk {
	if chance(r, 2) {
		return &pngChunk{Type: [4]byte([]byte("IDAT")), Data: randomBytes(r, between(r, 200, 1500))}
	}
	return &pngChunk{Type: [4]byte([]byte("tEXt")), Data: []byte("Comment\x00" + randomText(r, 5, 60))}
}
