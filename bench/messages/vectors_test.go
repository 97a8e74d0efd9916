package messages

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// A vector is the bytes of a message from another program or a document.
type vector struct {
	source string
	data   []byte
	// fields has values of fields, such as "Items[0].Data.Token=01ff". Bytes are in hexadecimal.
	fields string
	// decodeOnly says that the bytes that align or skip are not zeros, so that encoding returns others.
	decodeOnly bool
}

// raw returns the bytes of a text of hexadecimal digits and of strings in quotes.
func raw(text string) []byte {
	var b []byte
	for i, part := range strings.Split(text, "'") {
		if i%2 == 1 {
			b = append(b, part...)
			continue
		}
		digits, err := hex.DecodeString(strings.Join(strings.Fields(part), ""))
		if err != nil {
			panic(fmt.Sprintf("%q: %v", part, err))
		}
		b = append(b, digits...)
	}
	return b
}

// TestVectors checks the messages of other programs and documents.
func TestVectors(t *testing.T) {
	each(t, func(t *testing.T, name string, c checks) {
		list := append(written()[name], generated(t, name)...)
		if len(list) == 0 {
			t.Error("no vector")
		}
		c.vectors(t, list)
	})
}

func (m *message[T]) vectors(t *testing.T, list []vector) {
	l, err := layoutsOf[T]()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range list {
		byHand, declared := new(T), new(T)
		if err := m.decodeTo(byHand, v.data, false); err != nil {
			t.Errorf("%s: by hand: %v: % x", v.source, err, v.data)
			continue
		}
		if err := l.copies.Unmarshal(v.data, declared); err != nil {
			t.Errorf("%s: layout: %v", v.source, err)
			continue
		}
		if !reflect.DeepEqual(byHand, declared) {
			t.Errorf("%s: by hand %+v, layout %+v", v.source, byHand, declared)
		}
		for f := range strings.FieldsSeq(v.fields) {
			path, want, _ := strings.Cut(f, "=")
			if got := lookup(reflect.ValueOf(declared), path); got != want {
				t.Errorf("%s: %s is %s, want %s", v.source, path, got, want)
			}
		}
		if v.decodeOnly {
			continue
		}
		if err := m.verify(&l, byHand, v.data); err != nil {
			t.Errorf("%s: %v", v.source, err)
		}
		if b, err := m.append(nil, byHand); err != nil || !bytes.Equal(b, v.data) {
			t.Errorf("%s: encoded by hand as % x, %v", v.source, b, err)
		}
	}
}

// lookup returns the text of a field. A string is written without its spaces.
func lookup(v reflect.Value, path string) string {
	for part := range strings.FieldsFuncSeq(path, func(c rune) bool { return c == '.' || c == '[' || c == ']' }) {
		for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if i, err := strconv.Atoi(part); err == nil {
			if i >= v.Len() {
				return fmt.Sprintf("(of %d)", v.Len())
			}
			v = v.Index(i)
		} else if part == "len" {
			return strconv.Itoa(v.Len())
		} else if v = v.FieldByName(part); !v.IsValid() {
			return "(no such field)"
		}
	}
	if k := v.Kind(); (k == reflect.Slice || k == reflect.Array) && v.Type().Elem().Kind() == reflect.Uint8 {
		return fmt.Sprintf("%x", v.Interface())
	}
	return strings.Join(strings.Fields(fmt.Sprint(v.Interface())), "")
}

