package messages

import "math/rand/v2"

// tlsHello is a TLS record with a ClientHello: RFC 8446, sections 4.1.2 and 5.1. The content of its extensions is bytes.
type tlsHello struct {
	_         struct{}     `layout:"be"`
	Type      uint8        `layout:"const=22"`
	Version   uint16       `layout:"const=0x0301,const=0x0303"`
	Handshake tlsHandshake `layout:"prefix=u16"`
}

type tlsHandshake struct {
	Type  uint8          `layout:"const=1"`
	Hello tlsClientHello `layout:"prefix=u24"`
}

type tlsClientHello struct {
	Version      uint16 `layout:"const=0x0303"`
	Random       [32]byte
	Session      []byte         `layout:"prefix=u8,max=32"`
	Suites       []uint16       `layout:"prefix=u16"`
	Compressions []byte         `layout:"prefix=u8"`
	Extensions   []tlsExtension `layout:"prefix=u16"`
}

type tlsExtension struct {
	Type uint16
	Data []byte `layout:"prefix=u16"`
}

func appendTLS(dst []byte, m *tlsHello) ([]byte, error) {
	h := &m.Handshake.Hello
	version := m.Version
	if version == 0 {
		version = 0x0301
	}
	if m.Type != 0 && m.Type != 22 || version != 0x0301 && version != 0x0303 || m.Handshake.Type > 1 || h.Version != 0 && h.Version != 0x0303 {
		return dst, errConstant
	}
	extensions := 0
	for i := range h.Extensions {
		if len(h.Extensions[i].Data) > 0xffff {
			return dst, errRange
		}
		extensions += 4 + len(h.Extensions[i].Data)
	}
	body := 34 + 1 + len(h.Session) + 2 + 2*len(h.Suites) + 1 + len(h.Compressions) + 2 + extensions
	if len(h.Session) > 32 || 2*len(h.Suites) > 0xffff || len(h.Compressions) > 255 || extensions > 0xffff || body+4 > 0xffff {
		return dst, errRange
	}
	n := len(dst)
	dst = extend(dst, 9+body)
	b := dst[n:]
	_ = b[43]
	b[0] = 22
	be.PutUint16(b[1:], version)
	be.PutUint16(b[3:], uint16(4+body))
	b[5], b[6] = 1, 0
	be.PutUint16(b[7:], uint16(body))
	be.PutUint16(b[9:], 0x0303)
	copy(b[11:43], h.Random[:])
	b[43] = byte(len(h.Session))
	b = b[44+copy(b[44:], h.Session):]
	be.PutUint16(b, uint16(2*len(h.Suites)))
	b = b[2:]
	for i, s := range h.Suites {
		be.PutUint16(b[2*i:], s)
	}
	b = b[2*len(h.Suites):]
	b[0] = byte(len(h.Compressions))
	b = b[1+copy(b[1:], h.Compressions):]
	be.PutUint16(b, uint16(extensions))
	b = b[2:]
	for i := range h.Extensions {
		e := &h.Extensions[i]
		be.PutUint16(b, e.Type)
		be.PutUint16(b[2:], uint16(len(e.Data)))
		b = b[4+copy(b[4:], e.Data):]
	}
	return dst, nil
}

func decodeTLS(data []byte, m *tlsHello, alias bool) error {
	if len(data) < 44 {
		return errShort
	}
	version, record, body := be.Uint16(data[1:]), int(be.Uint16(data[3:])), int(data[6])<<16|int(be.Uint16(data[7:]))
	if data[0] != 22 || version != 0x0301 && version != 0x0303 || data[5] != 1 || be.Uint16(data[9:]) != 0x0303 {
		return errConstant
	}
	if len(data) != 5+record {
		return sizeError(len(data), 5+record)
	}
	if record != 4+body {
		return errLength
	}
	m.Type, m.Version, m.Handshake.Type = 22, version, 1
	h := &m.Handshake.Hello
	h.Version, h.Random = 0x0303, [32]byte(data[11:43])
	size := int(data[43])
	data = data[44:]
	if size > 32 || len(data) < size+2 {
		return errLength
	}
	h.Session = own(data[:size], alias)
	suites := int(be.Uint16(data[size:]))
	data = data[size+2:]
	if suites%2 != 0 || len(data) < suites+1 {
		return errLength
	}
	h.Suites = sized(h.Suites, suites/2)
	for i := range h.Suites {
		h.Suites[i] = be.Uint16(data[2*i:])
	}
	size = int(data[suites])
	data = data[suites+1:]
	if len(data) < size+2 {
		return errLength
	}
	h.Compressions = own(data[:size], alias)
	extensions := int(be.Uint16(data[size:]))
	data = data[size+2:]
	if len(data) != extensions {
		return errLength
	}
	h.Extensions = emptied(h.Extensions)
	for len(data) > 0 {
		if len(data) < 4 || len(data) < 4+int(be.Uint16(data[2:])) {
			return errLength
		}
		end := 4 + int(be.Uint16(data[2:]))
		h.Extensions = append(h.Extensions, tlsExtension{be.Uint16(data), own(data[4:end], alias)})
		data = data[end:]
	}
	return nil
}

func randomTLS(r *rand.Rand) *tlsHello {
	types := []uint16{0, 5, 10, 11, 13, 16, 18, 23, 35, 43, 45, 51, 0xff01}
	m := &tlsHello{Handshake: tlsHandshake{Hello: tlsClientHello{
		Random: [32]byte(randomBytes(r, 32)), Session: randomBytes(r, 32), Compressions: []byte{0},
		Suites: some(r, 3, 18, func() uint16 { return uint16(r.Uint32()) }),
	}}}
	for _, t := range types[:between(r, 8, len(types))] {
		m.Handshake.Hello.Extensions = append(m.Handshake.Hello.Extensions, tlsExtension{t, randomBytes(r, between(r, 0, 40))})
	}
	return m
}
