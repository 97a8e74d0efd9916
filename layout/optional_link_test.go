package layout_test

import (
	"errors"
	"reflect"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
	"github.com/octet-go/octet/layout"
)

// TestOptionalLengths encodes numbers that may be absent and measure fields that are
// known before the number is written.
func TestOptionalLengths(t *testing.T) {
	type fixed struct {
		Has   bool
		Words uint16 `layout:"if=Has,len=Data*4"`
		Data  []byte `layout:"max=100"`
		Last  uint8
	}
	type Header struct {
		Words uint8 `layout:"bits=4,len=Data*2+1"`
		Kind  uint8 `layout:"bits=4"`
	}
	type run struct {
		Has    bool
		Header Header `layout:"if=Has"`
		Data   string
	}
	for _, c := range []struct {
		value any
		want  string
		err   error
	}{
		{&fixed{true, 0, []byte("abcdefgh"), 9}, "\x01\x00\x02abcdefgh\x09", nil},
		{&fixed{true, 0, nil, 9}, "\x01\x00\x00\x09", nil},
		{&fixed{true, 0, []byte("abcdefg"), 9}, "", layout.ErrLength},
		{&fixed{false, 0, nil, 9}, "\x00\x09", nil},
		{&fixed{false, 0, []byte("abcd"), 9}, "", layout.ErrLength},
		{&run{true, Header{0, 5}, "abcdefg"}, "\x01\x35abcdefg", nil},
		{&run{true, Header{0, 5}, "abcdef"}, "", layout.ErrLength},
		{&run{false, Header{}, ""}, "\x00", nil},
		{&run{false, Header{}, "a"}, "", layout.ErrLength},
	} {
		if b, err := layout.Marshal(c.value); string(b) != c.want || !errors.Is(err, c.err) {
			t.Errorf("%+v: % x, %v, want % x, %v", c.value, b, err, c.want, c.err)
		}
	}
}

// TestCountedTexts encodes a number that counts a []byte and a slice, which must agree.
func TestCountedTexts(t *testing.T) {
	type message struct {
		N uint8 `layout:"count=A,count=B"`
		A []byte
		B []uint16
	}
	type prefixed struct {
		A []byte `layout:"count=u24"`
		B []byte `layout:"count=varint,max=3"`
		N uint8  `layout:"count=A"`
	}
	type head struct {
		N uint8 `layout:"count=A"`
	}
	type split struct { // the number is in another variable than what it counts
		Head *head
		A    []byte
	}
	for _, c := range []struct {
		value any
		want  string
		err   error
	}{
		{&split{&head{}, []byte("abc")}, "\x03abc", nil},
		{&split{&head{}, make([]byte, 256)}, "", layout.ErrLength},
		{&message{0, []byte("ab"), []uint16{1, 2}}, "\x02ab\x00\x01\x00\x02", nil},
		{&message{}, "\x00", nil},
		{&message{0, []byte("ab"), []uint16{1}}, "", layout.ErrLength},
		{&prefixed{[]byte("ab"), []byte("xyz"), 0}, "\x00\x00\x02ab\x03xyz\x02", nil},
		{&prefixed{nil, []byte("wxyz"), 0}, "", layout.ErrLimit},
		{&prefixed{make([]byte, 256), nil, 0}, "", layout.ErrLength},
	} {
		if b, err := layout.Marshal(c.value); string(b) != c.want || !errors.Is(err, c.err) {
			t.Errorf("%+v: % x, %v, want % x, %v", c.value, b, err, c.want, c.err)
		}
	}
}

