package messages

import "math/rand/v2"

// ethercatFrame is a frame of EtherCAT, whose lengths are fields of 11 bits: IEC 61158-4-12, ETG.1000.4, section 5.3.
type ethercatFrame struct {
	_         struct{} `layout:"le"`
	Length    uint16   `layout:"bits=11,len=Datagrams"`
	_         uint8    `layout:"bits=1"`
	Type      uint8    `layout:"bits=4,const=1"`
	Datagrams []ethercatDatagram
}

type ethercatDatagram struct {
	Command     uint8
	Index       uint8
	Position    uint16
	Offset      uint16
	Length      uint16 `layout:"bits=11,len=Data"`
	_           uint8  `layout:"bits=3"`
	Circulating bool   `layout:"bits=1"`
	More        bool   `layout:"bits=1"`
	Interrupt   uint16
	Data        []byte
	Counter     uint16
}

func appendEtherCAT(dst []byte, m *ethercatFrame) ([]byte, error) {
	if m.Type > 1 {
		return dst, errConstant
	}
	b := append(dst, 0, 0)
	for i := range m.Datagrams {
		d := &m.Datagrams[i]
		if len(d.Data) >= 1<<11 {
			return dst, errRange
		}
		b = append(b, d.Command, d.Index)
		b = le.AppendUint16(b, d.Position)
		b = le.AppendUint16(b, d.Offset)
		b = append(b, byte(len(d.Data)), byte(len(d.Data)>>8)|bit(d.Circulating, 6)|bit(d.More, 7))
		b = le.AppendUint16(b, d.Interrupt)
		b = append(b, d.Data...)
		b = le.AppendUint16(b, d.Counter)
	}
	n := len(b) - len(dst) - 2
	if n >= 1<<11 {
		return dst, errRange
	}
	le.PutUint16(b[len(dst):], uint16(n)|1<<12)
	return b, nil
}

func decodeEtherCAT(data []byte, m *ethercatFrame, alias bool) error {
	if len(data) < 2 {
		return errShort
	}
	head := le.Uint16(data)
	m.Length, m.Type = head&(1<<11-1), uint8(head>>12)
	if m.Type != 1 {
		return errConstant
	}
	if data = data[2:]; int(m.Length) != len(data) {
		return errLength
	}
	m.Datagrams = emptied(m.Datagrams)
	for len(data) > 0 {
		if len(data) < 12 {
			return errShort
		}
		head := le.Uint16(data[6:])
		n := int(head & (1<<11 - 1))
		if len(data) < 12+n {
			return errLength
		}
		m.Datagrams = append(m.Datagrams, ethercatDatagram{
			Command: data[0], Index: data[1], Position: le.Uint16(data[2:]), Offset: le.Uint16(data[4:]), Length: uint16(n), Circulating: head&(1<<14) != 0,
			More: head&(1<<15) != 0, Interrupt: le.Uint16(data[8:]), Data: own(data[10:10+n], alias), Counter: le.Uint16(data[10+n:]),
		})
		data = data[12+n:]
	}
	return nil
}

func randomEtherCAT(r *rand.Rand) *ethercatFrame {
	m := &ethercatFrame{Datagrams: some(r, 1, 4, func() ethercatDatagram {
		return ethercatDatagram{
			Command: uint8(between(r, 1, 14)), Index: uint8(r.Uint32()), Position: uint16(r.IntN(40)), Offset: 0x0130, More: true, Data: randomBytes(r, between(r, 2, 32)),
			Counter: uint16(r.IntN(4)),
		}
	})}
	m.Datagrams[len(m.Datagrams)-1].More = false
	return m
}
