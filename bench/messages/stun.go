package messages

import "math/rand/v2"

// stunMessage is a message of STUN: RFC 8489, sections 5 and 14.
type stunMessage struct {
	_           struct{} `layout:"be"`
	Zero        uint8    `layout:"bits=2,const=0"`
	Type        uint16   `layout:"bits=14"`
	Length      uint16   `layout:"len=Attributes"`
	Cookie      uint32   `layout:"const=0x2112a442"`
	Transaction [12]byte
	Attributes  []stunAttribute
}

type stunAttribute struct {
	Type  uint16
	Value []byte   `layout:"prefix=u16"`
	_     struct{} `layout:"align=4"`
}

const stunCookie = 0x2112a442

func appendSTUN(dst []byte, m *stunMessage) ([]byte, error) {
	if m.Zero != 0 || m.Cookie != 0 && m.Cookie != stunCookie {
		return dst, errConstant
	}
	size := 20
	for i := range m.Attributes {
		l := len(m.Attributes[i].Value)
		if l > 0xffff {
			return dst, errRange
		}
		size += 4 + (l+3)&^3
	}
	if m.Type >= 1<<14 || size-20 > 0xffff {
		return dst, errRange
	}
	n := len(dst)
	dst = extend(dst, size)
	b := dst[n:]
	_ = b[19]
	be.PutUint16(b, m.Type)
	be.PutUint16(b[2:], uint16(size-20))
	be.PutUint32(b[4:], stunCookie)
	copy(b[8:20], m.Transaction[:])
	b = b[20:]
	for i := range m.Attributes {
		a := &m.Attributes[i]
		be.PutUint16(b, a.Type)
		be.PutUint16(b[2:], uint16(len(a.Value)))
		end := 4 + (len(a.Value)+3)&^3
		clear(b[4+copy(b[4:], a.Value) : end])
		b = b[end:]
	}
	return dst, nil
}

func decodeSTUN(data []byte, m *stunMessage, alias bool) error {
	if len(data) < 20 {
		return errShort
	}
	m.Zero, m.Type = 0, be.Uint16(data)
	m.Length, m.Cookie = be.Uint16(data[2:]), stunCookie
	if m.Type >= 1<<14 || be.Uint32(data[4:]) != stunCookie {
		return errConstant
	}
	m.Transaction = [12]byte(data[8:20])
	if data = data[20:]; len(data) != int(m.Length) {
		return sizeError(len(data), int(m.Length))
	}
	m.Attributes = emptied(m.Attributes)
	for len(data) > 0 {
		if len(data) < 4 {
			return errLength
		}
		length := int(be.Uint16(data[2:]))
		end := 4 + (length+3)&^3
		if end > len(data) {
			return errLength
		}
		m.Attributes = append(m.Attributes, stunAttribute{Type: be.Uint16(data), Value: own(data[4:4+length], alias)})
		data = data[end:]
	}
	return nil
}

func randomSTUN(r *rand.Rand) *stunMessage {
	return &stunMessage{
		Type: 1, Transaction: [12]byte(randomBytes(r, 12)),
		Attributes: []stunAttribute{
			{Type: 0x8022, Value: []byte(randomText(r, 5, 30))}, // software
			{Type: 0x0024, Value: randomBytes(r, 4)},            // priority
			{Type: 0x8029, Value: randomBytes(r, 8)},            // ice-controlled
			{Type: 0x0006, Value: []byte(randomText(r, 9, 17))}, // user name
			{Type: 0x0008, Value: randomBytes(r, 20)},           // integrity
			{Type: 0x8028, Value: randomBytes(r, 4)},            // fingerprint
		}[:between(r, 1, 6)],
	}
}
