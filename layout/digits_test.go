package layout_test

import (
	"errors"
	"testing"

	"github.com/octet-go/octet/layout"
)

// TestDigitsFillTheField requires that what is decoded can be encoded: a number may
// need all bytes of its field for digits.
func TestDigitsFillTheField(t *testing.T) {
	type message struct {
		A uint64 `layout:"oct=4"`
		B uint64 `layout:"dec=3"`
	}
	for data, want := range map[string]message{
		"0777" + "099":       {0o777, 99},
		"777\x00" + "99\x00": {0o777, 99},
		"7777" + "999":       {0o7777, 999},
		"1000" + "100":       {0o1000, 100},
	} {
		var got message
		if err := layout.Unmarshal([]byte(data), &got); err != nil || got != want {
			t.Errorf("%q: %+v, %v", data, got, err)
		}
		b, err := layout.Marshal(&got)
		if err != nil {
			t.Fatalf("%q is not encoded: %v", data, err)
		}
		var again message
		if err := layout.Unmarshal(b, &again); err != nil || again != want {
			t.Errorf("%q: encoded as %q, %v", data, b, err)
		}
	}
	for _, v := range []message{{0o10000, 0}, {0, 1000}} {
		if b, err := layout.Marshal(&v); !errors.Is(err, layout.ErrRange) {
			t.Errorf("%+v: %q, %v", v, b, err)
		}
	}
}

// TestLongVarints decodes numbers of variable width with more bytes than they need.
func TestLongVarints(t *testing.T) {
	type message struct {
		A uint32 `layout:"varint"`
		B int32  `layout:"zigzag"`
		C int32  `layout:"sleb128"`
		D []byte `layout:"prefix=varint"`
	}
	var got message
	data := "\x80\x00" + "\x82\x80\x00" + "\xff\x7f" + "\x81\x80\x80\x80\x80\x80\x80\x80\x80\x00x"
	if err := layout.Unmarshal([]byte(data), &got); err != nil || got.A != 0 || got.B != 1 || got.C != -1 || string(got.D) != "x" {
		t.Errorf("%+v, %v", got, err)
	}
	if b, err := layout.Marshal(&got); err != nil || string(b) != "\x00\x02\x7f\x01x" {
		t.Errorf("% x, %v", b, err)
	}
	if err := layout.Unmarshal([]byte("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"), &got); !errors.Is(err, layout.ErrRange) {
		t.Error(err)
	}
}
