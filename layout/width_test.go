package layout_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

// TestLengthsOfVariableWidth has numbers of variable width in the ranges of other numbers, which are computed in the same
// place. What a number adds when it becomes longer is part of these lengths.
func TestLengthsOfVariableWidth(t *testing.T) {
	for _, v := range []any{
		&struct {
			A uint32 `layout:"varint,len=A..C"`
			B uint32 `layout:"varint,len=B..C"`
			C []byte
		}{},
		&struct {
			A uint16 `layout:"len=A..C"`
			B uint32 `layout:"varint,len=A..C"`
			C []byte
		}{},
		&struct {
			S uint16 `layout:"inet=A..C"`
			A uint32 `layout:"sleb128,len=A..C"`
			B int32  `layout:"zigzag,len=B..C"`
			C []byte
			T uint8 `layout:"sum8=S..C"`
		}{},
		&struct {
			A  uint32 `layout:"varint,len=A..In"`
			B  uint32 `layout:"varint,len=In"`
			In struct {
				E uint32 `layout:"varint,len=C..D"`
				C []byte
				D uint8
			}
		}{},
		&struct { // B and D always have one byte
			A uint16 `layout:"len=A..C"`
			B uint32 `layout:"varint,len=E"`
			D int32  `layout:"zigzag,max=63,len=F"`
			C []byte
			E struct{ G, H uint32 }
			F []struct {
				I []byte `layout:"prefix=u8"`
			}
		}{},
	} {
		value := reflect.ValueOf(v).Elem()
		text := value.FieldByName("C")
		if in := value.FieldByName("In"); in.IsValid() {
			text = in.FieldByName("C")
		}
		for _, n := range []int{0, 57, 58, 59, 60, 61, 62, 63, 64, 120, 121, 122, 123, 124, 125, 126, 127, 128, 8188, 8192, 16380, 16381, 16382, 16383, 16384} {
			text.SetBytes(make([]byte, n))
			b, err := layout.Marshal(v)
			if err != nil {
				t.Errorf("%T with %d bytes: %v", v, n, err)
			} else if err := layout.Unmarshal(b, reflect.New(value.Type()).Interface()); err != nil {
				t.Errorf("%T with %d bytes: % x: %v", v, n, b[:8], err)
			}
		}
	}
	for _, v := range []any{
		&struct {
			A uint32 `layout:"varint,len=A..C"`
			B uint32 `layout:"varint,len=A..C"`
			C []byte
		}{},
		&struct {
			A uint32 `layout:"varint,len=A..D"`
			C []byte `layout:"prefix=u16"`
			D uint32 `layout:"varint,len=A..D"`
		}{},
		&struct {
			A uint8  `layout:"len=A..C"`
			B uint32 `layout:"varint,len=D"`
			C uint8
			D []struct {
				E []byte `layout:"prefix=u8"`
			}
		}{},
	} {
		if _, err := layout.Marshal(v); !errors.Is(err, layout.ErrTag) || !strings.Contains(err.Error(), "which is computed later, has a variable width and is part of the length") {
			t.Errorf("%T: %v, want ErrTag", v, err)
		}
	}
}
