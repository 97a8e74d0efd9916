package messages

import "math/rand/v2"

// pcapngPacket is an Enhanced Packet Block in little-endian order: draft-ietf-opsawg-pcapng-03, section 4.3.
type pcapngPacket struct {
	_         struct{} `layout:"le"`
	Type      uint32   `layout:"const=6"`
	Length    uint32   `layout:"len=Type..Copy"`
	Interface uint32
	High, Low uint32
	Captured  uint32 `layout:"len=Data"`
	Original  uint32
	Data      []byte
	_         struct{} `layout:"align=4"`
	Options   []pcapngOption
	Copy      uint32 `layout:"len=Type..Copy"`
}

type pcapngOption struct {
	Code  uint16
	Value []byte   `layout:"prefix=u16"`
	_     struct{} `layout:"align=4"`
}

func appendPCAPNG(dst []byte, m *pcapngPacket) ([]byte, error) {
	if m.Type != 0 && m.Type != 6 {
		return dst, errConstant
	}
	size := 32 + (len(m.Data)+3)&^3
	for i := range m.Options {
		if len(m.Options[i].Value) > 0xffff {
			return dst, errRange
		}
		size += 4 + (len(m.Options[i].Value)+3)&^3
	}
	if uint64(size) > 1<<32-1 {
		return dst, errRange
	}
	n := len(dst)
	dst = extend(dst, size)
	b := dst[n:]
	_ = b[27]
	le.PutUint32(b, 6)
	le.PutUint32(b[4:], uint32(size))
	le.PutUint32(b[8:], m.Interface)
	le.PutUint32(b[12:], m.High)
	le.PutUint32(b[16:], m.Low)
	le.PutUint32(b[20:], uint32(len(m.Data)))
	le.PutUint32(b[24:], m.Original)
	end := 28 + (len(m.Data)+3)&^3
	clear(b[28+copy(b[28:], m.Data) : end])
	b = b[end:]
	for i := range m.Options {
		o := &m.Options[i]
		le.PutUint16(b, o.Code)
		le.PutUint16(b[2:], uint16(len(o.Value)))
		end := 4 + (len(o.Value)+3)&^3
		clear(b[4+copy(b[4:], o.Value) : end])
		b = b[end:]
	}
	le.PutUint32(b, uint32(size))
	return dst, nil
}

func decodePCAPNG(data []byte, m *pcapngPacket, alias bool) error {
	if len(data) < 32 {
		return errShort
	}
	if le.Uint32(data) != 6 {
		return errConstant
	}
	m.Type, m.Length = 6, le.Uint32(data[4:])
	m.Copy = le.Uint32(data[len(data)-4:])
	if uint64(m.Length) != uint64(len(data)) || m.Copy != m.Length {
		return errLength
	}
	m.Interface, m.High, m.Low = le.Uint32(data[8:]), le.Uint32(data[12:]), le.Uint32(data[16:])
	m.Captured, m.Original = le.Uint32(data[20:]), le.Uint32(data[24:])
	data = data[28 : len(data)-4]
	if uint64(m.Captured) > uint64(len(data)) {
		return errLength
	}
	size := int(m.Captured)
	end := (size + 3) &^ 3
	if end > len(data) {
		return errLength
	}
	m.Data = own(data[:size], alias)
	m.Options = emptied(m.Options)
	for data = data[end:]; len(data) > 0; {
		if len(data) < 4 {
			return errLength
		}
		size := int(le.Uint16(data[2:]))
		end := 4 + (size+3)&^3
		if end > len(data) {
			return errLength
		}
		m.Options = append(m.Options, pcapngOption{Code: le.Uint16(data), Value: own(data[4:4+size], alias)})
		data = data[end:]
	}
	return nil
}

func randomPCAPNG(r *rand.Rand) *pcapngPacket {
	data := randomBytes(r, between(r, 54, 700))
	m := &pcapngPacket{Interface: r.Uint32N(3), High: 0x63fa0, Low: r.Uint32(), Original: uint32(len(data)), Data: data}
	if chance(r, 2) {
		m.Options = []pcapngOption{{Code: 1, Value: []byte(randomText(r, 3, 30))}, {Code: 2, Value: randomBytes(r, 4)}, {Code: 0}}
	}
	return m
}
