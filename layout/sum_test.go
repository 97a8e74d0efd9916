package layout_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"

	"github.com/octet-go/octet/layout"
)

// A summed message has a length and a checksum whose ranges end at the same field, which is
// a slice of structs of variable size.
type summed struct {
	Kind   uint8  `layout:"const=7"`
	Length uint32 `layout:"len=Items"`
	Items  []summedItem
	Sum    uint32 `layout:"crc32=Kind..Items"`
}

type summedItem struct {
	ID   uint16
	Name string `layout:"prefix=u8"`
}

// TestSumAroundLength encodes checksums of ranges that end where the range of a
// length ends, alone and after other bytes.
func TestSumAroundLength(t *testing.T) {
	for _, items := range [][]summedItem{nil, {{1, "a"}}, {{1, "a"}, {2, ""}}} {
		for _, before := range []string{"", "before"} {
			b, err := layout.MarshalAppend([]byte(before), &summed{Items: items})
			if err != nil {
				t.Fatal(err)
			}
			b = b[len(before):]
			n := len(b) - 4
			if got, want := binary.BigEndian.Uint32(b[n:]), crc32.ChecksumIEEE(b[:n]); got != want {
				t.Errorf("%d items after %q: checksum %#x, want %#x", len(items), before, got, want)
			}
			var back summed
			if err := layout.Unmarshal(b, &back); err != nil || len(back.Items) != len(items) {
				t.Errorf("%d items after %q: %v", len(items), before, err)
			}
		}
	}
}

// TestOwnSum checks that a function of Options.Sums with the name of a predefined one is called in its place.
func TestOwnSum(t *testing.T) {
	type message struct {
		A uint8
		S uint32 `layout:"sum=crc32:A..S"`
	}
	c, err := layout.New(layout.Options{Sums: map[string]layout.Sum{"crc32": func(data []byte, at, n int) uint64 { return 7 }}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Marshal(message{A: 1})
	if err != nil || string(b) != "\x01\x00\x00\x00\x07" {
		t.Errorf("got % x, %v", b, err)
	}
	if err := c.Unmarshal([]byte("\x01\x00\x00\x00\x07"), new(message)); err != nil {
		t.Error(err)
	}
}

// TestChecksumInDigits encodes and decodes checksums of ranges that contain them, written in digits: like other bytes of a
// checksum, digits count as zeros.
func TestChecksumInDigits(t *testing.T) {
	type message struct {
		A    uint8
		Inet uint16 `layout:"inet=A..Inet,oct=8"`
		Sum  uint8  `layout:"sum8=Inet..Sum,dec=3"`
		Own  uint32 `layout:"sum=own:A..Own,oct=8"`
	}
	c, err := layout.New(layout.Options{Sums: map[string]layout.Sum{"own": func(data []byte, at, n int) uint64 {
		if !bytes.Equal(data[at:at+n], make([]byte, n)) {
			t.Errorf("the checksum is % x in its range", data[at:at+n])
		}
		return uint64(len(data))
	}}})
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Marshal(message{A: 7})
	if err != nil {
		t.Fatal(err)
	}
	var m message
	if err := c.Unmarshal(b, &m); err != nil || m.A != 7 {
		t.Errorf("% x: got %v, %v", b, m, err)
	}
}

// TestLongChecksums computes checksums of more than 8 bytes that are in their range: in digits, and of any
// bytes that count as zeros.
func TestLongChecksums(t *testing.T) {
	type message struct {
		A   uint8
		Sum uint32 `layout:"crc32=A..B,dec=10"`
		C   uint32 `layout:"crc32c=C..B,oct=20"`
		B   string `layout:"cstring"`
	}
	b, err := layout.Marshal(message{A: 7, B: "b"})
	if err != nil {
		t.Fatal(err)
	}
	var m message
	if err := layout.Unmarshal(b, &m); err != nil || m.A != 7 || m.B != "b" {
		t.Errorf("% x: got %v, %v", b, m, err)
	}
	clear(b[1:11])
	if want := crc32.ChecksumIEEE(b); m.Sum != want {
		t.Errorf("got checksum %#x, want %#x", m.Sum, want)
	}
	data := bytes.Repeat([]byte{3, 5, 7}, 30)
	for _, name := range []string{"crc32", "crc32c", "adler32", "inet", "sum8", "xor8"} {
		for _, n := range []int{0, 7, 8, 9, 16, 17, 40, 80} {
			zeros := bytes.Clone(data)
			clear(zeros[10 : 10+n])
			f := layout.Checksum(name)
			if got, want := f(data, 10, n), f(zeros, -1, 0); got != want {
				t.Errorf("%s of %d zeros is %#x, want %#x", name, n, got, want)
			}
		}
	}
}

// TestChecksumOfTooFewDigits checks that a checksum that does not fit its digits is an error of the declaration.
func TestChecksumOfTooFewDigits(t *testing.T) {
	_, err := layout.Marshal(struct {
		A   uint8
		Sum uint32 `layout:"crc32=A,oct=8"`
	}{})
	if !errors.Is(err, layout.ErrTag) {
		t.Errorf("got %v", err)
	}
}
