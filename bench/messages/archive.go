package messages

import (
	"bytes"
	"hash/crc32"
	"math/rand/v2"
	"strings"
)

// gzipHeader is the header of a gzip member: RFC 1952, section 2.3.
type gzipHeader struct {
	_          struct{} `layout:"le"`
	Magic      [2]byte  `layout:"magic=\\x1f\\x8b"`
	Method     uint8    `layout:"const=8"`
	Text       bool     `layout:"bits=1"`
	HasSum     bool     `layout:"bits=1"`
	HasExtra   bool     `layout:"bits=1"`
	HasName    bool     `layout:"bits=1"`
	HasComment bool     `layout:"bits=1"`
	Reserved   uint8    `layout:"bits=3"`
	Modified   uint32
	Flags      uint8
	System     uint8
	Extra      []gzipExtra `layout:"prefix=u16,if=HasExtra"`
	Name       string      `layout:"cstring,if=HasName"`
	Comment    string      `layout:"cstring,if=HasComment"`
	Sum        uint16      `layout:"sum=crc16:Magic..Comment,if=HasSum"`
}

type gzipExtra struct {
	ID   [2]byte
	Data []byte `layout:"prefix=u16"`
}

func appendGzip(dst []byte, m *gzipHeader) ([]byte, error) {
	if m.Magic != [2]byte{} && m.Magic != [2]byte{0x1f, 0x8b} || m.Method != 0 && m.Method != 8 {
		return dst, errConstant
	}
	if m.Reserved > 7 || !m.HasSum && m.Sum != 0 || !m.HasExtra && m.Extra != nil || !m.HasName && m.Name != "" || !m.HasComment && m.Comment != "" ||
		strings.IndexByte(m.Name, 0) >= 0 || strings.IndexByte(m.Comment, 0) >= 0 {
		return dst, errRange
	}
	n := len(dst)
	b := append(dst, 0x1f, 0x8b, 8, bit(m.Text, 0)|bit(m.HasSum, 1)|bit(m.HasExtra, 2)|bit(m.HasName, 3)|bit(m.HasComment, 4)|m.Reserved<<5)
	b = le.AppendUint32(b, m.Modified)
	b = append(b, m.Flags, m.System)
	if m.HasExtra {
		start := len(b)
		b = append(b, 0, 0)
		for i := range m.Extra {
			e := &m.Extra[i]
			if len(e.Data) > 0xffff {
				return dst, errRange
			}
			b = append(b, e.ID[0], e.ID[1], byte(len(e.Data)), byte(len(e.Data)>>8))
			b = append(b, e.Data...)
		}
		size := len(b) - start - 2
		if size > 0xffff {
			return dst, errRange
		}
		le.PutUint16(b[start:], uint16(size))
	}
	if m.HasName {
		b = append(append(b, m.Name...), 0)
	}
	if m.HasComment {
		b = append(append(b, m.Comment...), 0)
	}
	if m.HasSum {
		b = le.AppendUint16(b, uint16(crc32.ChecksumIEEE(b[n:])))
	}
	return b, nil
}

func decodeGzip(data []byte, m *gzipHeader, alias bool) error {
	if len(data) < 10 {
		return errShort
	}
	if data[0] != 0x1f || data[1] != 0x8b || data[2] != 8 {
		return errConstant
	}
	all, flags := data, data[3]
	m.Magic, m.Method = [2]byte{0x1f, 0x8b}, 8
	m.Text, m.HasSum, m.HasExtra, m.HasName, m.HasComment = flags&1 != 0, flags&2 != 0, flags&4 != 0, flags&8 != 0, flags&16 != 0
	m.Reserved, m.Modified, m.Flags, m.System = flags>>5, le.Uint32(data[4:]), data[8], data[9]
	data = data[10:]
	if !m.HasExtra {
		m.Extra = nil
	} else {
		if len(data) < 2 || len(data) < 2+int(le.Uint16(data)) {
			return errShort
		}
		end := 2 + int(le.Uint16(data))
		list := data[2:end]
		data = data[end:]
		m.Extra = emptied(m.Extra)
		for len(list) > 0 {
			if len(list) < 4 || len(list) < 4+int(le.Uint16(list[2:])) {
				return errLength
			}
			end := 4 + int(le.Uint16(list[2:]))
			m.Extra = append(m.Extra, gzipExtra{[2]byte(list), own(list[4:end], alias)})
			list = list[end:]
		}
	}
	m.Name, m.Comment, m.Sum = "", "", 0
	if m.HasName {
		end := bytes.IndexByte(data, 0)
		if end < 0 {
			return errShort
		}
		m.Name = string(data[:end])
		data = data[end+1:]
	}
	if m.HasComment {
		end := bytes.IndexByte(data, 0)
		if end < 0 {
			return errShort
		}
		m.Comment = string(data[:end])
		data = data[end+1:]
	}
	if m.HasSum {
		if len(data) < 2 {
			return errShort
		}
		m.Sum = le.Uint16(data)
		if uint16(crc32.ChecksumIEEE(all[:len(all)-len(data)])) != m.Sum {
			return errChecksum
		}
		data = data[2:]
	}
	if len(data) > 0 {
		return errTrailing
	}
	return nil
}

func randomGzip(r *rand.Rand) *gzipHeader {
	m := &gzipHeader{HasName: !chance(r, 4), HasComment: chance(r, 6), HasExtra: chance(r, 4), HasSum: chance(r, 4), Modified: r.Uint32(), System: 3}
	if m.HasName {
		m.Name = randomText(r, 4, 30) + ".txt"
	}
	if m.HasComment {
		m.Comment = randomText(r, 4, 60)
	}
	if m.HasExtra {
		m.Extra = some(r, 1, 2, func() gzipExtra { return gzipExtra{[2]byte{'B', 'C'}, randomBytes(r, between(r, 2, 12))} })
	}
	return m
}

