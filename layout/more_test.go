package layout_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

type moreName struct {
	S string `layout:"cstring"`
}

// A moreRange has a frame that a number inside of it bounds, and fields after the frame.
type moreRange struct {
	N    uint8 `layout:"len=N..C"`
	A    uint8
	B    uint16     `layout:"if=more"`
	C    []moreName `layout:"if=more"`
	Tail uint8
}

// A moreBefore has a frame that a number before it bounds, in a message that may end before the number.
type moreBefore struct {
	K    uint8
	Opt  uint8     `layout:"if=more"`
	Last moreInner `layout:"if=more"`
}

type moreInner struct {
	N uint8  `layout:"len=A..B"`
	A uint8  `layout:"if=more"`
	B string `layout:"if=more,cstring"`
}

// A moreBehind has a number behind the fields that it measures, which are in the frame of the number.
type moreBehind struct {
	A uint16 `layout:"if=more"`
	B []byte `layout:"if=more,prefix=u8"`
	N uint8  `layout:"len=A..B"`
}

// A moreFramed has frames that may be absent, and a field behind them.
type moreFramed struct {
	A *struct {
		B uint8 `layout:"if=more"`
	} `layout:"if=more,prefix=u8"`
	C []struct {
		D uint8
		E uint8 `layout:"if=more"`
	} `layout:"if=more,prefix=u8"`
	Tail uint8
}

// TestMoreInRanges has fields with if=more in ranges that numbers measure. A number before the end of
// the range makes it their frame: what follows the range does not count.
func TestMoreInRanges(t *testing.T) {
	framed := &moreFramed{Tail: 9}
	framed.A = &struct {
		B uint8 `layout:"if=more"`
	}{}
	framed.C = make([]struct {
		D uint8
		E uint8 `layout:"if=more"`
	}, 2)
	for _, v := range []struct {
		value any
		bytes string
	}{
		{&moreRange{N: 2, A: 1, Tail: 9}, "\x02\x01\x09"},
		{&moreRange{N: 4, A: 1, B: 2, Tail: 9}, "\x04\x01\x00\x02\x09"},
		{&moreRange{N: 7, A: 1, C: []moreName{{"x"}, {""}}, Tail: 9}, "\x07\x01\x00\x00x\x00\x00\x09"},
		{&moreBefore{K: 1}, "\x01"},
		{&moreBefore{K: 1, Last: moreInner{N: 1, A: 5}}, "\x01\x00\x01\x05"},
		{&moreBefore{K: 1, Last: moreInner{N: 2, B: ""}}, ""},
		{&moreBefore{K: 1, Last: moreInner{N: 3, B: "b"}}, "\x01\x00\x03\x00b\x00"},
		{&moreBehind{N: 3}, "\x00\x00\x00\x03"},
		{framed, "\x00\x03\x00\x00\x00\x09"},
	} {
		b, err := layout.Marshal(v.value)
		if v.bytes == "" {
			continue
		}
		if err != nil || string(b) != v.bytes {
			t.Errorf("%+v: % x, %v, want % x", v.value, b, err, v.bytes)
		}
		got := reflect.New(reflect.TypeOf(v.value).Elem()).Interface()
		if err := layout.Unmarshal([]byte(v.bytes), got); err != nil || !reflect.DeepEqual(got, v.value) {
			if r, ok := got.(*moreBehind); !ok || r.A != 0 || err != nil {
				t.Errorf("%+v, %v, want %+v", got, err, v.value)
			}
		}
	}
	type pair struct {
		X uint8
		Y uint8 `layout:"if=more"`
	}
	if b, err := layout.Marshal(&struct {
		A [2]pair
		T uint8
	}{}); err != nil || len(b) != 5 {
		t.Errorf("array: % x, %v, want 5 bytes", b, err)
	}
	if b, err := layout.Marshal(&struct {
		N uint8 `layout:"len=A..E"`
		A []struct {
			N uint8 `layout:"len=N..E"`
			X uint8 `layout:"if=more"`
			E uint8 `layout:"if=more"`
		} `layout:"count=u8"`
		E uint8
	}{A: make([]struct {
		N uint8 `layout:"len=N..E"`
		X uint8 `layout:"if=more"`
		E uint8 `layout:"if=more"`
	}, 2)}); err != nil || string(b) != "\x04\x02\x01\x01\x00" {
		t.Errorf("elements: % x, %v", b, err)
	}
	// What a range leaves out does not hide what was left out before it.
	type outer struct {
		A uint8 `layout:"if=more"`
		R struct {
			N uint8 `layout:"len=X..X"`
			X uint8 `layout:"if=more"`
		} `layout:"if=more"`
		S struct {
			Y uint8
		} `layout:"if=more"`
	}
	var o outer
	o.S.Y = 1
	if b, err := layout.Marshal(&o); err != nil || string(b) != "\x00\x00\x01" {
		t.Errorf("% x, %v", b, err)
	}
}

