package messages

import "math/rand/v2"

// amqpPublish is a frame with the method Basic.Publish of AMQP 0-9-1: AMQP 0-9-1 specification, sections 2.3.5 and
// 4.2.3, and the XML definition of class 60, method 40. The two bits are the lowest of their byte.
type amqpPublish struct {
	_          struct{} `layout:"be"`
	Type       uint8    `layout:"const=1"`
	Channel    uint16
	Size       uint32 `layout:"len=Class..Mandatory"`
	Class      uint16 `layout:"const=60"`
	Method     uint16 `layout:"const=40"`
	Ticket     uint16
	Exchange   string `layout:"prefix=u8"`
	RoutingKey string `layout:"prefix=u8"`
	Unused     uint8  `layout:"bits=6"`
	Immediate  bool   `layout:"bits=1"`
	Mandatory  bool   `layout:"bits=1"`
	End        uint8  `layout:"const=0xce"`
}

func appendAMQP(dst []byte, m *amqpPublish) ([]byte, error) {
	if m.Type != 0 && m.Type != 1 || m.Class != 0 && m.Class != 60 || m.Method != 0 && m.Method != 40 || m.End != 0 && m.End != 0xce {
		return dst, errConstant
	}
	if len(m.Exchange) > 255 || len(m.RoutingKey) > 255 || m.Unused > 63 {
		return dst, errRange
	}
	n, size := len(dst), 17+len(m.Exchange)+len(m.RoutingKey)
	dst = extend(dst, size)
	b := dst[n:]
	_ = b[13]
	b[0] = 1
	be.PutUint16(b[1:], m.Channel)
	be.PutUint32(b[3:], uint32(size-8))
	be.PutUint16(b[7:], 60)
	be.PutUint16(b[9:], 40)
	be.PutUint16(b[11:], m.Ticket)
	b[13] = byte(len(m.Exchange))
	b = b[14+copy(b[14:], m.Exchange):]
	b[0] = byte(len(m.RoutingKey))
	b = b[1+copy(b[1:], m.RoutingKey):]
	_ = b[1]
	b[0] = m.Unused<<2 | bit(m.Immediate, 1) | bit(m.Mandatory, 0)
	b[1] = 0xce
	return dst, nil
}

func decodeAMQP(data []byte, m *amqpPublish) error {
	if len(data) < 17 {
		return errShort
	}
	if data[0] != 1 || be.Uint16(data[7:]) != 60 || be.Uint16(data[9:]) != 40 || data[len(data)-1] != 0xce {
		return errConstant
	}
	m.Type, m.Channel, m.Size = 1, be.Uint16(data[1:]), be.Uint32(data[3:])
	if uint64(m.Size) != uint64(len(data)-8) {
		return errLength
	}
	m.Class, m.Method, m.Ticket = 60, 40, be.Uint16(data[11:])
	end := 14 + int(data[13])
	if len(data) < end+3 {
		return errLength
	}
	m.Exchange = string(data[14:end])
	data = data[end:]
	end = 1 + int(data[0])
	if len(data) != end+2 {
		return errLength
	}
	m.RoutingKey = string(data[1:end])
	flags := data[end]
	m.Unused, m.Immediate, m.Mandatory, m.End = flags>>2, flags&2 != 0, flags&1 != 0, 0xce
	return nil
}

func randomAMQP(r *rand.Rand) *amqpPublish {
	return &amqpPublish{Channel: uint16(between(r, 1, 100)), Exchange: randomText(r, 0, 16), RoutingKey: randomText(r, 5, 40), Mandatory: chance(r, 2)}
}
