package messages

import "math/rand/v2"

// radiusPacket is a packet of RADIUS: RFC 2865, sections 3 and 5.
type radiusPacket struct {
	_             struct{} `layout:"be"`
	Code          uint8
	ID            uint8
	Length        uint16 `layout:"len=Code..Attributes"`
	Authenticator [16]byte
	Attributes    []radiusAttribute
}

type radiusAttribute struct {
	Type   uint8
	Length uint8 `layout:"len=Type..Value"`
	Value  []byte
}

func appendRADIUS(dst []byte, m *radiusPacket) ([]byte, error) {
	size := 20
	for i := range m.Attributes {
		if len(m.Attributes[i].Value) > 253 {
			return dst, errRange
		}
		size += 2 + len(m.Attributes[i].Value)
	}
	if size > 0xffff {
		return dst, errRange
	}
	n := len(dst)
	dst = extend(dst, size)
	b := dst[n:]
	_ = b[19]
	b[0], b[1] = m.Code, m.ID
	be.PutUint16(b[2:], uint16(size))
	copy(b[4:20], m.Authenticator[:])
	b = b[20:]
	for i := range m.Attributes {
		a := &m.Attributes[i]
		_ = b[1]
		b[0], b[1] = a.Type, byte(2+len(a.Value))
		b = b[2+copy(b[2:], a.Value):]
	}
	return dst, nil
}

func decodeRADIUS(data []byte, m *radiusPacket, alias bool) error {
	if len(data) < 20 {
		return errShort
	}
	m.Code, m.ID, m.Length = data[0], data[1], be.Uint16(data[2:])
	if len(data) != int(m.Length) {
		return sizeError(len(data), int(m.Length))
	}
	m.Authenticator = [16]byte(data[4:])
	m.Attributes = emptied(m.Attributes)
	for data = data[20:]; len(data) > 0; {
		if len(data) < 2 || data[1] < 2 || len(data) < int(data[1]) {
			return errLength
		}
		size := int(data[1])
		m.Attributes = append(m.Attributes, radiusAttribute{data[0], data[1], own(data[2:size], alias)})
		data = data[size:]
	}
	return nil
}

func randomRADIUS(r *rand.Rand) *radiusPacket {
	return &radiusPacket{
		Code: 1, ID: uint8(r.Uint32()), Authenticator: [16]byte(randomBytes(r, 16)),
		Attributes: []radiusAttribute{
			{Type: 1, Value: []byte(randomText(r, 4, 20))}, // user name
			{Type: 2, Value: randomBytes(r, 16)},           // password
			{Type: 4, Value: randomBytes(r, 4)},            // address
			{Type: 5, Value: randomBytes(r, 4)},            // port
			{Type: 32, Value: []byte(randomText(r, 6, 30))},
			{Type: 31, Value: []byte(randomText(r, 17, 17))},
			{Type: 80, Value: randomBytes(r, 16)}, // authenticator of the message
		}[:between(r, 2, 7)],
	}
}
