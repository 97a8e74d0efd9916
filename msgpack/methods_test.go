package msgpack_test

import (
	"encoding"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// These types encode one byte in six ways, with value and pointer receivers, and
// decode it in three.
type (
	appender         struct{ n byte }
	marshaler        struct{ n byte }
	binaryAppender   struct{ n byte }
	binaryMarshaler  struct{ n byte }
	textAppender     struct{ n byte }
	textMarshaler    struct{ n byte }
	appenderP        struct{ n byte }
	marshalerP       struct{ n byte }
	binaryAppenderP  struct{ n byte }
	binaryMarshalerP struct{ n byte }
	textAppenderP    struct{ n byte }
	textMarshalerP   struct{ n byte }
)

func (v appender) AppendMsgpack(dst []byte) ([]byte, error)      { return append(dst, 0xcc, v.n), nil }
func (v marshaler) MarshalMsgpack() ([]byte, error)              { return []byte{0xcc, v.n}, nil }
func (v binaryAppender) AppendBinary(dst []byte) ([]byte, error) { return append(dst, v.n), nil }
func (v binaryMarshaler) MarshalBinary() ([]byte, error)         { return []byte{v.n}, nil }
func (v textAppender) AppendText(dst []byte) ([]byte, error)     { return append(dst, v.n), nil }
func (v textMarshaler) MarshalText() ([]byte, error)             { return []byte{v.n}, nil }
func (v *appenderP) AppendMsgpack(dst []byte) ([]byte, error)    { return append(dst, 0xcc, v.n), nil }
func (v *marshalerP) MarshalMsgpack() ([]byte, error)            { return []byte{0xcc, v.n}, nil }
func (v *binaryAppenderP) AppendBinary(d []byte) ([]byte, error) { return append(d, v.n), nil }
func (v *binaryMarshalerP) MarshalBinary() ([]byte, error)       { return []byte{v.n}, nil }
func (v *textAppenderP) AppendText(dst []byte) ([]byte, error)   { return append(dst, v.n), nil }
func (v *textMarshalerP) MarshalText() ([]byte, error)           { return []byte{v.n}, nil }
func (v *appender) UnmarshalMsgpack(data []byte) error           { return v.set(data) }
func (v *marshaler) UnmarshalMsgpack(data []byte) error          { return (*appender)(v).set(data) }
func (v *binaryAppender) UnmarshalBinary(data []byte) error      { return (*appender)(v).set(data) }
func (v *binaryMarshaler) UnmarshalBinary(data []byte) error     { return (*appender)(v).set(data) }
func (v *textAppender) UnmarshalText(text []byte) error          { return (*appender)(v).set(text) }
func (v *textMarshaler) UnmarshalText(text []byte) error         { return (*appender)(v).set(text) }
func (v *appenderP) UnmarshalMsgpack(data []byte) error          { return (*appender)(v).set(data) }
func (v *marshalerP) UnmarshalMsgpack(data []byte) error         { return (*appender)(v).set(data) }
func (v *binaryAppenderP) UnmarshalBinary(data []byte) error     { return (*appender)(v).set(data) }
func (v *binaryMarshalerP) UnmarshalBinary(data []byte) error    { return (*appender)(v).set(data) }
func (v *textAppenderP) UnmarshalText(text []byte) error         { return (*appender)(v).set(text) }
func (v *textMarshalerP) UnmarshalText(text []byte) error        { return (*appender)(v).set(text) }

var errOwn = errors.New("own error")

// set stores the last byte of data. It refuses the byte 0xee.
func (v *appender) set(data []byte) error {
	if n := len(data); n == 0 || data[n-1] == 0xee {
		return errOwn
	}
	v.n = data[len(data)-1]
	return nil
}

// ownConversions holds values of types with methods for both directions.
var ownConversions = []conversion{
	{"AppendMsgpack", appender{200}, "cc c8"},
	{"MarshalMsgpack", marshaler{200}, "cc c8"},
	{"AppendBinary", binaryAppender{200}, "c4 01 c8"},
	{"MarshalBinary", binaryMarshaler{200}, "c4 01 c8"},
	{"AppendText", textAppender{200}, "a1 c8"},
	{"MarshalText", textMarshaler{200}, "a1 c8"},
	{"AppendMsgpack of the pointer", appenderP{200}, "cc c8"},
	{"MarshalMsgpack of the pointer", marshalerP{200}, "cc c8"},
	{"AppendBinary of the pointer", binaryAppenderP{200}, "c4 01 c8"},
	{"MarshalBinary of the pointer", binaryMarshalerP{200}, "c4 01 c8"},
	{"AppendText of the pointer", textAppenderP{200}, "a1 c8"},
	{"MarshalText of the pointer", textMarshalerP{200}, "a1 c8"},
	{"named number", temperature(-40), "a4 2d343043"},
	{"long payload", words(strings.Repeat("a", 300)), str("da 012c", 300)},
	{"empty payload", words(""), "a0"},
	{"map", wordSet{"a": true}, "a1 61"},
	{"slice", wordList{"a", "b"}, "a3 612c62"},
	{"func", wordFunc(nil), "a3 66756e"},
	{"slice of bytes with methods", []letter{'a', 'b'}, "92 a1 61 a1 62"},
	{"array of bytes with methods", [2]letter{'a', 'b'}, "92 a1 61 a1 62"},
	{"bool", yesNo(true), "a3 796573"},
}

type (
	words    string
	wordSet  map[string]bool
	wordList []string
	wordFunc func()
	letter   byte
	yesNo    bool
)

func (w words) AppendText(dst []byte) ([]byte, error) { return append(dst, w...), nil }
func (w *words) UnmarshalText(text []byte) error      { *w = words(text); return nil }

func (w wordSet) MarshalText() (text []byte, err error) {
	for word := range w {
		text = append(text, word...)
	}
	return text, nil
}
func (w *wordSet) UnmarshalText(text []byte) error { *w = wordSet{string(text): true}; return nil }

func (w wordList) MarshalText() ([]byte, error) { return []byte(strings.Join(w, ",")), nil }
func (w *wordList) UnmarshalText(text []byte) error {
	*w = strings.Split(string(text), ",")
	return nil
}

func (w wordFunc) MarshalText() ([]byte, error)     { return []byte("fun"), nil }
func (w *wordFunc) UnmarshalText(text []byte) error { *w = nil; return nil }

func (l letter) MarshalText() ([]byte, error) { return []byte{byte(l)}, nil }
func (l *letter) UnmarshalText(text []byte) error {
	if len(text) != 1 {
		return errOwn
	}
	*l = letter(text[0])
	return nil
}

func (y yesNo) MarshalText() ([]byte, error) {
	return []byte(map[yesNo]string{true: "yes", false: "no"}[y]), nil
}
func (y *yesNo) UnmarshalText(text []byte) error { *y = string(text) == "yes"; return nil }

// A temperature is a number that is encoded as text, by methods with value
// receivers.
type temperature int

func (c temperature) MarshalText() ([]byte, error) {
	return append(strconv.AppendInt(nil, int64(c), 10), 'C'), nil
}

func (c *temperature) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(strings.TrimSuffix(string(text), "C"))
	*c = temperature(n)
	return err
}

