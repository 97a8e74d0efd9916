package messages

import "math/rand/v2"

// lldpUnit is a data unit of the Link Layer Discovery Protocol, which an empty element of type 0 ends: IEEE
// 802.1AB-2016, section 8.
type lldpUnit struct {
	_        struct{}      `layout:"be"`
	Elements []lldpElement `layout:"until=zero"`
}

type lldpElement struct {
	Type   uint8  `layout:"bits=7"`
	Length uint16 `layout:"bits=9,len=Value"`
	Value  []byte
}

func appendLLDP(dst []byte, m *lldpUnit) ([]byte, error) {
	size := 2
	for i := range m.Elements {
		e := &m.Elements[i]
		if e.Type > 127 || len(e.Value) > 511 || e.Type == 0 && e.Length == 0 && len(e.Value) == 0 {
			return dst, errRange
		}
		size += 2 + len(e.Value)
	}
	n := len(dst)
	dst = extend(dst, size)
	b := dst[n:]
	for i := range m.Elements {
		e := &m.Elements[i]
		be.PutUint16(b, uint16(e.Type)<<9|uint16(len(e.Value)))
		b = b[2+copy(b[2:], e.Value):]
	}
	be.PutUint16(b, 0)
	return dst, nil
}

func decodeLLDP(data []byte, m *lldpUnit, alias bool) error {
	m.Elements = emptied(m.Elements)
	for {
		if len(data) < 2 {
			return errShort
		}
		head := be.Uint16(data)
		data = data[2:]
		if head == 0 {
			break
		}
		size := int(head & 511)
		if len(data) < size {
			return errShort
		}
		m.Elements = append(m.Elements, lldpElement{uint8(head >> 9), uint16(size), own(data[:size], alias)})
		data = data[size:]
	}
	if len(data) > 0 {
		return errTrailing
	}
	return nil
}

func randomLLDP(r *rand.Rand) *lldpUnit {
	return &lldpUnit{Elements: []lldpElement{
		{Type: 1, Value: append([]byte{4}, randomBytes(r, 6)...)},
		{Type: 2, Value: append([]byte{5}, randomText(r, 3, 12)...)},
		{Type: 3, Value: []byte{0, 120}},
		{Type: 4, Value: []byte(randomText(r, 5, 30))},
		{Type: 5, Value: []byte(randomText(r, 5, 20))},
		{Type: 6, Value: []byte(randomText(r, 20, 120))},
		{Type: 7, Value: randomBytes(r, 4)},
	}[:between(r, 3, 7)]}
}
