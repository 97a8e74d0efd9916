package messages

import "math/rand/v2"

// ospfRouter is a router LSA of OSPF version 2, with slices of structs that have blank bytes: RFC 2328, section A.4.2.
type ospfRouter struct {
	_        struct{} `layout:"be"`
	Age      uint16
	Options  uint8
	Type     uint8 `layout:"const=1"`
	ID       [4]byte
	Router   [4]byte
	Sequence int32
	Checksum uint16
	Length   uint16   `layout:"len=Age..Links"`
	_        uint8    `layout:"bits=5"`
	Virtual  bool     `layout:"bits=1"`
	External bool     `layout:"bits=1"`
	Border   bool     `layout:"bits=1"`
	_        struct{} `layout:"skip=1"`
	Count    uint16   `layout:"count=Links"`
	Links    []ospfLink
}

type ospfLink struct {
	ID, Data [4]byte
	Type     uint8
	Count    uint8 `layout:"count=Services"`
	Metric   uint16
	Services []ospfService
}

type ospfService struct {
	Type   uint8
	_      uint8
	Metric uint16
}

func appendOSPF(dst []byte, m *ospfRouter) ([]byte, error) {
	if m.Type > 1 {
		return dst, errConstant
	}
	if len(m.Links) > 65535 {
		return dst, errRange
	}
	b := be.AppendUint16(dst, m.Age)
	b = append(b, m.Options, 1)
	b = append(b, m.ID[:]...)
	b = append(b, m.Router[:]...)
	b = be.AppendUint32(b, uint32(m.Sequence))
	b = be.AppendUint16(b, m.Checksum)
	b = append(b, 0, 0, bit(m.Virtual, 2)|bit(m.External, 1)|bit(m.Border, 0), 0)
	b = be.AppendUint16(b, uint16(len(m.Links)))
	for i := range m.Links {
		l := &m.Links[i]
		if len(l.Services) > 255 {
			return dst, errRange
		}
		b = append(b, l.ID[:]...)
		b = append(b, l.Data[:]...)
		b = append(b, l.Type, byte(len(l.Services)))
		b = be.AppendUint16(b, l.Metric)
		for _, s := range l.Services {
			b = append(b, s.Type, 0, byte(s.Metric>>8), byte(s.Metric))
		}
	}
	n := len(dst)
	if len(b)-n > 65535 {
		return dst, errRange
	}
	be.PutUint16(b[n+18:], uint16(len(b)-n))
	return b, nil
}

func decodeOSPF(data []byte, m *ospfRouter) error {
	if len(data) < 24 {
		return errShort
	}
	if data[3] != 1 {
		return errConstant
	}
	if int(be.Uint16(data[18:])) != len(data) {
		return errLength
	}
	m.Age, m.Options, m.Type = be.Uint16(data), data[2], 1
	m.ID, m.Router = [4]byte(data[4:]), [4]byte(data[8:])
	m.Sequence, m.Checksum, m.Length = int32(be.Uint32(data[12:])), be.Uint16(data[16:]), be.Uint16(data[18:])
	flags := data[20]
	m.Virtual, m.External, m.Border, m.Count = flags&4 != 0, flags&2 != 0, flags&1 != 0, be.Uint16(data[22:])
	if data = data[24:]; len(data) < 12*int(m.Count) {
		return errShort
	}
	m.Links = sized(m.Links, int(m.Count))
	for i := range m.Links {
		if len(data) < 12 {
			return errShort
		}
		l := &m.Links[i]
		l.ID, l.Data, l.Type, l.Count, l.Metric = [4]byte(data), [4]byte(data[4:]), data[8], data[9], be.Uint16(data[10:])
		if data = data[12:]; len(data) < 4*int(l.Count) {
			return errShort
		}
		l.Services = sized(l.Services, int(l.Count))
		for j := range l.Services {
			l.Services[j] = ospfService{Type: data[4*j], Metric: be.Uint16(data[4*j+2:])}
		}
		data = data[4*int(l.Count):]
	}
	if len(data) > 0 {
		return errTrailing
	}
	return nil
}

func randomOSPF(r *rand.Rand) *ospfRouter {
	address := func() [4]byte { return [4]byte(randomBytes(r, 4)) }
	return &ospfRouter{
		Age: uint16(r.IntN(3600)), Options: 2, ID: address(), Router: address(), Sequence: int32(r.Uint32()), Checksum: uint16(r.Uint32()), Border: chance(r, 3),
		External: chance(r, 3),
		Links: some(r, 1, 6, func() ospfLink {
			return ospfLink{ID: address(), Data: address(), Type: uint8(between(r, 1, 4)), Metric: uint16(r.IntN(100)), Services: some(r, 0, r.IntN(3), func() ospfService {
				return ospfService{Type: uint8(2 * r.IntN(16)), Metric: uint16(r.IntN(100))}
			})}
		}),
	}
}
