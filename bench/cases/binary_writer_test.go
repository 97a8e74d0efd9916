package cases_test

import (
	"bytes"
	stdbinary "encoding/binary"
	"io"
	"testing"

	"github.com/octet-go/octet/binary"
)

// BenchmarkBinaryChain writes and reads a push notification, a message of 11 values of which two are byte slices.
func BenchmarkBinaryChain(b *testing.B) {
	token, payload := make([]byte, 32), make([]byte, 100)
	var buffer bytes.Buffer
	chain := func(w *binary.Writer) {
		w.Uint8(1).Uint32(7).Uint32(3600).Uint16(uint16(len(token))).ByteSlice(token).
			Uint16(uint16(len(payload))).ByteSlice(payload).Uint8(10).Int64(-1).Float64(0.5).Bool(true)
	}
	std := func(w io.Writer) {
		order := stdbinary.BigEndian
		for _, v := range []any{uint8(1), uint32(7), uint32(3600), uint16(len(token)), token,
			uint16(len(payload)), payload, uint8(10), int64(-1), 0.5, true} {
			_ = stdbinary.Write(w, order, v)
		}
	}
	std(&buffer)
	message := bytes.Clone(buffer.Bytes())
	source := bytes.NewReader(message)
	reused := binary.NewWriter(&buffer, binary.BigEndian)
	var c counter
	for _, s := range []struct {
		name string
		run  func()
	}{
		{"Write/std/bytes.Buffer", func() { buffer.Reset(); std(&buffer) }},
		{"Write/octet/bytes.Buffer", func() { buffer.Reset(); w := binary.NewWriter(&buffer, binary.BigEndian); chain(w); _, _ = w.End() }},
		{"Write/octet reused/bytes.Buffer", func() { buffer.Reset(); reused.Reset(&buffer, binary.BigEndian); chain(reused); _, _ = reused.End() }},
		{"Write/std/counter", func() { std(&c) }},
		{"Write/octet/counter", func() { w := binary.NewWriter(&c, binary.BigEndian); chain(w); _, _ = w.End() }},
		{"Read/std/bytes.Reader", func() {
			source.Reset(message)
			order := stdbinary.BigEndian
			var id, expiry uint32
			var length uint16
			var kind, priority uint8
			var number int64
			var float float64
			var flag bool
			_ = stdbinary.Read(source, order, &kind)
			_ = stdbinary.Read(source, order, &id)
			_ = stdbinary.Read(source, order, &expiry)
			_ = stdbinary.Read(source, order, &length)
			_ = stdbinary.Read(source, order, make([]byte, length))
			_ = stdbinary.Read(source, order, &length)
			_ = stdbinary.Read(source, order, make([]byte, length))
			_ = stdbinary.Read(source, order, &priority)
			_ = stdbinary.Read(source, order, &number)
			_ = stdbinary.Read(source, order, &float)
			_ = stdbinary.Read(source, order, &flag)
		}},
		{"Read/octet/bytes.Reader", func() {
			source.Reset(message)
			r := binary.NewReader(source, binary.BigEndian)
			r.Uint8()
			r.Uint32()
			r.Uint32()
			r.Uint16ByteSlice()
			r.Uint16ByteSlice()
			r.Uint8()
			r.Int64()
			r.Float64()
			r.Bool()
			_, _ = r.End()
		}},
	} {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.run()
			}
		})
	}
}

// BenchmarkBinaryUvarint encodes and decodes numbers of every bit length.
func BenchmarkBinaryUvarint(b *testing.B) {
	numbers := make([]uint64, 1000)
	x := uint64(88172645463325252)
	for i := range numbers {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		numbers[i] = x >> (x % 64)
	}
	var encoded []byte
	for _, x := range numbers {
		encoded = binary.AppendUvarint(encoded, x)
	}
	dst := make([]byte, 0, len(encoded))
	for _, s := range []struct {
		name   string
		append func([]byte, uint64) []byte
		get    func([]byte) (uint64, int)
	}{{"std", stdbinary.AppendUvarint, stdbinary.Uvarint}, {"octet", binary.AppendUvarint, binary.Uvarint}} {
		b.Run("Append/"+s.name, func(b *testing.B) {
			for b.Loop() {
				dst = dst[:0]
				for _, x := range numbers {
					dst = s.append(dst, x)
				}
			}
		})
		b.Run("Get/"+s.name, func(b *testing.B) {
			for b.Loop() {
				for rest := encoded; len(rest) > 0; {
					_, n := s.get(rest)
					rest = rest[n:]
				}
			}
		})
	}
}
