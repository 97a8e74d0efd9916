package messages

import "math/rand/v2"

// http2Frame is a frame of HTTP/2: RFC 9113, sections 4.1 and 6. Header blocks stay compressed.
type http2Frame struct {
	_        struct{} `layout:"be"`
	Length   uint32   `layout:"u24,len=Payload"`
	Type     uint8
	Flags    uint8
	Reserved bool         `layout:"bits=1"`
	Stream   uint32       `layout:"bits=31"`
	Payload  http2Payload `layout:"switch=Type"`
}

// The flags that add fields to a frame.
const (
	http2Padded      = 0x08
	http2Prioritized = 0x20
)

// http2Payload is a pointer to one of the types of frames.
type http2Payload any

type (
	http2Data struct {
		PadLength uint8 `layout:"len=Padding,if=Flags&8"`
		Data      []byte
		Padding   []byte `layout:"if=Flags&8"`
	}
	http2Headers struct {
		PadLength uint8          `layout:"len=Padding,if=Flags&8"`
		Priority  *http2Priority `layout:"if=Flags&0x20"`
		Fragment  []byte
		Padding   []byte `layout:"if=Flags&8"`
	}
	http2Priority struct {
		Exclusive bool   `layout:"bits=1"`
		DependsOn uint32 `layout:"bits=31"`
		Weight    uint8
	}
	http2Reset    struct{ Code uint32 }
	http2Settings struct{ List []http2Setting }
	http2Setting  struct {
		ID    uint16
		Value uint32
	}
	http2Ping   struct{ Data [8]byte }
	http2GoAway struct {
		Reserved   bool   `layout:"bits=1"`
		LastStream uint32 `layout:"bits=31"`
		Code       uint32
		Debug      []byte
	}
	http2Window struct {
		Reserved  bool   `layout:"bits=1"`
		Increment uint32 `layout:"bits=31"`
	}
)

func appendHTTP2(dst []byte, m *http2Frame) ([]byte, error) {
	if m.Stream >= 1<<31 {
		return dst, errRange
	}
	n := len(dst)
	b := append(dst, 0, 0, 0, 0, m.Flags)
	b = be.AppendUint32(b, uint32(bit(m.Reserved, 7))<<24|m.Stream)
	kind := byte(0)
	switch v := m.Payload.(type) {
	case *http2Data:
		if !padOK(m.Flags, v.PadLength, v.Padding) {
			return dst, errRange
		}
		b = startPadded(b, m.Flags, v.Padding)
		b = append(b, v.Data...)
		b = append(b, v.Padding...)
	case *http2Headers:
		kind = 1
		if !padOK(m.Flags, v.PadLength, v.Padding) || (v.Priority != nil) != (m.Flags&http2Prioritized != 0) {
			return dst, errRange
		}
		b = startPadded(b, m.Flags, v.Padding)
		if p := v.Priority; p != nil {
			if p.DependsOn >= 1<<31 {
				return dst, errRange
			}
			b = be.AppendUint32(b, uint32(bit(p.Exclusive, 7))<<24|p.DependsOn)
			b = append(b, p.Weight)
		}
		b = append(b, v.Fragment...)
		b = append(b, v.Padding...)
	case *http2Priority:
		kind = 2
		if v.DependsOn >= 1<<31 {
			return dst, errRange
		}
		b = be.AppendUint32(b, uint32(bit(v.Exclusive, 7))<<24|v.DependsOn)
		b = append(b, v.Weight)
	case *http2Reset:
		kind = 3
		b = be.AppendUint32(b, v.Code)
	case *http2Settings:
		kind = 4
		for i := range v.List {
			b = be.AppendUint16(b, v.List[i].ID)
			b = be.AppendUint32(b, v.List[i].Value)
		}
	case *http2Ping:
		kind = 6
		b = append(b, v.Data[:]...)
	case *http2GoAway:
		kind = 7
		if v.LastStream >= 1<<31 {
			return dst, errRange
		}
		b = be.AppendUint32(b, uint32(bit(v.Reserved, 7))<<24|v.LastStream)
		b = be.AppendUint32(b, v.Code)
		b = append(b, v.Debug...)
	case *http2Window:
		kind = 8
		if v.Increment >= 1<<31 {
			return dst, errRange
		}
		b = be.AppendUint32(b, uint32(bit(v.Reserved, 7))<<24|v.Increment)
	default:
		return dst, errType
	}
	length := len(b) - n - 9
	if length >= 1<<24 {
		return dst, errRange
	}
	b[n], b[n+1], b[n+2], b[n+3] = byte(length>>16), byte(length>>8), byte(length), kind
	return b, nil
}

// padOK reports whether a frame with these flags can have the padding.
func padOK(flags, length uint8, padding []byte) bool {
	if flags&http2Padded == 0 {
		return length == 0 && padding == nil
	}
	return len(padding) <= 255
}

