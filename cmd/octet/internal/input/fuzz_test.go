package input

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
)

// FuzzValues reads any bytes from a pipe as a command does: it finds out the format,
// the encoding and the compression, and reads all values. What it returns is
// MessagePack, and errors have an explanation.
func FuzzValues(f *testing.F) {
	le, be := binary.LittleEndian, binary.BigEndian
	for _, data := range [][]byte{
		nil, []byte(text), packed, compress(sniff.Gzip, packed), compress(sniff.Zstandard, []byte(text)),
		encode(text, 2, le, true), encode(text, 4, be, false), []byte("\x5d\x2a\x4d\x18\x02\x00\x00\x00ab"), []byte("hello there"),
		[]byte("\x5d\x2a\x4d\x18\x1c\x00\x00\x00\x01octet-rec"), []byte("{\"a\":[1,2"),
	} {
		f.Add(data, uint8(0))
		f.Add(data, uint8(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, mode uint8) {
		o := Options{Args: []string{"stat", "-"}}
		switch mode % 4 {
		case 1:
			o.Format = sniff.JSON
		case 2:
			o.Format = sniff.MessagePack
		case 3:
			o.Raw, o.Format = true, sniff.MessagePack
		}
		n, size := int64(0), 0
		used := heaptest.Allocated(func() {
			c := &console.Console{Stderr: io.Discard, Stdin: iotest.HalfReader(bytes.NewReader(data)), IsTerminal: func(any) bool { return false }}
			in, err := Open(t.Context(), c, "-", o)
			if err != nil {
				if err.Error() == "" {
					t.Error("an error without a text")
				}
				return
			}
			defer in.Close()
			for v, err := range in.Values() {
				if err != nil {
					if err = in.Explain(err); err == nil || err.Error() == "" || strings.Contains(Brief(err).Error(), "\n") {
						t.Errorf("explained as %v", err)
					}
					break
				}
				end, err := wire.Skip(v.Data, wire.MaxDepth)
				if errors.Is(err, wire.ErrTimestamp) { // whoever reads the timestamp finds that out
					end, err = len(v.Data), nil
				}
				if err != nil || end != len(v.Data) || v.Number != n {
					t.Fatalf("value %d is %d: % x, %v", n, v.Number, v.Data, err)
				}
				n++
				size += len(v.Data)
			}
		})
		// The window of zstd is at most 32 MiB, and the readers of the formats have pools.
		if used > uint64(300*(len(data)+size))+128<<20 {
			t.Errorf("reading %d bytes with %d bytes of values allocated %d bytes", len(data), size, used)
		}
	})
}

// TestMalformedTimestamp checks that a timestamp of a length that does not exist is a value like any other ext: commands
// such as lint and diag show it, and only those that need the time refuse it.
func TestMalformedTimestamp(t *testing.T) {
	data := "\xd8\xff0000000000000000"
	c := &console.Console{Stderr: io.Discard, Stdin: strings.NewReader(data), IsTerminal: func(any) bool { return false }}
	in, err := Open(t.Context(), c, "-", Options{Args: []string{"stat", "-"}})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var got []string
	for v, err := range in.Values() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(v.Data))
	}
	if !slices.Equal(got, []string{data}) {
		t.Errorf("got %q", got)
	}
}
