// Package sniff detects the format of a file from its name or its first bytes.
package sniff

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/octet-go/octet/msgpack/wire"
)

// A Format is the format of a file.
type Format int

const (
	Unknown Format = iota
	JSON
	MessagePack
	Text // this and the following formats are neither JSON nor MessagePack
	Gzip
	Zstandard
)

// String returns the name of the format, as used in flags.
func (f Format) String() string {
	return [...]string{"unknown", "json", "msgpack", "text", "gzip", "zstd"}[f]
}

// Title returns the name of the format as used in messages.
func (f Format) Title() string {
	return [...]string{"an unknown format", "JSON", "MessagePack", "text", "gzip", "zstd"}[f]
}

// Other returns MessagePack if f is JSON, and JSON otherwise.
func (f Format) Other() Format {
	if f == JSON {
		return MessagePack
	}
	return JSON
}

// Named returns the format with this name, or Unknown.
func Named(name string) Format {
	for _, f := range []Format{JSON, MessagePack} {
		if f.String() == name {
			return f
		}
	}
	return Unknown
}

// extensions lists the file extensions of each format.
var extensions = map[Format][]string{
	JSON:        {".json", ".ndjson", ".jsonl"},
	MessagePack: {".msgpack", ".mpack", ".mpk", ".mp"},
}

// Extensions returns the file extensions that [ByName] knows for f.
func Extensions(f Format) []string { return extensions[f] }

// compressed lists the file extensions of compressed files. The extension of the
// format comes before it, as in a.json.gz.
var compressed = []string{".gz", ".zst", ".zstd"}

// IsCompressed reports whether a file name has the extension of compressed data.
func IsCompressed(path string) bool {
	return slices.Contains(compressed, strings.ToLower(extension(path)))
}

// ByName returns the format that the extension of a file name indicates, or
// Unknown. For a compressed file it is the extension before .gz or .zst.
func ByName(path string) Format {
	if IsCompressed(path) {
		path = path[:len(path)-len(extension(path))]
	}
	named := strings.ToLower(extension(path))
	for f, list := range extensions {
		if slices.Contains(list, named) {
			return f
		}
	}
	return Unknown
}

