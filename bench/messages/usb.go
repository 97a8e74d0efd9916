package messages

import "math/rand/v2"

// usbConfiguration is a configuration descriptor of USB with those that follow it, a union whose variants are structs by
// value: Universal Serial Bus Specification 2.0, section 9.6.
type usbConfiguration struct {
	_           struct{} `layout:"le"`
	Length      uint8    `layout:"const=9"`
	Type        uint8    `layout:"const=2"`
	Total       uint16   `layout:"len=Length..Descriptors"`
	Interfaces  uint8
	Value       uint8
	Name        uint8
	One         uint8 `layout:"bits=1,const=1,msb"`
	SelfPowered bool  `layout:"bits=1"`
	Wakeup      bool  `layout:"bits=1"`
	_           uint8 `layout:"bits=5"`
	Power       uint8
	Descriptors []usbDescriptor
}

type usbDescriptor struct {
	Length uint8 `layout:"len=Length..Body"`
	Type   uint8
	Body   usbBody `layout:"switch=Type"`
}

type usbBody interface{ isUSB() }

type (
	usbInterface struct{ Number, Alternate, Endpoints, Class, Subclass, Protocol, Name uint8 }
	usbEndpoint  struct {
		Address, Attributes uint8
		Size                uint16
		Interval            uint8
	}
	usbAssociation struct{ First, Count, Class, Subclass, Protocol, Name uint8 }
)

func (usbInterface) isUSB()   {}
func (usbEndpoint) isUSB()    {}
func (usbAssociation) isUSB() {}

func appendUSB(dst []byte, m *usbConfiguration) ([]byte, error) {
	if m.Length != 0 && m.Length != 9 || m.Type != 0 && m.Type != 2 || m.One > 1 {
		return dst, errConstant
	}
	b := append(dst, 9, 2, 0, 0, m.Interfaces, m.Value, m.Name, 1<<7|bit(m.SelfPowered, 6)|bit(m.Wakeup, 5), m.Power)
	for i := range m.Descriptors {
		switch d := m.Descriptors[i].Body.(type) {
		case usbInterface:
			b = append(b, 9, 4, d.Number, d.Alternate, d.Endpoints, d.Class, d.Subclass, d.Protocol, d.Name)
		case usbEndpoint:
			b = append(b, 7, 5, d.Address, d.Attributes, byte(d.Size), byte(d.Size>>8), d.Interval)
		case usbAssociation:
			b = append(b, 8, 11, d.First, d.Count, d.Class, d.Subclass, d.Protocol, d.Name)
		default:
			return dst, errType
		}
	}
	if len(b)-len(dst) > 65535 {
		return dst, errRange
	}
	le.PutUint16(b[len(dst)+2:], uint16(len(b)-len(dst)))
	return b, nil
}

func decodeUSB(data []byte, m *usbConfiguration) error {
	if len(data) < 9 {
		return errShort
	}
	if data[0] != 9 || data[1] != 2 || data[7]>>7 == 0 {
		return errConstant
	}
	if int(le.Uint16(data[2:])) != len(data) {
		return errLength
	}
	m.Length, m.Type, m.Total, m.Interfaces, m.Value, m.Name = 9, 2, le.Uint16(data[2:]), data[4], data[5], data[6]
	m.One, m.SelfPowered, m.Wakeup, m.Power = 1, data[7]&64 != 0, data[7]&32 != 0, data[8]
	m.Descriptors = emptied(m.Descriptors)
	for data = data[9:]; len(data) > 0; {
		if len(data) < 2 || data[0] < 2 || int(data[0]) > len(data) {
			return errLength
		}
		d, b := usbDescriptor{Length: data[0], Type: data[1]}, data[2:data[0]]
		data = data[data[0]:]
		switch {
		case d.Type == 4 && len(b) == 7:
			d.Body = usbInterface{b[0], b[1], b[2], b[3], b[4], b[5], b[6]}
		case d.Type == 5 && len(b) == 5:
			d.Body = usbEndpoint{b[0], b[1], le.Uint16(b[2:]), b[4]}
		case d.Type == 11 && len(b) == 6:
			d.Body = usbAssociation{b[0], b[1], b[2], b[3], b[4], b[5]}
		default:
			return errType
		}
		m.Descriptors = append(m.Descriptors, d)
	}
	return nil
}

func randomUSB(r *rand.Rand) *usbConfiguration {
	m := &usbConfiguration{Interfaces: uint8(between(r, 1, 3)), Value: 1, SelfPowered: chance(r, 2), Power: 50}
	if m.Interfaces > 1 {
		m.Descriptors = append(m.Descriptors, usbDescriptor{Body: usbAssociation{Count: m.Interfaces, Class: 2, Subclass: 2, Protocol: 1}})
	}
	for i := range m.Interfaces {
		n := uint8(r.IntN(3))
		m.Descriptors = append(m.Descriptors, usbDescriptor{Body: usbInterface{Number: i, Endpoints: n, Class: uint8(between(r, 2, 10)), Subclass: 6, Protocol: 80}})
		for e := range n {
			m.Descriptors = append(m.Descriptors, usbDescriptor{Body: usbEndpoint{Address: 0x81 + e, Attributes: 2, Size: 512, Interval: uint8(r.IntN(10))}})
		}
	}
	return m
}
