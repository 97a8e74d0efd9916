package messages

import "math/rand/v2"

// ntpPacket is a packet of NTP version 4 without extensions: RFC 5905, section 7.3.
type ntpPacket struct {
	_              struct{} `layout:"be"`
	Leap           uint8    `layout:"bits=2"`
	Version        uint8    `layout:"bits=3"`
	Mode           uint8    `layout:"bits=3"`
	Stratum        uint8
	Poll           int8
	Precision      int8
	RootDelay      uint32
	RootDispersion uint32
	ReferenceID    [4]byte
	Reference      uint64 // timestamps: seconds since 1900 and a fraction of 32 bits
	Origin         uint64
	Receive        uint64
	Transmit       uint64
}

const ntpSize = 48

func appendNTP(dst []byte, m *ntpPacket) ([]byte, error) {
	if m.Leap > 3 || m.Version > 7 || m.Mode > 7 {
		return dst, errRange
	}
	n := len(dst)
	dst = extend(dst, ntpSize)
	b := (*[ntpSize]byte)(dst[n:])
	b[0] = m.Leap<<6 | m.Version<<3 | m.Mode
	b[1], b[2], b[3] = m.Stratum, byte(m.Poll), byte(m.Precision)
	be.PutUint32(b[4:], m.RootDelay)
	be.PutUint32(b[8:], m.RootDispersion)
	copy(b[12:16], m.ReferenceID[:])
	be.PutUint64(b[16:], m.Reference)
	be.PutUint64(b[24:], m.Origin)
	be.PutUint64(b[32:], m.Receive)
	be.PutUint64(b[40:], m.Transmit)
	return dst, nil
}

func decodeNTP(data []byte, m *ntpPacket) error {
	if len(data) != ntpSize {
		return sizeError(len(data), ntpSize)
	}
	b := (*[ntpSize]byte)(data)
	m.Leap, m.Version, m.Mode = b[0]>>6, b[0]>>3&7, b[0]&7
	m.Stratum, m.Poll, m.Precision = b[1], int8(b[2]), int8(b[3])
	m.RootDelay = be.Uint32(b[4:])
	m.RootDispersion = be.Uint32(b[8:])
	m.ReferenceID = [4]byte(b[12:16])
	m.Reference = be.Uint64(b[16:])
	m.Origin = be.Uint64(b[24:])
	m.Receive = be.Uint64(b[32:])
	m.Transmit = be.Uint64(b[40:])
	return nil
}

func randomNTP(r *rand.Rand) *ntpPacket {
	now := uint64(3_972_672_000)<<32 + uint64(r.Int64N(1<<54))
	return &ntpPacket{
		Leap: uint8(r.IntN(4)), Version: 4, Mode: uint8(3 + r.IntN(2)), Stratum: uint8(r.IntN(16)), Poll: int8(4 + r.IntN(7)),
		Precision: -int8(10 + r.IntN(15)), RootDelay: r.Uint32N(1 << 16), RootDispersion: r.Uint32N(1 << 16),
		ReferenceID: [4]byte(randomBytes(r, 4)), Reference: now - uint64(r.Int64N(1<<40)), Origin: now, Receive: now + uint64(r.Int64N(1<<28)),
		Transmit: now + uint64(r.Int64N(1<<30)),
	}
}

// ptpSync is a Sync message of the Precision Time Protocol: IEEE 1588-2008, sections 13.3 and 13.6.
type ptpSync struct {
	_           struct{} `layout:"be"`
	Transport   uint8    `layout:"bits=4"`
	Type        uint8    `layout:"bits=4"`
	Reserved    uint8    `layout:"bits=4"`
	Version     uint8    `layout:"bits=4,const=2"`
	Length      uint16   `layout:"const=44"`
	Domain      uint8
	_           struct{} `layout:"skip=1"`
	Flags       uint16
	Correction  int64    // nanoseconds, times 1<<16
	_           struct{} `layout:"skip=4"`
	Clock       [8]byte
	Port        uint16
	Sequence    uint16
	Control     uint8
	LogInterval int8
	Seconds     uint64 `layout:"u48"`
	Nanoseconds uint32
}

const ptpSize = 44

func appendPTP(dst []byte, m *ptpSync) ([]byte, error) {
	if m.Transport > 15 || m.Type > 15 || m.Reserved > 15 || m.Seconds >= 1<<48 {
		return dst, errRange
	}
	if m.Version != 0 && m.Version != 2 || m.Length != 0 && m.Length != ptpSize {
		return dst, errConstant
	}
	n := len(dst)
	dst = extend(dst, ptpSize)
	b := (*[ptpSize]byte)(dst[n:])
	b[0] = m.Transport<<4 | m.Type
	b[1] = m.Reserved<<4 | 2
	be.PutUint16(b[2:], ptpSize)
	b[4], b[5] = m.Domain, 0
	be.PutUint16(b[6:], m.Flags)
	be.PutUint64(b[8:], uint64(m.Correction))
	be.PutUint32(b[16:], 0)
	copy(b[20:28], m.Clock[:])
	be.PutUint16(b[28:], m.Port)
	be.PutUint16(b[30:], m.Sequence)
	b[32], b[33] = m.Control, byte(m.LogInterval)
	be.PutUint16(b[34:], uint16(m.Seconds>>32))
	be.PutUint32(b[36:], uint32(m.Seconds))
	be.PutUint32(b[40:], m.Nanoseconds)
	return dst, nil
}

func decodePTP(data []byte, m *ptpSync) error {
	if len(data) != ptpSize {
		return sizeError(len(data), ptpSize)
	}
	b := (*[ptpSize]byte)(data)
	if b[1]&15 != 2 || be.Uint16(b[2:]) != ptpSize {
		return errConstant
	}
	m.Transport, m.Type, m.Reserved, m.Version = b[0]>>4, b[0]&15, b[1]>>4, 2
	m.Length = ptpSize
	m.Domain = b[4]
	m.Flags = be.Uint16(b[6:])
	m.Correction = int64(be.Uint64(b[8:]))
	m.Clock = [8]byte(b[20:28])
	m.Port = be.Uint16(b[28:])
	m.Sequence = be.Uint16(b[30:])
	m.Control, m.LogInterval = b[32], int8(b[33])
	m.Seconds = uint64(be.Uint16(b[34:]))<<32 | uint64(be.Uint32(b[36:]))
	m.Nanoseconds = be.Uint32(b[40:])
	return nil
}

func randomPTP(r *rand.Rand) *ptpSync {
	return &ptpSync{
		Domain: uint8(r.IntN(4)), Flags: 0x0200, Correction: r.Int64N(1 << 32), Clock: [8]byte(randomBytes(r, 8)), Port: 1,
		Sequence: uint16(r.Uint32()), LogInterval: -int8(r.IntN(4)), Seconds: 1_763_000_000 + r.Uint64N(1<<24), Nanoseconds: r.Uint32N(1e9),
	}
}
