package formats

import (
	"encoding/hex"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// name makes a DNSName.
func name(labels ...string) DNSName {
	n := DNSName{Labels: []DNSLabel{}}
	for _, l := range labels {
		n.Labels = append(n.Labels, DNSLabel{l})
	}
	return n
}

// protocolVectors are messages whose bytes were worked out by hand from the
// documents named with them.
var protocolVectors = []struct {
	name   string
	format Format
	hex    string
	value  any
}{
	// RFC 9113, sections 4.1 and 6.
	{"HTTP/2 DATA", HTTP2(), "000006 00 09 00000003 02 616263 0000",
		&HTTP2Frame{Length: 6, Flags: 9, Stream: 3, Payload: &HTTP2Data{PadLength: 2, Data: []byte("abc"), Padding: []byte{0, 0}}}},
	{"HTTP/2 DATA without padding", HTTP2(), "000003 00 01 00000003 616263",
		&HTTP2Frame{Length: 3, Flags: 1, Stream: 3, Payload: &HTTP2Data{Data: []byte("abc")}}},
	{"HTTP/2 HEADERS", HTTP2(), "000009 01 2c 00000001 01 80000005 0f 8286 00",
		&HTTP2Frame{Length: 9, Type: 1, Flags: 0x2c, Stream: 1, Payload: &HTTP2Headers{PadLength: 1,
			Priority: &HTTP2Priority{true, 5, 15}, Fragment: []byte{0x82, 0x86}, Padding: []byte{0}}}},
	{"HTTP/2 SETTINGS", HTTP2(), "00000c 04 00 00000000 0003 00000064 0004 0000ffff",
		&HTTP2Frame{Length: 12, Type: 4, Payload: &HTTP2Settings{[]HTTP2Setting{{3, 100}, {4, 65535}}}}},
	{"HTTP/2 acknowledgment", HTTP2(), "000000 04 01 00000000",
		&HTTP2Frame{Type: 4, Flags: HTTP2Ack, Payload: &HTTP2Settings{[]HTTP2Setting{}}}},
	{"HTTP/2 GOAWAY", HTTP2(), "00000a 07 00 00000000 00000007 00000002 6869",
		&HTTP2Frame{Length: 10, Type: 7, Payload: &HTTP2GoAway{LastStream: 7, Code: 2, Debug: []byte("hi")}}},
	{"HTTP/2 unknown", HTTP2(), "000002 aa 00 80000001 0102",
		&HTTP2Frame{Length: 2, Type: 0xaa, Reserved: true, Stream: 1, Payload: layout.Unknown{Tag: 0xaa, Data: []byte{1, 2}}}},

	// MQTT 3.1.1, figures 3.6, 3.11, 3.23 and section 2.2.3.
	{"MQTT CONNECT", MQTT(), "10 14 0004 4d515454 04 ce 000a 0000 0001 74 0000 0001 75",
		nil}, // the password is missing
	{"MQTT CONNECT with all", MQTT(), "10 17 0004 4d515454 04 ce 000a 0000 0001 74 0000 0001 75 0001 70",
		&MQTTPacket{Type: 1, Body: &MQTTConnect{Protocol: "MQTT", Level: 4, HasUser: true, HasPassword: true, WillQoS: 1, HasWill: true, Clean: true,
			KeepAlive: 10, WillTopic: "t", WillMessage: []byte{}, User: "u", Password: []byte("p")}}},
	{"MQTT PUBLISH", MQTT(), "32 08 0003 612f62 000a 78",
		&MQTTPacket{Type: 3, QoS: 1, Body: &MQTTPublish{"a/b", 10, []byte("x")}}},
	{"MQTT PUBLISH without acknowledgment", MQTT(), "31 05 0003 612f62",
		&MQTTPacket{Type: 3, Retain: true, Body: &MQTTPublish{"a/b", 0, []byte{}}}},
	{"MQTT SUBSCRIBE", MQTT(), "82 0e 000a 0003 612f62 01 0003 632f64 02",
		&MQTTPacket{Type: 8, QoS: 1, Body: &MQTTSubscribe{10, []MQTTFilter{{"a/b", 1}, {"c/d", 2}}}}},
	{"MQTT SUBACK", MQTT(), "90 05 000a 00 02 80", &MQTTPacket{Type: 9, Body: &MQTTSuback{10, []uint8{0, 2, 0x80}}}},
	{"MQTT PINGREQ", MQTT(), "c0 00", &MQTTPacket{Type: 12, Body: &MQTTPingreq{}}},

	// RFC 1035, section 4, in a TCP stream.
	{"DNS query", DNS(), "001d 1234 0100 0001 0000 0000 0000 07 6578616d706c65 03 636f6d 00 0001 0001",
		&DNSFrame{Message: DNSMessage{ID: 0x1234, RecursionDesired: true, QuestionCount: 1, Questions: []DNSQuestion{{name("example", "com"), 1, 1}},
			Answers: []DNSRecord{}, Authorities: []DNSRecord{}, Additionals: []DNSRecord{}}}},
	{"DNS byte too much", DNS(), "001e 1234 8580 0000 0001 0000 0000 01 61 00 0001 0001 00000e10 0004 c0000201 00", nil}, // a byte too much
	{"DNS answer", DNS(), "001d 1234 8580 0000 0001 0000 0000 01 61 00 0001 0001 00000e10 0004 c0000201",
		&DNSFrame{Message: DNSMessage{ID: 0x1234, Response: true, Authoritative: true, RecursionDesired: true, RecursionAvailable: true, AnswerCount: 1,
			Questions: []DNSQuestion{}, Answers: []DNSRecord{{name("a"), 1, 1, 3600, &DNSA{[4]byte{192, 0, 2, 1}}}},
			Authorities: []DNSRecord{}, Additionals: []DNSRecord{}}}},
	{"DNS label of 64 bytes", DNS(), "0052 1234 0100 0001 0000 0000 0000 40" + strings.Repeat("61", 64) + "00 0001 0001", nil},
	{"DNS pointer", DNS(), "0012 1234 0100 0001 0000 0000 0000 c00c 0001 0001", nil},

	// The binary provider interface: commands 0, 1, 2 and 8.
	{"APNS command 0", APNS(), "00 0002 abcd 0002 7b7d", &APNSCommand{Command: 0, Body: &APNSSimple{[]byte{0xab, 0xcd}, []byte("{}")}}},
	{"APNS command 1", APNS(), "01 00000007 00000000 0002 abcd 0002 7b7d",
		&APNSCommand{Command: 1, Body: &APNSEnhanced{7, 0, []byte{0xab, 0xcd}, []byte("{}")}}},
	{"APNS command 2", APNS(), "02 0000003a 01 0020 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f 02 0002 7b7d 03 0004 00000009 04 0004 00000000 05 0001 0a",
		&APNSCommand{Command: 2, Body: &APNSFrame{[]APNSItem{
			{1, &APNSToken{[32]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}}},
			{2, &APNSPayload{[]byte("{}")}}, {3, &APNSIdentifier{9}}, {4, &APNSExpiration{0}}, {5, &APNSPriority{10}}}}}},
	{"APNS token of 31 bytes", APNS(), "02 00000022 01 001f 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e", nil},
	{"APNS unknown item", APNS(), "02 00000004 06 0001 00", nil},
	{"APNS answer", APNS(), "08 08 00000007", &APNSCommand{Command: 8, Body: &APNSAnswer{8, 7}}},

	// draft-ietf-opsawg-pcapng, sections 4.1 to 4.3, in both orders.
	{"pcapng section", PCAPNG(), "0a0d0d0a 0000001c 1a2b3c4d 0001 0000 ffffffffffffffff 0000001c",
		&PCAPNGBlock{0x0a0d0d0a, 28, &PCAPNGSection{0x1a2b3c4d, 1, 0, -1, []PCAPNGOption{}}, 28}},
	{"pcapng section, little-endian", PCAPNG(), "0a0d0d0a 28000000 4d3c2b1a 0100 0000 ffffffffffffffff 0100 0200 68690000 0000 0000 28000000",
		&PCAPNGBlock{0x0a0d0d0a, 40, &PCAPNGSection{0x1a2b3c4d, 1, 0, -1, []PCAPNGOption{{Code: 1, Length: 2, Value: &PCAPNGComment{"hi"}},
			{Value: &PCAPNGOptionEnd{}}}}, 40}},
	{"pcapng lengths differ", PCAPNG(), "0a0d0d0a 0000001c 1a2b3c4d 0001 0000 ffffffffffffffff 0000001d", nil},
	{"pcapng without section", PCAPNG(), "00000001 00000014 0001 0000 00000000 00000014", nil},
}

