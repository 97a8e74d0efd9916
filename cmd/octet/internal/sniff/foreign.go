package sniff

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/octet-go/octet/msgpack/wire"
)

// A Foreign is a format that the tool does not read.
type Foreign struct {
	Name    string // with its article, such as "a ZIP archive"; empty if the input may be JSON or MessagePack
	Certain bool   // the input has a signature that is very unlikely in MessagePack
	Filter  string // a command that converts the format to one that the tool reads, or ""
	Layout  string // the format of package layout/formats that shows it, or ""
}

// A signature is a sequence of bytes that identifies a format.
type signature struct {
	at    int
	bytes string
	Foreign
}

var signatures = []signature{
	{0, "PK\x03\x04", Foreign{"a ZIP archive", true, "unzip -p", "zip"}},
	{0, "PK\x05\x06", Foreign{"an empty ZIP archive", true, "", "zip"}},
	{0, "\x89PNG\r\n\x1a\n", Foreign{"a PNG image", true, "", "png"}},
	{0, "\xff\xd8\xff", Foreign{"a JPEG image", true, "", ""}},
	{0, "GIF87a", Foreign{"a GIF image", true, "", ""}},
	{0, "GIF89a", Foreign{"a GIF image", true, "", ""}},
	{0, "%PDF-", Foreign{"a PDF document", true, "", ""}},
	{0, "\x7fELF", Foreign{"an ELF program", true, "", "elf"}},
	{0, "\xcf\xfa\xed\xfe", Foreign{"a Mach-O program", true, "", ""}},
	{0, "\xca\xfe\xba\xbe\x00", Foreign{"a Java class or a Mach-O program", true, "", ""}},
	{0, "\x00asm\x01\x00\x00\x00", Foreign{"a WebAssembly module", true, "", ""}},
	{0, "MZ\x90\x00", Foreign{"a Windows program", true, "", ""}},
	{0, "SQLite format 3\x00", Foreign{"a SQLite database", true, "", ""}},
	{0, "BZh", Foreign{"bzip2 data", false, "bzip2 -dc", ""}},
	{0, "\xfd7zXZ\x00", Foreign{"xz data", true, "xz -dc", ""}},
	{0, "\x04\x22\x4d\x18", Foreign{"LZ4 data", true, "lz4 -dc", ""}},
	{0, "7z\xbc\xaf\x27\x1c", Foreign{"a 7-Zip archive", true, "", ""}},
	{0, "Rar!\x1a\x07", Foreign{"a RAR archive", true, "", ""}},
	{0, "PAR1", Foreign{"a Parquet file", true, "", ""}},
	{0, "ARROW1\x00\x00", Foreign{"an Arrow file", true, "", ""}},
	{0, "Obj\x01", Foreign{"an Avro file", true, "", ""}},
	{0, "\x93NUMPY", Foreign{"a NumPy array", true, "", ""}},
	{0, "\xd4\xc3\xb2\xa1", Foreign{"a pcap capture", true, "", ""}},
	{0, "\xa1\xb2\xc3\xd4", Foreign{"a pcap capture", true, "", ""}},
	{0, "\x4d\x3c\xb2\xa1", Foreign{"a pcap capture", true, "", ""}},
	{0, "\xa1\xb2\x3c\x4d", Foreign{"a pcap capture", true, "", ""}},
	{0, "PRI * HTTP/2.0\r\n\r\nSM", Foreign{"HTTP/2", true, "", "http2"}},
	{2, "\x00\x04MQTT", Foreign{"MQTT packets", true, "", "mqtt"}},
	{0, "OggS\x00", Foreign{"an Ogg file", true, "", ""}},
	{0, "fLaC\x00", Foreign{"a FLAC file", true, "", ""}},
	{0, "\x89HDF\r\n\x1a\n", Foreign{"an HDF5 file", true, "", ""}},
	{0, "\xd9\xd9\xf7", Foreign{"CBOR", true, "", ""}},
	{0, "\x80\x04\x95", Foreign{"a Python pickle", true, "", ""}},
	{0, "\x80\x05\x95", Foreign{"a Python pickle", true, "", ""}},
	{0, "RIFF", Foreign{"a RIFF file, such as WAV or WebP", false, "", ""}},
	{4, "ftyp", Foreign{"an MP4 file", false, "", ""}},
	{0, "ID3", Foreign{"an MP3 file", false, "", ""}},
	{0, "wOF2", Foreign{"a font", false, "", ""}},
	{0, "wOFF", Foreign{"a font", false, "", ""}},
	{0, "TZif", Foreign{"a time zone file", false, "", "tzif"}},
	{0, "bplist00", Foreign{"a binary property list", true, "", ""}},
}

