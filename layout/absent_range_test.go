package layout_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/octet-go/octet/layout"
)

// TestRestBeforeAbsentRange has a field that takes the rest before a range whose number can be absent. The range has its
// bytes then, too.
func TestRestBeforeAbsentRange(t *testing.T) {
	type fixed struct {
		Has  bool
		N    uint8 `layout:"len=A..B,if=Has"`
		Text string
		A    [1]byte
		B    uint16
	}
	type together struct {
		Has  bool
		N    uint8 `layout:"len=A..B,if=Has"`
		Text string
		A    []byte `layout:"prefix=u8,if=Has"`
		B    uint16 `layout:"if=Has"`
	}
	type stronger struct {
		F    uint8
		N    uint8 `layout:"len=A..D,if=F"`
		Text string
		A    []byte `layout:"prefix=u8,if=F&1"`
		B    uint16 `layout:"if=F==2"`
		C    []byte `layout:"prefix=u8,if=F!=0"`
		D    string `layout:"cstring,if=F"`
	}
	type bits struct {
		F    uint8
		N    uint8 `layout:"len=A..B,if=F&6,if=F!=7"`
		Text string
		A    []byte `layout:"prefix=u8,if=F&2,if=F!=7"`
		B    string `layout:"cstring,if=F==4"`
	}
	for _, v := range []any{
		&stronger{0, 0, "ab", nil, 0, nil, ""}, &stronger{2, 6, "ab", nil, 9, []byte{1}, "c"}, &stronger{3, 5, "ab", []byte{}, 0, []byte{1}, "d"},
		&bits{1, 0, "ab", nil, ""}, &bits{3, 2, "ab", []byte{1}, ""}, &bits{4, 2, "ab", nil, "c"}, &bits{7, 0, "ab", nil, ""},
		&fixed{false, 0, "ab", [1]byte{1}, 2}, &fixed{true, 3, "ab", [1]byte{1}, 2},
		&together{false, 0, "ab", nil, 0}, &together{true, 4, "ab", []byte{1}, 2},
	} {
		b, err := layout.Marshal(v)
		back := reflect.New(reflect.TypeOf(v).Elem()).Interface()
		if err != nil {
			t.Errorf("%+v: %v", v, err)
		} else if err := layout.Unmarshal(b, back); err != nil || !reflect.DeepEqual(back, v) {
			t.Errorf("% x: %+v, %v, want %+v", b, back, err, v)
		}
	}
	for _, v := range []any{
		&struct {
			Has  bool
			N    uint8 `layout:"len=A..B,if=Has"`
			Text string
			A    [1]byte
			B    uint16 `layout:"if=more"`
		}{},
		&struct {
			F    uint8
			N    uint8 `layout:"len=A..B,if=F&6"`
			Text string
			A    []byte `layout:"prefix=u8,if=F"`
			B    string `layout:"cstring,if=F&2"`
		}{},
		&struct {
			F    uint8
			N    uint8 `layout:"len=A..B,if=F&6"`
			Text string
			A    []byte `layout:"prefix=u8,if=F&3"`
			B    string `layout:"cstring,if=F&2"`
		}{},
		&struct {
			F    uint8
			N    uint8 `layout:"len=A..B,if=F==2"`
			Text string
			A    []byte `layout:"prefix=u8,if=F==2"`
			B    string `layout:"cstring,if=F&2"`
		}{},
	} {
		if _, err := layout.Marshal(v); !errors.Is(err, layout.ErrTag) {
			t.Errorf("%T: %v, want ErrTag", v, err)
		}
	}
}
