package layout_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/octet-go/octet/layout"
)

// TestNarrowNumbers decodes numbers with a sign into variables that cannot hold all of
// them, at the limits of what they can hold.
func TestNarrowNumbers(t *testing.T) {
	type message struct {
		A int8   `layout:"i32"`
		B uint16 `layout:"i24"`
		C int16  `layout:"i64,max=5,le"`
		D uint64 `layout:"i64"`
	}
	const a, b, c, d = "\x00\x00\x00\x00", "\x00\x00\x00", "\x00\x00\x00\x00\x00\x00\x00\x00", "\x00\x00\x00\x00\x00\x00\x00\x00"
	for data, want := range map[string]struct {
		message
		err error
	}{
		"\xff\xff\xff\x80" + b + c + d:                           {message{A: -128}, nil},
		"\x00\x00\x00\x7f" + b + c + d:                           {message{A: 127}, nil},
		"\xff\xff\xff\x7f" + b + c + d:                           {message{}, layout.ErrRange},
		"\x00\x00\x00\x80" + b + c + d:                           {message{}, layout.ErrRange},
		"\x7f\xff\xff\x80" + b + c + d:                           {message{}, layout.ErrRange},
		a + "\x00\xff\xff" + c + d:                               {message{B: 65535}, nil},
		a + "\x01\x00\x00" + c + d:                               {message{}, layout.ErrRange},
		a + "\xff\xff\xff" + c + d:                               {message{}, layout.ErrRange},
		a + b + "\x05\x00\x00\x00\x00\x00\x00\x00" + d:           {message{C: 5}, nil},
		a + b + "\x06\x00\x00\x00\x00\x00\x00\x00" + d:           {message{}, layout.ErrLimit},
		a + b + "\x00\x80\xff\xff\xff\xff\xff\xff" + d:           {message{C: -32768}, nil},
		a + b + c + "\x7f\xff\xff\xff\xff\xff\xff\xff":           {message{D: 1<<63 - 1}, nil},
		a + b + c + "\x80\x00\x00\x00\x00\x00\x00\x00":           {message{}, layout.ErrRange},
		"\xff\xff\xff\xff" + "\x00\x00\x01" + c + d[:7] + "\x02": {message{A: -1, B: 1, D: 2}, nil},
	} {
		var got message
		if err := layout.Unmarshal([]byte(data), &got); !errors.Is(err, want.err) || err == nil && got != want.message {
			t.Errorf("% x: %+v, %v, want %+v, %v", data, got, err, want.message, want.err)
		}
	}
}

// TestDecodedDigits decodes numbers in digits between spaces and NULs.
func TestDecodedDigits(t *testing.T) {
	type message struct {
		A uint8  `layout:"oct=4"`
		B int16  `layout:"dec=6,max=1000"`
		C uint64 `layout:"dec=20"`
	}
	const zero = "00000000000000000000"
	for data, want := range map[string]struct {
		message
		err error
	}{
		" 377" + "  12\x00x" + zero:                         {message{0o377, 12, 0}, nil},
		" 400" + "000012" + zero:                            {message{}, layout.ErrRange},
		"8000" + "000012" + zero:                            {message{}, layout.ErrRange},
		"\x00\x00\x00\x00" + "      " + zero:                {message{}, nil},
		"7 99" + "1000  " + zero:                            {message{7, 1000, 0}, nil},
		"7\x00\x00\x00" + "1001  " + zero:                   {message{}, layout.ErrLimit},
		"7\x00\x00\x00" + "32768 " + zero:                   {message{}, layout.ErrRange},
		"7\x00\x00\x00" + "-1    " + zero:                   {message{}, layout.ErrRange},
		"1\x00\x00\x00" + "1     " + "18446744073709551615": {message{1, 1, 1<<64 - 1}, nil},
		"1\x00\x00\x00" + "1     " + "18446744073709551616": {message{}, layout.ErrRange},
	} {
		var got message
		if err := layout.Unmarshal([]byte(data), &got); !errors.Is(err, want.err) || err == nil && got != want.message {
			t.Errorf("%q: %+v, %v, want %+v, %v", data, got, err, want.message, want.err)
		}
	}
}

// TestMagicTexts decodes constant bytes into variables of every kind.
func TestMagicTexts(t *testing.T) {
	type message struct {
		A string  `layout:"magic=ab"`
		B []byte  `layout:"magic=\\x00cde\\x00"`
		C [3]byte `layout:"magic=fgh"`
		D uint8
	}
	const data = "ab\x00cde\x00fgh\x09"
	var got message
	if err := layout.Unmarshal([]byte(data), &got); err != nil || got.A != "ab" || string(got.B) != "\x00cde\x00" || string(got.C[:]) != "fgh" || got.D != 9 {
		t.Errorf("%+v, %v", got, err)
	}
	for i := range len(data) - 1 {
		b := []byte(data)
		b[i] ^= 1
		if err := layout.Unmarshal(b, &got); !errors.Is(err, layout.ErrConst) {
			t.Errorf("byte %d: %v", i, err)
		}
		if err := layout.Unmarshal([]byte(data)[:i], &got); !errors.Is(err, layout.ErrTruncated) {
			t.Errorf("%d bytes: %v", i, err)
		}
	}
}

// TestNarrowConstants decodes constants in signed variables that are narrower than their numbers.
func TestNarrowConstants(t *testing.T) {
	type message struct {
		A int16 `layout:"i24,const=1"`
		B int32 `layout:"i64,le,const=-2"`
		C int8  `layout:"i16,const=3,const=4"`
		D int8  `layout:"i32,max=9"`
	}
	data, err := layout.Marshal(&message{C: 4, D: 9})
	if err != nil || string(data) != "\x00\x00\x01"+"\xfe\xff\xff\xff\xff\xff\xff\xff"+"\x00\x04"+"\x00\x00\x00\x09" {
		t.Fatalf("% x, %v", data, err)
	}
	var got message
	if err := layout.Unmarshal(data, &got); err != nil || got != (message{1, -2, 4, 9}) {
		t.Errorf("%+v, %v", got, err)
	}
	for i := range data {
		b := bytes.Clone(data)
		b[i] ^= 8
		if err := layout.Unmarshal(b, &got); err == nil && i != len(data)-1 {
			t.Errorf("byte %d: %+v", i, got)
		}
	}
}
