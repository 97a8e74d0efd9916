package cases

import (
	"encoding/binary"
	"io"
	"math"
	"slices"

	"github.com/octet-go/octet/bench/engine"
)

// The compiler does not inline the hand-written functions in fixed_types.go because they are too large. Here, the
// same code is written in the loop.

func quoteInPlace(q, target *quote, buf []byte) engine.Peer {
	dst := buf[:0]
	return engine.Peer{Library: "by hand in place", Loops: map[string]engine.Loop{
		verbEncode: engine.Repeat(func() {
			b := slices.Grow(dst[:0], onWire)[:onWire]
			binary.BigEndian.PutUint64(b, q.Time)
			binary.BigEndian.PutUint64(b[8:], q.ID)
			binary.BigEndian.PutUint64(b[16:], math.Float64bits(q.Bid))
			binary.BigEndian.PutUint64(b[24:], math.Float64bits(q.Ask))
			binary.BigEndian.PutUint64(b[32:], uint64(q.Volume))
			binary.BigEndian.PutUint64(b[40:], math.Float64bits(q.Open))
			binary.BigEndian.PutUint64(b[48:], math.Float64bits(q.High))
			binary.BigEndian.PutUint64(b[56:], math.Float64bits(q.Low))
			dst = b
		}),
		verbDecode: engine.Attempt(func() error {
			b, q := buf, target
			if len(b) < onWire {
				return io.ErrShortBuffer
			}
			q.Time = binary.BigEndian.Uint64(b)
			q.ID = binary.BigEndian.Uint64(b[8:])
			q.Bid = math.Float64frombits(binary.BigEndian.Uint64(b[16:]))
			q.Ask = math.Float64frombits(binary.BigEndian.Uint64(b[24:]))
			q.Volume = int64(binary.BigEndian.Uint64(b[32:]))
			q.Open = math.Float64frombits(binary.BigEndian.Uint64(b[40:]))
			q.High = math.Float64frombits(binary.BigEndian.Uint64(b[48:]))
			q.Low = math.Float64frombits(binary.BigEndian.Uint64(b[56:]))
			return nil
		}),
	}}
}

func packetInPlace(p, target *packet, buf []byte) engine.Peer {
	dst := buf[:0]
	return engine.Peer{Library: "by hand in place", Loops: map[string]engine.Loop{
		verbEncode: engine.Repeat(func() {
			b := slices.Grow(dst[:0], onWire)[:onWire]
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
			dst = b
		}),
		verbDecode: engine.Attempt(func() error {
			b, p := buf, target
			if len(b) < onWire {
				return io.ErrShortBuffer
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
			return nil
		}),
	}}
}
