package messages

import "math/rand/v2"

// webSocketControl is a control frame of the WebSocket protocol: RFC 6455, sections 5.2 and 5.5. Control frames have at
// most 125 bytes. A data frame has its length in one of three places, depending on the length, which tags cannot
// declare.
type webSocketControl struct {
	_        struct{} `layout:"be"`
	Final    uint8    `layout:"bits=1,const=1"`
	Reserved uint8    `layout:"bits=3,const=0"`
	Opcode   uint8    `layout:"bits=4,const=8,const=9,const=10"`
	Masked   bool     `layout:"bits=1"`
	Length   uint8    `layout:"bits=7,len=Payload"`
	Key      [4]byte  `layout:"if=Masked"`
	Payload  []byte   `layout:"max=125"` // masked with Key
}

func appendWebSocket(dst []byte, m *webSocketControl) ([]byte, error) {
	opcode := m.Opcode
	if opcode == 0 {
		opcode = 8
	}
	if m.Final > 1 || m.Reserved != 0 || opcode < 8 || opcode > 10 {
		return dst, errConstant
	}
	if len(m.Payload) > 125 || !m.Masked && m.Key != [4]byte{} {
		return dst, errRange
	}
	b := append(dst, 0x80|opcode, bit(m.Masked, 7)|byte(len(m.Payload)))
	if m.Masked {
		b = append(b, m.Key[:]...)
	}
	return append(b, m.Payload...), nil
}

func decodeWebSocket(data []byte, m *webSocketControl, alias bool) error {
	if len(data) < 2 {
		return errShort
	}
	opcode := data[0] & 15
	if data[0]&0xf0 != 0x80 || opcode < 8 || opcode > 10 {
		return errConstant
	}
	m.Final, m.Reserved, m.Opcode = 1, 0, opcode
	m.Masked, m.Length, m.Key = data[1]&0x80 != 0, data[1]&0x7f, [4]byte{}
	if m.Length > 125 {
		return errLength
	}
	data = data[2:]
	if m.Masked {
		if len(data) < 4 {
			return errShort
		}
		m.Key = [4]byte(data)
		data = data[4:]
	}
	if len(data) != int(m.Length) {
		return sizeError(len(data), int(m.Length))
	}
	m.Payload = own(data, alias)
	return nil
}

func randomWebSocket(r *rand.Rand) *webSocketControl {
	m := &webSocketControl{Opcode: uint8(between(r, 8, 10)), Payload: randomBytes(r, between(r, 0, 40))}
	if chance(r, 2) {
		m.Masked, m.Key = true, [4]byte(randomBytes(r, 4))
	}
	return m
}
