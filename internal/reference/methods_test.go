package reference

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"testing"
)

var errOwn = errors.New("error of a method")

// textByte has text methods, so slices of it are not byte strings.
type textByte uint8

func (b textByte) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "#%d", uint8(b)), nil }

func (b *textByte) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text[1:]), 10, 8)
	*b = textByte(n)
	return err
}

// textReader has only a method for decoding.
type textReader uint8

func (b *textReader) UnmarshalText(text []byte) error { *b = textReader(len(text)); return nil }

// ownBytes returns itself as its encoding.
type ownBytes []byte

func (b ownBytes) MarshalMsgpack() ([]byte, error) { return b, nil }

// everything has all methods. Took is the name of the method that decoded it.
type everything struct {
	Took string
	Data string
}

func (everything) AppendMsgpack(dst []byte) ([]byte, error) { return append(dst, 0x01), nil }
func (everything) MarshalMsgpack() ([]byte, error)          { return []byte{0x02}, nil }
func (everything) AppendBinary(dst []byte) ([]byte, error)  { return append(dst, 0x03), nil }
func (everything) MarshalBinary() ([]byte, error)           { return []byte{0x04}, nil }
func (everything) AppendText(dst []byte) ([]byte, error)    { return append(dst, 0x05), nil }
func (everything) MarshalText() ([]byte, error)             { return []byte{0x06}, nil }
func (e *everything) UnmarshalMsgpack(data []byte) error {
	*e = everything{"msgpack", string(data)}
	return nil
}

// Each of these types has one method, and none of those that have precedence over
// it.
type (
	marshaler      struct{}
	binaryAppender struct{}
	binaryOnly     struct{ Took, Data string }
	textAppender   struct{}
	textOnly       struct{ Took, Data string }
	both           struct{ Took, Data string }
	failing        struct{}
	failingText    struct{}
	pointerText    struct{ n int } // has methods only on the pointer
	textMap        map[string]int
)

func (marshaler) MarshalMsgpack() ([]byte, error) { return []byte{0x02}, nil }
func (marshaler) AppendBinary([]byte) ([]byte, error) {
	return nil, errOwn
}

func (binaryAppender) AppendBinary(dst []byte) ([]byte, error) { return append(dst, 0x03), nil }
func (binaryAppender) MarshalBinary() ([]byte, error)          { return nil, errOwn }

func (binaryOnly) MarshalBinary() ([]byte, error) { return []byte{0x04}, nil }
func (binaryOnly) AppendText([]byte) ([]byte, error) {
	return nil, errOwn
}
func (b *binaryOnly) UnmarshalBinary(data []byte) error {
	*b = binaryOnly{"binary", string(data)}
	return nil
}

func (textAppender) AppendText(dst []byte) ([]byte, error) { return append(dst, 'a'), nil }
func (textAppender) MarshalText() ([]byte, error)          { return nil, errOwn }

func (textOnly) MarshalText() ([]byte, error)        { return nil, nil }
func (x *textOnly) UnmarshalText(data []byte) error  { *x = textOnly{"text", string(data)}; return nil }
func (b *both) UnmarshalText(data []byte) error      { *b = both{"text", string(data)}; return nil }
func (b *both) UnmarshalBinary(data []byte) error    { *b = both{"binary", string(data)}; return nil }
func (failing) AppendMsgpack([]byte) ([]byte, error) { return nil, errOwn }
func (failingText) MarshalText() ([]byte, error)     { return nil, errOwn }
func (failing) UnmarshalMsgpack([]byte) error        { return errOwn }
func (p *pointerText) MarshalText() ([]byte, error) {
	return strconv.AppendInt(nil, int64(p.n), 10), nil
}
func (m textMap) MarshalText() ([]byte, error)    { return fmt.Appendf(nil, "%d", len(m)), nil }
func (m textMap) UnmarshalText(text []byte) error { m[string(text)] = 1; return nil }

