package formats

import "hash/crc32"

// Gzip is the format of RFC 1952. It yields the header of the first member, as a
// GzipRawHeader if its extra field is not a list of subfields, and the trailer at the end
// of the file. The compressed data between them is not read.
func Gzip() Format {
	return Format{"gzip", "gzip file: header and trailer", func(w *walk) {
		_, off, ok := w.either(w.le, "header", 0, new(GzipHeader), new(GzipRawHeader))
		if !ok {
			return
		}
		if w.size()-off < 8 {
			w.fail("trailer: %d of 8 bytes left at offset %d", w.size()-off, off)
			return
		}
		w.at(w.le, "trailer", w.size()-8, w.size(), new(GzipTrailer))
	}}
}

// GzipHeader is the start of a member.
type GzipHeader struct {
	_ struct{} `layout:"le"`
	GzipStart
	Extra   []GzipExtra `layout:"prefix=u16,if=HasExtra"`
	Name    string      `layout:"cstring,if=HasName"`
	Comment string      `layout:"cstring,if=HasComment"`
	Sum     uint16      `layout:"sum=crc16:Magic..Comment,if=HasSum"`
}

// GzipRawHeader is a GzipHeader whose extra field is not a list of subfields. Helm writes such headers.
type GzipRawHeader struct {
	_ struct{} `layout:"le"`
	GzipStart
	Extra   []byte `layout:"prefix=u16,if=HasExtra"`
	Name    string `layout:"cstring,if=HasName"`
	Comment string `layout:"cstring,if=HasComment"`
	Sum     uint16 `layout:"sum=crc16:Magic..Comment,if=HasSum"`
}

// GzipStart is the part of a header that all members have.
type GzipStart struct {
	_          struct{} `layout:"le"`
	Magic      [2]byte  `layout:"magic=\\x1f\\x8b"`
	Method     uint8    `layout:"const=8"`
	Text       bool     `layout:"bits=1"`
	HasSum     bool     `layout:"bits=1"`
	HasExtra   bool     `layout:"bits=1"`
	HasName    bool     `layout:"bits=1"`
	HasComment bool     `layout:"bits=1"`
	Reserved   uint8    `layout:"bits=3"`
	Modified   uint32   // Unix seconds
	Flags      uint8    // 2 slowest, 4 fastest compression
	System     uint8    // 3 Unix, 255 unknown
}

// GzipExtra is a subfield of the extra field.
type GzipExtra struct {
	ID   [2]byte
	Data []byte `layout:"prefix=u16"`
}

// GzipTrailer is the end of a member.
type GzipTrailer struct {
	_    struct{} `layout:"le"`
	CRC  uint32   // of the uncompressed data
	Size uint32   // of the uncompressed data, modulo 1<<32
}

// crc16 is the lower half of a CRC-32.
func crc16(data []byte, _, _ int) uint64 { return uint64(crc32.ChecksumIEEE(data) & 0xffff) }
