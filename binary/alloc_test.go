package binary

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/octet-go/octet/bytebuf"
	"github.com/octet-go/octet/internal/mem"
)

// unknown is a writer and reader of a type that this package does not know.
type unknown struct{ n int }

func (u *unknown) Write(b []byte) (int, error) { u.n += len(b); return len(b), nil }

func (u *unknown) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// TestAllocations checks that functions that return no new memory do not
// allocate, including their arguments.
func TestAllocations(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { var v uint64; mem.Load64(mem.Hide(mem.PtrTo(&v)), 0) }); n > 0 {
		t.Skip("pointer checks, as under the race detector, move variables to the heap")
	}
	var buffer bytes.Buffer
	buffer.Grow(1 << 20)
	var (
		octets    = bytebuf.NewBuffer(make([]byte, 0, 1<<10))
		stream    = &unknown{}
		bufWriter = bufio.NewWriter(io.Discard)
		source    = bytes.NewReader(make([]byte, 1<<20))
		letters   = strings.Repeat("x", 100)
		text      = strings.NewReader(letters)
		bufReader = bufio.NewReader(source)
		dst       = make([]byte, 0, 1<<20)
		big       = make([]uint64, 40_000)
		own       = ByteOrder(middleEndian{})
		typed, _  = For[record](BigEndian)
		custom, _ = For[record](own)
		sender    = NewWriter(stream, BigEndian)
		receiver  = NewReader(stream, BigEndian)
	)
	cases := []struct {
		name string
		call func() error
	}{
		{"Append struct", func() error { v := record{A: 1}; _, err := Append(dst, BigEndian, &v); return err }},
		{"Append struct by value", func() error { _, err := Append(dst, BigEndian, record{A: 1}); return err }},
		{"Append in custom order", func() error { v := record{A: 1}; _, err := Append(dst, own, &v); return err }},
		{"Append number", func() error { _, err := Append(dst, BigEndian, uint64(1<<40)); return err }},
		{"Encode to the stack", func() error { var b [100]byte; v := record{}; _, err := Encode(b[:], BigEndian, &v); return err }},
		{"Decode from the stack", func() error { var b [100]byte; v := record{}; _, err := Decode(b[:], BigEndian, &v); return err }},
		{"Decode slice", func() error { var s [50]uint16; _, err := Decode(dst[:100], BigEndian, s[:]); return err }},
		{"Size", func() error { Size(record{}); return nil }},
		{"Write to bytes.Buffer", func() error { buffer.Reset(); v := record{A: 1}; return Write(&buffer, BigEndian, &v) }},
		{"Write to bytebuf.Buffer", func() error { octets.Reset(); v := record{A: 1}; return Write(octets, BigEndian, &v) }},
		{"Write to bufio.Writer", func() error { v := record{A: 1}; return Write(bufWriter, BigEndian, &v) }},
		{"Write to unknown", func() error { v := record{A: 1}; return Write(stream, BigEndian, &v) }},
		{"Write to Writer", func() error { v := record{A: 1}; return Write(sender, BigEndian, &v) }},
		{"Write many to unknown", func() error { return Write(stream, BigEndian, big) }},
		{"Write in custom order", func() error { v := record{A: 1}; return Write(stream, own, &v) }},
		{"Read from bytes.Reader", func() error { rewind(source); v := record{}; return Read(source, BigEndian, &v) }},
		{"Read from strings.Reader", func() error { text.Reset(letters); v := record{}; return Read(text, BigEndian, &v) }},
		{"Read from bytes.Buffer", func() error { buffer.Write(dst[:100]); v := record{}; return Read(&buffer, BigEndian, &v) }},
		{"Read from bufio.Reader", func() error {
			rewind(source)
			bufReader.Reset(source)
			v := record{}
			return Read(bufReader, BigEndian, &v)
		}},
		{"Read from unknown", func() error { v := record{}; return Read(stream, BigEndian, &v) }},
		{"Read from Reader", func() error { v := record{}; return Read(receiver, BigEndian, &v) }},
		{"Read many from unknown", func() error { return Read(stream, BigEndian, big) }},
		{"Typed.Put", func() error { var b [100]byte; v := record{A: 1}; typed.Put(b[:], &v); return nil }},
		{"Typed.Get", func() error { var b [100]byte; v := record{A: 1}; _, err := typed.Get(b[:], &v); return err }},
		{"Typed.Unmarshal", func() error { var b [100]byte; v := record{A: 1}; return typed.Unmarshal(b[:typed.Size()], &v) }},
		{"Typed.UnmarshalPrefix", func() error {
			var b [100]byte
			v := record{A: 1}
			_, err := typed.UnmarshalPrefix(b[:], &v)
			return err
		}},
		{"Typed.Put in custom order", func() error { var b [100]byte; v := record{A: 1}; custom.Put(b[:], &v); return nil }},
		{"Typed.AppendSlice", func() error { var s [9]record; typed.AppendSlice(dst, s[:]); return nil }},
		{"For", func() error { _, err := For[record](BigEndian); return err }},
		{"AppendSlice", func() error { var s [90]uint32; AppendSlice(dst, BigEndian, s[:]); return nil }},
		{"GetSlice", func() error { var s [90]uint32; _, err := GetSlice(dst[:360], BigEndian, s[:]); return err }},
		{"WriteSlice to unknown", func() error { return WriteSlice(stream, BigEndian, big) }},
		{"WriteSlice native", func() error { return WriteSlice(stream, NativeEndian, big) }},
		{"WriteSlice in custom order", func() error { return WriteSlice(stream, own, big[:100]) }},
		{"ReadSlice from unknown", func() error { return ReadSlice(stream, BigEndian, big) }},
		{"Writer", func() error {
			token := [32]byte{1}
			_, err := NewWriter(stream, BigEndian).Uint8(2).Uint16ByteSlice(token[:]).String("x").Uvarint(300).
				Float64Slice([]float64{1, 2}).ByteSlice(dst[:1000]).End()
			return err
		}},
		{"Writer in custom order", func() error { _, err := NewWriter(stream, own).Uint32(2).Uint64(1).End(); return err }},
		{"Writer to bytes.Buffer", func() error { buffer.Reset(); _, err := NewWriter(&buffer, BigEndian).Uint32(2).End(); return err }},
		{"Reader", func() error {
			r := NewReader(stream, BigEndian)
			r.Uint8()
			r.Complex128()
			r.Uvarint()
			r.Skip(1000)
			r.Limit(8)
			r.Peek(4)
			r.Uint64()
			_, err := r.End()
			return err
		}},
		{"Reader in custom order", func() error { r := NewReader(source, own); rewind(source); r.Uint32(); _, err := r.End(); return err }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			n := testing.AllocsPerRun(100, func() {
				if err := c.call(); err != nil {
					t.Fatal(err)
				}
			})
			if n > 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
}

func rewind(r *bytes.Reader) { _, _ = r.Seek(0, io.SeekStart) }
