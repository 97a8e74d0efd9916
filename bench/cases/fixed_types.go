package cases

import (
	"encoding/binary"
	"io"
	"math"
	"slices"
)

// quote is 64 bytes in eight fields, in memory and on the wire.
type quote struct {
	Time   uint64
	ID     uint64
	Bid    float64
	Ask    float64
	Volume int64
	Open   float64
	High   float64
	Low    float64
}

// packet is 64 bytes on the wire in eight fields of different kinds.
type packet struct {
	Sequence uint64
	Sender   [16]byte
	Port     uint16
	Flags    uint16
	Length   uint32
	Sent     int64
	Position [2]float64
	Checksum [2]uint32
}

// onWire is the encoded size of both structs.
const onWire = 64

func (q *quote) fill(i int) {
	*q = quote{
		Time: 1_763_683_200_000 + uint64(i), ID: 0x0123456789abcdef * uint64(i+1), Bid: 101.25 + float64(i), Ask: 101.5 + float64(i),
		Volume: -int64(i) * 1000, Open: 99.875, High: 103, Low: 98.0625,
	}
}

func (p *packet) fill(i int) {
	*p = packet{
		Sequence: 0x0102030405060708 * uint64(i+1), Sender: [16]byte{0: 0xfe, 1: 0x80, 15: byte(i)}, Port: 8443, Flags: 0x1234,
		Length: 1<<20 + uint32(i), Sent: -1_763_683_200 - int64(i), Position: [2]float64{48.25, 11.5}, Checksum: [2]uint32{0xdeadbeef, uint32(i)},
	}
}

// This is the code that programs contain today if they must be fast. It gives the same guarantees as a Typed: it
// returns the size, or an error if there are too few bytes.

func (q *quote) put(b []byte) int {
	_ = b[63]
	binary.BigEndian.PutUint64(b, q.Time)
	binary.BigEndian.PutUint64(b[8:], q.ID)
	binary.BigEndian.PutUint64(b[16:], math.Float64bits(q.Bid))
	binary.BigEndian.PutUint64(b[24:], math.Float64bits(q.Ask))
	binary.BigEndian.PutUint64(b[32:], uint64(q.Volume))
	binary.BigEndian.PutUint64(b[40:], math.Float64bits(q.Open))
	binary.BigEndian.PutUint64(b[48:], math.Float64bits(q.High))
	binary.BigEndian.PutUint64(b[56:], math.Float64bits(q.Low))
	return onWire
}

func (q *quote) get(b []byte) (int, error) {
	if len(b) < onWire {
		return 0, io.ErrShortBuffer
	}
	q.Time = binary.BigEndian.Uint64(b)
	q.ID = binary.BigEndian.Uint64(b[8:])
	q.Bid = math.Float64frombits(binary.BigEndian.Uint64(b[16:]))
	q.Ask = math.Float64frombits(binary.BigEndian.Uint64(b[24:]))
	q.Volume = int64(binary.BigEndian.Uint64(b[32:]))
	q.Open = math.Float64frombits(binary.BigEndian.Uint64(b[40:]))
	q.High = math.Float64frombits(binary.BigEndian.Uint64(b[48:]))
	q.Low = math.Float64frombits(binary.BigEndian.Uint64(b[56:]))
	return onWire, nil
}

func (p *packet) get(b []byte) (int, error) {
	if len(b) < onWire {
		return 0, io.ErrShortBuffer
	}
	p.Sequence = binary.BigEndian.Uint64(b)
	copy(p.Sender[:], b[8:24])
	p.Port = binary.BigEndian.Uint16(b[24:])
	p.Flags = binary.BigEndian.Uint16(b[26:])
	p.Length = binary.BigEndian.Uint32(b[28:])
	p.Sent = int64(binary.BigEndian.Uint64(b[32:]))
	p.Position[0] = math.Float64frombits(binary.BigEndian.Uint64(b[40:]))
	p.Position[1] = math.Float64frombits(binary.BigEndian.Uint64(b[48:]))
	p.Checksum[0] = binary.BigEndian.Uint32(b[56:])
	p.Checksum[1] = binary.BigEndian.Uint32(b[60:])
	return onWire, nil
}

func (q *quote) append(dst []byte) []byte {
	n := len(dst)
	dst = slices.Grow(dst, onWire)[:n+onWire]
	b := dst[n:]
	binary.BigEndian.PutUint64(b, q.Time)
	binary.BigEndian.PutUint64(b[8:], q.ID)
	binary.BigEndian.PutUint64(b[16:], math.Float64bits(q.Bid))
	binary.BigEndian.PutUint64(b[24:], math.Float64bits(q.Ask))
	binary.BigEndian.PutUint64(b[32:], uint64(q.Volume))
	binary.BigEndian.PutUint64(b[40:], math.Float64bits(q.Open))
	binary.BigEndian.PutUint64(b[48:], math.Float64bits(q.High))
	binary.BigEndian.PutUint64(b[56:], math.Float64bits(q.Low))
	return dst
}

func (p *packet) append(dst []byte) []byte {
	n := len(dst)
	dst = slices.Grow(dst, onWire)[:n+onWire]
	b := dst[n:]
	binary.BigEndian.PutUint64(b, p.Sequence)
	copy(b[8:24], p.Sender[:])
	binary.BigEndian.PutUint16(b[24:], p.Port)
	binary.BigEndian.PutUint16(b[26:], p.Flags)
	binary.BigEndian.PutUint32(b[28:], p.Length)
	binary.BigEndian.PutUint64(b[32:], uint64(p.Sent))
	binary.BigEndian.PutUint64(b[40:], math.Float64bits(p.Position[0]))
	binary.BigEndian.PutUint64(b[48:], math.Float64bits(p.Position[1]))
	binary.BigEndian.PutUint32(b[56:], p.Checksum[0])
	binary.BigEndian.PutUint32(b[60:], p.Checksum[1])
	return dst
}
