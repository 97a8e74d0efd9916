package migration

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/octet-go/octet/adapters/vmihailenco"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/profile"
	library "github.com/vmihailenco/msgpack/v5"
)

// Byte types with methods, such as enumerations with names.
type (
	textByte   byte
	binaryByte uint8
	hookByte   byte
)

func (b textByte) MarshalText() ([]byte, error) { return []byte{'t', byte(b)}, nil }
func (b *textByte) UnmarshalText(text []byte) error {
	if len(text) != 2 {
		return errors.New("want two bytes")
	}
	*b = textByte(text[1])
	return nil
}

func (b binaryByte) MarshalBinary() ([]byte, error)     { return []byte{'b'}, nil }
func (b *binaryByte) UnmarshalBinary(data []byte) error { return errors.New("not called") }

func (b hookByte) EncodeMsgpack(e *library.Encoder) error { return e.EncodeString("hook") }
func (b *hookByte) DecodeMsgpack(d *library.Decoder) error {
	*b = 7
	return d.Skip()
}

// The library looks only at the kind of the elements.
func TestBytesWithMethods(t *testing.T) {
	type holder struct {
		Text   []textByte
		Binary [2]binaryByte
		Hook   *[]hookByte
		Map    map[string][]textByte
		Nil    []textByte
		One    textByte
	}
	ours, err := msgpack.New(withHooks(profile.Vmihailenco(), vmihailenco.Hooks()))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{
		&[]textByte{1, 2}, &[2]textByte{1, 2}, &[]binaryByte{1}, &[0]binaryByte{}, &[]hookByte{3}, &[1]hookByte{3}, &[][]hookByte{{1}, nil, {}},
		&holder{[]textByte{1}, [2]binaryByte{2, 3}, &[]hookByte{4}, map[string][]textByte{"a": {5}}, nil, 6},
	} {
		want, err := library.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ours.Marshal(v); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%T: encoded as %x, %v; the library writes %x", v, got, err, want)
		}
		got := reflect.New(reflect.TypeOf(v).Elem()).Interface()
		if err := ours.Unmarshal(want, got); err != nil || !reflect.DeepEqual(got, v) {
			t.Errorf("%T: decoded as %v, %v, want %v", v, got, err, v)
		}
	}
}
