package layout_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

// TestConditionsOfUsedVariables encodes and decodes fields whose conditions read other fields, some
// of which may be absent themselves. The variable is used again, and must not have what an
// earlier message left.
func TestConditionsOfUsedVariables(t *testing.T) {
	type element struct {
		Has  bool   `layout:"bits=1"`
		More bool   `layout:"bits=1"`
		_    uint8  `layout:"bits=6"`
		Kind uint16 `layout:"varint,if=Has"`
		Text string `layout:"prefix=u8,if=Kind==300"`
		Last uint8  `layout:"if=More!=0"`
	}
	type message struct {
		List []element `layout:"count=u8"`
		Flag uint8
		Rest []byte
		Tail uint16 `layout:"if=Flag&2"`
	}
	var got message
	for _, data := range []string{
		"\x02" + "\xc0\xac\x02\x01x\x09" + "\x80\x07" + "\x02" + "rest" + "\x00\x05",
		"\x02" + "\x00" + "\x40\x08" + "\x01" + "rest",
		"\x01" + "\x80\xac\x02\x00" + "\x02" + "\x00\x00",
	} {
		if err := layout.Unmarshal([]byte(data), &got); err != nil {
			t.Fatalf("% x: %v", data, err)
		}
		if b, err := layout.Marshal(&got); err != nil || string(b) != data {
			t.Errorf("% x: encoded as % x, %v: %+v", data, b, err, got)
		}
	}
	for _, v := range []message{
		{List: []element{{Kind: 1}}},
		{List: []element{{Has: true, Kind: 1, Text: "x"}}},
		{List: []element{{Last: 1}}},
		{Flag: 1, Tail: 1},
	} {
		if b, err := layout.Marshal(&v); !errors.Is(err, layout.ErrRange) {
			t.Errorf("%+v: % x, %v", v, b, err)
		}
	}
}

// TestReadConditionOfNothing reads messages whose field with if=more takes no bytes, although there are some. The byte
// that tells so has been read, and must not be lost.
func TestReadConditionOfNothing(t *testing.T) {
	type fixed struct {
		A uint16
		B []byte `layout:"fixed=0,if=more"`
	}
	type optional struct {
		A uint8
		B struct {
			C uint8 `layout:"if=A"`
		} `layout:"if=more"`
	}
	check := func(name string, err error, want error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	check("fixed", layout.Read(strings.NewReader("\x00\x01\x02"), new(fixed)), layout.ErrTrailing)
	check("fixed at the end", layout.Read(strings.NewReader("\x00\x01"), new(fixed)), nil)
	check("optional", layout.Read(strings.NewReader("\x00\x01"), new(optional)), layout.ErrTrailing)
	check("optional with a byte", layout.Read(strings.NewReader("\x01\x01\x02"), new(optional)), nil)
	count := 0
	for v, err := range (layout.Typed[optional]{}).Frames(strings.NewReader("\x01\x01\x00\x05")) {
		if count++; count == 2 {
			check("Frames", err, layout.ErrTrailing)
		} else if err != nil || v.B.C != 1 {
			t.Errorf("Frames: %+v, %v", v, err)
		}
	}
}
