package layout_test

import (
	"errors"
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
