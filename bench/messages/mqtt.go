package messages

import "math/rand/v2"

// mqttPacket is a control packet of MQTT 3.1.1: MQTT Version 3.1.1, OASIS Standard, sections 2 and 3.
type mqttPacket struct {
	_      struct{} `layout:"be"`
	Type   uint8    `layout:"bits=4"`
	Dup    bool     `layout:"bits=1"`
	QoS    uint8    `layout:"bits=2"`
	Retain bool     `layout:"bits=1"`
	Body   mqttBody `layout:"switch=Type,prefix=varint"`
}

// mqttBody is a pointer to one of the types of packets.
type mqttBody any

type (
	mqttConnect struct {
		Protocol    string `layout:"prefix=u16"`
		Level       uint8
		HasUser     bool  `layout:"bits=1"`
		HasPassword bool  `layout:"bits=1"`
		WillRetain  bool  `layout:"bits=1"`
		WillQoS     uint8 `layout:"bits=2"`
		HasWill     bool  `layout:"bits=1"`
		Clean       bool  `layout:"bits=1"`
		Reserved    bool  `layout:"bits=1"`
		KeepAlive   uint16
		ClientID    string `layout:"prefix=u16"`
		WillTopic   string `layout:"prefix=u16,if=HasWill"`
		WillMessage []byte `layout:"prefix=u16,if=HasWill"`
		User        string `layout:"prefix=u16,if=HasUser"`
		Password    []byte `layout:"prefix=u16,if=HasPassword"`
	}
	mqttPublish struct {
		Topic    string `layout:"prefix=u16"`
		PacketID uint16 `layout:"if=QoS"`
		Payload  []byte
	}
	mqttPuback    struct{ PacketID uint16 }
	mqttSubscribe struct {
		PacketID uint16
		Filters  []mqttFilter
	}
	mqttFilter struct {
		Topic string `layout:"prefix=u16"`
		QoS   uint8  `layout:"max=2"`
	}
	mqttPing struct{}
)

func appendMQTT(dst []byte, m *mqttPacket) ([]byte, error) {
	if m.QoS > 3 {
		return dst, errRange
	}
	kind, size := byte(0), 0
	switch v := m.Body.(type) {
	case *mqttConnect:
		if v.WillQoS > 3 || !v.HasWill && (v.WillTopic != "" || v.WillMessage != nil) || !v.HasUser && v.User != "" || !v.HasPassword && v.Password != nil ||
			max(len(v.Protocol), len(v.ClientID), len(v.WillTopic), len(v.WillMessage), len(v.User), len(v.Password)) > 0xffff {
			return dst, errRange
		}
		kind, size = 1, 2+len(v.Protocol)+4+2+len(v.ClientID)
		if v.HasWill {
			size += 2 + len(v.WillTopic) + 2 + len(v.WillMessage)
		}
		if v.HasUser {
			size += 2 + len(v.User)
		}
		if v.HasPassword {
			size += 2 + len(v.Password)
		}
	case *mqttPublish:
		if len(v.Topic) > 0xffff || m.QoS == 0 && v.PacketID != 0 {
			return dst, errRange
		}
		kind, size = 3, 2+len(v.Topic)+len(v.Payload)
		if m.QoS != 0 {
			size += 2
		}
	case *mqttPuback:
		kind, size = 4, 2
	case *mqttSubscribe:
		kind, size = 8, 2
		for i := range v.Filters {
			if f := &v.Filters[i]; len(f.Topic) > 0xffff || f.QoS > 2 {
				return dst, errRange
			}
			size += 3 + len(v.Filters[i].Topic)
		}
	case *mqttPing:
		kind = 12
	default:
		return dst, errType
	}
	if size >= 1<<28 {
		return dst, errRange
	}
	b := append(dst, kind<<4|bit(m.Dup, 3)|m.QoS<<1|bit(m.Retain, 0))
	rest := size
	for ; rest >= 0x80; rest >>= 7 {
		b = append(b, byte(rest)|0x80)
	}
	b = append(b, byte(rest))
	switch v := m.Body.(type) {
	case *mqttConnect:
		b = appendMQTTText(b, v.Protocol)
		b = append(b, v.Level, bit(v.HasUser, 7)|bit(v.HasPassword, 6)|bit(v.WillRetain, 5)|v.WillQoS<<3|bit(v.HasWill, 2)|bit(v.Clean, 1)|bit(v.Reserved, 0))
		b = be.AppendUint16(b, v.KeepAlive)
		b = appendMQTTText(b, v.ClientID)
		if v.HasWill {
			b = appendMQTTText(b, v.WillTopic)
			b = appendMQTTText(b, v.WillMessage)
		}
		if v.HasUser {
			b = appendMQTTText(b, v.User)
		}
		if v.HasPassword {
			b = appendMQTTText(b, v.Password)
		}
	case *mqttPublish:
		b = appendMQTTText(b, v.Topic)
		if m.QoS != 0 {
			b = be.AppendUint16(b, v.PacketID)
		}
		b = append(b, v.Payload...)
	case *mqttPuback:
		b = be.AppendUint16(b, v.PacketID)
	case *mqttSubscribe:
		b = be.AppendUint16(b, v.PacketID)
		for i := range v.Filters {
			b = append(appendMQTTText(b, v.Filters[i].Topic), v.Filters[i].QoS)
		}
	}
	return b, nil
}

