package formats_test

import (
	"fmt"
	"strings"

	"github.com/octet-go/octet/layout"
	"github.com/octet-go/octet/layout/formats"
)

// frames is a SETTINGS frame and a PING frame of HTTP/2.
const frames = "\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64" +
	"\x00\x00\x08\x06\x01\x00\x00\x00\x00abcdefgh"

func Example() {
	for m, err := range formats.HTTP2().Messages([]byte(frames)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		frame := m.Value.(*formats.HTTP2Frame)
		fmt.Printf("%d: %s, %d bytes, %T\n", m.Offset, m.Name, frame.Length, frame.Payload)
	}
	// Output:
	// 0: SETTINGS frame, 6 bytes, *formats.HTTP2Settings
	// 15: PING frame, 8 bytes, *formats.HTTP2Ping
}

func ExampleNames() {
	fmt.Println(strings.Join(formats.Names(), " "))
	// Output: apns dns elf gzip http2 mqtt pcapng png tar tls tzif zip
}

func ExampleLookup() {
	f, ok := formats.Lookup("mqtt")
	fmt.Println(f.Name(), ok)
	// Output: mqtt true
}

func ExampleOptions() {
	codec, err := layout.New(formats.Options())
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := codec.Marshal(formats.MQTTPacket{QoS: 1, Body: &formats.MQTTPublish{Topic: "a/b", PacketID: 10, Payload: []byte("x")}})
	fmt.Printf("% x %v\n", data, err)
	// Output: 32 08 00 03 61 2f 62 00 0a 78 <nil>
}

func ExampleFormat_Name() {
	fmt.Println(formats.PNG().Name())
	// Output: png
}

func ExampleFormat_About() {
	fmt.Println(formats.PNG().About())
	// Output: PNG image: signature, chunks with their checksums
}

func ExampleFormat_Messages() {
	for m, err := range formats.HTTP2().Messages([]byte(frames[:20])) {
		fmt.Println(m.Name, err)
	}
	// Output:
	// SETTINGS frame <nil>
	//  formats: frame: layout: HTTP2Frame.Reserved at offset 20: 4 bytes are needed, but none is left in the message
}

func ExampleMessage_Fields() {
	for m := range formats.HTTP2().Messages([]byte(frames)) {
		list, err := m.Fields()
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, f := range list {
			at := m.Offset + int64(f.Offset)
			if f.Value == nil {
				fmt.Printf("%2d %s%s\n", at, strings.Repeat("  ", f.Depth), f.Name)
			} else {
				fmt.Printf("%2d %s%s: %v\n", at, strings.Repeat("  ", f.Depth), f.Name, f.Value)
			}
		}
		break
	}
	// Output:
	//  0 HTTP2Frame
	//  0   Length: 6
	//  3   Type: 4
	//  4   Flags: 0
	//  5   Reserved: false
	//  5   Stream: 0
	//  9   Payload
	//  9     List
	//  9       [0]
	//  9         ID: 3
	// 11         Value: 100
}

func ExampleMessage_Codec() {
	for m := range formats.HTTP2().Messages([]byte(frames)) {
		data, err := m.Codec().Marshal(m.Value)
		fmt.Println(string(data) == string(m.Data), err)
	}
	// Output:
	// true <nil>
	// true <nil>
}

// show prints the messages of a file.
func show(f formats.Format, data string) {
	for m, err := range f.Messages([]byte(data)) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s at %d, %d bytes\n", m.Name, m.Offset, len(m.Data))
	}
}

func ExampleAPNS() {
	show(formats.APNS(), "\x08\x08\x00\x00\x00\x07")
	// Output: answer at 0, 6 bytes
}

func ExampleDNS() {
	show(formats.DNS(), "\x00\x13\x00\x01\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x01a\x00\x00\x01\x00\x01")
	// Output: query at 0, 21 bytes
}

func ExampleELF() {
	show(formats.ELF(), "\x7fELF\x02\x01\x01"+strings.Repeat("\x00", 57))
	// Output: header at 0, 64 bytes
}

func ExampleGzip() {
	show(formats.Gzip(), "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00")
	// Output:
	// header at 0, 10 bytes
	// trailer at 12, 8 bytes
}

func ExampleHTTP2() {
	show(formats.HTTP2(), frames)
	// Output:
	// SETTINGS frame at 0, 15 bytes
	// PING frame at 15, 17 bytes
}

func ExampleMQTT() {
	show(formats.MQTT(), "\xc0\x00\x31\x05\x00\x03a/b")
	// Output:
	// PINGREQ packet at 0, 2 bytes
	// PUBLISH packet at 2, 7 bytes
}

func ExamplePCAPNG() {
	show(formats.PCAPNG(), "\x0a\x0d\x0d\x0a\x1c\x00\x00\x00\x4d\x3c\x2b\x1a\x01\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\x1c\x00\x00\x00")
	// Output: section header at 0, 28 bytes
}

func ExamplePNG() {
	show(formats.PNG(), "\x89PNG\r\n\x1a\n\x00\x00\x00\x00IEND\xae\x42\x60\x82")
	// Output:
	// signature at 0, 8 bytes
	// IEND chunk at 8, 12 bytes
}

func ExampleTAR() {
	show(formats.TAR(), strings.Repeat("\x00", 1024))
	// Output:
}

func ExampleTLS() {
	show(formats.TLS(), "\x14\x03\x03\x00\x01\x01\x15\x03\x03\x00\x02\x01\x00")
	// Output:
	// change cipher spec at 0, 6 bytes
	// alert at 6, 7 bytes
}

func ExampleTZIF() {
	show(formats.TZIF(), "TZif"+strings.Repeat("\x00", 40))
	// Output: time zone at 0, 44 bytes
}

func ExampleZIP() {
	show(formats.ZIP(), "PK\x05\x06"+strings.Repeat("\x00", 18))
	// Output: end of central directory at 0, 22 bytes
}

func ExampleTAR8_AppendLayout() {
	data, err := formats.TAR8(0o644).AppendLayout(nil)
	fmt.Printf("%q %v\n", data, err)
	// Output: "0000644\x00" <nil>
}

func ExampleTAR8_DecodeLayout() {
	var n formats.TAR8
	size, err := n.DecodeLayout([]byte(" 000644\x00and so on"))
	fmt.Printf("%o %d %v\n", n, size, err)
	// Output: 644 8 <nil>
}

func ExampleTAR12_AppendLayout() {
	data, err := formats.TAR12(1 << 33).AppendLayout(nil)
	fmt.Printf("% x %v\n", data, err)
	// Output: 80 00 00 00 00 00 00 02 00 00 00 00 <nil>
}

func ExampleTAR12_DecodeLayout() {
	var n formats.TAR12
	size, err := n.DecodeLayout([]byte("00000000256\x00"))
	fmt.Println(n, size, err)
	// Output: 174 12 <nil>
}

func ExamplePNGChunkType_String() {
	fmt.Println(formats.PNGChunkType(0x49484452))
	fmt.Println(formats.PNGChunkType(0x1b5b336d))
	// Output:
	// IHDR
	// "\x1b[3m"
}
