package layout_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/octet-go/octet/layout"
)

// TestRecursiveAlign has recursive structs whose zeros for alignment are outside of the field that contains the
// struct again, so that only the loop leads to them.
func TestRecursiveAlign(t *testing.T) {
	type node struct {
		Kids []*struct {
			List []*fixedAligned `layout:"until=zero"`
			A    uint8
		} `layout:"count=u8"`
	}
	kid := &fixedAligned{Items: []alignedItem{{List: []*fixedAligned{{Items: []alignedItem{{List: []*fixedAligned{}, A: 5}}}}, A: 1}}}
	for _, v := range []any{
		kid,
		&fixedAligned{Items: []alignedItem{{List: []*fixedAligned{kid, kid}, A: 2}, {List: []*fixedAligned{kid}, A: 3}}},
		&node{Kids: []*struct {
			List []*fixedAligned `layout:"until=zero"`
			A    uint8
		}{{List: []*fixedAligned{kid}, A: 4}}},
	} {
		b, err := layout.Marshal(v)
		if err != nil {
			t.Errorf("%+v: %v", v, err)
			continue
		}
		back := reflect.New(reflect.TypeOf(v).Elem()).Interface()
		if err := layout.Unmarshal(b, back); err != nil || !reflect.DeepEqual(back, v) {
			t.Errorf("% x: %v, %+v, want %+v", b, err, back, v)
		}
	}
	for _, v := range []any{new(prefixAligned), new(insideAligned), new(numberAligned)} {
		if _, err := layout.Marshal(v); !errors.Is(err, layout.ErrTag) {
			t.Errorf("%T: %v, want ErrTag", v, err)
		}
	}
}

type (
	fixedAligned struct {
		Items []alignedItem `layout:"count=u8"`
		_     struct{}      `layout:"align=8"`
	}
	alignedItem struct {
		List []*fixedAligned `layout:"until=zero"`
		A    uint8
	}

	// The zeros would depend on the widths of all prefixes or numbers around them.
	prefixAligned struct {
		Kids []prefixAligned `layout:"prefix=varint"`
		_    struct{}        `layout:"align=4"`
	}
	insideAligned struct {
		Inside struct {
			Key  uint8
			_    struct{}        `layout:"align=4"`
			Kids []insideAligned `layout:"count=u8"`
		} `layout:"prefix=varint"`
	}
	numberAligned struct {
		N    uint32 `layout:"varint,len=Kids"`
		Kids []numberAligned
		_    struct{} `layout:"align=4"`
	}
)

// TestRecursiveZero refuses lists of the recursive struct around them whose elements are never zero.
func TestRecursiveZero(t *testing.T) {
	for _, v := range []any{new(constantZero), new(constantZeros), new(lengthZero)} {
		if b, err := layout.Marshal(v); !errors.Is(err, layout.ErrTag) {
			t.Errorf("%T: % x, %v, want ErrTag", v, b, err)
		}
	}
}

type (
	constantZero struct {
		C    uint8          `layout:"const=1"`
		Kids []constantZero `layout:"until=zero"`
	}
	constantZeros struct {
		Kids []*constantZeros `layout:"until=zero"`
		C    uint8            `layout:"const=1"`
	}
	lengthZero struct {
		Kids []struct {
			List []lengthZero `layout:"until=zero"`
		} `layout:"count=u8"`
		N    uint8  `layout:"len=Text"`
		Text string `layout:"cstring"`
	}
)
