package messages

import "math/rand/v2"

// rtpPacket is a packet of RTP: RFC 3550, section 5.1. Its payload ends with the padding, if there is some.
type rtpPacket struct {
	_            struct{} `layout:"be"`
	Version      uint8    `layout:"bits=2,const=2"`
	Padding      bool     `layout:"bits=1"`
	HasExtension bool     `layout:"bits=1"`
	SourceCount  uint8    `layout:"bits=4,count=Sources"`
	Marker       bool     `layout:"bits=1"`
	PayloadType  uint8    `layout:"bits=7"`
	Sequence     uint16
	Timestamp    uint32
	Source       uint32
	Sources      []uint32 `layout:"max=15"`
	Profile      uint16   `layout:"if=HasExtension"`
	Words        uint16   `layout:"if=HasExtension,len=Extension*4"`
	Extension    []byte   `layout:"if=HasExtension"`
	Payload      []byte
}

func appendRTP(dst []byte, m *rtpPacket) ([]byte, error) {
	if m.Version != 0 && m.Version != 2 {
		return dst, errConstant
	}
	if m.PayloadType > 127 || len(m.Sources) > 15 || len(m.Extension) > 4*0xffff || len(m.Extension)%4 != 0 ||
		!m.HasExtension && (m.Profile != 0 || m.Words != 0 || m.Extension != nil) {
		return dst, errRange
	}
	size := 12 + 4*len(m.Sources) + len(m.Payload)
	if m.HasExtension {
		size += 4 + len(m.Extension)
	}
	n := len(dst)
	dst = extend(dst, size)
	b := dst[n:]
	_ = b[11]
	b[0] = 2<<6 | bit(m.Padding, 5) | bit(m.HasExtension, 4) | byte(len(m.Sources))
	b[1] = bit(m.Marker, 7) | m.PayloadType
	be.PutUint16(b[2:], m.Sequence)
	be.PutUint32(b[4:], m.Timestamp)
	be.PutUint32(b[8:], m.Source)
	b = b[12:]
	for _, s := range m.Sources {
		be.PutUint32(b, s)
		b = b[4:]
	}
	if m.HasExtension {
		be.PutUint16(b, m.Profile)
		be.PutUint16(b[2:], uint16(len(m.Extension)/4))
		b = b[4+copy(b[4:], m.Extension):]
	}
	copy(b, m.Payload)
	return dst, nil
}

func decodeRTP(data []byte, m *rtpPacket, alias bool) error {
	if len(data) < 12 {
		return errShort
	}
	if data[0]>>6 != 2 {
		return errConstant
	}
	count := int(data[0] & 15)
	m.Version, m.Padding, m.HasExtension, m.SourceCount = 2, data[0]&0x20 != 0, data[0]&0x10 != 0, uint8(count)
	m.Marker, m.PayloadType = data[1]&0x80 != 0, data[1]&0x7f
	m.Sequence = be.Uint16(data[2:])
	m.Timestamp = be.Uint32(data[4:])
	m.Source = be.Uint32(data[8:])
	data = data[12:]
	if len(data) < 4*count {
		return errShort
	}
	m.Sources = sized(m.Sources, count)
	for i := range m.Sources {
		m.Sources[i] = be.Uint32(data[4*i:])
	}
	data = data[4*count:]
	m.Profile, m.Words, m.Extension = 0, 0, nil
	if m.HasExtension {
		if len(data) < 4 {
			return errShort
		}
		m.Profile, m.Words = be.Uint16(data), be.Uint16(data[2:])
		end := 4 + 4*int(m.Words)
		if len(data) < end {
			return errShort
		}
		m.Extension = own(data[4:end], alias)
		data = data[end:]
	}
	m.Payload = own(data, alias)
	return nil
}

func randomRTP(r *rand.Rand) *rtpPacket {
	m := &rtpPacket{
		Marker: chance(r, 8), PayloadType: uint8(96 + r.IntN(8)), Sequence: uint16(r.Uint32()), Timestamp: r.Uint32(), Source: r.Uint32(),
		Payload: randomBytes(r, between(r, 80, 320)),
	}
	if chance(r, 8) {
		m.Sources = some(r, 1, 3, r.Uint32)
	}
	if chance(r, 2) {
		m.HasExtension, m.Profile, m.Extension = true, 0xbede, randomBytes(r, 4*between(r, 1, 3))
	}
	return m
}