// TestTagsOfUnion decodes variants with tags on both sides of those that need no search.
func TestTagsOfUnion(t *testing.T) {
	type message struct {
		Tag  uint16
		Body any `layout:"switch=Tag"`
	}
	type a struct{ A uint8 }
	type b struct{ B uint8 }
	type c struct{ C uint8 }
	c2, err := layout.New(layout.Options{Unions: []layout.UnionCoder{layout.Union[any](
		layout.VariantOf[*a](0), layout.VariantOf[b](63), layout.VariantOf[*c](64), layout.KeepUnknown())}})
	if err != nil {
		t.Fatal(err)
	}
	for data, want := range map[string]any{"\x00\x00\x07": &a{7}, "\x00\x3f\x07": b{7}, "\x00\x40\x07": &c{7}, "\x00\x3e\x07": layout.Unknown{Tag: 62, Data: []byte{7}}, "\x00\x41\x07": layout.Unknown{Tag: 65, Data: []byte{7}}} {
		var got message
		if err := c2.Unmarshal([]byte(data), &got); err != nil {
			t.Fatalf("% x: %v", data, err)
		}
		if !reflect.DeepEqual(got.Body, want) {
			t.Errorf("% x: %+v, want %+v", data, got.Body, want)
		}
	}
}

// TestCountOfAbsentField decodes a number that counts a slice which is absent. Nothing has compared the two before.
func TestCountOfAbsentField(t *testing.T) {
	type message struct {
		Has  bool
		N    uint8    `layout:"count=List"`
		List []uint16 `layout:"if=Has"`
	}
	for data, want := range map[string]error{
		"\x01\x01\x00\x02": nil,
		"\x00\x00":         nil,
		"\x00\x01":         layout.ErrLength,
	} {
		if err := layout.Unmarshal([]byte(data), &message{}); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", data, err, want)
		}
	}
}

// TestNegativeCounts has numbers that say how many elements there are, and are negative. More input would not help, so the
// reason is not that the message is too short.
func TestNegativeCounts(t *testing.T) {
	c := codec(t)
	refuseBytes(t, c, &struct {
		N int8 `layout:"count=A"`
		A []uint16
	}{}, "\xff\x00", layout.ErrLength, ".A at offset 1: -1 is out of range for count=A")
	refuseBytes(t, c, &struct {
		N int `layout:"bits=8,count=A"`
		A []byte
	}{}, "\xfe\x00", layout.ErrLength, ".A at offset 1: -2 is out of range for count=A")
	refuseBytes(t, c, &struct {
		N int32               `layout:"zigzag,count=A"`
		A []struct{ B uint8 } `layout:"max=3"`
	}{}, "\x03\x00", layout.ErrLength, ".A at offset 1: -2 is out of range for count=A")
}

// TestCountBehindPointer has numbers that count the elements of slices, and are in another variable than these.
func TestCountBehindPointer(t *testing.T) {
	type head struct {
		A uint8  `layout:"count=Zero"`
		B uint16 `layout:"count=Words*2-1"`
		C uint8  `layout:"count=Fixed"`
		D uint8  `layout:"count=Names"`
		E uint8  `layout:"count=Ended"`
		F uint8  `layout:"count=Long"`
		G uint8  `layout:"count=Ptrs"`
	}
	type name struct {
		S string `layout:"cstring"`
	}
	type number struct {
		V uint64 `layout:"varint"`
	}
	type message struct {
		Head  *head
		Zero  [][3]uint8 `layout:"until=zero"`
		Words []uint16   `layout:"until=zero"`
		Fixed []number   `layout:"fixed=2"`
		Names []name     `layout:"until=zero"`
		Ended []byte     `layout:"until=0x0a"`
		Long  []number   `layout:"count=varint"`
		Ptrs  []*name    `layout:"until=zero"`
	}
	for _, v := range []message{
		{Head: new(head), Words: []uint16{1}, Fixed: make([]number, 2)},
		{Head: new(head), Zero: [][3]uint8{{1}, {2}}, Words: []uint16{1, 2, 3}, Fixed: make([]number, 2), Names: []name{{"a"}}, Ended: long[:9], Long: make([]number, 3), Ptrs: []*name{{"b"}, {"c"}}},
	} {
		compareForms(t, codec(t), reference.Config{}, v)
	}
}
