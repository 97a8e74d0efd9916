package messages

import (
	"hash/crc32"
	"math/rand/v2"
)

// sctpPacket is a packet of SCTP with DATA chunks: RFC 9260, sections 3.1 and 3.3.1.
type sctpPacket struct {
	_        struct{} `layout:"be"`
	Source   uint16
	Target   uint16
	Tag      uint32
	Checksum uint32 `layout:"crc32c=Source..Chunks,le"`
	Chunks   []sctpData
}

type sctpData struct {
	Type      uint8  `layout:"const=0"`
	Reserved  uint8  `layout:"bits=4"`
	Immediate bool   `layout:"bits=1"`
	Unordered bool   `layout:"bits=1"`
	Beginning bool   `layout:"bits=1"`
	Ending    bool   `layout:"bits=1"`
	Length    uint16 `layout:"len=Type..Data"`
	TSN       uint32
	Stream    uint16
	Sequence  uint16
	Protocol  uint32
	Data      []byte
	_         struct{} `layout:"align=4"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func appendSCTP(dst []byte, m *sctpPacket) ([]byte, error) {
	size := 12
	for i := range m.Chunks {
		c := &m.Chunks[i]
		if c.Type != 0 {
			return dst, errConstant
		}
		if c.Reserved > 15 || 16+len(c.Data) > 0xffff {
			return dst, errRange
		}
		size += 16 + (len(c.Data)+3)&^3
	}
	n := len(dst)
	dst = extend(dst, size)
	b := dst[n:]
	_ = b[11]
	be.PutUint16(b, m.Source)
	be.PutUint16(b[2:], m.Target)
	be.PutUint32(b[4:], m.Tag)
	be.PutUint32(b[8:], 0)
	b = b[12:]
	for i := range m.Chunks {
		c := &m.Chunks[i]
		_ = b[15]
		b[0] = 0
		b[1] = c.Reserved<<4 | bit(c.Immediate, 3) | bit(c.Unordered, 2) | bit(c.Beginning, 1) | bit(c.Ending, 0)
		be.PutUint16(b[2:], uint16(16+len(c.Data)))
		be.PutUint32(b[4:], c.TSN)
		be.PutUint16(b[8:], c.Stream)
		be.PutUint16(b[10:], c.Sequence)
		be.PutUint32(b[12:], c.Protocol)
		end := 16 + (len(c.Data)+3)&^3
		clear(b[16+copy(b[16:], c.Data) : end])
		b = b[end:]
	}
	le.PutUint32(dst[n+8:], crc32.Checksum(dst[n:], castagnoli))
	return dst, nil
}

func decodeSCTP(data []byte, m *sctpPacket, alias bool) error {
	if len(data) < 12 {
		return errShort
	}
	m.Source, m.Target = be.Uint16(data), be.Uint16(data[2:])
	m.Tag = be.Uint32(data[4:])
	m.Checksum = le.Uint32(data[8:])
	sum := crc32.Update(0, castagnoli, data[:8])
	sum = crc32.Update(sum, castagnoli, []byte{0, 0, 0, 0})
	if crc32.Update(sum, castagnoli, data[12:]) != m.Checksum {
		return errChecksum
	}
	m.Chunks = emptied(m.Chunks)
	for data = data[12:]; len(data) > 0; {
		if len(data) < 16 {
			return errShort
		}
		if data[0] != 0 {
			return errConstant
		}
		flags, length := data[1], int(be.Uint16(data[2:]))
		end := (length + 3) &^ 3
		if length < 16 {
			return errLength
		}
		if end > len(data) {
			return errShort
		}
		m.Chunks = append(m.Chunks, sctpData{
			Reserved: flags >> 4, Immediate: flags&8 != 0, Unordered: flags&4 != 0, Beginning: flags&2 != 0, Ending: flags&1 != 0,
			Length: uint16(length), TSN: be.Uint32(data[4:]), Stream: be.Uint16(data[8:]), Sequence: be.Uint16(data[10:]),
			Protocol: be.Uint32(data[12:]), Data: own(data[16:length], alias),
		})
		data = data[end:]
	}
	return nil
}

func randomSCTP(r *rand.Rand) *sctpPacket {
	return &sctpPacket{
		Source: uint16(r.Uint32()), Target: 2905, Tag: r.Uint32(),
		Chunks: some(r, 1, 3, func() sctpData {
			return sctpData{
				Beginning: true, Ending: true, Unordered: chance(r, 3), TSN: r.Uint32(), Stream: uint16(r.IntN(16)), Sequence: uint16(r.Uint32()),
				Protocol: 3, Data: randomBytes(r, between(r, 1, 200)),
			}
		}),
	}
}