// TestEncodeByMethods checks which method encodes a value, and when none is
// called.
func TestEncodeByMethods(t *testing.T) {
	testEncode(t, []encodeCase{
		{"AppendMsgpack first", everything{}, "01", nil},
		{"then MarshalMsgpack", marshaler{}, "02", nil},
		{"then AppendBinary", binaryAppender{}, "c4 01 03", nil},
		{"then MarshalBinary", binaryOnly{}, "c4 01 04", nil},
		{"then AppendText", textAppender{}, "a1 61", nil},
		{"then MarshalText", textOnly{}, "a0", nil},
		{"method of the pointer, on a pointer", &pointerText{7}, "a1 37", nil},
		{"method of the pointer, on a value", pointerText{7}, "a1 37", nil},
		{"method of the pointer, in a slice", []pointerText{{7}}, "91 a1 37", nil},
		{"method of the pointer, as element of a map", map[string]pointerText{"a": {7}}, "81 a1 61 a1 37", nil},
		{"method of the pointer, as key of a map", map[pointerText]int{{7}: 1}, "81 a1 37 01", nil},
		{"method of the pointer, in an array in any", []any{[1]pointerText{{7}}}, "91 91 a1 37", nil},
		{"method of the value, on a pointer", to(marshaler{}), "02", nil},
		{"nil pointer", (*everything)(nil), "c0", nil},
		{"nil map", textMap(nil), "a1 30", nil}, // methods are called unless the receiver is a nil pointer
		{"error", []failing{{}}, "", errOwn},
		{"error of text", failingText{}, "", errOwn},
		{"no value", ownBytes{}, "", ErrInvalid},
		{"two values", ownBytes{0x01, 0x02}, "", ErrInvalid},
		{"incomplete value", ownBytes{0xcd, 0x02}, "", ErrInvalid},
		{"one value", []ownBytes{{0x92, 0x01, 0x02}}, "91 92 01 02", nil},
	})
}

// TestDecodeByMethods checks which method decodes a value from which format.
func TestDecodeByMethods(t *testing.T) {
	testDecode(t, []decodeCase{
		{"UnmarshalMsgpack gets the value", "92 01 d9 01 61", new(everything), everything{"msgpack", "\x92\x01\xd9\x01a"}, nil},
		{"UnmarshalMsgpack gets nil", "c0", new(everything), everything{"msgpack", "\xc0"}, nil},
		{"UnmarshalMsgpack in a slice", "91 05", new([]everything), []everything{{"msgpack", "\x05"}}, nil},
		{"nil pointer stays nil", "c0", new(*everything), (*everything)(nil), nil},
		{"pointer becomes nil", "c0", to(&everything{}), (*everything)(nil), nil},
		{"pointer is allocated", "05", new(*everything), &everything{"msgpack", "\x05"}, nil},
		{"bin with both methods", "c4 01 61", new(both), both{"binary", "a"}, nil},
		{"str with both methods", "a1 61", new(both), both{"text", "a"}, nil},
		{"bin with binary method", "c4 01 61", new(binaryOnly), binaryOnly{"binary", "a"}, nil},
		{"str with binary method", "a1 61", new(binaryOnly), binaryOnly{"binary", "a"}, nil},
		{"bin with text method", "c4 01 61", new(textOnly), textOnly{"text", "a"}, nil},
		{"str with text method", "a1 61", new(textOnly), textOnly{"text", "a"}, nil},
		{"array with text method", "91 01", new(textOnly), nil, ErrMismatch},
		{"int with both methods", "01", new(both), nil, ErrMismatch},
		{"map with binary method", "80", new(binaryOnly), nil, ErrMismatch},
		{"nil with text method", "c0", &textOnly{"old", "old"}, textOnly{}, nil},
		{"method of the value", "a1 61", to(textMap{}), textMap{"a": 1}, nil},
		{"as key of a map", "81 a2 2337 01", new(map[textByte]int), map[textByte]int{7: 1}, nil},
		{"only encoding methods", "80", new(pointerText), nil, ErrUnsupported}, // its only field is unexported
		{"error", "91 01", new([]failing), nil, errOwn},
		{"malformed value", "91 d4 ff 00", new([]everything), nil, ErrTimestamp},
		{"bytes with methods from an array", "92 a2 2331 a2 2332", new([]textByte), []textByte{1, 2}, nil},
		{"bytes with methods from bin", "c4 02 0102", new([]textByte), nil, ErrMismatch},
		{"byte array with methods from bin", "c4 01 01", new([1]textByte), nil, ErrMismatch},
	})
}

// TestMethodsGetTheirOwnBytes checks that a method may modify and retain its
// argument.
func TestMethodsGetTheirOwnBytes(t *testing.T) {
	data := []byte{0xc4, 0x02, 'a', 'b'}
	var k keeper
	if err := ref.Unmarshal(data, &k); err != nil {
		t.Fatal(err)
	}
	k.kept[0] = 'x'
	if !reflect.DeepEqual(data, []byte{0xc4, 0x02, 'a', 'b'}) {
		t.Errorf("the input changed to % x", data)
	}
}

type keeper struct{ kept []byte }

func (k *keeper) UnmarshalBinary(data []byte) error { k.kept = data; return nil }
