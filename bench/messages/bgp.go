package messages

import "math/rand/v2"

// bgpOpen is an OPEN message of BGP with capabilities: RFC 4271, section 4.2, and RFC 5492.
type bgpOpen struct {
	_          struct{} `layout:"be"`
	Marker     [16]byte `layout:"magic=\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff"`
	Length     uint16   `layout:"len=Marker..Parameters"`
	Type       uint8    `layout:"const=1"`
	Version    uint8    `layout:"const=4"`
	AS         uint16
	HoldTime   uint16
	Router     [4]byte
	Parameters []bgpParameter `layout:"prefix=u8"`
}

type bgpParameter struct {
	Type         uint8           `layout:"const=2"` // capabilities
	Capabilities []bgpCapability `layout:"prefix=u8"`
}

type bgpCapability struct {
	Code  uint8
	Value []byte `layout:"prefix=u8"`
}

var bgpMarker = [16]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255}

func appendBGP(dst []byte, m *bgpOpen) ([]byte, error) {
	if m.Marker != [16]byte{} && m.Marker != bgpMarker || m.Type != 0 && m.Type != 1 || m.Version != 0 && m.Version != 4 {
		return dst, errConstant
	}
	n := len(dst)
	b := append(dst, bgpMarker[:]...)
	b = append(b, 0, 0, 1, 4)
	b = be.AppendUint16(b, m.AS)
	b = be.AppendUint16(b, m.HoldTime)
	b = append(b, m.Router[:]...)
	b = append(b, 0)
	for i := range m.Parameters {
		p := &m.Parameters[i]
		if p.Type != 0 && p.Type != 2 {
			return dst, errConstant
		}
		b = append(b, 2, 0)
		start := len(b)
		for j := range p.Capabilities {
			c := &p.Capabilities[j]
			if len(c.Value) > 255 {
				return dst, errRange
			}
			b = append(b, c.Code, byte(len(c.Value)))
			b = append(b, c.Value...)
		}
		if len(b)-start > 255 {
			return dst, errRange
		}
		b[start-1] = byte(len(b) - start)
	}
	size := len(b) - n
	if size-29 > 255 {
		return dst, errRange
	}
	be.PutUint16(b[n+16:], uint16(size))
	b[n+28] = byte(size - 29)
	return b, nil
}

func decodeBGP(data []byte, m *bgpOpen, alias bool) error {
	if len(data) < 29 {
		return errShort
	}
	if [16]byte(data) != bgpMarker || data[18] != 1 || data[19] != 4 {
		return errConstant
	}
	m.Marker, m.Type, m.Version = bgpMarker, 1, 4
	m.Length = be.Uint16(data[16:])
	m.AS, m.HoldTime = be.Uint16(data[20:]), be.Uint16(data[22:])
	m.Router = [4]byte(data[24:28])
	size := 29 + int(data[28])
	if int(m.Length) != size {
		return errLength
	}
	if len(data) != size {
		return sizeError(len(data), size)
	}
	m.Parameters = emptied(m.Parameters)
	for data = data[29:]; len(data) > 0; {
		if len(data) < 2 || len(data) < 2+int(data[1]) {
			return errLength
		}
		if data[0] != 2 {
			return errConstant
		}
		list := data[2 : 2+int(data[1])]
		data = data[2+len(list):]
		p := bgpParameter{Type: 2, Capabilities: []bgpCapability{}}
		for len(list) > 0 {
			if len(list) < 2 || len(list) < 2+int(list[1]) {
				return errLength
			}
			end := 2 + int(list[1])
			p.Capabilities = append(p.Capabilities, bgpCapability{list[0], own(list[2:end], alias)})
			list = list[end:]
		}
		m.Parameters = append(m.Parameters, p)
	}
	return nil
}

func randomBGP(r *rand.Rand) *bgpOpen {
	all := []bgpCapability{{1, []byte{0, 1, 0, 1}}, {2, nil}, {65, randomBytes(r, 4)}, {64, randomBytes(r, 2)}, {70, nil}, {69, []byte{0, 1, 1, 3}}}
	m := &bgpOpen{AS: uint16(r.Uint32()), HoldTime: 180, Router: [4]byte(randomBytes(r, 4))}
	if chance(r, 2) {
		m.Parameters = []bgpParameter{{Capabilities: all[:between(r, 1, len(all))]}} // all in one
		return m
	}
	for _, c := range all[:between(r, 0, len(all))] {
		m.Parameters = append(m.Parameters, bgpParameter{Capabilities: []bgpCapability{c}})
	}
	return m
}
