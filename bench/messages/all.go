package messages

import (
	"bytes"
	"math/rand/v2"

	"github.com/octet-go/octet/layout"
)

// All returns the messages, in alphabetical order.
func All() []Message {
	return []Message{
		copying("amqp", "a frame with Basic.Publish",
			"AMQP 0-9-1, sections 2.3.5 and 4.2.3; class 60, method 40", appendAMQP, decodeAMQP, randomAMQP),
		byBinary(aliasing("apns-list", "command 2: a list of items of five types",
			"Local and Remote Notification Programming Guide (2014), Binary Provider API", appendAPNS, decodeAPNS, randomAPNS), writeAPNS, readAPNS),
		aliasing("bgp", "OPEN with capabilities",
			"RFC 4271, section 4.2; RFC 5492", appendBGP, decodeBGP, randomBGP),
		aliasing("can", "a frame of up to 8 bytes",
			"LINKTYPE_CAN_SOCKETCAN, tcpdump.org", appendCAN, decodeCAN, randomCAN),
		aliasing("diameter", "a message with up to seven attributes",
			"RFC 6733, sections 3 and 4.1", appendDiameter, decodeDiameter, randomDiameter),
		copying("dns", "a response with up to eight records",
			"RFC 1035, section 4.1", appendDNS, decodeDNS, randomDNS),
		copying("elf", "a header in either byte order",
			"System V ABI 4.1, chapter 4, ELF header", appendELF, decodeELF, randomELF),
		aliasing("ethercat", "one to four datagrams",
			"IEC 61158-4-12, ETG.1000.4, section 5.3", appendEtherCAT, decodeEtherCAT, randomEtherCAT),
		copying("exif", "a directory of 4 to 25 entries",
			"TIFF 6.0, section 2; Exif 2.32, section 4.6.2", appendExif, decodeExif, randomExif),
		aliasing("flv", "a tag of audio or video",
			"Adobe Flash Video File Format Specification 10.1, sections E.3 and E.4.1", appendFLV, decodeFLV, randomFLV),
		copying("gpt", "a partition, name in UTF-16",
			"UEFI Specification 2.10, section 5.3.3", appendGPT, decodeGPT, randomGPT),
		aliasing("gzip", "a header with optional fields",
			"RFC 1952, section 2.3", appendGzip, decodeGzip, randomGzip),
		aliasing("http2", "frames of eight types",
			"RFC 9113, sections 4.1 and 6", appendHTTP2, decodeHTTP2, randomHTTP2),
		aliasing("ipv4", "a packet with its checksum",
			"RFC 791, section 3.1", appendIPv4, decodeIPv4, randomIPv4),
		copying("itch", "Add Order, all fields fixed",
			"NASDAQ TotalView-ITCH 5.0, section 1.3.1", appendITCH, decodeITCH, randomITCH),
		aliasing("kafka", "a record batch, its records as bytes",
			"Kafka 4.0 documentation, section 5.3.1", appendKafka, decodeKafka, randomKafka),
		aliasing("lldp", "a unit of three to seven elements",
			"IEEE 802.1AB-2016, section 8", appendLLDP, decodeLLDP, randomLLDP),
		copying("modbus", "a request to write registers",
			"MODBUS Application Protocol V1.1b3, section 6.12", appendModbus, decodeModbus, randomModbus),
		aliasing("mqtt", "packets of five types",
			"MQTT Version 3.1.1, sections 2 and 3", appendMQTT, decodeMQTT, randomMQTT),
		copying("netflow", "version 5: 1 to 30 flows",
			"NetFlow Export Datagram Format, tables B-3 and B-4", appendNetFlow, decodeNetFlow, randomNetFlow),
		aliasing("notification", "command 2: token, payload, three numbers",
			"Local and Remote Notification Programming Guide (2014), Binary Provider API", AppendNotification, DecodeNotification, randomNotification),
		copying("ntp", "a packet, all fields fixed",
			"RFC 5905, section 7.3", appendNTP, decodeNTP, randomNTP),
		copying("osc", "a message with three arguments",
			"OSC 1.0 specification, OSC Messages", appendOSC, decodeOSC, randomOSC),
		copying("ospf", "a router LSA, up to six links",
			"RFC 2328, section A.4.2", appendOSPF, decodeOSPF, randomOSPF),
		aliasing("pcapng", "an Enhanced Packet Block",
			"draft-ietf-opsawg-pcapng-03, section 4.3", appendPCAPNG, decodePCAPNG, randomPCAPNG),
		aliasing("png", "a chunk with its checksum",
			"PNG Specification, Third Edition, section 5.3", appendPNG, decodePNG, randomPNG),
		copying("postgres", "RowDescription, up to ten columns",
			"PostgreSQL 17 documentation, section 53.7", appendPostgres, decodePostgres, randomPostgres),
		copying("ptp", "a Sync message, all fields fixed",
			"IEEE 1588-2008, sections 13.3 and 13.6", appendPTP, decodePTP, randomPTP),
		aliasing("radius", "Access-Request, up to seven attributes",
			"RFC 2865, sections 3 and 5", appendRADIUS, decodeRADIUS, randomRADIUS),
		copying("rtcp", "a sender report, up to four blocks",
			"RFC 3550, section 6.4.1", appendRTCP, decodeRTCP, randomRTCP),
		aliasing("rtp", "header, extension and payload",
			"RFC 3550, section 5.1", appendRTP, decodeRTP, randomRTP),
		aliasing("sctp", "one to three DATA chunks, checksum",
			"RFC 9260, sections 3.1 and 3.3.1", appendSCTP, decodeSCTP, randomSCTP),
		copying("ssh", "KEXINIT: ten name lists",
			"RFC 4253, section 7.1", appendSSH, decodeSSH, randomSSH),
		aliasing("stun", "a request, up to six attributes",
			"RFC 8489, sections 5 and 14", appendSTUN, decodeSTUN, randomSTUN),
		copying("tar", "a header: text, octal digits, checksum",
			"POSIX.1-2017, pax, ustar Interchange Format", appendTAR, decodeTAR, randomTAR),
		aliasing("tcp", "a segment with flags and options",
			"RFC 9293, section 3.1", appendTCP, decodeTCP, randomTCP),
		aliasing("tls", "ClientHello, 8 to 13 extensions",
			"RFC 8446, sections 4.1.2 and 5.1", appendTLS, decodeTLS, randomTLS),
		aliasing("tzif", "a time zone, up to 180 transitions",
			"RFC 8536, section 3", appendTZif, decodeTZif, randomTZif),
		copying("usb", "a configuration, up to ten descriptors",
			"Universal Serial Bus Specification 2.0, section 9.6", appendUSB, decodeUSB, randomUSB),
		aliasing("wasm", "a type section, up to twelve functions",
			"WebAssembly Core Specification 2.0, sections 5.3.6 and 5.5.4", appendWasm, decodeWasm, randomWasm),
		copying("wav", "160 to 480 samples of 16 bits",
			"Multimedia Programming Interface and Data Specifications 1.0, pages 56 to 65", appendWAV, decodeWAV, randomWAV),
		aliasing("websocket", "a control frame",
			"RFC 6455, sections 5.2 and 5.5", appendWebSocket, decodeWebSocket, randomWebSocket),
		aliasing("zip", "an entry of the central directory",
			"APPNOTE.TXT 6.3.10, section 4.3.12", appendZIP, decodeZIP, randomZIP),
	}
}

