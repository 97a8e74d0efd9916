package sniff

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
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

// EncodingOfJSON is EncodingByBytes for a text that is JSON for certain. It also
// recognizes a single digit in UTF-16, whose two bytes can be anything otherwise.
func EncodingOfJSON(head []byte) Encoding {
	e := EncodingByBytes(head)
	if e != (Encoding{}) || len(head) != 2 {
		return e
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if c := order.Uint16(head); c >= '0' && c <= '9' {
			return Encoding{Unit: 2, Big: order}
		}
	}
	return e
}

// isReadable reports whether head is text in the encoding e, without the control
// characters that JSON does not allow.
func isReadable(e Encoding, head []byte) bool {
	text := decode(e, head)
	for _, c := range text {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			return false
		}
	}
	return len(text) > 0 && utf8.Valid(text)
}

// decode returns the complete characters of head as UTF-8. An invalid code unit
// becomes the byte 0xff, which is not valid UTF-8.
func decode(e Encoding, head []byte) []byte {
	var text []byte
	for head = head[e.Mark:]; len(head) >= e.Unit; {
		r, size := e.next(head)
		if size == 0 {
			break // the second half of the last character is missing
		}
		text, head = appendCharacter(text, r), head[size:]
	}
	return text
}

// next returns the first character of text, which has at least one code unit, and the
// number of its bytes. The character is -1 if it is not valid. The number is 0 if text
// ends within it.
func (e Encoding) next(text []byte) (r rune, size int) {
	if e.Unit == 4 {
		r = rune(e.Big.Uint32(text))
	} else if r = rune(e.Big.Uint16(text)); utf16.IsSurrogate(r) {
		if len(text) < 4 {
			return -1, 0
		}
		if pair := utf16.DecodeRune(r, rune(e.Big.Uint16(text[2:]))); pair != utf8.RuneError {
			return pair, 4
		}
	}
	if !utf8.ValidRune(r) {
		r = -1
	}
	return r, e.Unit
}

// appendCharacter appends a character of [Encoding.next] as UTF-8.
func appendCharacter(dst []byte, r rune) []byte {
	if r < 0 {
		return append(dst, invalidByte)
	}
	return utf8.AppendRune(dst, r)
}
