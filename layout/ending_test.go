package layout_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/octet-go/octet/layout"
)

type (
	endPair   struct{ A, B uint8 }
	endShared struct{ D uint8 }

	// EndEmbedded is exported so that a pointer to it can be embedded.
	EndEmbedded struct{ C uint8 }
	endPointers struct {
		P *endPair
		*EndEmbedded
		Flag uint8
		Q    *endShared `layout:"if=Flag"`
	}
)

// TestEndOfPointers has elements with pointers in lists that end with a zero element. In that the
// pointers have zero targets, as what is decoded has, except those that are absent.
func TestEndOfPointers(t *testing.T) {
	type outside struct {
		Q *endPair `layout:"if=Has"`
	}
	type message struct {
		Has  uint8
		List []endPointers  `layout:"until=zero"`
		More []outside      `layout:"until=zero,if=Has"`
		Ptrs []*endPointers `layout:"until=zero"`
	}
	pair, embedded := &endPair{0, 1}, &EndEmbedded{}
	for _, v := range []struct {
		value message
		bytes string
	}{
		{message{List: []endPointers{}, Ptrs: []*endPointers{}}, "\x00" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00"},
		{message{1, []endPointers{{pair, embedded, 0, nil}, {&endPair{}, embedded, 1, &endShared{2}}}, []outside{{pair}}, []*endPointers{{pair, embedded, 0, nil}}},
			"\x01" + "\x00\x01\x00\x00" + "\x00\x00\x00\x01\x02" + "\x00\x00\x00\x00" + "\x00\x01" + "\x00\x00" + "\x00\x01\x00\x00" + "\x00\x00\x00\x00"},
	} {
		var got message
		if b, err := layout.Marshal(&v.value); err != nil || string(b) != v.bytes {
			t.Errorf("% x, %v, want % x", b, err, v.bytes)
		}
		if err := layout.Unmarshal([]byte(v.bytes), &got); err != nil || !reflect.DeepEqual(got, v.value) {
			t.Errorf("%+v, %v, want %+v", got, err, v.value)
		}
	}
	for name, v := range map[string]message{
		".List[0] at offset 1: the element is zero, which ends the slice": {List: []endPointers{{&endPair{}, embedded, 0, nil}}},
		".List[0].P at offset 1: nil pointer":                             {List: []endPointers{{nil, embedded, 1, nil}}},
		".Ptrs[0] at offset 5: nil pointer":                               {Ptrs: []*endPointers{nil}},
	} {
		if _, err := layout.Marshal(&v); !errors.Is(err, layout.ErrRange) || err.Error() != "layout: message"+name {
			t.Errorf("%v, want %s", err, name)
		}
	}
}

// TestEndsThatAreNotReached has lists whose zero element cannot be encoded, where there are messages
// without the list.
func TestEndsThatAreNotReached(t *testing.T) {
	type element struct {
		S []byte `layout:"fixed=2"`
	}
	type list struct {
		L []element `layout:"until=zero"`
	}
	type outside struct {
		Has  uint8
		List []struct {
			S []byte `layout:"fixed=2,if=Has"`
			N uint8
		} `layout:"until=zero"`
	}
	for _, v := range []any{
		&struct {
			N uint8
			L []element `layout:"until=zero,if=N"`
		}{},
		&struct {
			L []list `layout:"count=u8"`
		}{},
		&struct {
			N uint8
			L list `layout:"if=N"`
		}{},
		&struct {
			N uint8
			L [0]list
		}{},
		&outside{},
	} {
		if b, err := layout.Marshal(v); err != nil || b[0] != 0 {
			t.Errorf("%T: % x, %v", v, b, err)
		}
	}
	if _, err := layout.Marshal(&outside{Has: 1}); !errors.Is(err, layout.ErrLength) {
		t.Errorf("%v, want ErrLength", err)
	}
}

// A methodByte writes itself as one byte that is not zero.
type methodByte struct{}

func (methodByte) AppendLayout(dst []byte) ([]byte, error) { return append(dst, 1), nil }
func (*methodByte) DecodeLayout([]byte) (int, error)       { return 1, nil }

// TestEndsWithLengths has lists whose zero element has the length of fields that have bytes in it, or can have some.
// The length would not be 0, and the list would not end.
func TestEndsWithLengths(t *testing.T) {
	type inner struct{ A uint8 }
	for _, v := range []any{
		new(struct {
			Has  uint8
			List []struct {
				N uint8 `layout:"len=A..B+1,if=Has"`
				A uint8
				B uint8 `layout:"if=more"`
			} `layout:"until=zero"`
		}),
		new(struct {
			Has  uint8
			List []struct {
				N uint8 `layout:"len=A..B+1"`
				A uint8
				B uint8 `layout:"if=Has"`
			} `layout:"until=zero"`
		}),
		new(struct {
			List []struct {
				N  uint8 `layout:"len=In"`
				In inner
			} `layout:"until=zero"`
		}),
		new(struct {
			List []struct {
				N  uint8 `layout:"len=In+1"`
				In struct {
					A uint8
					_ struct{} `layout:"align=4"`
				}
			} `layout:"until=zero"`
		}),
		new(struct {
			List []struct {
				N uint8 `layout:"len=M"`
				M methodByte
			} `layout:"until=zero"`
		}),
		new(struct {
			List []struct {
				T uint8
				N uint8    `layout:"len=P"`
				P [2]inner `layout:"if=T==0"`
			} `layout:"until=zero"`
		}),
		new(struct {
			List []struct {
				N uint8 `layout:"len=F+1"`
				F struct {
					L []inner `layout:"until=zero"`
				} `layout:"prefix=varint"`
			} `layout:"until=zero"`
		}),
	} {
		refuse(t, codec(t), v, layout.ErrTag, "never zero, because of its field N")
	}
	type element struct {
		T, U uint8
		N    uint8 `layout:"len=In"`
		In   inner `layout:"if=more"`
		M    uint8 `layout:"len=F+1"`
		F    struct {
			S []byte
			P *inner `layout:"if=T"`
		} `layout:"prefix=varint"`
	}
	type message struct {
		List []element `layout:"until=zero"`
		Tail uint8
	}
	want := message{make([]element, 2), 9}
	want.List[0].In.A, want.List[0].N, want.List[1].U, want.List[1].F.S = 7, 1, 1, []byte{}
	want.List[0].F.S = []byte{}
	b, err := layout.Marshal(&want)
	if err != nil || string(b) != "\x00\x00\x01\x07\x00\x00"+"\x00\x01\x00\x00\x00"+"\x00\x00\x00\x00\x00"+"\x09" {
		t.Errorf("% x, %v", b, err)
	}
	var got message
	if err := layout.Unmarshal(b, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

// TestZeroConstant ends a list whose elements have a field that may be zero, because that is one of its constants.
func TestZeroConstant(t *testing.T) {
	type element struct {
		Kind     uint8 `layout:"const=1,const=0"`
		Reserved uint8 `layout:"const=0"`
		Value    uint8
	}
	type message struct {
		List []element `layout:"until=zero"`
		Tail uint8
	}
	want := message{[]element{{1, 0, 0}, {0, 0, 2}}, 9}
	b, err := layout.Marshal(&want)
	var got message
	if err != nil || string(b) != "\x01\x00\x00\x00\x00\x02\x00\x00\x00\x09" {
		t.Fatalf("% x, %v", b, err)
	}
	if err := layout.Unmarshal(b, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}
