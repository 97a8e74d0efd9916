package messages

import "math/rand/v2"

// diameterMessage is a message of Diameter, a list of attributes with an optional vendor and alignment: RFC 6733, sections 3
// and 4.1.
type diameterMessage struct {
	_          struct{} `layout:"be"`
	Version    uint8    `layout:"const=1"`
	Length     uint32   `layout:"u24,len=Version..Attributes"`
	Request    bool     `layout:"bits=1"`
	Proxiable  bool     `layout:"bits=1"`
	Error      bool     `layout:"bits=1"`
	Again      bool     `layout:"bits=1"`
	_          uint8    `layout:"bits=4"`
	Command    uint32   `layout:"u24"`
	App        uint32
	HopByHop   uint32
	EndToEnd   uint32
	Attributes []diameterAttribute
}

type diameterAttribute struct {
	Code      uint32
	HasVendor bool   `layout:"bits=1"`
	Mandatory bool   `layout:"bits=1"`
	Protected bool   `layout:"bits=1"`
	_         uint8  `layout:"bits=5"`
	Length    uint32 `layout:"u24,len=Code..Data"`
	Vendor    uint32 `layout:"if=HasVendor"`
	Data      []byte
	_         struct{} `layout:"align=4"`
}

func appendDiameter(dst []byte, m *diameterMessage) ([]byte, error) {
	if m.Version > 1 {
		return dst, errConstant
	}
	if m.Command >= 1<<24 {
		return dst, errRange
	}
	b := append(dst, 1, 0, 0, 0, bit(m.Request, 7)|bit(m.Proxiable, 6)|bit(m.Error, 5)|bit(m.Again, 4))
	b = append(b, byte(m.Command>>16), byte(m.Command>>8), byte(m.Command))
	b = be.AppendUint32(b, m.App)
	b = be.AppendUint32(b, m.HopByHop)
	b = be.AppendUint32(b, m.EndToEnd)
	for i := range m.Attributes {
		a := &m.Attributes[i]
		n := 8 + len(a.Data)
		if a.HasVendor {
			n += 4
		} else if a.Vendor != 0 {
			return dst, errRange
		}
		if n >= 1<<24 {
			return dst, errRange
		}
		b = be.AppendUint32(b, a.Code)
		b = append(b, bit(a.HasVendor, 7)|bit(a.Mandatory, 6)|bit(a.Protected, 5), byte(n>>16), byte(n>>8), byte(n))
		if a.HasVendor {
			b = be.AppendUint32(b, a.Vendor)
		}
		b = append(b, a.Data...)
		for ; n%4 != 0; n++ {
			b = append(b, 0)
		}
	}
	at := len(dst)
	n := len(b) - at
	if n >= 1<<24 {
		return dst, errRange
	}
	b[at+1], b[at+2], b[at+3] = byte(n>>16), byte(n>>8), byte(n)
	return b, nil
}

// u24 returns the big-endian number of 3 bytes at the beginning of b.
func u24(b []byte) uint32 { return uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2]) }

func decodeDiameter(data []byte, m *diameterMessage, alias bool) error {
	if len(data) < 20 {
		return errShort
	}
	if data[0] != 1 {
		return errConstant
	}
	if int(u24(data[1:])) != len(data) {
		return errLength
	}
	m.Version, m.Length, m.Command = 1, u24(data[1:]), u24(data[5:])
	flags := data[4]
	m.Request, m.Proxiable, m.Error, m.Again = flags&128 != 0, flags&64 != 0, flags&32 != 0, flags&16 != 0
	m.App, m.HopByHop, m.EndToEnd = be.Uint32(data[8:]), be.Uint32(data[12:]), be.Uint32(data[16:])
	m.Attributes = emptied(m.Attributes)
	for data = data[20:]; len(data) > 0; {
		if len(data) < 8 {
			return errShort
		}
		flags := data[4]
		a := diameterAttribute{Code: be.Uint32(data), HasVendor: flags&128 != 0, Mandatory: flags&64 != 0, Protected: flags&32 != 0, Length: u24(data[5:])}
		n, at := int(a.Length), 8
		if a.HasVendor {
			at = 12
		}
		whole := (n + 3) &^ 3
		if n < at || len(data) < whole {
			return errLength
		}
		if a.HasVendor {
			a.Vendor = be.Uint32(data[8:])
		}
		a.Data = own(data[at:n], alias)
		data = data[whole:]
		m.Attributes = append(m.Attributes, a)
	}
	return nil
}

func randomDiameter(r *rand.Rand) *diameterMessage {
	return &diameterMessage{
		Request: chance(r, 2), Proxiable: true, Command: uint32(between(r, 257, 280)), App: 16777251, HopByHop: r.Uint32(), EndToEnd: r.Uint32(),
		Attributes: some(r, 1, 7, func() diameterAttribute {
			a := diameterAttribute{Code: uint32(between(r, 1, 1500)), Mandatory: true, Data: randomBytes(r, between(r, 4, 40))}
			if chance(r, 3) {
				a.HasVendor, a.Vendor = true, 10415
			}
			return a
		}),
	}
}