// ForeignByBytes returns the format of an input that begins with head, if it is
// likely to be neither JSON nor MessagePack. whole reports whether head is the
// whole input.
//
// Formats with a signature are certain. The others are guesses: any sequence of
// bytes below 0x80 is a valid stream of small integers, so a stream that
// contains little else is unlikely to be MessagePack.
func ForeignByBytes(head []byte, whole bool) Foreign {
	head = head[:min(len(head), MaxHead)]
	for _, s := range signatures {
		if len(head) >= s.at+len(s.bytes) && string(head[s.at:s.at+len(s.bytes)]) == s.bytes {
			return s.Foreign
		}
	}
	if isTar(head) {
		return Foreign{"a tar archive", true, "tar -xOf", "tar"}
	}
	if isPcapng(head) {
		return Foreign{"a pcapng capture", true, "", "pcapng"}
	}
	if isTLS(head) {
		return Foreign{"TLS records", true, "", "tls"}
	}
	switch ByBytes(head) {
	case Unknown:
		return Foreign{}
	case JSON:
		if IsHexDump(string(head)) {
			return Foreign{Name: HexDump}
		}
		if bytes.ContainsAny(head, "abcdfABCDF") && textName(head) == Hexadecimal {
			return Foreign{Name: Hexadecimal}
		}
		return Foreign{}
	case Text:
		return Foreign{Name: textName(head)}
	}
	small := IsSmallInt(head[0])
	if whole && isBSON(head) {
		return Foreign{Name: "BSON"}
	}
	if small && len(head) >= 4 && isProtobuf(head, whole) {
		return Foreign{Name: "a protobuf message"}
	}
	values, scalars := topLevel(head)
	mostlyScalars := values >= 4 && 4*scalars >= 3*values
	// The bytes of a short CBOR array or map are also a few MessagePack values.
	short := whole && values >= 2 && 2*scalars >= values && (head[0]>>5 == 4 || head[0]>>5 == 5)
	if texts, ok := isCBOR(head, whole); ok && (mostlyScalars || short && texts > 0) {
		return Foreign{Name: "CBOR"}
	}
	if mostlyScalars && small {
		return Foreign{Name: "an unknown binary format (read as MessagePack, it is a stream of small integers)"}
	}
	return Foreign{}
}

// IsSmallInt reports whether b is a positive or negative fixint.
func IsSmallInt(b byte) bool { return b < 0x80 || b >= 0xe0 }

// topLevel counts the top-level values that begin in head as MessagePack, and
// those of them that are numbers, bools or nil.
func topLevel(head []byte) (values, scalars int) {
	remaining := uint64(0) // values inside containers that are still to come
	for len(head) > 0 {
		h, n, err := wire.ConsumeHeader(head)
		if err != nil {
			return values, scalars
		}
		kind := h.Format.Kind()
		if remaining > 0 {
			remaining--
		} else {
			values++
			if kind == wire.KindInt || kind == wire.KindNil || kind == wire.KindBool || kind == wire.KindFloat {
				scalars++
			}
		}
		remaining += h.Values()
		if uint64(len(head)-n) < uint64(h.Payload) {
			return values, scalars
		}
		head = head[n+int(h.Payload):]
	}
	return values, scalars
}

// textName names a text that is not JSON.
func textName(head []byte) string {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	switch {
	case bytes.HasPrefix(text, []byte("<?xml")):
		return "XML"
	case bytes.HasPrefix(bytes.ToLower(text), []byte("<!doctype html")) || bytes.HasPrefix(text, []byte("<html")):
		return "HTML"
	case bytes.HasPrefix(text, []byte("---\n")) || bytes.HasPrefix(text, []byte("%YAML")):
		return "YAML"
	case IsHexDump(string(text)):
		return HexDump
	}
	for _, c := range text {
		if !isHex(c) && c != ' ' && c != '\n' && c != '\r' {
			return "text"
		}
	}
	return Hexadecimal
}

