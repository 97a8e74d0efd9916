package convert

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/msgpack/wire"
)

var shortest = Options{From: sniff.MessagePack, To: sniff.MessagePack}

// A pair is a stream encoded twice: in a random format among those that hold
// each value, and in the shortest.
type pair struct {
	random      *rand.Rand
	wide, short []byte
}

func (p *pair) both(b ...byte) {
	p.wide, p.short = append(p.wide, b...), append(p.short, b...)
}

// header writes a length or count n in both encodings. Lengths below fixEnd
// have a format that holds the length in its first byte, fix. The other
// arguments are the first bytes of the formats with lengths of 8, 16 and 32
// bits; bits8 is 0 if there is no such format.
func (p *pair) header(n, fixEnd int, fix, bits8, bits16, bits32 byte) {
	var forms [][]byte
	if n < fixEnd {
		forms = append(forms, []byte{fix | byte(n)})
	}
	if bits8 != 0 && n < 1<<8 {
		forms = append(forms, []byte{bits8, byte(n)})
	}
	if n < 1<<16 {
		forms = append(forms, []byte{bits16, byte(n >> 8), byte(n)})
	}
	forms = append(forms, []byte{bits32, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
	p.wide = append(p.wide, forms[p.random.IntN(len(forms))]...)
	p.short = append(p.short, forms[0]...)
}

func (p *pair) integer() {
	v := int64(p.random.Uint64()) >> p.random.IntN(64)
	p.short = wire.AppendInt(p.short, v)
	all := []byte{byte(v >> 56), byte(v >> 48), byte(v >> 40), byte(v >> 32), byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}
	switch {
	case v >= math.MinInt16 && v <= math.MaxInt16 && p.random.IntN(2) == 0:
		p.wide = append(append(p.wide, byte(wire.Int16)), all[6:]...)
	case v >= 0 && p.random.IntN(2) == 0:
		p.wide = append(append(p.wide, byte(wire.Uint64)), all...)
	default:
		p.wide = append(append(p.wide, byte(wire.Int64)), all...)
	}
}

// value writes a random value with at most depth nested containers.
func (p *pair) value(depth int) {
	kinds := 9
	if depth == 0 {
		kinds = 7
	}
	switch p.random.IntN(kinds) {
	case 0:
		p.both([]byte{0xc0, 0xc2, 0xc3}[p.random.IntN(3)])
	case 1:
		p.integer()
	case 2: // a float 32 stays a float 32
		p.both(0xca, 0x3f, 0x80, 0, 0)
	case 3:
		n := p.random.IntN(300)
		p.header(n, 32, 0xa0, 0xd9, 0xda, 0xdb)
		p.both(bytes.Repeat([]byte{0xff}, n)...) // invalid UTF-8 is copied
	case 4:
		n := p.random.IntN(70_000)
		p.header(n, 0, 0, 0xc4, 0xc5, 0xc6)
		p.both(make([]byte, n)...)
	case 5: // an ext of 4 bytes
		p.wide = append(p.wide, 0xc8, 0, 4, 0x2a)
		p.short = append(p.short, 0xd6, 0x2a)
		p.both(1, 2, 3, 4)
	case 6: // a timestamp
		sec := p.random.Uint32()
		p.wide = append(p.wide, 0xc7, 12, 0xff, 0, 0, 0, 0, 0, 0, 0, 0)
		p.short = append(p.short, 0xd6, 0xff)
		p.both(byte(sec>>24), byte(sec>>16), byte(sec>>8), byte(sec))
	case 7:
		n := p.random.IntN(40)
		p.header(n, 16, 0x90, 0, 0xdc, 0xdd)
		for range n {
			p.value(depth - 1)
		}
	case 8:
		n := p.random.IntN(20)
		p.header(n, 16, 0x80, 0, 0xde, 0xdf)
		for range 2 * n {
			p.value(depth - 1)
		}
	}
}

func TestShortest(t *testing.T) {
	for seed := range uint64(100) {
		p := pair{random: rand.New(rand.NewPCG(seed, 0))}
		for range 5 {
			p.value(2)
		}
		for name, input := range map[string][]byte{"wide": p.wide, "short": p.short} {
			var out bytes.Buffer
			n, err := Stream(&out, bytes.NewReader(input), shortest)
			if n.Values != 5 || err != nil || !bytes.Equal(out.Bytes(), p.short) {
				t.Fatalf("seed %d, %s: %d values, %v, %d bytes of %d, want %d", seed, name, n.Values, err, out.Len(), len(input), len(p.short))
			}
		}
	}
}

func TestShortestFaults(t *testing.T) {
	for _, c := range []struct{ name, hex, want string }{
		{"timestamp of 3 bytes", "c703ff010203", "offset 0: malformed timestamp: " +
			"expected a timestamp of 4, 8 or 12 bytes with at most 999999999 nanoseconds, found 3 bytes, 01 02 03"},
		{"timestamp of no byte", "c700ff", "offset 0: malformed timestamp: " +
			"expected a timestamp of 4, 8 or 12 bytes with at most 999999999 nanoseconds, found 0 bytes"},
		{"timestamp of 16 bytes", "92c0d8ff000102030405060708090a0b0c0d0e0f", "offset 2 ([1]): malformed timestamp: " +
			"expected a timestamp of 4, 8 or 12 bytes with at most 999999999 nanoseconds, found 16 bytes, 00 01 02 03 04 05 06 07 08 09 0a 0b"},
		{"timestamp of 10^9 nanoseconds", "d7ffee6b280000000000", "offset 0: malformed timestamp: " +
			"expected a timestamp of 4, 8 or 12 bytes with at most 999999999 nanoseconds, found 8 bytes, ee 6b 28 00 00 00 00 00"},
		{"truncated integer", "d30102", "offset 0: truncated input: expected 8 bytes after the header of the int 64, found 2, then the end of the input"},
		{"truncated str", "01a361", "value 2, offset 1: truncated input: expected 3 bytes after the header of the fixstr, found 1, then the end of the input"},
		{"reserved byte", "91c1", "offset 1 ([0]): reserved format byte c1: expected the first byte of a value, found 0xc1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, err := hex.DecodeString(c.hex)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Stream(io.Discard, iotest.HalfReader(bytes.NewReader(data)), shortest)
			var fault *scan.Fault
			if !errors.As(err, &fault) || input.Brief(err).Error() != c.want {
				t.Errorf("\ngot  %v\nwant %s", err, c.want)
			}
		})
	}
}

// FuzzShortest compares the results with wire.Skip, which works on slices.
func FuzzShortest(f *testing.F) {
	f.Add([]byte("\x82\xa1a\xd3\x00\x00\x00\x00\x00\x00\x00\x05\xd9\x01b\xc7\x0c\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"))
	f.Add([]byte("\xdd\xff\xff\xff\xff"))
	f.Add([]byte(strings.Repeat("\x91", 513)))
	f.Fuzz(func(t *testing.T, data []byte) {
		valid, count := true, int64(0)
		for rest := data; len(rest) > 0 && valid; {
			n, err := wire.Skip(rest, wire.MaxDepth)
			rest, valid = rest[n:], err == nil
			if valid {
				count++
			}
		}
		var out, again bytes.Buffer
		values, err := Stream(&out, bytes.NewReader(data), shortest)
		if valid != (err == nil) || valid && values.Values != count {
			t.Fatalf("%x: wire.Skip found %d values, valid %v; Stream returned %d, %v", data, count, valid, values.Values, err)
		}
		if !valid {
			return
		}
		if out.Len() > len(data) {
			t.Errorf("%x: output %x is longer than the input", data, &out)
		}
		if _, err := Stream(&again, bytes.NewReader(out.Bytes()), shortest); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
			t.Errorf("%x: first output %x, second output %x, %v", data, &out, &again, err)
		}
	})
}
