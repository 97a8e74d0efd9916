package layout_test

import (
	"errors"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/layout"
)

// A stamp encodes itself in one byte. The other types embed it, so that they have its methods.
type (
	stamp   struct{ n uint8 }
	stamps  []uint8
	stamped struct{ stamp }
	twice   struct{ stamped }
	leaving struct {
		stamp
		X     int            `layout:"-"`
		Other map[string]int `layout:"-"`
	}
	ofStamps struct{ stamps }

	beside struct {
		stamp
		X uint8
	}
	within  struct{ beside }
	behind  struct{ *stamp }
	dynamic struct{ stamper }
	stamper interface {
		layout.Appender
		layout.Decoder
	}
	half struct {
		stamp
		X uint8
	}
	own struct {
		stamp
		X uint8
	}
	generic[T any] struct {
		stamp
		X T
	}
	webPage struct {
		*url.URL
		X uint8
	}
	second struct {
		time.Time // has AppendBinary
		X         uint8
	}
)

func (s second) MarshalBinary() ([]byte, error) { return []byte{byte(s.Second()), s.X}, nil }
func (s *second) UnmarshalBinary(data []byte) error {
	if len(data) != 2 {
		return layout.ErrLength
	}
	*s = second{time.Unix(int64(data[0]), 0).UTC(), data[1]}
	return nil
}

func (s stamp) AppendLayout(dst []byte) ([]byte, error) { return append(dst, s.n), nil }
func (s *stamp) DecodeLayout(data []byte) (int, error) {
	if len(data) == 0 {
		return 0, layout.ErrTruncated
	}
	s.n = data[0]
	return 1, nil
}

func (s stamps) AppendLayout(dst []byte) ([]byte, error) { return append(dst, s[0]), nil }
func (s *stamps) DecodeLayout(data []byte) (int, error) {
	if len(data) == 0 {
		return 0, layout.ErrTruncated
	}
	*s = stamps{data[0]}
	return 1, nil
}

func (h half) AppendLayout(dst []byte) ([]byte, error) { return append(dst, h.n, h.X), nil }

func (o own) AppendLayout(dst []byte) ([]byte, error) { return append(dst, o.n, o.X), nil }
func (o *own) DecodeLayout(data []byte) (int, error) {
	if len(data) < 2 {
		return 0, layout.ErrTruncated
	}
	o.n, o.X = data[0], data[1]
	return 2, nil
}

func (g generic[T]) AppendLayout(dst []byte) ([]byte, error) { return append(dst, g.n), nil }
func (g *generic[T]) DecodeLayout(data []byte) (int, error)  { return g.stamp.DecodeLayout(data) }

// TestPromotedMethods has structs with the methods of an embedded field. These are used if they know all of the
// struct, and can be called.
func TestPromotedMethods(t *testing.T) {
	two := beside{stamp{1}, 2}
	for _, c := range []struct {
		v    any
		want string // the bytes, or a part of the error
	}{
		{&stamped{stamp{1}}, "\x01"},
		{&twice{stamped{stamp{1}}}, "\x01"},
		{&leaving{stamp: stamp{1}}, "\x01"},
		{&ofStamps{stamps{1}}, "\x01"},
		{&own{stamp{1}, 2}, "\x01\x02"},
		{&generic[uint8]{stamp: stamp{1}}, "\x01"},
		{&generic[string]{stamp: stamp{1}}, "\x01"},
		{&struct{ In []twice }{[]twice{{stamped{stamp{1}}}}}, "\x01"},
		{&struct {
			In second `layout:"prefix=u8"`
		}{second{time.Unix(5, 0).UTC(), 6}}, "\x02\x05\x06"},

		{&two, "beside: the method AppendLayout of layout_test.beside is that of the embedded stamp, and would leave out X"},
		{&struct{ In beside }{two}, ".In: "},
		{&struct{ In []*beside }{[]*beside{&two}}, ".In[]: "},
		{&within{two}, "would leave out X"},
		{&half{stamp{1}, 2}, "the method DecodeLayout of layout_test.half"},
		{&behind{&stamp{1}}, "the embedded *layout_test.stamp, which is nil when decoding"},
		{&dynamic{&stamp{1}}, "the embedded layout_test.stamper, which is nil when decoding"},
		{&struct {
			In webPage `layout:"prefix=u8"`
		}{webPage{new(url.URL), 2}}, "of layout_test.webPage is that of the embedded URL, and would leave out X"},
	} {
		b, err := layout.Marshal(c.v)
		back := reflect.New(reflect.TypeOf(c.v).Elem()).Interface()
		if errors.Is(err, layout.ErrTag) {
			if !strings.Contains(err.Error(), c.want) || !errors.Is(layout.Unmarshal([]byte{1}, back), layout.ErrTag) {
				t.Errorf("%T: %v, want %s", c.v, err, c.want)
			}
			continue
		}
		if err != nil || string(b) != c.want {
			t.Errorf("%T: %q, %v, want %q", c.v, b, err, c.want)
			continue
		}
		if err := layout.Unmarshal(b, back); err != nil || !reflect.DeepEqual(back, c.v) {
			t.Errorf("%T: %+v, %v, want %+v", c.v, back, err, c.v)
		}
	}
}

