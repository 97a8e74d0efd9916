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
	for _, v := range []any{
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
	if _, err := layout.Marshal(&struct {
		Has  bool
		N    uint8 `layout:"len=A..B,if=Has"`
		Text string
		A    [1]byte
		B    uint16 `layout:"if=more"`
	}{}); !errors.Is(err, layout.ErrTag) {
		t.Errorf("if=more: %v, want ErrTag", err)
	}
}
