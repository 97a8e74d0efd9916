package layout_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/octet-go/octet/layout"
)

// TestSeveralConditions encodes and decodes fields that are present only if all of their
// conditions hold, such as those in the header of a chunk of RTMP: Adobe's Real Time Messaging
// Protocol, section 5.3.1.
func TestSeveralConditions(t *testing.T) {
	type chunk struct {
		Format    uint8  `layout:"bits=2"`
		ID        uint8  `layout:"bits=6"`
		Wide      uint16 `layout:"if=ID==1,le"`
		Time      uint32 `layout:"u24,if=Format!=3"`
		Length    uint32 `layout:"u24,if=Format!=3,if=Format!=2"`
		Type      uint8  `layout:"if=Format!=2,if=Format!=3"`
		Stream    uint32 `layout:"le,if=Format==0"`
		Extended  uint32 `layout:"if=Format!=3,if=Time==0xffffff"`
		Signature string `layout:"fixed=2,if=more,if=ID&2,if=Type"`
	}
	for data, want := range map[string]chunk{
		"\x03\x00\x00\x0a\x00\x00\x19\x14\x05\x00\x00\x00":   {Format: 0, ID: 3, Time: 10, Length: 25, Type: 20, Stream: 5},
		"\x03\x00\x00\x0a\x00\x00\x19\x14\x05\x00\x00\x00ab": {Format: 0, ID: 3, Time: 10, Length: 25, Type: 20, Stream: 5, Signature: "ab"},
		"\x43\xff\xff\xff\x00\x00\x19\x14\x01\x00\x00\x00":   {Format: 1, ID: 3, Time: 0xffffff, Length: 25, Type: 20, Extended: 1 << 24},
		"\x81\x02\x01\x00\x00\x0a":                           {Format: 2, ID: 1, Wide: 258, Time: 10},
		"\xc3":                                               {Format: 3, ID: 3},
	} {
		got := chunk{Wide: 1, Time: 1, Length: 1, Type: 1, Stream: 1, Extended: 1, Signature: "x"}
		if err := layout.Unmarshal([]byte(data), &got); err != nil || got != want {
			t.Errorf("% x: %+v, %v, want %+v", data, got, err, want)
		}
		read := got
		if err := layout.Read(bytes.NewReader([]byte(data)), &read); err != nil || read != want {
			t.Errorf("% x: %+v, %v, want %+v", data, read, err, want)
		}
		if b, err := layout.Marshal(&want); err != nil || string(b) != data {
			t.Errorf("%+v: % x, %v, want % x", want, b, err, data)
		}
		for n := range len(data) {
			if n == 12 {
				continue // the signature is optional
			}
			if err := layout.Unmarshal([]byte(data[:n]), &got); !errors.Is(err, layout.ErrTruncated) {
				t.Errorf("% x: %v", data[:n], err)
			}
		}
	}
	for _, v := range []chunk{
		{Format: 2, Length: 1},
		{Format: 3, Type: 1},
		{Format: 1, ID: 2, Signature: "ab"},
		{Format: 0, ID: 1, Type: 1, Signature: "ab"},
	} {
		if b, err := layout.Marshal(&v); !errors.Is(err, layout.ErrRange) {
			t.Errorf("%+v: % x, %v", v, b, err)
		}
	}
}
