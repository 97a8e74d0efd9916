package messages

import "math/rand/v2"

// ipv4Packet is an IPv4 packet: RFC 791, section 3.1, with the fields of RFC 2474 and RFC 3168.
type ipv4Packet struct {
	_         struct{} `layout:"be"`
	Version   uint8    `layout:"bits=4,const=4"`
	Words     uint8    `layout:"bits=4,len=Version..Options*4"`
	DSCP      uint8    `layout:"bits=6"`
	ECN       uint8    `layout:"bits=2"`
	Total     uint16   `layout:"len=Version..Payload"`
	ID        uint16
	Reserved  bool   `layout:"bits=1"`
	DontSplit bool   `layout:"bits=1"`
	More      bool   `layout:"bits=1"`
	Offset    uint16 `layout:"bits=13"`
	TTL       uint8
	Protocol  uint8
	Checksum  uint16 `layout:"inet=Version..Options"`
	Source    [4]byte
	Target    [4]byte
	Options   []byte
	Payload   []byte
}

// inetSum returns the checksum of RFC 1071. The length of b is even.
func inetSum(b []byte) uint16 {
	sum := uint64(0)
	for ; len(b) >= 4; b = b[4:] {
		sum += uint64(be.Uint32(b))
	}
	if len(b) >= 2 {
		sum += uint64(be.Uint16(b)) << 16
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}

func appendIPv4(dst []byte, m *ipv4Packet) ([]byte, error) {
	if m.Version != 0 && m.Version != 4 {
		return dst, errConstant
	}
	header := 20 + len(m.Options)
	size := header + len(m.Payload)
	if m.DSCP > 63 || m.ECN > 3 || m.Offset >= 1<<13 || len(m.Options) > 40 || header%4 != 0 || size > 0xffff {
		return dst, errRange
	}
	n := len(dst)
	dst = extend(dst, size)
	b := dst[n:]
	_ = b[19]
	b[0] = 4<<4 | byte(header/4)
	b[1] = m.DSCP<<2 | m.ECN
	be.PutUint16(b[2:], uint16(size))
	be.PutUint16(b[4:], m.ID)
	be.PutUint16(b[6:], uint16(bit(m.Reserved, 7)|bit(m.DontSplit, 6)|bit(m.More, 5))<<8|m.Offset)
	b[8], b[9] = m.TTL, m.Protocol
	be.PutUint16(b[10:], 0)
	copy(b[12:16], m.Source[:])
	copy(b[16:20], m.Target[:])
	copy(b[20:], m.Options)
	be.PutUint16(b[10:], inetSum(b[:header]))
	copy(b[header:], m.Payload)
	return dst, nil
}

func decodeIPv4(data []byte, m *ipv4Packet, alias bool) error {
	if len(data) < 20 {
		return errShort
	}
	if data[0]>>4 != 4 {
		return errConstant
	}
	header, size := int(data[0]&15)*4, int(be.Uint16(data[2:]))
	if header < 20 || header > size {
		return errLength
	}
	if len(data) != size {
		return sizeError(len(data), size)
	}
	if inetSum(data[:header]) != 0 {
		return errChecksum
	}
	m.Version, m.Words = 4, data[0]&15
	m.DSCP, m.ECN = data[1]>>2, data[1]&3
	m.Total = uint16(size)
	m.ID = be.Uint16(data[4:])
	m.Reserved, m.DontSplit, m.More = data[6]&0x80 != 0, data[6]&0x40 != 0, data[6]&0x20 != 0
	m.Offset = be.Uint16(data[6:]) & 0x1fff
	m.TTL, m.Protocol = data[8], data[9]
	m.Checksum = be.Uint16(data[10:])
	m.Source, m.Target = [4]byte(data[12:16]), [4]byte(data[16:20])
	m.Options = own(data[20:header], alias)
	m.Payload = own(data[header:], alias)
	return nil
}

func randomIPv4(r *rand.Rand) *ipv4Packet {
	m := &ipv4Packet{
		DSCP: uint8(r.IntN(64)), ECN: uint8(r.IntN(4)), ID: uint16(r.Uint32()), DontSplit: chance(r, 2), TTL: uint8(between(r, 1, 64)),
		Protocol: 17, Source: [4]byte(randomBytes(r, 4)), Target: [4]byte(randomBytes(r, 4)), Payload: randomBytes(r, between(r, 8, 500)),
	}
	if chance(r, 4) {
		m.Options = randomBytes(r, 4*between(r, 1, 10))
	}
	return m
}

// tcpSegment is a segment of TCP: RFC 9293, section 3.1. Its checksum also covers fields of the IP header, so it is a
// field like others.
type tcpSegment struct {
	_        struct{} `layout:"be"`
	Source   uint16
	Target   uint16
	Sequence uint32
	Ack      uint32
	Words    uint8 `layout:"bits=4,len=Source..Options*4"`
	Reserved uint8 `layout:"bits=4"`
	CWR      bool  `layout:"bits=1"`
	ECE      bool  `layout:"bits=1"`
	URG      bool  `layout:"bits=1"`
	ACK      bool  `layout:"bits=1"`
	PSH      bool  `layout:"bits=1"`
	RST      bool  `layout:"bits=1"`
	SYN      bool  `layout:"bits=1"`
	FIN      bool  `layout:"bits=1"`
	Window   uint16
	Checksum uint16
	Urgent   uint16
	Options  []byte
	Payload  []byte
}

func appendTCP(dst []byte, m *tcpSegment) ([]byte, error) {
	header := 20 + len(m.Options)
	if m.Reserved > 15 || header > 60 || header%4 != 0 {
		return dst, errRange
	}
	n := len(dst)
	dst = extend(dst, header+len(m.Payload))
	b := dst[n:]
	_ = b[19]
	be.PutUint16(b, m.Source)
	be.PutUint16(b[2:], m.Target)
	be.PutUint32(b[4:], m.Sequence)
	be.PutUint32(b[8:], m.Ack)
	b[12] = byte(header/4)<<4 | m.Reserved
	b[13] = bit(m.CWR, 7) | bit(m.ECE, 6) | bit(m.URG, 5) | bit(m.ACK, 4) | bit(m.PSH, 3) | bit(m.RST, 2) | bit(m.SYN, 1) | bit(m.FIN, 0)
	be.PutUint16(b[14:], m.Window)
	be.PutUint16(b[16:], m.Checksum)
	be.PutUint16(b[18:], m.Urgent)
	copy(b[20:], m.Options)
	copy(b[header:], m.Payload)
	return dst, nil
}

func decodeTCP(data []byte, m *tcpSegment, alias bool) error {
	if len(data) < 20 {
		return errShort
	}
	header := int(data[12]>>4) * 4
	if header < 20 {
		return errLength
	}
	if len(data) < header {
		return errShort
	}
	m.Source, m.Target = be.Uint16(data), be.Uint16(data[2:])
	m.Sequence = be.Uint32(data[4:])
	m.Ack = be.Uint32(data[8:])
	m.Words, m.Reserved = data[12]>>4, data[12]&15
	flags := data[13]
	m.CWR, m.ECE, m.URG, m.ACK = flags&0x80 != 0, flags&0x40 != 0, flags&0x20 != 0, flags&0x10 != 0
	m.PSH, m.RST, m.SYN, m.FIN = flags&8 != 0, flags&4 != 0, flags&2 != 0, flags&1 != 0
	m.Window = be.Uint16(data[14:])
	m.Checksum = be.Uint16(data[16:])
	m.Urgent = be.Uint16(data[18:])
	m.Options = own(data[20:header], alias)
	m.Payload = own(data[header:], alias)
	return nil
}

func randomTCP(r *rand.Rand) *tcpSegment {
	m := &tcpSegment{
		Source: uint16(between(r, 32768, 60999)), Target: 443, Sequence: r.Uint32(), Ack: r.Uint32(), ACK: true, PSH: chance(r, 3), FIN: chance(r, 20),
		Window: uint16(r.Uint32()), Checksum: uint16(r.Uint32()), Payload: randomBytes(r, between(r, 0, 600)),
	}
	if !chance(r, 4) {
		m.Options = append([]byte{1, 1, 8, 10}, randomBytes(r, 8)...) // timestamps
	}
	return m
}