// A type with one of the methods, or with another signature.
type (
	onlyAppends  uint8
	onlyDecodes  struct{ A uint8 }
	otherMethods uint8
)

func (onlyAppends) AppendLayout(dst []byte) ([]byte, error) { return append(dst, 1), nil }
func (*onlyDecodes) DecodeLayout([]byte) (int, error)       { return 1, nil }
func (otherMethods) AppendLayout(dst []byte) []byte         { return append(dst, 1) }
func (*otherMethods) DecodeLayout([]byte) int               { return 1 }

// TestHalfOfMethods refuses types whose methods would be ignored.
func TestHalfOfMethods(t *testing.T) {
	for _, v := range []any{
		new(onlyAppends), new(onlyDecodes), new(otherMethods), &struct{ A []onlyAppends }{}, &struct{ A *onlyDecodes }{}, &struct{ onlyDecodes }{},
		&struct {
			A otherMethods `layout:"prefix=u8"`
		}{},
	} {
		if _, err := layout.Marshal(v); !errors.Is(err, layout.ErrUnsupported) || !strings.Contains(err.Error(), "but a type that encodes itself has AppendLayout([]byte) ([]byte, error) and") {
			t.Errorf("%T: %v", v, err)
		}
	}
}

// An octet is a byte that encodes itself.
type octet uint8

func (o octet) AppendLayout(dst []byte) ([]byte, error) { return append(dst, '#', byte(o)), nil }
func (o *octet) DecodeLayout(data []byte) (int, error) {
	if len(data) < 2 {
		return 0, layout.ErrTruncated
	}
	*o = octet(data[1])
	return 2, nil
}

// TestSliceOfBytesWithMethods has slices whose elements are bytes for Go, but encode themselves.
func TestSliceOfBytesWithMethods(t *testing.T) {
	type message struct {
		A []octet `layout:"count=u8"`
		B []octet `layout:"prefix=u8"`
		N uint8   `layout:"count=C"`
		C []octet
		D []octet `layout:"fixed=1"`
		E []octet
	}
	want := message{[]octet{1, 2}, []octet{3, 4}, 1, []octet{5}, []octet{6}, []octet{7, 8}}
	b, err := layout.Marshal(&want)
	var got message
	if text := "\x02#\x01#\x02\x04#\x03#\x04\x01#\x05#\x06#\x07#\x08"; err != nil || string(b) != text {
		t.Fatalf("%q, %v, want %q", b, err, text)
	}
	if err := layout.Unmarshal(b, &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if _, err := layout.Marshal(&struct {
		A []octet `layout:"cstring"`
	}{}); !errors.Is(err, layout.ErrTag) {
		t.Errorf("cstring: %v", err)
	}
}

// TestBlankMethods refuses blank fields whose size methods say, because there is no variable to call them on.
func TestBlankMethods(t *testing.T) {
	for _, v := range []any{&struct{ _ stamp }{}, &struct{ _ [2]octet }{}, &struct{ _ struct{ A octet } }{}} {
		if b, err := layout.Marshal(v); !errors.Is(err, layout.ErrTag) || !strings.Contains(err.Error(), "has no fixed size; use skip=n") {
			t.Errorf("%T: % x, %v", v, b, err)
		}
	}
}