// A point is encoded as binary, by methods with pointer receivers.
type point struct{ x, y byte }

func (p *point) AppendBinary(dst []byte) ([]byte, error) { return append(dst, p.x, p.y), nil }

func (p *point) UnmarshalBinary(data []byte) error {
	if len(data) != 2 {
		return errOwn
	}
	*p = point{data[0], data[1]}
	return nil
}

func TestMethods(t *testing.T) {
	for _, c := range ownConversions {
		t.Run(c.name, func(t *testing.T) {
			v := reflect.ValueOf(c.value)
			for _, p := range places {
				if p.takes(v.Type()) {
					t.Run(p.name, func(t *testing.T) {
						checkEncode(t, p.around(v).Interface(), unhex(t, p.message(c.bytes)))
					})
				}
			}
			checkDecodeInPlaces(t, c)
		})
	}
}

// TestMethodsInOrder checks which method is used for types with several.
func TestMethodsInOrder(t *testing.T) {
	checkEncode(t, every{}, []byte{1})
	checkEncode(t, allButAppender{}, []byte{2})
	checkEncode(t, binaryAndText{}, []byte("\xc4\x01A"))
	checkEncode(t, marshalBinaryAndText{}, []byte("\xc4\x01M"))
	checkEncode(t, texts{}, []byte("\xa1A"))

	for data, want := range map[string]string{
		"\xa1t":                "text t",
		"\xd9\x01t":            "text t",
		"\xc4\x01b":            "binary b",
		"\xc5\x00\x01b":        "binary b",
		"\xa0":                 "text ",
		"\xc4\x00":             "binary ",
		"\xdb\x00\x00\x00\x00": "text ",
	} {
		var v binaryAndText
		if err := msgpack.Unmarshal([]byte(data), &v); err != nil || v.got != want {
			t.Errorf("%q: got %q, %v, want %q", data, v.got, err, want)
		}
	}
	// A type with only one of the two decodes both formats with it. A type with
	// UnmarshalMsgpack decodes every format with it.
	var text textAppender
	if err := msgpack.Unmarshal([]byte("\xc4\x01b"), &text); err != nil || text.n != 'b' {
		t.Errorf("text from bin: got %v, %v", text, err)
	}
	var binary binaryAppender
	if err := msgpack.Unmarshal([]byte("\xa1t"), &binary); err != nil || binary.n != 't' {
		t.Errorf("binary from str: got %v, %v", binary, err)
	}
	var own every
	if err := msgpack.Unmarshal([]byte("\x92\x01\xa1a"), &own); err != nil || own.got != "\x92\x01\xa1a" {
		t.Errorf("with UnmarshalMsgpack: got %q, %v", own.got, err)
	}
	if err := msgpack.Unmarshal([]byte("\xc0"), &own); err != nil || own.got != "\xc0" {
		t.Errorf("own from nil: got %q, %v", own.got, err)
	}
	for _, data := range []string{"\x01", "\xc3", "\x90", "\x80", "\xca\x00\x00\x00\x00", "\xd4\x01\x00"} {
		checkError(t, msgpack.Unmarshal([]byte(data), &text), msgpack.ErrMismatch)
		checkError(t, msgpack.Unmarshal([]byte(data), &binary), msgpack.ErrMismatch)
	}
}