// written returns the vectors by the name of the message that are part of the test. "By hand" means that the bytes were
// derived from the figures and tables of the specification.
func written() map[string][]vector {
	return map[string][]vector{
		"amqp": {{
			source: "by hand", data: raw("01 0002 00000014 003c 0028 0000 06'orders' 05'new.1' 01 ce"),
			fields: "Channel=2 Size=20 Exchange=orders RoutingKey=new.1 Mandatory=true Immediate=false",
		}},
		"apns-list": {{
			source: "by hand", data: raw("02 00000010 03 0004 00000007 02 0002 '{}' 05 0001 0a"),
			fields: "Items[0].Data.Identifier=7 Items[1].Data.JSON=7b7d Items[2].ID=5 Items[2].Data.Priority=10",
		}},
		"notification": {{
			source: "by hand", data: append(append(raw("02 0000003a 01 0020"), bytes.Repeat([]byte{0xab}, 32)...), raw("02 0002 '{}' 03 0004 00000007 04 0004 5f5e1000 05 0001 0a")...),
			fields: "Payload=7b7d Identifier=7 Expiration=1600000000 Priority=10",
		}},
		"bgp": {{
			source: "by hand", data: raw("ffffffffffffffffffffffffffffffff 001d 01 04 fe09 00b4 c0a8000f 00"), fields: "AS=65033 HoldTime=180 Router=c0a8000f Length=29",
		}, {
			source: "by hand", data: raw("ffffffffffffffffffffffffffffffff 002d 01 04 5ba0 00b4 0a000001 10 02 06 01 04 0001 0001 02 06 41 04 00010000"),
			fields: "AS=23456 Parameters[0].Capabilities[0].Code=1 Parameters[1].Capabilities[0].Code=65 Parameters[1].Capabilities[0].Value=00010000",
		}},
		"can": {{
			source: "by hand", data: raw("92345678 03 000000 0a0b0c"), fields: "Extended=true Remote=false Error=false ID=305419896 Data=0a0b0c",
		}},
		"diameter": {{
			source: "by hand", data: raw("01 000030 80 000118 00000000 00000001 00000002 00000108 40 00000b 'abc' 00 0000010c c0 000010 000028af 000007d1"),
			fields: "Request=true Command=280 Attributes[0].Code=264 Attributes[0].Data=616263 Attributes[1].Vendor=10415 Attributes[1].Data=000007d1",
		}},
		"ethercat": {{
			source: "by hand", data: raw("1c10 01 80 0000 3001 0280 0000 0000 0000 04 81 e903 0010 0200 0000 0102 0100"),
			fields: "Length=28 Datagrams[0].More=true Datagrams[0].Offset=304 Datagrams[1].Position=1001 Datagrams[1].Offset=4096 Datagrams[1].Data=0102 Datagrams[1].Counter=1",
		}},
		"ospf": {{
			source: "by hand", data: raw("0001 02 01 c0a80101 c0a80101 80000001 1234 0034 01 00 0002 c0a80102 c0a80102 02 00 000a 0a000000 ff000000 03 01 0001 08 00 0005"),
			fields: "Border=true External=false Sequence=-2147483647 Links[0].Metric=10 Links[1].Type=3 Links[1].Services[0].Type=8 Links[1].Services[0].Metric=5",
		}},
		"usb": {{
			source: "by hand, a mass storage device", data: raw("09 02 2000 01 01 00 80 32 09 04 00 00 02 08 06 50 00 07 05 81 02 0002 00 07 05 02 02 0002 00"),
			fields: "Total=32 Power=50 Descriptors[0].Body.Class=8 Descriptors[1].Body.Address=129 Descriptors[2].Body.Size=512",
		}},
		"wasm": {{
			source: "by hand, from the example of section 2.3.5", data: raw("01 0a 02 60 02 7f7f 01 7f 60 00 00"),
			fields: "Count=2 Types[0].Params=7f7f Types[0].Results=7f",
		}},
		"elf": {{
			source: "the command true of Debian, as readelf prints it",
			data:   raw("7f454c4602010100000000000000000003003e0001000000d0230000000000004000000000000000908300000000000000000000400038000d0040001f001e00"),
			fields: "Data=1 Body.Type=3 Body.Machine=62 Body.Entry=9168 Body.Programs=64 Body.Sections=33680 Body.ProgramCount=13 Body.SectionNames=30",
		}, {
			source: "by hand", data: raw("7f454c4602020100 0000000000000000 0002 0016 00000001 0000000001001000 0000000000000040 0000000000002000 00000000 0040 0038 0005 0040 0010 000f"),
			fields: "Data=2 Body.Machine=22 Body.Entry=16781312 Body.SectionNames=15",
		}},
		"flv": {{
			source: "by hand", data: raw("08 000003 001234 01 000000 af0110 0000000e"), fields: "Type=8 Timestamp=4660 TimestampTop=1 Data=af0110 Previous=14",
		}},
		"gpt": {{
			source: "by hand, with the type of an EFI system partition",
			data: append(raw("28732ac1 1ff8 d211 ba4b00a0c93ec93b 00112233445566778899aabbccddeeff 0008000000000000 ff07100000000000 0100000000000000 'E'00'F'00'I'00"),
				make([]byte, 66)...),
			fields: "First=2048 Last=1050623 Attributes=1 Name=EFI",
		}},
		"ipv4": {{
			source: "the example of the article IPv4 header checksum in Wikipedia",
			data:   append(raw("4500 0073 0000 4000 4011 b861 c0a80001 c0a800c7"), make([]byte, 95)...),
			fields: "Words=5 Total=115 DontSplit=true TTL=64 Protocol=17 Checksum=47201 Target=c0a800c7 Payload.len=95",
		}},
		"itch": {{
			source: "by hand", data: raw("41 0001 0000 1f1ad3ea2e3c 0000000000000465 42 00000064 'AAPL    ' 0016e360"),
			fields: "Locate=1 Timestamp=34200084950588 Order=1125 Side=66 Shares=100 Price=1500000",
		}},
		"kafka": {{
			source: "the tests of the Go client Sarama, uncompressed record",
			data:   raw("0000000000000000 00000046 00000000 02 5479 61fd 0000 00000000 000001588dcd5938 0000000000000000 0000000000000000 0000 00000000 00000001 28 00 0a 00 08 01020304 06 050607 02 06 08090a 04 0b0c"),
			fields: "Length=70 CRC=1417241085 BaseTime=1479847795000 Count=1 Records.len=21",
		}},
		"lldp": {{
			source: "by hand", data: raw("02 07 04 0019 2fa7b28d 04 02 05 '1' 06 02 0078 00 00"), fields: "Elements.len=3 Elements[0].Type=1 Elements[0].Value=0400192fa7b28d Elements[2].Type=3",
		}},
		"modbus": {{
			source: "the example of MODBUS Application Protocol V1.1b3, section 6.12", data: raw("0001 0000 000b 11 10 0001 0002 04 000a 0102"),
			fields: "Unit=17 Address=1 Quantity=2 Registers[0]=10 Registers[1]=258",
		}},
		"mqtt": {{
			source: "by hand, with the variable header of figure 3.6 of the specification",
			data:   raw("10 22 0004'MQTT' 04 ce 000a 0002'id' 0001't' 0003'bye' 0004'user' 0004'pass'"),
			fields: "Body.HasUser=true Body.WillQoS=1 Body.WillRetain=false Body.Clean=true Body.KeepAlive=10 Body.ClientID=id Body.WillTopic=t Body.User=user Body.Password=70617373",
		}, {
			source: "by hand, with the variable header of figure 3.11 of the specification", data: raw("32 09 0003'a/b' 000a 'hi'"),
			fields: "Type=3 QoS=1 Body.Topic=a/b Body.PacketID=10 Body.Payload=6869",
		}},
		"netflow": {{
			source: "by hand",
			data:   raw("0005 0001 00000064 5f5e1000 00000001 00000009 00 02 4064 0a000001 0a000002 0a0000fe 0003 0004 00000005 00000400 00000001 00000002 c001 01bb 00 1b 06 08 fde8 fde9 18 10 0000"),
			fields: "Count=1 EngineID=2 SamplingMode=1 Sampling=100 Flows[0].Bytes=1024 Flows[0].Flags=27 Flows[0].Protocol=6 Flows[0].ToS=8 Flows[0].TargetMask=16",
		}},
		"ntp": {{
			source: "by hand",
			data:   raw("24 02 06 e9 00000a4c 00000f3c 'GPS'00 e4a1b2c300000000 e4a1b2c480000000 e4a1b2c4c0000000 e4a1b2c4c0010000"),
			fields: "Leap=0 Version=4 Mode=4 Stratum=2 Poll=6 Precision=-23 RootDelay=2636 Transmit=16474645470002610176",
		}},
		"osc": {{
			source: "by hand, with the address and number of an example of the specification",
			data:   raw("'/oscillator/4/frequency'00 ',ifs'00000000 000003e8 43dc0000 'hello'000000"), fields: "Address=/oscillator/4/frequency Int=1000 Float=440 Text=hello",
		}},
		"pcapng": {{
			source: "by hand", data: raw("06000000 30000000 01000000 a0630500 78563412 05000000 40000000 0102030405000000 0100 0200 'hi'0000 30000000"),
			fields: "Length=48 Interface=1 High=353184 Captured=5 Original=64 Data=0102030405 Options[0].Code=1 Options[0].Value=6869 Copy=48",
		}},
		"postgres": {{
			source: "by hand: the answer to SELECT 1", data: raw("'T' 00000021 0001 '?column?'00 00000000 0000 00000017 0004 ffffffff 0000"),
			fields: "Count=1 Fields[0].Name=?column? Fields[0].DataType=23 Fields[0].Size=4 Fields[0].Modifier=-1",
		}},
		"ptp": {{
			source: "by hand",
			data:   raw("00 02 002c 00 00 0200 0000000000010000 00000000 001b19fffe123456 0001 0007 00 fd 00005f5e1000 0000000a"),
			fields: "Version=2 Flags=512 Correction=65536 Clock=001b19fffe123456 Port=1 Sequence=7 LogInterval=-3 Seconds=1600000000 Nanoseconds=10",
		}},
		"radius": {{
			source: "the example of RFC 2865, section 7.1",
			data:   raw("01 00 0038 0f403f9473978057bd83d5cb98f4227a 01 06 'nemo' 02 12 0dbe708d93d413ce3196e43f782a0aee 04 06 c0a80110 05 06 00000003"),
			fields: "Code=1 Length=56 Attributes.len=4 Attributes[0].Value=6e656d6f Attributes[3].Value=00000003",
		}},
		"rtcp": {{
			source: "by hand",
			data:   raw("81 c8 000c 11223344 e4a1b2c300000000 00001000 00000064 00003e80 55667788 19 fffffe 00010203 00000007 b2c30000 00008000"),
			fields: "ReportCount=1 Words=12 Packets=100 Reports[0].Fraction=25 Reports[0].Lost=-2 Reports[0].Jitter=7 Reports[0].SinceLast=32768",
		}},
		"rtp": {{
			source: "by hand, with the extension of the figure in RFC 8285, section 4.2",
			data:   raw("92 e0 0102 00000140 11223344 00000001 00000002 bede 0001 10 aa 00 00 'voice'"),
			fields: "HasExtension=true SourceCount=2 Marker=true PayloadType=96 Sequence=258 Sources[1]=2 Profile=48862 Words=1 Payload=766f696365",
		}},
		"sctp": {{
			source: "the tests of the Go library pion/sctp", data: raw("1388 1388 00000000 06a900e1"), fields: "Source=5000 Checksum=3774916870",
		}, {
			source: "by hand, with a checksum computed bit by bit in Python", data: raw("1388 0b59 01020304 881038ff 00 03 0015 00000007 0001 0002 00000033 'hello' 000000"),
			fields: "Chunks[0].Beginning=true Chunks[0].Ending=true Chunks[0].Length=21 Chunks[0].TSN=7 Chunks[0].Protocol=51 Chunks[0].Data=68656c6c6f",
		}},
		"ssh": {{
			source: "by hand",
			data:   raw("14 000102030405060708090a0b0c0d0e0f 00000011'curve25519-sha256' 0000000b'ssh-ed25519' 0000000a'aes128-ctr' 0000000a'aes128-ctr' 0000000d'hmac-sha2-256' 0000000d'hmac-sha2-256' 00000004'none' 00000004'none' 00000000 00000000 01 00000000"),
			fields: "KeyExchanges=curve25519-sha256 CiphersToClient=aes128-ctr MACsToServer=hmac-sha2-256 CompressToClient=none FirstPacketFollows=true",
		}},
		"stun": {{
			source: "the sample request of RFC 5769, section 2.1, which pads with spaces",
			data:   raw("0001 0058 2112a442 b7e7a701bc34d686fa87dfae 8022 0010'STUN test client' 0024 0004 6e0001ff 8029 0008 932ff9b151263b36 0006 0009'evtj:h6vY'202020 0008 0014 9aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a2 8028 0004 e57a3bcf"),
			fields: "Type=1 Length=88 Attributes.len=6 Attributes[3].Value=6576746a3a68367659 Attributes[5].Value=e57a3bcf", decodeOnly: true,
		}, {
			source: "by hand", data: raw("0101 000c 2112a442 000102030405060708090a0b 0020 0008 0001a147e112a643"), fields: "Type=257 Attributes[0].Type=32",
		}},
		"tcp": {{
			source: "by hand", data: raw("c350 01bb 00000001 00000002 80 18 01f6 abcd 0000 0101080a 00000003 00000004 'hi'"),
			fields: "Source=50000 Words=8 ACK=true PSH=true SYN=false Window=502 Checksum=43981 Options.len=12 Payload=6869",
		}},
		"wav": {{
			source: "the module wave of Python", data: raw("524946462c00000057415645666d74201000000001000100401f0000803e000002001000646174610800000000000100ffff0080"),
			fields: "Length=44 Channels=1 Rate=8000 ByteRate=16000 BlockAlign=2 DataSize=8 Samples[1]=1 Samples[2]=-1 Samples[3]=-32768",
		}},
		"websocket": {{
			source: "the example of RFC 6455, section 5.7: ping", data: raw("89 05 'Hello'"), fields: "Opcode=9 Masked=false Payload=48656c6c6f",
		}, {
			source: "the example of RFC 6455, section 5.7: pong", data: raw("8a 85 37fa213d 7f9f4d5158"), fields: "Opcode=10 Masked=true Key=37fa213d Payload=7f9f4d5158",
		}},
	}
}