// startPadded appends the length of the padding, if the frame has it.
func startPadded(b []byte, flags uint8, padding []byte) []byte {
	if flags&http2Padded != 0 {
		b = append(b, byte(len(padding)))
	}
	return b
}

func decodeHTTP2(data []byte, m *http2Frame, alias bool) error {
	if len(data) < 9 {
		return errShort
	}
	m.Length = uint32(data[0])<<16 | uint32(data[1])<<8 | uint32(data[2])
	m.Type, m.Flags = data[3], data[4]
	stream := be.Uint32(data[5:])
	m.Reserved, m.Stream = stream>>31 != 0, stream&(1<<31-1)
	data = data[9:]
	if len(data) != int(m.Length) {
		return sizeError(len(data), int(m.Length))
	}
	switch m.Type {
	case 0:
		v := new(http2Data)
		data, padding, err := cutPadding(data, m.Flags, alias)
		if err != nil {
			return err
		}
		v.PadLength, v.Padding, v.Data = uint8(len(padding)), padding, own(data, alias)
		m.Payload = v
	case 1:
		v := new(http2Headers)
		data, padding, err := cutPadding(data, m.Flags, alias)
		if err != nil {
			return err
		}
		v.PadLength, v.Padding = uint8(len(padding)), padding
		if m.Flags&http2Prioritized != 0 {
			if len(data) < 5 {
				return errLength
			}
			v.Priority = decodePriority(data)
			data = data[5:]
		}
		v.Fragment = own(data, alias)
		m.Payload = v
	case 2:
		if len(data) != 5 {
			return errLength
		}
		m.Payload = decodePriority(data)
	case 3:
		if len(data) != 4 {
			return errLength
		}
		m.Payload = &http2Reset{be.Uint32(data)}
	case 4:
		if len(data)%6 != 0 {
			return errLength
		}
		v := &http2Settings{make([]http2Setting, len(data)/6)}
		for i := range v.List {
			e := data[6*i : 6*i+6]
			v.List[i] = http2Setting{be.Uint16(e), be.Uint32(e[2:])}
		}
		m.Payload = v
	case 6:
		if len(data) != 8 {
			return errLength
		}
		m.Payload = &http2Ping{[8]byte(data)}
	case 7:
		if len(data) < 8 {
			return errLength
		}
		last := be.Uint32(data)
		m.Payload = &http2GoAway{last>>31 != 0, last & (1<<31 - 1), be.Uint32(data[4:]), own(data[8:], alias)}
	case 8:
		if len(data) != 4 {
			return errLength
		}
		increment := be.Uint32(data)
		m.Payload = &http2Window{increment>>31 != 0, increment & (1<<31 - 1)}
	default:
		return errType
	}
	return nil
}

// cutPadding returns the payload of a frame without its padding, and the padding, which is nil if there is none.
func cutPadding(data []byte, flags uint8, alias bool) (rest, padding []byte, err error) {
	if flags&http2Padded == 0 {
		return data, nil, nil
	}
	if len(data) < 1 || len(data) < 1+int(data[0]) {
		return nil, nil, errLength
	}
	end := len(data) - int(data[0])
	return data[1:end], own(data[end:], alias), nil
}

func decodePriority(data []byte) *http2Priority {
	_ = data[4]
	stream := be.Uint32(data)
	return &http2Priority{stream>>31 != 0, stream & (1<<31 - 1), data[4]}
}

func randomHTTP2(r *rand.Rand) *http2Frame {
	m := &http2Frame{Stream: 1 + 2*r.Uint32N(1<<20)}
	switch r.IntN(8) {
	case 0, 1, 2:
		data := &http2Data{Data: randomBytes(r, between(r, 1, 1000))}
		if chance(r, 8) {
			m.Flags, data.Padding = http2Padded, make([]byte, between(r, 0, 20))
		}
		m.Payload = data
	case 3, 4:
		headers := &http2Headers{Fragment: randomBytes(r, between(r, 10, 200))}
		m.Flags = 4
		if chance(r, 2) {
			m.Flags |= http2Prioritized
			headers.Priority = &http2Priority{true, 0, uint8(r.IntN(256))}
		}
		m.Payload = headers
	case 5:
		m.Stream, m.Payload = 0, &http2Settings{some(r, 0, 6, func() http2Setting { return http2Setting{uint16(between(r, 1, 6)), r.Uint32()} })}
	case 6:
		m.Payload = &http2Window{false, r.Uint32N(1 << 24)}
	case 7:
		list := []http2Payload{&http2Ping{[8]byte(randomBytes(r, 8))}, &http2Reset{r.Uint32N(14)}, &http2GoAway{false, m.Stream, 0, []byte(randomText(r, 0, 20))}}
		m.Payload = list[r.IntN(len(list))]
	}
	return m
}
