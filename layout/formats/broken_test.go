package formats

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

// TestBroken has files that end or contradict themselves after their start. The messages before that point are yielded.
func TestBroken(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := errors.Join(w.WriteHeader(&tar.Header{Name: "a", Size: 1 << 40, Format: tar.FormatGNU}), w.Flush()); err == nil {
		t.Fatal("the content is not missing")
	}
	header := b.Bytes()[:512]
	// change returns the header with other bytes, and the checksum that they need.
	change := func(at int, text string) []byte {
		c := bytes.Clone(header)
		copy(c[at:], text)
		copy(c[148:], "        ")
		sum := 0
		for _, x := range c {
			sum += int(x)
		}
		for i := 5; i >= 0; i-- {
			c[148+i] = '0' + byte(sum&7)
			sum >>= 3
		}
		c[154] = 0
		return c
	}
	locator := "PK\x06\x07" + strings.Repeat("\x00", 12) + "\x01\x00\x00\x00"
	end := "PK\x05\x06" + strings.Repeat("\x00", 18)
	for name, c := range map[string]struct {
		format Format
		data   string
		whole  int // messages before the error
		want   string
	}{
		"gzip without trailer":                           {Gzip(), "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03abc", 1, "trailer: 3 of 8 bytes left at offset 10"},
		"HTTP/2 with wrong preface":                      {HTTP2(), "PRO * HTTP/2.0\r\n\r\nSM\r\n\r\n", 0, "preface"},
		"TAR, size below zero":                           {TAR(), string(change(124, strings.Repeat("\xff", 12))), 1, "header before offset 512: size -1"},
		"ZIP without end":                                {ZIP(), "PK\x03\x04", 0, "no end record of a ZIP archive"},
		"ZIP with locator of 64 bits that leads nowhere": {ZIP(), strings.Repeat("x", 60) + locator + end, 2, "64-bit end of central directory"},
	} {
		list, err := messages(c.format, []byte(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) || len(list) != c.whole {
			t.Errorf("%s: %d messages, %v, want %d and %q", name, len(list), err, c.whole, c.want)
		}
	}
	// A sparse file whose next block of pieces is missing. The flag that says so is a part of the checksum.
	header = change(156, "S")
	list, err := messages(TAR(), change(482, "\x01"))
	if len(list) != 1 || !errors.Is(err, layout.ErrTruncated) && !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "sparse blocks") {
		t.Errorf("sparse: %d messages, %v", len(list), err)
	}
}

// TestExtremes writes the smallest and the largest numbers over every part of the seeds. Offsets and sizes that are
// so large that their sums overflow must not cause a panic.
func TestExtremes(t *testing.T) {
	numbers := []uint64{0, 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1<<63 - 1, 1<<63 - 3, 1<<63 - 512, 1 << 63, 1<<64 - 1}
	for _, s := range seeds(t) {
		f, _ := Lookup(s.format)
		for at := 0; at < len(s.data); at += max(1, len(s.data)/500) {
			for _, n := range numbers {
				for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
					data := bytes.Clone(s.data)
					copy(data[at:], order.AppendUint64(nil, n))
					if n < 1<<32 {
						copy(data[at:], s.data[at:])
						copy(data[at:], order.AppendUint32(nil, uint32(n)))
					}
					if got, err := messages(f, data); err == nil && len(got) == 0 && len(data) > 0 && s.format != "tar" {
						t.Errorf("%s with %#x at offset %d: no message and no error", s.format, n, at)
					}
				}
			}
		}
	}
}
