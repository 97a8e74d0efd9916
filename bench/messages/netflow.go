package messages

import "math/rand/v2"

// netflowPacket is an export packet of NetFlow version 5: NetFlow Export Datagram Format (Cisco), tables B-3 and B-4.
type netflowPacket struct {
	_            struct{} `layout:"be"`
	Version      uint16   `layout:"const=5"`
	Count        uint16   `layout:"count=Flows"`
	Uptime       uint32
	Seconds      uint32
	Nanoseconds  uint32
	Sequence     uint32
	EngineType   uint8
	EngineID     uint8
	SamplingMode uint8  `layout:"bits=2"`
	Sampling     uint16 `layout:"bits=14"`
	Flows        []netflowRecord
}

type netflowRecord struct {
	Source, Target, NextHop [4]byte
	Input, Output           uint16
	Packets, Bytes          uint32
	First, Last             uint32
	SourcePort, TargetPort  uint16
	_                       struct{} `layout:"skip=1"`
	Flags, Protocol, ToS    uint8
	SourceAS, TargetAS      uint16
	SourceMask, TargetMask  uint8
	_                       struct{} `layout:"skip=2"`
}

func appendNetFlow(dst []byte, m *netflowPacket) ([]byte, error) {
	if m.Version != 0 && m.Version != 5 {
		return dst, errConstant
	}
	if len(m.Flows) > 0xffff || m.SamplingMode > 3 || m.Sampling >= 1<<14 {
		return dst, errRange
	}
	n := len(dst)
	dst = extend(dst, 24+48*len(m.Flows))
	b := dst[n:]
	_ = b[23]
	be.PutUint16(b, 5)
	be.PutUint16(b[2:], uint16(len(m.Flows)))
	be.PutUint32(b[4:], m.Uptime)
	be.PutUint32(b[8:], m.Seconds)
	be.PutUint32(b[12:], m.Nanoseconds)
	be.PutUint32(b[16:], m.Sequence)
	b[20], b[21] = m.EngineType, m.EngineID
	be.PutUint16(b[22:], uint16(m.SamplingMode)<<14|m.Sampling)
	b = b[24:]
	for i := range m.Flows {
		f, e := &m.Flows[i], (*[48]byte)(b[48*i:])
		copy(e[0:4], f.Source[:])
		copy(e[4:8], f.Target[:])
		copy(e[8:12], f.NextHop[:])
		be.PutUint16(e[12:], f.Input)
		be.PutUint16(e[14:], f.Output)
		be.PutUint32(e[16:], f.Packets)
		be.PutUint32(e[20:], f.Bytes)
		be.PutUint32(e[24:], f.First)
		be.PutUint32(e[28:], f.Last)
		be.PutUint16(e[32:], f.SourcePort)
		be.PutUint16(e[34:], f.TargetPort)
		e[36], e[37], e[38], e[39] = 0, f.Flags, f.Protocol, f.ToS
		be.PutUint16(e[40:], f.SourceAS)
		be.PutUint16(e[42:], f.TargetAS)
		e[44], e[45], e[46], e[47] = f.SourceMask, f.TargetMask, 0, 0
	}
	return dst, nil
}

func decodeNetFlow(data []byte, m *netflowPacket) error {
	if len(data) < 24 {
		return errShort
	}
	if be.Uint16(data) != 5 {
		return errConstant
	}
	m.Version, m.Count = 5, be.Uint16(data[2:])
	m.Uptime, m.Seconds, m.Nanoseconds, m.Sequence = be.Uint32(data[4:]), be.Uint32(data[8:]), be.Uint32(data[12:]), be.Uint32(data[16:])
	m.EngineType, m.EngineID = data[20], data[21]
	sampling := be.Uint16(data[22:])
	m.SamplingMode, m.Sampling = uint8(sampling>>14), sampling&(1<<14-1)
	count := int(m.Count)
	if data = data[24:]; len(data) != 48*count {
		return sizeError(len(data), 48*count)
	}
	m.Flows = sized(m.Flows, count)
	for i := range m.Flows {
		f, e := &m.Flows[i], (*[48]byte)(data[48*i:])
		f.Source, f.Target, f.NextHop = [4]byte(e[0:]), [4]byte(e[4:]), [4]byte(e[8:])
		f.Input, f.Output = be.Uint16(e[12:]), be.Uint16(e[14:])
		f.Packets, f.Bytes = be.Uint32(e[16:]), be.Uint32(e[20:])
		f.First, f.Last = be.Uint32(e[24:]), be.Uint32(e[28:])
		f.SourcePort, f.TargetPort = be.Uint16(e[32:]), be.Uint16(e[34:])
		f.Flags, f.Protocol, f.ToS = e[37], e[38], e[39]
		f.SourceAS, f.TargetAS = be.Uint16(e[40:]), be.Uint16(e[42:])
		f.SourceMask, f.TargetMask = e[44], e[45]
	}
	return nil
}

func randomNetFlow(r *rand.Rand) *netflowPacket {
	return &netflowPacket{
		Uptime: r.Uint32(), Seconds: r.Uint32(), Nanoseconds: r.Uint32N(1e9), Sequence: r.Uint32(), EngineID: uint8(r.IntN(4)), SamplingMode: 1, Sampling: 100,
		Flows: some(r, 1, 30, func() netflowRecord {
			return netflowRecord{
				Source: [4]byte(randomBytes(r, 4)), Target: [4]byte(randomBytes(r, 4)), NextHop: [4]byte(randomBytes(r, 4)), Input: uint16(r.IntN(100)),
				Output: uint16(r.IntN(100)), Packets: r.Uint32N(1e5), Bytes: r.Uint32N(1e8), First: r.Uint32(), Last: r.Uint32(),
				SourcePort: uint16(r.Uint32()), TargetPort: 443, Flags: 0x1b, Protocol: 6, SourceAS: uint16(r.Uint32()), TargetAS: uint16(r.Uint32()),
				SourceMask: 24, TargetMask: 16,
			}
		}),
	}
}
