package layout_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/octet-go/octet/layout"
)

// TestRangesOfBits has ranges that begin or end at a bit field inside of a run. They contain the whole run, because they
// count bytes.
func TestRangesOfBits(t *testing.T) {
	type before struct {
		N uint8 `layout:"len=X..B"`
		_ uint8 `layout:"bits=4"`
		X uint8 `layout:"bits=4"`
		B []byte
	}
	type inside struct {
		_ uint8 `layout:"bits=4"`
		X uint8 `layout:"bits=4"`
		N uint8 `layout:"len=X..B"`
		B []byte
		C uint8
	}
	type itself struct {
		X uint16 `layout:"bits=6"`
		N uint16 `layout:"bits=10,len=N..B"`
		B string
		C uint8
	}
	type first struct {
		N uint16 `layout:"bits=10,len=N..B"`
		X uint16 `layout:"bits=6"`
		B string
		C uint8
	}
	type single struct {
		N uint8  `layout:"len=X"`
		A uint16 `layout:"bits=2"`
		X uint16 `layout:"bits=6"`
		Y uint16 `layout:"bits=8"`
		M uint8  `layout:"len=X"`
	}
	type ends struct {
		B []byte
		A uint8 `layout:"bits=2"`
		X uint8 `layout:"bits=6"`
		N uint8 `layout:"len=B..A"`
		M uint8 `layout:"len=B..X"`
	}
	type two struct {
		N uint8  `layout:"len=X..Y"`
		A uint8  `layout:"bits=2"`
		X uint8  `layout:"bits=6,end"`
		Y uint8  `layout:"bits=6"`
		Z uint8  `layout:"bits=2"`
		S uint8  `layout:"sum8=X..Y"`
		R []byte `layout:"raw=X..Y"`
	}
	type variable struct {
		N uint32 `layout:"varint,len=X..B"`
		_ uint8  `layout:"bits=4"`
		X uint8  `layout:"bits=4"`
		B string
		C uint8
	}
	for _, test := range []struct {
		v    any
		want []byte
	}{
		{&before{2, 0, 3, []byte{9}}, []byte{2, 3, 9}},
		{&inside{0, 3, 4, []byte{9, 8}, 7}, []byte{3, 4, 9, 8, 7}},
		{&itself{1, 4, "ab", 7}, []byte{4, 4, 'a', 'b', 7}},
		{&first{4, 1, "ab", 7}, []byte{1, 1, 'a', 'b', 7}},
		{&single{2, 1, 2, 3, 2}, []byte{2, 0x42, 3, 2}},
		{&ends{[]byte{9}, 1, 2, 2, 2}, []byte{9, 0x42, 2, 2}},
		{&two{2, 1, 2, 3, 1, 0x4f, []byte{0x42, 0x0d}}, []byte{2, 0x42, 0x0d, 0x4f}},
		{&variable{3, 0, 1, "ab", 7}, []byte{3, 1, 'a', 'b', 7}},
	} {
		b, err := layout.Marshal(test.v)
		if err != nil || !bytes.Equal(b, test.want) {
			t.Errorf("%T: % x, %v, want % x", test.v, b, err, test.want)
		}
		back := reflect.New(reflect.TypeOf(test.v).Elem()).Interface()
		if err := layout.Unmarshal(test.want, back); err != nil || !reflect.DeepEqual(back, test.v) {
			t.Errorf("%T: %+v, %v, want %+v", test.v, back, err, test.v)
		}
	}
}