type (
	every                struct{ got string }
	allButAppender       struct{}
	binaryAndText        struct{ got string }
	marshalBinaryAndText struct{}
	texts                struct{}
)

func (every) AppendMsgpack(dst []byte) ([]byte, error)         { return append(dst, 1), nil }
func (every) MarshalMsgpack() ([]byte, error)                  { return []byte{9}, nil }
func (every) AppendBinary(dst []byte) ([]byte, error)          { return append(dst, 9), nil }
func (every) MarshalText() ([]byte, error)                     { return []byte{9}, nil }
func (e *every) UnmarshalMsgpack(data []byte) error            { e.got = string(data); return nil }
func (e *every) UnmarshalBinary([]byte) error                  { return errOwn }
func (e *every) UnmarshalText([]byte) error                    { return errOwn }
func (*allButAppender) MarshalMsgpack() ([]byte, error)        { return []byte{2}, nil }
func (allButAppender) AppendBinary(dst []byte) ([]byte, error) { return append(dst, 9), nil }
func (binaryAndText) AppendBinary(dst []byte) ([]byte, error)  { return append(dst, 'A'), nil }
func (binaryAndText) MarshalBinary() ([]byte, error)           { return []byte{'M'}, nil }
func (binaryAndText) MarshalText() ([]byte, error)             { return []byte{'T'}, nil }
func (b *binaryAndText) UnmarshalBinary(data []byte) error {
	b.got = "binary " + string(data)
	return nil
}
func (b *binaryAndText) UnmarshalText(text []byte) error       { b.got = "text " + string(text); return nil }
func (marshalBinaryAndText) MarshalBinary() ([]byte, error)    { return []byte{'M'}, nil }
func (marshalBinaryAndText) AppendText([]byte) ([]byte, error) { return []byte{'T'}, nil }
func (texts) AppendText(dst []byte) ([]byte, error)            { return append(dst, 'A'), nil }
func (texts) MarshalText() ([]byte, error)                     { return []byte{'M'}, nil }

// TestOneWayMethods checks that a type with methods for one direction uses its kind
// for the other.
func TestOneWayMethods(t *testing.T) {
	checkEncode(t, encodeOnly{7}, []byte("\xa1e"))
	checkDecode(t, []byte("\x81\xa1N\x07"), encodeOnly{7})
	checkEncode(t, decodeOnly{7}, []byte("\x81\xa1N\x07"))
	checkDecode(t, []byte("\xa1x"), decodeOnly{1})
	checkEncode(t, []decodeOnlyByte{1, 2}, []byte("\x92\x01\x02"))
	checkDecode(t, []byte("\x92\xa1a\xa1b"), []decodeOnlyByte{'a', 'b'})
}

type (
	encodeOnly     struct{ N int }
	decodeOnly     struct{ N int }
	decodeOnlyByte byte
)

func (encodeOnly) MarshalText() ([]byte, error)           { return []byte("e"), nil }
func (d *decodeOnly) UnmarshalText(text []byte) error     { d.N = len(text); return nil }
func (d *decodeOnlyByte) UnmarshalText(text []byte) error { *d = decodeOnlyByte(text[0]); return nil }

// TestNoMethodForNilPointers uses methods that would panic for a nil pointer.
func TestNoMethodForNilPointers(t *testing.T) {
	type fields struct {
		A *appender
		B *textMarshalerP
		C encoding.TextMarshaler
	}
	checkEncode(t, (*appender)(nil), []byte{0xc0})
	checkEncode(t, (*appenderP)(nil), []byte{0xc0})
	checkEncode(t, fields{C: (*textMarshalerP)(nil)}, []byte("\x83\xa1A\xc0\xa1B\xc0\xa1C\xc0"))
	checkEncode(t, []*marshaler{nil, {1}}, []byte("\x92\xc0\xcc\x01"))
	checkEncode(t, map[string]*binaryAppenderP{"a": nil}, []byte("\x81\xa1a\xc0"))
	got := fields{A: &appender{1}, B: &textMarshalerP{1}}
	if err := msgpack.Unmarshal([]byte("\x82\xa1A\xc0\xa1B\xc0"), &got); err != nil || got.A != nil || got.B != nil {
		t.Errorf("got %+v, %v", got, err)
	}
}