// TestProtocols decodes the vectors, encodes them again, and refuses all their
// prefixes.
func TestProtocols(t *testing.T) {
	for _, v := range protocolVectors {
		t.Run(v.name, func(t *testing.T) {
			data := unhex(t, v.hex)
			list, err := messages(v.format, data)
			if v.value == nil {
				if err == nil {
					t.Fatalf("no error: %+v", list)
				}
				t.Log(err)
				return
			}
			if err != nil || len(list) != 1 {
				t.Fatalf("%d messages, %v", len(list), err)
			}
			if !reflect.DeepEqual(list[0].Value, v.value) {
				t.Errorf("got %+v, want %+v", list[0].Value, v.value)
			}
			encodes(t, list[0])
			got, err := list[0].Codec().Marshal(v.value)
			if err != nil || string(got) != string(data) {
				t.Errorf("% x, %v, want % x", got, err, data)
			}
			for n := 1; n < len(data); n++ {
				if list, err := messages(v.format, data[:n]); err == nil {
					t.Errorf("%d of %d bytes: %+v", n, len(data), list[0].Value)
				}
			}
			// Two messages in a row.
			if list, err := messages(v.format, append(data, data...)); err != nil || len(list) != 2 || list[1].Offset != int64(len(data)) {
				t.Errorf("twice: %d messages, %v", len(list), err)
			}
		})
	}
}

// TestDerived encodes messages without lengths, counts and tags.
func TestDerived(t *testing.T) {
	c, _, err := codecs()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct {
		value any
		hex   string
	}{
		{&HTTP2Frame{Flags: HTTP2Padded, Stream: 3, Payload: &HTTP2Data{Data: []byte("abc"), Padding: []byte{0, 0}}}, "000006 00 08 00000003 02 616263 0000"},
		{&MQTTPacket{QoS: 1, Body: &MQTTPublish{"a/b", 10, []byte("x")}}, "32 08 0003 612f62 000a 78"},
		{&DNSFrame{Message: DNSMessage{ID: 1, Questions: []DNSQuestion{{name("a"), 1, 1}}}}, "0013 0001 0000 0001 0000 0000 0000 01 61 00 0001 0001"},
		{&APNSCommand{Body: &APNSAnswer{8, 7}}, "08 08 00000007"},
		{&PCAPNGBlock{Body: &PCAPNGSection{Major: 1, Length: -1}}, "0a0d0d0a 0000001c 1a2b3c4d 0001 0000 ffffffffffffffff 0000001c"},
		{&PNGChunk{Body: &PNGEnd{}}, "00000000 49454e44 ae426082"},
	} {
		if got, err := c.Marshal(v.value); err != nil || string(got) != string(unhex(t, v.hex)) {
			t.Errorf("%+v: % x, %v, want %s", v.value, got, err, v.hex)
		}
	}
}