func appendMQTTText[S string | []byte](b []byte, s S) []byte {
	b = append(b, byte(len(s)>>8), byte(len(s)))
	return append(b, s...)
}

func decodeMQTT(data []byte, m *mqttPacket, alias bool) error {
	if len(data) < 2 {
		return errShort
	}
	first := data[0]
	m.Type, m.Dup, m.QoS, m.Retain = first>>4, first&8 != 0, first>>1&3, first&1 != 0
	size, i := 0, 1
	for ; ; i++ {
		if i == 5 {
			return errLength
		}
		if i == len(data) {
			return errShort
		}
		size |= int(data[i]&0x7f) << (7 * (i - 1))
		if data[i] < 0x80 {
			break
		}
	}
	if data = data[i+1:]; len(data) != size {
		return sizeError(len(data), size)
	}
	switch m.Type {
	case 1:
		v := new(mqttConnect)
		m.Body = v
		return v.decode(data, alias)
	case 3:
		topic, data, ok := cutMQTTText(data)
		if !ok {
			return errLength
		}
		v := &mqttPublish{Topic: string(topic)}
		if m.QoS != 0 {
			if len(data) < 2 {
				return errLength
			}
			v.PacketID = be.Uint16(data)
			data = data[2:]
		}
		v.Payload = own(data, alias)
		m.Body = v
	case 4:
		if len(data) != 2 {
			return errLength
		}
		m.Body = &mqttPuback{be.Uint16(data)}
	case 8:
		if len(data) < 2 {
			return errLength
		}
		v := &mqttSubscribe{be.Uint16(data), []mqttFilter{}}
		for data = data[2:]; len(data) > 0; {
			topic, rest, ok := cutMQTTText(data)
			if !ok || len(rest) < 1 || rest[0] > 2 {
				return errLength
			}
			v.Filters = append(v.Filters, mqttFilter{string(topic), rest[0]})
			data = rest[1:]
		}
		m.Body = v
	case 12:
		if len(data) != 0 {
			return errLength
		}
		m.Body = new(mqttPing)
	default:
		return errType
	}
	return nil
}

func (v *mqttConnect) decode(data []byte, alias bool) error {
	text, data, ok := cutMQTTText(data)
	if !ok || len(data) < 4 {
		return errLength
	}
	v.Protocol, v.Level = string(text), data[0]
	flags := data[1]
	v.HasUser, v.HasPassword, v.WillRetain, v.WillQoS = flags&0x80 != 0, flags&0x40 != 0, flags&0x20 != 0, flags>>3&3
	v.HasWill, v.Clean, v.Reserved = flags&4 != 0, flags&2 != 0, flags&1 != 0
	v.KeepAlive = be.Uint16(data[2:])
	if text, data, ok = cutMQTTText(data[4:]); !ok {
		return errLength
	}
	v.ClientID = string(text)
	if v.HasWill {
		if text, data, ok = cutMQTTText(data); !ok {
			return errLength
		}
		v.WillTopic = string(text)
		if text, data, ok = cutMQTTText(data); !ok {
			return errLength
		}
		v.WillMessage = own(text, alias)
	}
	if v.HasUser {
		if text, data, ok = cutMQTTText(data); !ok {
			return errLength
		}
		v.User = string(text)
	}
	if v.HasPassword {
		if text, data, ok = cutMQTTText(data); !ok {
			return errLength
		}
		v.Password = own(text, alias)
	}
	if len(data) > 0 {
		return errLength
	}
	return nil
}

// cutMQTTText returns the text at the start of data and the bytes that follow it.
func cutMQTTText(data []byte) (text, rest []byte, ok bool) {
	if len(data) < 2 {
		return nil, nil, false
	}
	end := 2 + int(be.Uint16(data))
	if len(data) < end {
		return nil, nil, false
	}
	return data[2:end], data[end:], true
}

func randomMQTT(r *rand.Rand) *mqttPacket {
	topic := func() string { return "plant/" + randomText(r, 3, 10) + "/" + randomText(r, 4, 20) }
	m := &mqttPacket{}
	switch r.IntN(8) {
	case 0:
		c := &mqttConnect{Protocol: "MQTT", Level: 4, Clean: true, KeepAlive: 60, ClientID: randomText(r, 8, 23)}
		if chance(r, 2) {
			c.HasUser, c.HasPassword, c.User, c.Password = true, true, randomText(r, 4, 12), []byte(randomText(r, 8, 20))
		}
		if chance(r, 3) {
			c.HasWill, c.WillTopic, c.WillMessage = true, topic(), []byte("offline")
		}
		m.Body = c
	case 1:
		m.QoS, m.Body = 1, &mqttSubscribe{uint16(r.Uint32()), some(r, 1, 4, func() mqttFilter { return mqttFilter{topic(), uint8(r.IntN(3))} })}
	case 2:
		m.Body = &mqttPuback{uint16(r.Uint32())}
	case 3:
		m.Body = new(mqttPing)
	default:
		p := &mqttPublish{Topic: topic(), Payload: randomBytes(r, between(r, 4, 200))}
		if chance(r, 2) {
			m.QoS, p.PacketID = 1, uint16(r.Uint32())
		}
		m.Body = p
	}
	return m
}
