package msgpack_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// A UUID is like uuid.UUID of Go 1.27, and stands in for it in older versions.
type UUID [16]byte

func (u UUID) MarshalText() ([]byte, error) { return u.AppendText(nil) }

func (u UUID) AppendText(b []byte) ([]byte, error) {
	return fmt.Appendf(b, "%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:]), nil
}

func (u *UUID) UnmarshalText(b []byte) error {
	raw, err := hex.DecodeString(strings.ReplaceAll(string(b), "-", ""))
	if err != nil || len(raw) != 16 {
		return errors.New("invalid UUID")
	}
	*u = UUID(raw)
	return nil
}

// A bothUUID has binary and text methods, like github.com/google/uuid.
type bothUUID UUID

func (u bothUUID) MarshalText() ([]byte, error)   { return UUID(u).MarshalText() }
func (u *bothUUID) UnmarshalText(b []byte) error  { return (*UUID)(u).UnmarshalText(b) }
func (u bothUUID) MarshalBinary() ([]byte, error) { return u[:], nil }
func (u *bothUUID) UnmarshalBinary(b []byte) error {
	if len(b) != 16 {
		return errors.New("invalid UUID")
	}
	copy(u[:], b)
	return nil
}

const (
	uuidBytes = "\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"
	uuidText  = "00112233-4455-6677-8899-aabbccddeeff"
)

// TestUUID checks a stand-in for uuid.UUID of Go 1.27, in all places of a value.
func TestUUID(t *testing.T) {
	defer msgpack.SetUUIDPackage(reflect.TypeFor[UUID]().PkgPath())()
	testUUID[UUID](t, true)
}

// TestBinaryUUID checks that a type with binary and text methods has the same form.
func TestBinaryUUID(t *testing.T) { testUUID[bothUUID](t, false) }

func testUUID[U interface {
	~[16]byte
	comparable
}](t *testing.T, standard bool) {
	u := U([]byte(uuidBytes))
	type fields struct {
		U U
		P *U
		O U `msgpack:",omitzero"`
	}
	bin := "\xc4\x10" + uuidBytes
	check := func(c *msgpack.Codec, v any, want string) {
		t.Helper()
		b, err := c.Marshal(v)
		if err != nil || string(b) != want {
			t.Errorf("%T: got % x, %v, want % x", v, b, err, want)
		}
		got := reflect.New(reflect.TypeOf(v))
		if err := c.Unmarshal(b, got.Interface()); err != nil || !reflect.DeepEqual(got.Elem().Interface(), v) {
			t.Errorf("%T: got %v, %v, want %v", v, got.Elem(), err, v)
		}
	}
	c := newCodec(t, msgpack.Options{})
	check(c, u, bin)
	check(c, &u, bin)
	check(c, []U{u, {}}, "\x92"+bin+"\xc4\x10"+strings.Repeat("\x00", 16))
	check(c, []*U{&u, nil}, "\x92"+bin+"\xc0")
	check(c, [1]U{u}, "\x91"+bin)
	check(c, map[U]int{u: 1}, "\x81"+bin+"\x01")
	check(c, map[string]U{"a": u}, "\x81\xa1a"+bin)
	check(c, fields{U: u, P: &u}, "\x82\xa1U"+bin+"\xa1P"+bin)
	if b, err := c.Marshal(map[string]any{"a": u}); err != nil || string(b) != "\x81\xa1a"+bin {
		t.Errorf("in any: % x, %v", b, err)
	}
	if b, err := c.Marshal([]any{&u, u}); err != nil || string(b) != "\x92"+bin+bin {
		t.Errorf("in []any: % x, %v", b, err)
	}
	// A variable of type any that holds a pointer.
	var target U
	v := any(&target)
	if err := c.Unmarshal([]byte(bin), &v); err != nil || target != u {
		t.Errorf("pointer in any: %v, %v", target, err)
	}

	// Decoding takes both forms, and nil.
	for _, o := range []msgpack.Options{{}, {AliasInput: true}, {RejectDuplicates: true}, {BytesAsStr: true}, {Compat: msgpack.Compat{TextAsBin: true}}} {
		c := newCodec(t, o)
		for _, in := range []string{bin, "\xd9\x24" + uuidText} {
			var got U
			if err := c.Unmarshal([]byte(in), &got); err != nil || got != u {
				t.Errorf("%+v: % x: got %v, %v", o, in, got, err)
			}
			var keys map[U]int
			if err := c.Unmarshal([]byte("\x81"+in+"\x05"), &keys); err != nil || keys[u] != 5 {
				t.Errorf("%+v: key % x: got %v, %v", o, in, keys, err)
			}
		}
		got := u
		if err := c.Unmarshal([]byte{0xc0}, &got); err != nil || got != (U{}) {
			t.Errorf("nil: %v, %v", got, err)
		}
		for _, in := range []string{"\xc4\x0f" + uuidBytes[1:], "\xc4\x00", "\xa3abc", "\xc4\x11" + uuidBytes + "\x00", "\x05", "\xc4\x10\x00"} {
			got := u
			if err := c.Unmarshal([]byte(in), &got); err == nil || got != u {
				t.Errorf("% x: got %v, %v", in, got, err)
			}
		}
	}

	// The options leave the forms of the standard library as they are.
	check(newCodec(t, msgpack.Options{IgnoreTextMethods: true}), u, bin)
	check(newCodec(t, msgpack.Options{BytesAsStr: true}), u, bin)
	if standard {
		check(newCodec(t, msgpack.Options{IgnoreBinaryMethods: true}), u, bin)
		check(newCodec(t, msgpack.Options{IgnoreTextMethods: true, IgnoreBinaryMethods: true}), u, bin)
		check(newCodec(t, msgpack.Options{Compat: msgpack.Compat{OldFormats: true}}), u, "\xb0"+uuidBytes)
		// A bin of text, as vmihailenco/msgpack writes it.
		check(newCodec(t, msgpack.Options{Compat: msgpack.Compat{TextAsBin: true}}), u, "\xc4\x24"+uuidText)
		var got U
		if err := c.Unmarshal([]byte("\xc4\x24"+uuidText), &got); err != nil || got != u {
			t.Errorf("bin of text: %v, %v", got, err)
		}
	} else {
		check(newCodec(t, msgpack.Options{IgnoreBinaryMethods: true}), u, "\xd9\x24"+uuidText)
	}
}

// TestOtherUUIDs checks that only the type of the standard library is one: others with
// text methods alone are text.
func TestOtherUUIDs(t *testing.T) {
	b, err := newCodec(t, msgpack.Options{}).Marshal(UUID([]byte(uuidBytes)))
	if err != nil || string(b) != "\xd9\x24"+uuidText {
		t.Errorf("% x, %v", b, err)
	}
}
