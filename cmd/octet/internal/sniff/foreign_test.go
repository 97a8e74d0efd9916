package sniff

import (
	"archive/tar"
	"bytes"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack/wire"
)

func TestForeignByBytes(t *testing.T) {
	var telemetry, log []byte
	for i := range 40 {
		telemetry = wire.AppendFloat64(wire.AppendString(wire.AppendMapHeader(telemetry, 1), "t"), float64(i))
		log = wire.AppendInt(wire.AppendArrayHeader(wire.AppendInt(log, int64(i)), 1), 5)
	}
	var archive bytes.Buffer
	if err := tar.NewWriter(&archive).WriteHeader(&tar.Header{Name: "a", Format: tar.FormatUSTAR}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, head string
		whole      bool
		want       string
	}{
		{"map", "\x81\xa1a\x01", true, ""},
		{"three integers", "\x01\x02\x03", true, ""},
		{"array of integers", "\x98\x01\x02\x03\x04\x05\x06\x07\x08", true, ""},
		{"maps", string(telemetry), false, ""},
		{"an integer before each message", string(log), false, ""},
		{"large integers", "\xcd\x10\x00\xcd\x20\x00\xcd\x30\x00\xcd\x40\x00", true, ""},
		{"floats", strings.Repeat("\xcb\x40\x00\x00\x00\x00\x00\x00\x00", 9), false, ""},
		{"JSON", `{"a":1}`, true, ""},
		{"integers", "\x01\x02\x03\x04", true, "an unknown binary format (read as MessagePack, it is a stream of small integers)"},
		{"tar", archive.String(), false, "a tar archive"},
		{"a str with the signature of tar", "\xda\x04\x00" + strings.Repeat("a", 254) + "ustar" + strings.Repeat("a", 250), false, ""},
		{"CBOR list", "\x82\x63one\xa1\x63two\x02", true, "CBOR"}, // also a map and integers
		{"CBOR text", "\x6bhello world\x6bhello again", true, "text"},
		{"CBOR records", "\xa2\x61a\x01\x61b\x02\xa2\x61a\x03\x61b\x04", true, "CBOR"},
		{"protobuf with strings", "\x0a\x03abc\x12\x04\x0a\x02hi\x18\x96\x01", true, "a protobuf message"},
		{"hexadecimal", "82 a1 61 01\n", true, "bytes in hexadecimal"},
		{"lines of xxd", "00000000: 81a2 6964 cd03 e8     ..id...\n", true, "a hex dump"},
		{"lines of hexdump", "00000000  81 a2 69 64           |..id|\n00000004\n", true, "a hex dump"},
		{"lines of od", "0000000 81 a2 69 64 cd 03 e8\n0000007\n", true, "a hex dump"},
		{"columns of digits", "00000000 00000001\n00000002 00000003\n", true, ""},
		{"HTML", "<!DOCTYPE html>", true, "HTML"},
		{"YAML", "---\na: 1\n", true, "YAML"},
	} {
		if got := ForeignByBytes([]byte(c.head), c.whole).Name; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestForeignHostile calls the parsers of other formats with every short input.
func TestForeignHostile(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 7
	}
	for i := 0; i < 1<<16; i += step {
		head := []byte{byte(i), byte(i >> 8), 0xff, byte(i), 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}
		for n := range head {
			ForeignByBytes(head[:n], i&1 == 0)
			EncodingByBytes(head[:n])
		}
	}
}