// Hexadecimal is the name of text that consists of bytes in hexadecimal.
const Hexadecimal = "bytes in hexadecimal"

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// isBSON reports whether data is one BSON document: its length comes first, then
// the type and the name of the first element, and a zero byte last.
func isBSON(data []byte) bool {
	return len(data) > 7 && int(binary.LittleEndian.Uint32(data)) == len(data) && data[len(data)-1] == 0 &&
		data[4] >= 0x01 && data[4] <= 0x13 && bytes.IndexByte(data[5:len(data)-1], 0) > 0
}

// isTar reports whether head is the first block of a tar archive and has the correct
// checksum.
func isTar(head []byte) bool {
	const at, size = 148, 8 // of the checksum field, which is summed up as spaces
	if len(head) < 512 || string(head[257:262]) != "ustar" {
		return false
	}
	sum := uint64(size * ' ')
	for i, c := range head[:512] {
		if i < at || i >= at+size {
			sum += uint64(c)
		}
	}
	want, err := strconv.ParseUint(strings.Trim(string(head[at:at+size]), " \x00"), 8, 64)
	return err == nil && want == sum
}

// isPcapng reports whether head begins with a section header block, which has the byte
// order at offset 8.
func isPcapng(head []byte) bool {
	if len(head) < 12 || string(head[:4]) != "\n\r\r\n" {
		return false
	}
	order := string(head[8:12])
	return order == "\x1a\x2b\x3c\x4d" || order == "\x4d\x3c\x2b\x1a"
}

// isTLS reports whether head begins with a record of the handshake that has a hello of
// the client or the server.
func isTLS(head []byte) bool {
	return len(head) > 9 && string(head[:2]) == "\x16\x03" && head[2] <= 4 &&
		(head[5] == 1 || head[5] == 2) && head[6] == 0 && head[9] == 3
}

// isProtobuf reports whether head consists of protobuf fields with plausible
// numbers, at least two of them. If head is not the whole input, its last field
// may be incomplete.
func isProtobuf(head []byte, whole bool) bool {
	fields := 0
	for len(head) > 0 {
		tag, n := binary.Uvarint(head)
		if n <= 0 || tag>>3 == 0 || tag>>3 > 512 {
			return false
		}
		head = head[n:]
		size := 0
		switch tag & 7 {
		case 0: // varint
			if _, size = binary.Uvarint(head); size < 0 || size == 0 && whole {
				return false
			}
		case 1: // 64-bit
			size = 8
		case 5: // 32-bit
			size = 4
		case 2: // length-delimited
			length, n := binary.Uvarint(head)
			if n <= 0 || length > 1<<31 {
				return n == 0 && !whole && fields > 1
			}
			size = n + int(length)
		default:
			return false
		}
		if size > len(head) || size == 0 {
			return !whole && fields > 1
		}
		head = head[size:]
		fields++
	}
	return fields > 1
}

// isCBOR reports whether head consists of CBOR items of which the first is an
// array, a map or a string. Text strings must be readable. If head is not the whole
// input, its last item may be incomplete. texts is the number of text strings that
// are complete and not empty.
func isCBOR(head []byte, whole bool) (texts int, ok bool) {
	if major := head[0] >> 5; major < 2 || major > 5 {
		return 0, false
	}
	remaining := []uint64{} // for each open container: number of items still to come
	for len(head) > 0 {
		major, n, size := head[0]>>5, uint64(head[0]&31), 1
		switch {
		case n >= 28:
			return 0, false // reserved, or an indefinite length
		case n >= 24:
			size += 1 << (n - 24)
			if size > len(head) {
				return texts, !whole
			}
			var wide [8]byte
			copy(wide[8-(size-1):], head[1:size])
			n = binary.BigEndian.Uint64(wide[:])
		}
		head = head[size:]
		for len(remaining) > 0 && remaining[len(remaining)-1] == 0 {
			remaining = remaining[:len(remaining)-1]
		}
		if len(remaining) > 0 {
			remaining[len(remaining)-1]--
		}
		switch major {
		case 2, 3: // byte string, text string
			available := min(n, uint64(len(head)))
			if text := count(head[:available]); major == 3 && text.invalid+text.control > 0 {
				return 0, false
			}
			if available < n {
				return texts, !whole
			}
			if major == 3 && n > 0 {
				texts++
			}
			head = head[available:]
		case 4: // array
			remaining = append(remaining, n)
		case 5: // map
			remaining = append(remaining, 2*n)
		case 6: // tag, which is followed by one item
			remaining = append(remaining, 1)
		}
	}
	for _, n := range remaining {
		if n > 0 {
			return texts, !whole
		}
	}
	return texts, true
}