// rtcpSender is a sender report of RTCP: RFC 3550, section 6.4.1.
type rtcpSender struct {
	_           struct{} `layout:"be"`
	Version     uint8    `layout:"bits=2,const=2"`
	Padding     bool     `layout:"bits=1,const=0"`
	ReportCount uint8    `layout:"bits=5,count=Reports"`
	Type        uint8    `layout:"const=200"`
	Words       uint16   `layout:"len=Version..Reports*4+4"`
	Source      uint32
	Wall        uint64 // in the form of NTP
	Timestamp   uint32
	Packets     uint32
	Bytes       uint32
	Reports     []rtcpReport
}

type rtcpReport struct {
	Source    uint32
	Fraction  uint8
	Lost      int32 `layout:"i24"`
	Highest   uint32
	Jitter    uint32
	LastSR    uint32
	SinceLast uint32
}

func appendRTCP(dst []byte, m *rtcpSender) ([]byte, error) {
	if m.Version != 0 && m.Version != 2 || m.Padding || m.Type != 0 && m.Type != 200 {
		return dst, errConstant
	}
	if len(m.Reports) > 31 {
		return dst, errRange
	}
	for i := range m.Reports {
		if lost := m.Reports[i].Lost; lost < -1<<23 || lost >= 1<<23 {
			return dst, errRange
		}
	}
	n, size := len(dst), 28+24*len(m.Reports)
	dst = extend(dst, size)
	b := dst[n:]
	_ = b[27]
	b[0], b[1] = 2<<6|byte(len(m.Reports)), 200
	be.PutUint16(b[2:], uint16(size/4-1))
	be.PutUint32(b[4:], m.Source)
	be.PutUint64(b[8:], m.Wall)
	be.PutUint32(b[16:], m.Timestamp)
	be.PutUint32(b[20:], m.Packets)
	be.PutUint32(b[24:], m.Bytes)
	b = b[28:]
	for i := range m.Reports {
		p, e := &m.Reports[i], (*[24]byte)(b[24*i:])
		be.PutUint32(e[0:], p.Source)
		be.PutUint32(e[4:], uint32(p.Fraction)<<24|uint32(p.Lost)&0xffffff)
		be.PutUint32(e[8:], p.Highest)
		be.PutUint32(e[12:], p.Jitter)
		be.PutUint32(e[16:], p.LastSR)
		be.PutUint32(e[20:], p.SinceLast)
	}
	return dst, nil
}

func decodeRTCP(data []byte, m *rtcpSender) error {
	if len(data) < 28 {
		return errShort
	}
	if data[0]>>5 != 2<<1 || data[1] != 200 {
		return errConstant
	}
	count := int(data[0] & 31)
	m.Version, m.Padding, m.ReportCount, m.Type = 2, false, uint8(count), 200
	m.Words = be.Uint16(data[2:])
	size := 28 + 24*count
	if int(m.Words)*4+4 != size {
		return errLength
	}
	if len(data) != size {
		return sizeError(len(data), size)
	}
	m.Source = be.Uint32(data[4:])
	m.Wall = be.Uint64(data[8:])
	m.Timestamp = be.Uint32(data[16:])
	m.Packets = be.Uint32(data[20:])
	m.Bytes = be.Uint32(data[24:])
	data = data[28:]
	m.Reports = sized(m.Reports, count)
	for i := range m.Reports {
		p, e := &m.Reports[i], (*[24]byte)(data[24*i:])
		p.Source = be.Uint32(e[0:])
		p.Fraction = e[4]
		p.Lost = int32(be.Uint32(e[4:])<<8) >> 8
		p.Highest = be.Uint32(e[8:])
		p.Jitter = be.Uint32(e[12:])
		p.LastSR = be.Uint32(e[16:])
		p.SinceLast = be.Uint32(e[20:])
	}
	return nil
}

func randomRTCP(r *rand.Rand) *rtcpSender {
	return &rtcpSender{
		Source: r.Uint32(), Wall: r.Uint64(), Timestamp: r.Uint32(), Packets: r.Uint32N(1e6), Bytes: r.Uint32N(1e8),
		Reports: some(r, 0, 4, func() rtcpReport {
			return rtcpReport{r.Uint32(), uint8(r.IntN(256)), int32(r.IntN(1000) - 20), r.Uint32(), r.Uint32N(5000), r.Uint32(), r.Uint32N(1 << 20)}
		}),
	}
}
