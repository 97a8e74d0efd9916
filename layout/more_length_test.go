package layout_test

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
	"testing/iotest"

	reference "github.com/octet-go/octet/internal/reference/layout"
	"github.com/octet-go/octet/layout"
)

// TestMoreWithLength has fields with if=more whose length is in an earlier number: they are present if that is not 0,
// whatever follows them.
func TestMoreWithLength(t *testing.T) {
	type list struct {
		N uint16 `layout:"len=L"`
		F float64
		L []int64 `layout:"until=zero,if=more"`
	}
	type listInside struct {
		N    uint16  `layout:"len=L"`
		L    []int64 `layout:"until=zero,if=more"`
		Tail uint16
	}
	type structure struct {
		N  uint8 `layout:"len=In"`
		In struct {
			A uint8
			B uint16 `layout:"if=more"`
		} `layout:"if=more"`
		Tail uint8
	}
	type target struct {
		N    uint16                `layout:"varint,len=P*2-1"`
		P    *struct{ A [3]uint8 } `layout:"if=more"`
		Tail string                `layout:"cstring"`
	}
	type text struct {
		Has  bool
		N    uint64 `layout:"if=Has,len=S"`
		M    uint8  `layout:"if=Has==0,len=S"`
		S    string `layout:"if=more"`
		More uint8  `layout:"if=more"`
	}
	type conditional struct {
		Has  uint8
		N    uint8  `layout:"bits=4,len=B"`
		Z    uint8  `layout:"bits=4"`
		B    []byte `layout:"if=more,if=Has"`
		Tail []byte
	}
	type both struct { // the number and the prefix must agree
		N    uint8  `layout:"len=B"`
		B    []byte `layout:"prefix=u8,if=more"`
		Tail uint8
	}
	type before struct { // the rest ends where the length of the field with if=more says
		N    uint8 `layout:"len=B"`
		Rest []byte
		B    []byte `layout:"if=more"`
		Tail uint16
	}
	for _, v := range []any{
		list{}, list{L: []int64{1, 2}}, listInside{}, listInside{L: []int64{1}, Tail: 3},
		structure{}, structure{Tail: 1}, made(func(s *structure) { s.In.A = 1 }), made(func(s *structure) { s.In.B, s.Tail = 1, 2 }),
		target{Tail: "t"}, target{P: &struct{ A [3]uint8 }{[3]uint8{1, 2, 3}}, Tail: "t"},
		text{S: "text"}, text{Has: true, S: "text"}, text{Has: true, More: 1}, text{S: "text", More: 1}, text{More: 1},
		conditional{}, conditional{Has: 1, Tail: long[:3]}, conditional{Has: 1, B: long[:3], Tail: long[:3]}, conditional{B: long[:3]},
		both{}, both{Tail: 1}, both{B: long[:4], Tail: 1}, before{}, before{Rest: long[:4], B: long[:2], Tail: 1}, before{Rest: long[:4], Tail: 1},
	} {
		t.Run(reflect.TypeOf(v).Name(), func(t *testing.T) { compareForms(t, codec(t), reference.Config{}, v) })
	}
	// A longer message can have the field.
	if err := layout.Unmarshal([]byte{3, 'a'}, new(before)); !errors.Is(err, layout.ErrTruncated) {
		t.Errorf("%v, want ErrTruncated", err)
	}
}

// TestMoreInShortFrame has a number with if=more that can be absent where a later field with if=more is present: the frame
// that it is in ends before.
func TestMoreInShortFrame(t *testing.T) {
	type inner struct {
		Size uint8 `layout:"len=Head..Data"`
	}
	type own struct {
		N    uint8                 `layout:"len=In"`
		In   *inner                `layout:"if=more"`
		Head uint8                 `layout:"if=more"`
		Data struct{ Text string } `layout:"if=more"`
		Tail uint8                 `layout:"if=more"`
	}
	type ranged struct {
		N    uint8                 `layout:"len=Size..Mark"`
		Size uint8                 `layout:"len=Head..Data,if=more"`
		Mark uint8                 `layout:"if=more"`
		Head uint8                 `layout:"if=more"`
		Data struct{ Text string } `layout:"if=more"`
		Tail uint8                 `layout:"if=more"`
	}
	for _, v := range []any{new(own), new(ranged)} {
		refuse(t, codec(t), v, layout.ErrTag, "the size of Tail, which follows, is not known")
	}
}

// TestMoreWithCount ends messages before a slice with if=more for which an earlier number counts elements.
func TestMoreWithCount(t *testing.T) {
	type list struct {
		N uint8    `layout:"count=L"`
		L []uint16 `layout:"if=more"`
	}
	type conditional struct {
		N   uint8 `layout:"count=L*2+1"`
		Has bool
		L   []struct{ A uint8 } `layout:"if=more,if=Has"`
	}
	type framed struct {
		In list `layout:"prefix=u8"`
	}
	type ranged struct {
		Size uint8  `layout:"len=N..L"`
		N    uint8  `layout:"count=L"`
		L    []bool `layout:"if=more"`
	}
	for _, test := range []struct {
		v    any
		data []byte
		want error
	}{
		{new(list), []byte{0}, nil},
		{new(list), []byte{2}, layout.ErrTruncated},
		{new(list), []byte{2, 0}, layout.ErrTruncated},
		{new(conditional), []byte{1, 1}, layout.ErrTruncated},
		{new(conditional), []byte{1, 0}, layout.ErrLength}, // more input does not help
		{new(framed), []byte{1, 2}, layout.ErrLength},
		{new(ranged), []byte{1, 2}, layout.ErrLength},
	} {
		_, plain := layout.DecodePlain(codec(t), test.data, test.v)
		read := layout.Read(iotest.OneByteReader(bytes.NewReader(test.data)), test.v)
		for _, err := range []error{layout.Unmarshal(test.data, test.v), plain, read} {
			if !errors.Is(err, test.want) {
				t.Errorf("%T: % x: %v, want %v", test.v, test.data, err, test.want)
			}
		}
	}
	for _, v := range []any{list{}, conditional{N: 1, Has: true, L: make([]struct{ A uint8 }, 3)}, framed{list{L: []uint16{1}}}, ranged{L: []bool{true}}} {
		t.Run(reflect.TypeOf(v).Name(), func(t *testing.T) { compareForms(t, codec(t), reference.Config{}, v) })
	}
}
