package sniff

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
)

// An Encoding is the way in which text is encoded. The zero value is UTF-8.
type Encoding struct {
	Unit int              // number of bytes of a code unit: 2 or 4; 0 for UTF-8
	Mark int              // number of bytes of the byte order mark at the beginning
	Big  binary.ByteOrder // the order of the bytes in a code unit; nil for UTF-8
}

// String returns the name of the encoding.
func (e Encoding) String() string {
	switch e {
	case Encoding{}:
		return "UTF-8"
	}
	name := map[int]string{2: "UTF-16", 4: "UTF-32"}[e.Unit]
	if e.Big == binary.BigEndian {
		return name + "BE"
	}
	return name + "LE"
}

// marks lists the byte order marks. That of UTF-32 comes first because that of
// UTF-16 is its beginning.
var marks = []struct {
	bytes    string
	encoding Encoding
}{
	{"\xff\xfe\x00\x00", Encoding{4, 4, binary.LittleEndian}},
	{"\x00\x00\xfe\xff", Encoding{4, 4, binary.BigEndian}},
	{"\xff\xfe", Encoding{2, 2, binary.LittleEndian}},
	{"\xfe\xff", Encoding{2, 2, binary.BigEndian}},
}

// EncodingByBytes returns the encoding of a text that begins with head. Without
// a byte order mark, it recognizes UTF-16 and UTF-32 by the zero bytes beside
// ASCII characters, if the text begins like JSON. It returns the zero Encoding
// if head is UTF-8 or not text.
func EncodingByBytes(head []byte) Encoding {
	head = head[:min(len(head), MaxHead)]
	for _, m := range marks {
		// A mark of two bytes without text after it can also be the MessagePack
		// integers -1 and -2.
		if len(head) >= len(m.bytes)+m.encoding.Unit && string(head[:len(m.bytes)]) == m.bytes && isReadable(m.encoding, head) {
			return m.encoding
		}
	}
	for _, m := range marks {
		e := m.encoding
		e.Mark = 0
		if len(head) < max(4, e.Unit) || !isReadable(e, head) {
			continue
		}
		if text := decode(e, head); ByBytes(text) == JSON && (beginsClearlyJSON(text) || len(text) < 4) {
			return e
		}
	}
	return Encoding{}
}

// isReadable reports whether head is readable text in the encoding e.
func isReadable(e Encoding, head []byte) bool {
	text := decode(e, head)
	c := count(text)
	return len(text) > 0 && c.readable == len(text)
}

// decode returns the complete characters of head as UTF-8. An invalid code unit
// becomes the byte 0xff, which is not valid UTF-8.
func decode(e Encoding, head []byte) []byte {
	head = head[e.Mark:]
	var units []uint16
	var runes []rune
	for len(head) >= e.Unit {
		if e.Unit == 4 {
			runes = append(runes, rune(min(e.Big.Uint32(head), 0x110000))) // string turns a larger number into U+FFFD
		} else {
			units = append(units, e.Big.Uint16(head))
		}
		head = head[e.Unit:]
	}
	// The second half of the last character may be missing.
	if n := len(units); n > 0 && utf16.IsSurrogate(rune(units[n-1])) {
		units = units[:n-1]
	}
	runes = append(runes, utf16.Decode(units)...)
	return bytes.ReplaceAll([]byte(string(runes)), []byte("\ufffd"), []byte{0xff})
}