// TestMoreBeforeEmpty decodes messages that end before a field with if=more and encodes them again. What follows the
// field takes no bytes, because it is an empty slice, whether or not it is nil.
func TestMoreBeforeEmpty(t *testing.T) {
	for _, v := range []any{
		new(struct {
			A uint8
			N uint16 `layout:"if=more,count=B"`
			B [][2]byte
		}),
		new(struct {
			N uint8 `layout:"count=B"`
			A uint8 `layout:"if=more"`
			B []uint16
		}),
		new(struct {
			A uint8
			B uint16 `layout:"if=more"`
			C []byte
		}),
		new(struct {
			A uint8
			B uint16   `layout:"if=more"`
			C []uint16 `layout:"if=more"`
		}),
	} {
		if b, err := layout.Marshal(v); err != nil || string(b) != "\x00" {
			t.Errorf("%T: % x, %v, want 00", v, b, err)
		}
		if err := layout.Unmarshal([]byte{0}, v); err != nil {
			t.Errorf("%T: %v", v, err)
		}
		if b, err := layout.Marshal(v); err != nil || string(b) != "\x00" {
			t.Errorf("decoded %T: % x, %v, want 00", v, b, err)
		}
	}
}

// TestMoreBeforeNothing is TestMoreBeforeEmpty for pointers, structs and unions that take no bytes, although they are not
// zero after decoding.
func TestMoreBeforeNothing(t *testing.T) {
	c := codec(t)
	for _, v := range []any{
		new(struct {
			A uint8
			B uint16 `layout:"if=more"`
			C *struct{ D []byte }
		}),
		new(struct {
			A uint8
			B uint16 `layout:"if=more"`
			C struct {
				D *struct {
					E uint8 `layout:"if=more"`
				}
			}
		}),
		new(struct {
			A uint8
			B uint16 `layout:"if=more"`
			C any    `layout:"switch=A"`
		}),
		new(struct {
			A uint8 `layout:"len=C"`
			B uint8 `layout:"if=more"`
			C *struct{ D string }
		}),
	} {
		if err := c.Unmarshal([]byte{0}, v); err != nil {
			t.Errorf("%T: %v", v, err)
		}
		if b, err := c.Marshal(v); err != nil || string(b) != "\x00" {
			t.Errorf("%T: % x, %v, want 00", v, b, err)
		}
	}
	type present struct {
		A uint8
		B uint16 `layout:"if=more"`
		C *struct {
			D uint8 `layout:"if=A"`
		}
	}
	v := &present{A: 1, C: &struct {
		D uint8 `layout:"if=A"`
	}{}}
	if b, err := c.Marshal(v); err != nil || string(b) != "\x01\x00\x00\x00" {
		t.Errorf("% x, %v, want 01 00 00 00", b, err)
	}
}

// TestMoreBeforeBytes encodes zero values in which bytes follow a field with if=more in any case.
func TestMoreBeforeBytes(t *testing.T) {
	type inner struct {
		B []byte `layout:"prefix=u8"`
	}
	for _, v := range []any{
		new(struct {
			A uint8  `layout:"if=more"`
			B uint64 `layout:"varint"`
		}),
		new(struct {
			A uint8 `layout:"if=more"`
			B inner
		}),
		new(struct {
			A uint8  `layout:"if=more"`
			B string `layout:"cstring"`
		}),
		new(struct {
			A uint8 `layout:"if=more"`
			B uint8 `layout:"-"`
			C [1]inner
		}),
	} {
		if b, err := layout.Marshal(v); err != nil || string(b) != "\x00\x00" {
			t.Errorf("%T: % x, %v, want 00 00", v, b, err)
		}
	}
}

// TestMoreMeasured decodes lengths and counts of fields with if=more in a message that ends behind them. Unless
// the number is 0, a longer message could have them.
func TestMoreMeasured(t *testing.T) {
	for _, v := range []any{
		new(struct {
			N uint8  `layout:"len=A"`
			A []byte `layout:"if=more"`
		}),
		new(struct {
			N uint8  `layout:"if=more,len=A*2"`
			A string `layout:"if=more"`
		}),
		new(struct {
			N uint8 `layout:"len=A"`
			A *struct {
				B []byte
			} `layout:"if=more"`
		}),
		new(struct {
			N uint8    `layout:"count=A"`
			A []uint16 `layout:"if=more"`
		}),
	} {
		if err := layout.Unmarshal([]byte{0}, v); err != nil {
			t.Errorf("%T: %v", v, err)
		}
		if err := layout.Unmarshal([]byte{5}, v); !errors.Is(err, layout.ErrTruncated) {
			t.Errorf("%T: %v, want ErrTruncated", v, err)
		}
		if err := layout.Read(strings.NewReader("\x05"), v); !errors.Is(err, layout.ErrTruncated) {
			t.Errorf("%T: Read: %v, want ErrTruncated", v, err)
		}
	}
}