// extension returns the extension of a file name. Package path/filepath would make
// the program of the inspector larger.
func extension(path string) string {
	if i := strings.LastIndexAny(path, `./\`); i >= 0 && path[i] == '.' {
		return path[i:]
	}
	return ""
}

// MaxHead is the maximum number of bytes that [ByBytes] uses.
const MaxHead = 512

// ByBytes returns the format of a file that begins with head. It returns
// Unknown if head is empty.
//
// A MessagePack file has no signature, and every ASCII character is a valid
// small integer. ByBytes therefore returns the most likely format. If that is
// unclear, it prefers to call the input text, because the user can correct an
// error with a flag but may not notice wrong integers.
//
//   - JSON begins like JSON and is readable text. If the beginning is longer
//     than one character, up to half of the bytes may be unreadable: the file
//     is then damaged or has another encoding.
//   - Text is other readable text that begins with an ASCII character or is at
//     least eight bytes long, unless it consists of strs of MessagePack. After
//     eight readable bytes, its encoding may differ from UTF-8.
//   - Everything else is MessagePack.
//
// The result is wrong for MessagePack that begins with integers that are also
// readable text.
func ByBytes(head []byte) Format {
	head = head[:min(len(head), MaxHead)]
	switch {
	case len(head) == 0:
		return Unknown
	}
	if c := Compression(head); c != Unknown {
		return c
	}
	const long = 8
	ascii := head[0] < utf8.RuneSelf
	c := count(head)
	mostlyReadable := 2*(c.control+c.invalid) < len(head)
	switch {
	case mostlyReadable && beginsClearlyJSON(head):
		return JSON
	case c.readable == len(head) && mayBeginJSON(head):
		return JSON
	case c.readable == len(head) && (ascii || len(head) >= long) && !isStrings(head):
		return Text
	case mostlyReadable && ascii && c.readable >= long && c.control == 0:
		return Text
	}
	return MessagePack
}

// isStrings reports whether head consists of MessagePack strs. Such data can be
// valid UTF-8 including the headers, if the strs have 128 to 191 bytes or 32 to 48
// KiB. The last str may be incomplete.
func isStrings(head []byte) bool {
	complete := 0
	for len(head) > 0 {
		h, n, err := wire.ConsumeHeader(head)
		if err != nil || h.Format.Kind() != wire.KindStr {
			return err == wire.ErrTruncated && complete > 1
		}
		size := min(uint64(h.Payload), uint64(len(head)-n))
		if text := head[n:][:size]; count(text).invalid > 0 {
			return false
		}
		if size < uint64(h.Payload) {
			// Text in Arabic also begins with bytes that are a str 8.
			return complete > 1 || h.Format == wire.Str16
		}
		complete++
		head = head[n+int(size):]
	}
	return complete > 0
}

// Compression returns [Gzip] or [Zstandard] if head is the beginning of compressed
// data, and Unknown otherwise. A zstd file may begin with a skippable frame, as
// record files do.
func Compression(head []byte) Format {
	switch {
	case len(head) > 3 && head[0] == 0x1f && head[1] == 0x8b && head[2] == 8 && head[3]&0xe0 == 0:
		return Gzip
	case len(head) > 3 && (string(head[:4]) == "\x28\xb5\x2f\xfd" || head[0]>>4 == 5 && string(head[1:4]) == RecordMagic[1:]):
		return Zstandard
	}
	return Unknown
}

// RecordHead is the number of bytes that [IsRecord] uses.
const RecordHead = 18

// IsRecord reports whether head is the beginning of a record file.
func IsRecord(head []byte) bool {
	return len(head) >= RecordHead && string(head[:4]) == RecordMagic && string(head[8:RecordHead]) == recordName
}

// IsRecordCut reports whether head is all of a record file that was cut within the bytes that
// [IsRecord] uses. In the first 8 bytes, such a file differs from compressed data only by name.
func IsRecordCut(path string, head []byte) bool {
	return len(head) > 0 && len(head) < RecordHead && strings.HasPrefix(RecordMagic, string(head[:min(len(head), 4)])) &&
		strings.HasPrefix(recordName, string(head[min(len(head), 8):])) && (len(head) > 8 || HasRecordExtension(path))
}

// RecordMagic begins the headers of record files: it is that of a skippable frame of zstd.
const RecordMagic = "\x5d\x2a\x4d\x18"

// recordName follows the length of the header of a record file.
const recordName = "\x01octet-rec"

// RecordExtension is the file extension of record files.
const RecordExtension = ".rec"

// HasRecordExtension reports whether a file name has the extension of record files.
func HasRecordExtension(path string) bool { return strings.EqualFold(extension(path), RecordExtension) }

// IsJSON reports whether head is certainly the beginning of a JSON container or
// string. If so, a file extension of another format is wrong.
func IsJSON(head []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	return len(text) > 1 && bytes.IndexByte([]byte("{[\""), text[0]) >= 0 && ByBytes(head) == JSON
}

// beginsClearlyJSON reports whether text begins with a quote, with two characters
// that begin a JSON container, or with a complete number or literal.
func beginsClearlyJSON(text []byte) bool {
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\ufeff")), spaces)
	if len(text) == 0 {
		return false
	}
	switch text[0] {
	case '"':
		return true
	case '{':
		return len(text) > 1 && strings.IndexByte(spaces+`"}`, text[1]) >= 0
	case '[':
		return len(text) > 1 && strings.IndexByte(spaces+`"{[]0123456789tfn-`, text[1]) >= 0
	}
	end := bytes.IndexAny(text, spaces)
	if end < 0 {
		end = len(text)
	}
	word := string(text[:end])
	return word == "true" || word == "false" || word == "null" || isNumber(word)
}

const spaces = " \t\r\n"

// isNumber reports whether word consists of the characters of a JSON number in
// their order.
func isNumber(word string) bool {
	const digits = "0123456789"
	rest := strings.TrimPrefix(word, "-")
	fraction := strings.TrimLeft(rest, digits)
	if len(fraction) == len(rest) || fraction == "" {
		return len(rest) > 0 && fraction == ""
	}
	return len(fraction) > 1 && strings.IndexByte(".eE", fraction[0]) >= 0 && strings.Trim(fraction[1:], digits+"eE+-") == ""
}

// A tally counts the readable and unreadable bytes of a text. Control
// characters and bytes that are not UTF-8 are unreadable.
type tally struct {
	readable int // number of bytes before the first unreadable one
	control  int // number of control characters other than white space
	invalid  int // number of bytes that are not UTF-8
}

// count returns the tally of head. It accepts an incomplete character at the
// end of head.
func count(head []byte) (c tally) {
	for i := 0; i < len(head); {
		r, size := utf8.DecodeRune(head[i:])
		switch {
		case r == utf8.RuneError && size == 1 && utf8.FullRune(head[i:]):
			c.invalid++
		case r == utf8.RuneError && size == 1:
			size = len(head) - i
		case r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f:
			c.control++
		}
		i += size
		if c.control+c.invalid == 0 {
			c.readable = i
		}
	}
	return c
}

// mayBeginJSON reports whether text begins like a JSON value. One character is
// enough.
func mayBeginJSON(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 {
		return true // only white space so far
	}
	if text[0] == '-' {
		return len(text) == 1 || text[1] >= '0' && text[1] <= '9'
	}
	if bytes.IndexByte([]byte(`{["0123456789`), text[0]) >= 0 {
		return true
	}
	for _, literal := range []string{"null", "true", "false"} {
		n := min(len(literal), len(text))
		if string(text[:n]) == literal[:n] {
			return true
		}
	}
	return false
}