// copying returns the Message of a type without slices of bytes.
func copying[T any](name, about, spec string, append func([]byte, *T) ([]byte, error), decode func([]byte, *T) error, random func(*rand.Rand) *T) Message {
	return Message{name, about, spec, false, &message[T]{append: append, decode: decode, random: random}}
}

// aliasing returns the Message of a type with slices of bytes.
func aliasing[T any](name, about, spec string, append func([]byte, *T) ([]byte, error), decode func([]byte, *T, bool) error, random func(*rand.Rand) *T) Message {
	return Message{name, about, spec, true, &message[T]{append: append, alias: decode, random: random}}
}

// byBinary returns m with a third way: calls of encoding/binary.
func byBinary[T any](m Message, write func(*bytes.Buffer, *T) error, read func(*bytes.Reader, *T) error) Message {
	m.kind.(*message[T]).standard = &standard[T]{write, read}
	return m
}

// options returns the options of all messages.
func options(alias bool) layout.Options {
	return layout.Options{
		AliasInput: alias,
		Unions: []layout.UnionCoder{
			layout.Union[apnsData](
				layout.VariantOf[*apnsToken](1),
				layout.VariantOf[*apnsPayload](2),
				layout.VariantOf[*apnsIdentifier](3),
				layout.VariantOf[*apnsExpiration](4),
				layout.VariantOf[*apnsPriority](5),
			),
			layout.Union[dnsData](
				layout.VariantOf[*dnsA](1),
				layout.VariantOf[*dnsNS](2),
				layout.VariantOf[*dnsCNAME](5),
				layout.VariantOf[*dnsMX](15),
				layout.VariantOf[*dnsAAAA](28),
			),
			layout.Union[http2Payload](
				layout.VariantOf[*http2Data](0),
				layout.VariantOf[*http2Headers](1),
				layout.VariantOf[*http2Priority](2),
				layout.VariantOf[*http2Reset](3),
				layout.VariantOf[*http2Settings](4),
				layout.VariantOf[*http2Ping](6),
				layout.VariantOf[*http2GoAway](7),
				layout.VariantOf[*http2Window](8),
			),
			layout.Union[mqttBody](
				layout.VariantOf[*mqttConnect](1),
				layout.VariantOf[*mqttPublish](3),
				layout.VariantOf[*mqttPuback](4),
				layout.VariantOf[*mqttSubscribe](8),
				layout.VariantOf[*mqttPing](12),
			),
			layout.Union[usbBody](
				layout.VariantOf[usbInterface](4),
				layout.VariantOf[usbEndpoint](5),
				layout.VariantOf[usbAssociation](11),
			),
		},
		Sums: map[string]layout.Sum{"crc16": crc16, "tar": tarSum},
	}
}