// crc16 is the checksum of a gzip header, for package layout.
func crc16(data []byte, _, _ int) uint64 { return uint64(crc32.ChecksumIEEE(data) & 0xffff) }

// zipEntry is an entry of the central directory of a ZIP archive: APPNOTE.TXT 6.3.10, section 4.3.12.
type zipEntry struct {
	_             struct{} `layout:"le"`
	Magic         [4]byte  `layout:"magic=PK\\x01\\x02"`
	MadeBy        uint16
	Needs         uint16
	Flags         uint16
	Method        uint16
	Time          uint16
	Date          uint16
	CRC           uint32
	Compressed    uint32
	Size          uint32
	NameLength    uint16 `layout:"len=Name"`
	ExtraLength   uint16 `layout:"len=Extra"`
	CommentLength uint16 `layout:"len=Comment"`
	Disk          uint16
	Internal      uint16
	External      uint32
	Offset        uint32
	Name          string
	Extra         []zipExtra
	Comment       string
}

type zipExtra struct {
	ID   uint16
	Data []byte `layout:"prefix=u16"`
}

func appendZIP(dst []byte, m *zipEntry) ([]byte, error) {
	if m.Magic != [4]byte{} && string(m.Magic[:]) != "PK\x01\x02" {
		return dst, errConstant
	}
	extra := 0
	for i := range m.Extra {
		if len(m.Extra[i].Data) > 0xffff {
			return dst, errRange
		}
		extra += 4 + len(m.Extra[i].Data)
	}
	if len(m.Name) > 0xffff || extra > 0xffff || len(m.Comment) > 0xffff {
		return dst, errRange
	}
	n := len(dst)
	dst = extend(dst, 46+len(m.Name)+extra+len(m.Comment))
	b := dst[n:]
	_ = b[45]
	copy(b[:4], "PK\x01\x02")
	le.PutUint16(b[4:], m.MadeBy)
	le.PutUint16(b[6:], m.Needs)
	le.PutUint16(b[8:], m.Flags)
	le.PutUint16(b[10:], m.Method)
	le.PutUint16(b[12:], m.Time)
	le.PutUint16(b[14:], m.Date)
	le.PutUint32(b[16:], m.CRC)
	le.PutUint32(b[20:], m.Compressed)
	le.PutUint32(b[24:], m.Size)
	le.PutUint16(b[28:], uint16(len(m.Name)))
	le.PutUint16(b[30:], uint16(extra))
	le.PutUint16(b[32:], uint16(len(m.Comment)))
	le.PutUint16(b[34:], m.Disk)
	le.PutUint16(b[36:], m.Internal)
	le.PutUint32(b[38:], m.External)
	le.PutUint32(b[42:], m.Offset)
	b = b[46+copy(b[46:], m.Name):]
	for i := range m.Extra {
		e := &m.Extra[i]
		le.PutUint16(b, e.ID)
		le.PutUint16(b[2:], uint16(len(e.Data)))
		b = b[4+copy(b[4:], e.Data):]
	}
	copy(b, m.Comment)
	return dst, nil
}

func decodeZIP(data []byte, m *zipEntry, alias bool) error {
	if len(data) < 46 {
		return errShort
	}
	if string(data[:4]) != "PK\x01\x02" {
		return errConstant
	}
	m.Magic = [4]byte(data)
	m.MadeBy, m.Needs, m.Flags, m.Method = le.Uint16(data[4:]), le.Uint16(data[6:]), le.Uint16(data[8:]), le.Uint16(data[10:])
	m.Time, m.Date = le.Uint16(data[12:]), le.Uint16(data[14:])
	m.CRC, m.Compressed, m.Size = le.Uint32(data[16:]), le.Uint32(data[20:]), le.Uint32(data[24:])
	m.NameLength, m.ExtraLength, m.CommentLength = le.Uint16(data[28:]), le.Uint16(data[30:]), le.Uint16(data[32:])
	m.Disk, m.Internal, m.External, m.Offset = le.Uint16(data[34:]), le.Uint16(data[36:]), le.Uint32(data[38:]), le.Uint32(data[42:])
	data = data[46:]
	name := int(m.NameLength)
	extra := name + int(m.ExtraLength)
	size := extra + int(m.CommentLength)
	if len(data) != size {
		return sizeError(len(data), size)
	}
	m.Name, m.Comment = string(data[:name]), string(data[extra:])
	m.Extra = emptied(m.Extra)
	for list := data[name:extra]; len(list) > 0; {
		if len(list) < 4 || len(list) < 4+int(le.Uint16(list[2:])) {
			return errLength
		}
		end := 4 + int(le.Uint16(list[2:]))
		m.Extra = append(m.Extra, zipExtra{le.Uint16(list), own(list[4:end], alias)})
		list = list[end:]
	}
	return nil
}

func randomZIP(r *rand.Rand) *zipEntry {
	m := &zipEntry{
		MadeBy: 0x031e, Needs: 20, Flags: 8, Method: 8, Time: uint16(r.Uint32()), Date: uint16(r.Uint32()), CRC: r.Uint32(), Compressed: r.Uint32N(1 << 20),
		Size: r.Uint32N(1 << 22), External: 0o100644 << 16, Offset: r.Uint32(), Name: "src/" + randomText(r, 3, 14) + "/" + randomText(r, 4, 20) + ".go",
	}
	if chance(r, 2) {
		m.Extra = []zipExtra{{0x5455, randomBytes(r, 5)}, {0x7875, randomBytes(r, 11)}}
	}
	if chance(r, 10) {
		m.Comment = randomText(r, 5, 30)
	}
	return m
}
