package messages

import (
	"math/rand/v2"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// gptEntry is an entry of a GUID partition table: UEFI Specification 2.10, section 5.3.3.
type gptEntry struct {
	_          struct{} `layout:"le"`
	Type       [16]byte
	Partition  [16]byte
	First      uint64
	Last       uint64
	Attributes uint64
	Name       string `layout:"utf16,fixed=72"`
}

const gptSize = 128

func appendGPT(dst []byte, m *gptEntry) ([]byte, error) {
	if !utf8.ValidString(m.Name) || strings.HasSuffix(m.Name, "\x00") {
		return dst, errRange
	}
	n := len(dst)
	dst = extend(dst, gptSize)
	b := (*[gptSize]byte)(dst[n:])
	copy(b[0:16], m.Type[:])
	copy(b[16:32], m.Partition[:])
	le.PutUint64(b[32:], m.First)
	le.PutUint64(b[40:], m.Last)
	le.PutUint64(b[48:], m.Attributes)
	at := 56
	for _, c := range m.Name {
		if at+2*utf16.RuneLen(c) > gptSize {
			return dst[:n], errRange
		}
		if c >= 1<<16 {
			high, low := utf16.EncodeRune(c)
			le.PutUint16(b[at:], uint16(high))
			at += 2
			c = low
		}
		le.PutUint16(b[at:], uint16(c))
		at += 2
	}
	clear(b[at:])
	return dst, nil
}

func decodeGPT(data []byte, m *gptEntry) error {
	if len(data) != gptSize {
		return sizeError(len(data), gptSize)
	}
	b := (*[gptSize]byte)(data)
	m.Type, m.Partition = [16]byte(b[0:16]), [16]byte(b[16:32])
	m.First = le.Uint64(b[32:])
	m.Last = le.Uint64(b[40:])
	m.Attributes = le.Uint64(b[48:])
	end := gptSize
	for end > 56 && b[end-1]|b[end-2] == 0 {
		end -= 2
	}
	var text [3 * 36]byte
	name := text[:0]
	for at := 56; at < end; at += 2 {
		c := rune(le.Uint16(b[at:]))
		if utf16.IsSurrogate(c) {
			if at += 2; at >= end {
				return errRange
			}
			if c = utf16.DecodeRune(c, rune(le.Uint16(b[at:]))); c == utf8.RuneError {
				return errRange
			}
		}
		name = utf8.AppendRune(name, c)
	}
	m.Name = string(name)
	return nil
}

func randomGPT(r *rand.Rand) *gptEntry {
	first := 2048 * r.Uint64N(1<<24)
	names := []string{"EFI system partition", "Microsoft reserved partition", "Linux filesystem", "données", "ルート", "root \U0001F600", ""}
	m := &gptEntry{
		Type: [16]byte(randomBytes(r, 16)), Partition: [16]byte(randomBytes(r, 16)), First: first, Last: first + 2048*r.Uint64N(1<<20) - 1,
		Attributes: 1 << r.IntN(64), Name: names[r.IntN(len(names))],
	}
	if chance(r, 2) {
		m.Name = randomText(r, 1, 36)
	}
	return m
}

// elfHeader is the header of a 64-bit ELF file in either byte order: System V ABI 4.1, chapter 4, ELF header.
type elfHeader struct {
	_          struct{} `layout:"be"`
	Magic      [4]byte  `layout:"magic=\\x7fELF"`
	Class      uint8    `layout:"const=2"`
	Data       uint8    `layout:"const=1|le,const=2|be"`
	Version    uint8    `layout:"const=1"`
	ABI        uint8
	ABIVersion uint8
	_          struct{} `layout:"skip=7"`
	Body       elfBody  `layout:"order=Data"`
}

type elfBody struct {
	Type, Machine             uint16
	Version                   uint32
	Entry, Programs, Sections uint64
	Flags                     uint32
	HeaderSize                uint16
	ProgramSize, ProgramCount uint16
	SectionSize, SectionCount uint16
	SectionNames              uint16
}

const elfSize = 64

func appendELF(dst []byte, m *elfHeader) ([]byte, error) {
	if m.Magic != [4]byte{} && string(m.Magic[:]) != "\x7fELF" || m.Class != 0 && m.Class != 2 || m.Data > 2 || m.Version > 1 {
		return dst, errConstant
	}
	n := len(dst)
	dst = extend(dst, elfSize)
	b := (*[elfSize]byte)(dst[n:])
	b[0], b[1], b[2], b[3] = 0x7f, 'E', 'L', 'F'
	b[4], b[5], b[6], b[7], b[8] = 2, max(m.Data, 1), 1, m.ABI, m.ABIVersion
	clear(b[9:16])
	if h := &m.Body; b[5] == 1 {
		le.PutUint16(b[16:], h.Type)
		le.PutUint16(b[18:], h.Machine)
		le.PutUint32(b[20:], h.Version)
		le.PutUint64(b[24:], h.Entry)
		le.PutUint64(b[32:], h.Programs)
		le.PutUint64(b[40:], h.Sections)
		le.PutUint32(b[48:], h.Flags)
		le.PutUint16(b[52:], h.HeaderSize)
		le.PutUint16(b[54:], h.ProgramSize)
		le.PutUint16(b[56:], h.ProgramCount)
		le.PutUint16(b[58:], h.SectionSize)
		le.PutUint16(b[60:], h.SectionCount)
		le.PutUint16(b[62:], h.SectionNames)
	} else {
		be.PutUint16(b[16:], h.Type)
		be.PutUint16(b[18:], h.Machine)
		be.PutUint32(b[20:], h.Version)
		be.PutUint64(b[24:], h.Entry)
		be.PutUint64(b[32:], h.Programs)
		be.PutUint64(b[40:], h.Sections)
		be.PutUint32(b[48:], h.Flags)
		be.PutUint16(b[52:], h.HeaderSize)
		be.PutUint16(b[54:], h.ProgramSize)
		be.PutUint16(b[56:], h.ProgramCount)
		be.PutUint16(b[58:], h.SectionSize)
		be.PutUint16(b[60:], h.SectionCount)
		be.PutUint16(b[62:], h.SectionNames)
	}
	return dst, nil
}

func decodeELF(data []byte, m *elfHeader) error {
	if len(data) != elfSize {
		return sizeError(len(data), elfSize)
	}
	b := (*[elfSize]byte)(data)
	if string(b[:4]) != "\x7fELF" || b[4] != 2 || b[6] != 1 {
		return errConstant
	}
	m.Magic, m.Class, m.Data, m.Version, m.ABI, m.ABIVersion = [4]byte(b[:]), 2, b[5], 1, b[7], b[8]
	h := &m.Body
	switch b[5] {
	case 1:
		h.Type, h.Machine = le.Uint16(b[16:]), le.Uint16(b[18:])
		h.Version = le.Uint32(b[20:])
		h.Entry = le.Uint64(b[24:])
		h.Programs = le.Uint64(b[32:])
		h.Sections = le.Uint64(b[40:])
		h.Flags = le.Uint32(b[48:])
		h.HeaderSize = le.Uint16(b[52:])
		h.ProgramSize, h.ProgramCount = le.Uint16(b[54:]), le.Uint16(b[56:])
		h.SectionSize, h.SectionCount = le.Uint16(b[58:]), le.Uint16(b[60:])
		h.SectionNames = le.Uint16(b[62:])
	case 2:
		h.Type, h.Machine = be.Uint16(b[16:]), be.Uint16(b[18:])
		h.Version = be.Uint32(b[20:])
		h.Entry = be.Uint64(b[24:])
		h.Programs = be.Uint64(b[32:])
		h.Sections = be.Uint64(b[40:])
		h.Flags = be.Uint32(b[48:])
		h.HeaderSize = be.Uint16(b[52:])
		h.ProgramSize, h.ProgramCount = be.Uint16(b[54:]), be.Uint16(b[56:])
		h.SectionSize, h.SectionCount = be.Uint16(b[58:]), be.Uint16(b[60:])
		h.SectionNames = be.Uint16(b[62:])
	default:
		return errConstant
	}
	return nil
}

func randomELF(r *rand.Rand) *elfHeader {
	return &elfHeader{
		Data: uint8(1 + r.IntN(8)/7), ABI: uint8(3 * r.IntN(2)),
		Body: elfBody{
			Type: uint16(between(r, 1, 3)), Machine: 62, Version: 1, Entry: r.Uint64N(1 << 24), Programs: 64, Sections: r.Uint64N(1 << 30),
			HeaderSize: 64, ProgramSize: 56, ProgramCount: uint16(between(r, 4, 13)), SectionSize: 64, SectionCount: uint16(between(r, 10, 40)),
			SectionNames: uint16(between(r, 9, 39)),
		},
	}
}

// exifDirectory is an image file directory in little-endian order, as in the Exif data of a photo: TIFF 6.0, section 2,
// and Exif 2.32, section 4.6.2.
type exifDirectory struct {
	_       struct{} `layout:"le"`
	Count   uint16   `layout:"count=Entries"`
	Entries []exifEntry
	Next    uint32
}

type exifEntry struct {
	Tag   uint16
	Type  uint16
	Count uint32
	Value [4]byte // or its offset
}

func appendExif(dst []byte, m *exifDirectory) ([]byte, error) {
	count := len(m.Entries)
	if count > 0xffff {
		return dst, errRange
	}
	n := len(dst)
	dst = extend(dst, 6+12*count)
	b := dst[n:]
	le.PutUint16(b, uint16(count))
	b = b[2:]
	for i := range m.Entries {
		p, e := &m.Entries[i], (*[12]byte)(b[12*i:])
		le.PutUint16(e[0:], p.Tag)
		le.PutUint16(e[2:], p.Type)
		le.PutUint32(e[4:], p.Count)
		copy(e[8:], p.Value[:])
	}
	le.PutUint32(b[12*count:], m.Next)
	return dst, nil
}

func decodeExif(data []byte, m *exifDirectory) error {
	if len(data) < 2 {
		return errShort
	}
	m.Count = le.Uint16(data)
	count := int(m.Count)
	if len(data) != 6+12*count {
		return sizeError(len(data), 6+12*count)
	}
	data = data[2:]
	m.Entries = sized(m.Entries, count)
	for i := range m.Entries {
		p, e := &m.Entries[i], (*[12]byte)(data[12*i:])
		p.Tag, p.Type, p.Count, p.Value = le.Uint16(e[0:]), le.Uint16(e[2:]), le.Uint32(e[4:]), [4]byte(e[8:])
	}
	m.Next = le.Uint32(data[12*count:])
	return nil
}

func randomExif(r *rand.Rand) *exifDirectory {
	tag := uint16(0x100)
	return &exifDirectory{Next: r.Uint32N(1 << 16), Entries: some(r, 4, 25, func() exifEntry {
		tag += uint16(between(r, 1, 20))
		return exifEntry{tag, uint16(between(r, 1, 12)), r.Uint32N(64), [4]byte(randomBytes(r, 4))}
	})}
}
