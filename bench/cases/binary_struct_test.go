package cases_test

import (
	"bytes"
	stdbinary "encoding/binary"
	"io"
	"slices"
	"testing"

	"github.com/octet-go/octet/binary"
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

// The hand-written code gives the same guarantees as Typed: it returns the size, or an error.

func (q *quote) put(b []byte) int {
	_ = b[63]
	stdbinary.BigEndian.PutUint64(b, q.Time)
	stdbinary.BigEndian.PutUint64(b[8:], q.ID)
	stdbinary.BigEndian.PutUint64(b[16:], float64bits(q.Bid))
	stdbinary.BigEndian.PutUint64(b[24:], float64bits(q.Ask))
	stdbinary.BigEndian.PutUint64(b[32:], uint64(q.Volume))
	stdbinary.BigEndian.PutUint64(b[40:], float64bits(q.Open))
	stdbinary.BigEndian.PutUint64(b[48:], float64bits(q.High))
	stdbinary.BigEndian.PutUint64(b[56:], float64bits(q.Low))
	return 64
}

func (q *quote) get(b []byte) (int, error) {
	if len(b) < 64 {
		return 0, io.ErrShortBuffer
	}
	q.Time = stdbinary.BigEndian.Uint64(b)
	q.ID = stdbinary.BigEndian.Uint64(b[8:])
	q.Bid = float64frombits(stdbinary.BigEndian.Uint64(b[16:]))
	q.Ask = float64frombits(stdbinary.BigEndian.Uint64(b[24:]))
	q.Volume = int64(stdbinary.BigEndian.Uint64(b[32:]))
	q.Open = float64frombits(stdbinary.BigEndian.Uint64(b[40:]))
	q.High = float64frombits(stdbinary.BigEndian.Uint64(b[48:]))
	q.Low = float64frombits(stdbinary.BigEndian.Uint64(b[56:]))
	return 64, nil
}

func (p *packet) put(b []byte) int {
	_ = b[63]
	stdbinary.BigEndian.PutUint64(b, p.Sequence)
	copy(b[8:24], p.Sender[:])
	stdbinary.BigEndian.PutUint16(b[24:], p.Port)
	stdbinary.BigEndian.PutUint16(b[26:], p.Flags)
	stdbinary.BigEndian.PutUint32(b[28:], p.Length)
	stdbinary.BigEndian.PutUint64(b[32:], uint64(p.Sent))
	stdbinary.BigEndian.PutUint64(b[40:], float64bits(p.Position[0]))
	stdbinary.BigEndian.PutUint64(b[48:], float64bits(p.Position[1]))
	stdbinary.BigEndian.PutUint32(b[56:], p.Checksum[0])
	stdbinary.BigEndian.PutUint32(b[60:], p.Checksum[1])
	return 64
}

func (p *packet) get(b []byte) (int, error) {
	if len(b) < 64 {
		return 0, io.ErrShortBuffer
	}
	p.Sequence = stdbinary.BigEndian.Uint64(b)
	copy(p.Sender[:], b[8:24])
	p.Port = stdbinary.BigEndian.Uint16(b[24:])
	p.Flags = stdbinary.BigEndian.Uint16(b[26:])
	p.Length = stdbinary.BigEndian.Uint32(b[28:])
	p.Sent = int64(stdbinary.BigEndian.Uint64(b[32:]))
	p.Position[0] = float64frombits(stdbinary.BigEndian.Uint64(b[40:]))
	p.Position[1] = float64frombits(stdbinary.BigEndian.Uint64(b[48:]))
	p.Checksum[0] = stdbinary.BigEndian.Uint32(b[56:])
	p.Checksum[1] = stdbinary.BigEndian.Uint32(b[60:])
	return 64, nil
}

// room64 extends b by 64 bytes, as fast as hand-written code can.
func room64(b []byte) []byte { return slices.Grow(b, 64)[:len(b)+64] }

func (q *quote) append(b []byte) []byte {
	b = room64(b)
	t := b[len(b)-64:]
	stdbinary.BigEndian.PutUint64(t, q.Time)
	stdbinary.BigEndian.PutUint64(t[8:], q.ID)
	stdbinary.BigEndian.PutUint64(t[16:], float64bits(q.Bid))
	stdbinary.BigEndian.PutUint64(t[24:], float64bits(q.Ask))
	stdbinary.BigEndian.PutUint64(t[32:], uint64(q.Volume))
	stdbinary.BigEndian.PutUint64(t[40:], float64bits(q.Open))
	stdbinary.BigEndian.PutUint64(t[48:], float64bits(q.High))
	stdbinary.BigEndian.PutUint64(t[56:], float64bits(q.Low))
	return b
}

func (p *packet) append(b []byte) []byte {
	b = room64(b)
	t := b[len(b)-64:]
	stdbinary.BigEndian.PutUint64(t, p.Sequence)
	copy(t[8:24], p.Sender[:])
	stdbinary.BigEndian.PutUint16(t[24:], p.Port)
	stdbinary.BigEndian.PutUint16(t[26:], p.Flags)
	stdbinary.BigEndian.PutUint32(t[28:], p.Length)
	stdbinary.BigEndian.PutUint64(t[32:], uint64(p.Sent))
	stdbinary.BigEndian.PutUint64(t[40:], float64bits(p.Position[0]))
	stdbinary.BigEndian.PutUint64(t[48:], float64bits(p.Position[1]))
	stdbinary.BigEndian.PutUint32(t[56:], p.Checksum[0])
	stdbinary.BigEndian.PutUint32(t[60:], p.Checksum[1])
	return b
}

// BenchmarkBinaryCodec compares Append and Get with hand-written functions, which the compiler does not inline, and
// with the same code written in the loop.
func BenchmarkBinaryCodec(b *testing.B) {
	buf := make([]byte, 0, 64)
	wire := make([]byte, 64)
	q, p := new(quote), new(packet)
	quotes, err := binary.For[quote](binary.BigEndian)
	if err != nil {
		b.Fatal(err)
	}
	packets, err := binary.For[packet](binary.BigEndian)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("quote/Append/in place", func(b *testing.B) {
		buf := buf
		for range b.N {
			t := room64(buf[:0])
			stdbinary.BigEndian.PutUint64(t, q.Time)
			stdbinary.BigEndian.PutUint64(t[8:], q.ID)
			stdbinary.BigEndian.PutUint64(t[16:], float64bits(q.Bid))
			stdbinary.BigEndian.PutUint64(t[24:], float64bits(q.Ask))
			stdbinary.BigEndian.PutUint64(t[32:], uint64(q.Volume))
			stdbinary.BigEndian.PutUint64(t[40:], float64bits(q.Open))
			stdbinary.BigEndian.PutUint64(t[48:], float64bits(q.High))
			stdbinary.BigEndian.PutUint64(t[56:], float64bits(q.Low))
			buf = t
		}
	})
	b.Run("quote/Append/hand", func(b *testing.B) {
		buf := buf
		for range b.N {
			buf = q.append(buf[:0])
		}
	})
	b.Run("quote/Append/codec", func(b *testing.B) {
		buf := buf
		for range b.N {
			buf = quotes.Append(buf[:0], q)
		}
	})
	b.Run("quote/Get/in place", func(b *testing.B) {
		for range b.N {
			if len(wire) < 64 {
				err = io.ErrShortBuffer
				break
			}
			q.Time = stdbinary.BigEndian.Uint64(wire)
			q.ID = stdbinary.BigEndian.Uint64(wire[8:])
			q.Bid = float64frombits(stdbinary.BigEndian.Uint64(wire[16:]))
			q.Ask = float64frombits(stdbinary.BigEndian.Uint64(wire[24:]))
			q.Volume = int64(stdbinary.BigEndian.Uint64(wire[32:]))
			q.Open = float64frombits(stdbinary.BigEndian.Uint64(wire[40:]))
			q.High = float64frombits(stdbinary.BigEndian.Uint64(wire[48:]))
			q.Low = float64frombits(stdbinary.BigEndian.Uint64(wire[56:]))
		}
	})
	b.Run("quote/Get/hand", func(b *testing.B) {
		for range b.N {
			if _, err := q.get(wire); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("quote/Get/codec", func(b *testing.B) {
		for range b.N {
			if _, err := quotes.Get(wire, q); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("packet/Append/in place", func(b *testing.B) {
		buf := buf
		for range b.N {
			t := room64(buf[:0])
			stdbinary.BigEndian.PutUint64(t, p.Sequence)
			copy(t[8:24], p.Sender[:])
			stdbinary.BigEndian.PutUint16(t[24:], p.Port)
			stdbinary.BigEndian.PutUint16(t[26:], p.Flags)
			stdbinary.BigEndian.PutUint32(t[28:], p.Length)
			stdbinary.BigEndian.PutUint64(t[32:], uint64(p.Sent))
			stdbinary.BigEndian.PutUint64(t[40:], float64bits(p.Position[0]))
			stdbinary.BigEndian.PutUint64(t[48:], float64bits(p.Position[1]))
			stdbinary.BigEndian.PutUint32(t[56:], p.Checksum[0])
			stdbinary.BigEndian.PutUint32(t[60:], p.Checksum[1])
			buf = t
		}
	})
	b.Run("packet/Append/hand", func(b *testing.B) {
		buf := buf
		for range b.N {
			buf = p.append(buf[:0])
		}
	})
	b.Run("packet/Append/codec", func(b *testing.B) {
		buf := buf
		for range b.N {
			buf = packets.Append(buf[:0], p)
		}
	})
	b.Run("packet/Get/in place", func(b *testing.B) {
		for range b.N {
			if len(wire) < 64 {
				err = io.ErrShortBuffer
				break
			}
			p.Sequence = stdbinary.BigEndian.Uint64(wire)
			copy(p.Sender[:], wire[8:24])
			p.Port = stdbinary.BigEndian.Uint16(wire[24:])
			p.Flags = stdbinary.BigEndian.Uint16(wire[26:])
			p.Length = stdbinary.BigEndian.Uint32(wire[28:])
			p.Sent = int64(stdbinary.BigEndian.Uint64(wire[32:]))
			p.Position[0] = float64frombits(stdbinary.BigEndian.Uint64(wire[40:]))
			p.Position[1] = float64frombits(stdbinary.BigEndian.Uint64(wire[48:]))
			p.Checksum[0] = stdbinary.BigEndian.Uint32(wire[56:])
			p.Checksum[1] = stdbinary.BigEndian.Uint32(wire[60:])
		}
	})
	b.Run("packet/Get/hand", func(b *testing.B) {
		for range b.N {
			if _, err := p.get(wire); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("packet/Get/codec", func(b *testing.B) {
		for range b.N {
			if _, err := packets.Get(wire, p); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkBinaryPut names the types directly, as programs do, because calls through type parameters, as below, are
// slower for both sides. In "fill" the fields are stored just before, as in most programs. In "sum" they are used.
func BenchmarkBinaryPut(b *testing.B) {
	buf := make([]byte, 64)
	q, p := new(quote), new(packet)
	quotes, err := binary.For[quote](binary.BigEndian)
	if err != nil {
		b.Fatal(err)
	}
	packets, err := binary.For[packet](binary.BigEndian)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("quote/Put/in place", func(b *testing.B) {
		buf := buf
		for range b.N {
			_ = buf[63]
			stdbinary.BigEndian.PutUint64(buf, q.Time)
			stdbinary.BigEndian.PutUint64(buf[8:], q.ID)
			stdbinary.BigEndian.PutUint64(buf[16:], float64bits(q.Bid))
			stdbinary.BigEndian.PutUint64(buf[24:], float64bits(q.Ask))
			stdbinary.BigEndian.PutUint64(buf[32:], uint64(q.Volume))
			stdbinary.BigEndian.PutUint64(buf[40:], float64bits(q.Open))
			stdbinary.BigEndian.PutUint64(buf[48:], float64bits(q.High))
			stdbinary.BigEndian.PutUint64(buf[56:], float64bits(q.Low))
		}
	})
	b.Run("quote/Put/hand", func(b *testing.B) {
		for range b.N {
			q.put(buf)
		}
	})
	b.Run("quote/Put/codec", func(b *testing.B) {
		for range b.N {
			quotes.Put(buf, q)
		}
	})
	b.Run("quote/Get/hand", func(b *testing.B) {
		for range b.N {
			_, _ = q.get(buf)
		}
	})
	b.Run("quote/Get/codec", func(b *testing.B) {
		for range b.N {
			_, _ = quotes.Get(buf, q)
		}
	})
	b.Run("quote/fill and Put/hand", func(b *testing.B) {
		for i := range b.N {
			q.fill(i)
			q.put(buf)
		}
	})
	b.Run("quote/fill and Put/codec", func(b *testing.B) {
		for i := range b.N {
			q.fill(i)
			quotes.Put(buf, q)
		}
	})
	b.Run("quote/Get and sum/hand", func(b *testing.B) {
		var sum uint64
		for range b.N {
			_, _ = q.get(buf)
			sum += q.Time + q.ID + uint64(q.Volume)
		}
	})
	b.Run("quote/Get and sum/codec", func(b *testing.B) {
		var sum uint64
		for range b.N {
			_, _ = quotes.Get(buf, q)
			sum += q.Time + q.ID + uint64(q.Volume)
		}
	})
	b.Run("packet/Put/hand", func(b *testing.B) {
		for range b.N {
			p.put(buf)
		}
	})
	b.Run("packet/Put/codec", func(b *testing.B) {
		for range b.N {
			packets.Put(buf, p)
		}
	})
	b.Run("packet/Get/hand", func(b *testing.B) {
		for range b.N {
			_, _ = p.get(buf)
		}
	})
	b.Run("packet/Get/codec", func(b *testing.B) {
		for range b.N {
			_, _ = packets.Get(buf, p)
		}
	})
	b.Run("packet/fill and Put/hand", func(b *testing.B) {
		for i := range b.N {
			p.fill(i)
			p.put(buf)
		}
	})
	b.Run("packet/fill and Put/codec", func(b *testing.B) {
		for i := range b.N {
			p.fill(i)
			packets.Put(buf, p)
		}
	})
}

func (q *quote) fill(i int) {
	n, f := uint64(i), float64(i)
	q.Time, q.ID, q.Volume = n, n, int64(i)
	q.Bid, q.Ask, q.Open, q.High, q.Low = f, f, f, f, f
}

func (p *packet) fill(i int) {
	n, f := uint64(i), float64(i)
	p.Sequence, p.Port, p.Flags, p.Length, p.Sent = n, uint16(i), uint16(i), uint32(i), int64(i)
	p.Position, p.Checksum = [2]float64{f, f}, [2]uint32{uint32(i), uint32(i)}
}

// byHand is the interface of a struct that encodes itself.
type byHand[T any] interface {
	*T
	put(b []byte) int
	get(b []byte) (int, error)
}

func BenchmarkBinaryStruct(b *testing.B) {
	b.Run("quote", func(b *testing.B) { benchmarkStruct[quote](b) })
	b.Run("packet", func(b *testing.B) { benchmarkStruct[packet](b) })
}

func benchmarkStruct[T any, P byHand[T]](b *testing.B) {
	v := new(T)
	buf := make([]byte, 64)
	codec, err := binary.For[T](binary.BigEndian)
	if err != nil {
		b.Fatal(err)
	}
	var sink bytes.Buffer
	source := bytes.NewReader(buf)
	many := make([]T, 100)
	big := make([]byte, 6400)
	for _, c := range []struct {
		name string
		size int64
		run  func()
	}{
		{"Put/hand", 64, func() { P(v).put(buf) }},
		{"Put/codec", 64, func() { codec.Put(buf, v) }},
		{"Append/std", 64, func() { buf, _ = stdbinary.Append(buf[:0], stdbinary.BigEndian, v) }},
		{"Append/octet", 64, func() { buf, _ = binary.Append(buf[:0], binary.BigEndian, v) }},
		{"Append/codec", 64, func() { buf = codec.Append(buf[:0], v) }},
		{"Get/hand", 64, func() { _, _ = P(v).get(buf) }},
		{"Get/codec", 64, func() { _, _ = codec.Get(buf, v) }},
		{"Decode/std", 64, func() { _, _ = stdbinary.Decode(buf, stdbinary.BigEndian, v) }},
		{"Decode/octet", 64, func() { _, _ = binary.Decode(buf, binary.BigEndian, v) }},
		{"Write/std", 64, func() { sink.Reset(); _ = stdbinary.Write(&sink, stdbinary.BigEndian, v) }},
		{"Write/octet", 64, func() { sink.Reset(); _ = binary.Write(&sink, binary.BigEndian, v) }},
		{"WriteUnknown/std", 64, func() { _ = stdbinary.Write(io.Discard, stdbinary.BigEndian, v) }},
		{"WriteUnknown/octet", 64, func() { _ = binary.Write(io.Discard, binary.BigEndian, v) }},
		{"Read/std", 64, func() { source.Reset(buf); _ = stdbinary.Read(source, stdbinary.BigEndian, v) }},
		{"Read/octet", 64, func() { source.Reset(buf); _ = binary.Read(source, binary.BigEndian, v) }},
		{"Append100/hand", 6400, func() {
			for i := range many {
				P(&many[i]).put(big[i*64:])
			}
		}},
		{"Append100/std", 6400, func() { big, _ = stdbinary.Append(big[:0], stdbinary.BigEndian, many) }},
		{"Append100/octet", 6400, func() { big, _ = binary.Append(big[:0], binary.BigEndian, many) }},
		{"Append100/codec", 6400, func() { big = codec.AppendSlice(big[:0], many) }},
		{"Decode100/hand", 6400, func() {
			for i := range many {
				_, _ = P(&many[i]).get(big[i*64:])
			}
		}},
		{"Decode100/std", 6400, func() { _, _ = stdbinary.Decode(big, stdbinary.BigEndian, many) }},
		{"Decode100/octet", 6400, func() { _, _ = binary.Decode(big, binary.BigEndian, many) }},
		{"Decode100/codec", 6400, func() { _, _ = codec.GetSlice(big, many) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(c.size)
			b.ReportAllocs()
			for b.Loop() {
				c.run()
			}
		})
	}
}
