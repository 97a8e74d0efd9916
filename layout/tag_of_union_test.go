package layout_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

// The variants of the unions below. Their tags have one and two bytes in a varint.
type (
	nearTag struct{ X, Y uint8 }
	farTag  struct{ X, Y uint8 }

	taggedLater struct {
		Key  uint32 `layout:"varint"`
		Body any    `layout:"switch=T,if=Key"`
	}
	taggedAligned struct {
		Body any      `layout:"switch=T"`
		_    struct{} `layout:"align=4"`
	}
	taggedFramed struct {
		Body any `layout:"switch=T,prefix=u8"`
	}
	taggedTree struct {
		Key  uint8
		Body any          `layout:"switch=T,if=Key"`
		Kids []taggedTree `layout:"count=u8"`
	}
)

// tagCodec returns a Codec for these unions.
func tagCodec(t *testing.T) *layout.Codec {
	t.Helper()
	c, err := layout.New(layout.Options{Unions: []layout.UnionCoder{layout.Union[any](layout.VariantOf[nearTag](1), layout.VariantOf[*farTag](300))}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestVariableTag has unions that the number of their tag cannot be computed from before they are written. The
// bytes do not depend on what the number held, however wide that is, and the fields around keep their places.
func TestVariableTag(t *testing.T) {
	c := tagCodec(t)
	for _, body := range []any{nearTag{3, 4}, &farTag{5, 6}} {
		tree := taggedTree{Kids: []taggedTree{{Key: 1, Body: body, Kids: []taggedTree{}}, {Key: 2, Body: body, Kids: []taggedTree{}}}}
		for _, v := range []any{
			&struct {
				T    uint32 `layout:"varint"`
				List []any  `layout:"switch=T,prefix=u8"`
				Tail uint8
			}{0, []any{body, body}, 9},
			&struct {
				T    int64  `layout:"zigzag"`
				List []any  `layout:"switch=T,count=varint"`
				Tail []byte `layout:"prefix=u8"`
			}{0, []any{body, body}, []byte("tail")},
			&struct {
				T    int32  `layout:"sleb128"`
				List [2]any `layout:"switch=T"`
				Tail uint8
			}{0, [2]any{body, body}, 9},
			&struct {
				T    uint32           `layout:"varint"`
				List []*taggedAligned `layout:"prefix=varint"`
				Tail uint8
			}{0, []*taggedAligned{{Body: body}, {Body: body}}, 9},
			&struct {
				N    uint8          `layout:"len=T..List"`
				T    uint32         `layout:"varint"`
				List []taggedFramed `layout:"count=u8"`
				Sum  uint8          `layout:"sum8=N..Tail"`
				Tail uint8
			}{0, 0, []taggedFramed{{body}, {body}}, 0, 9},
			&struct {
				T    uint32        `layout:"varint"`
				List []taggedLater `layout:"until=zero"`
				Tail uint8
			}{0, []taggedLater{{1, body}, {300, body}}, 9},
			&struct {
				T    uint32 `layout:"varint"`
				N    uint8  `layout:"len=Tree"`
				Tree taggedTree
				Sum  uint8 `layout:"xor8=T..Tail"`
				Tail uint8
			}{0, 0, tree, 0, 9},
			&struct {
				T     uint32 `layout:"varint"`
				Trees struct {
					A, B taggedTree
				} `layout:"prefix=u16"`
				Tail uint8
			}{0, struct{ A, B taggedTree }{tree, tree}, 9},
		} {
			typ := reflect.TypeOf(v).Elem()
			number := reflect.ValueOf(v).Elem().FieldByName("T")
			var want []byte
			for _, old := range []int64{0, 1, 63, 64, 300, 1 << 30} {
				number.Set(reflect.ValueOf(old).Convert(number.Type()))
				got, err := c.Marshal(v)
				if err != nil || want != nil && !bytes.Equal(got, want) {
					t.Errorf("%v with %d: % x, %v, want % x", typ, old, got, err, want)
					break
				}
				want = got
			}
			back := reflect.New(typ)
			if err := c.Unmarshal(want, back.Interface()); err != nil {
				t.Errorf("%v: % x: %v", typ, want, err)
				continue
			}
			for i := range typ.NumField() {
				switch name := typ.Field(i).Name; name {
				case "N", "T", "Sum": // are computed
				default:
					if a, b := reflect.ValueOf(v).Elem().Field(i), back.Elem().Field(i); !reflect.DeepEqual(a.Interface(), b.Interface()) {
						t.Errorf("%v: %s is %+v, want %+v", typ, name, b, a)
					}
				}
			}
		}
	}
}

// TestVariableTagBeforeAlign has zeros for alignment that can precede the union that determines the tag. They would be
// moved if the tag became longer.
func TestVariableTagBeforeAlign(t *testing.T) {
	c := tagCodec(t)
	type optional struct {
		Key  uint8
		Body any      `layout:"switch=T,if=Key"`
		_    struct{} `layout:"align=4"`
	}
	type several struct {
		Bodies []any    `layout:"switch=T,count=u8"`
		_      struct{} `layout:"align=4"`
	}
	for _, v := range []any{
		&struct {
			T    uint32     `layout:"varint"`
			List []optional `layout:"count=u8"`
		}{},
		&struct {
			T    uint32     `layout:"varint"`
			List [2]several `layout:"prefix=u8"`
		}{},
	} {
		if _, err := c.Marshal(v); !errors.Is(err, layout.ErrTag) {
			t.Errorf("%T: %v, want ErrTag", v, err)
		}
	}
}

// TestTagOfTree has unions at several depths of a recursive struct, which switch on one number around it.
func TestTagOfTree(t *testing.T) {
	c := tagCodec(t)
	near, far := taggedTree{Key: 1, Body: nearTag{3, 4}}, taggedTree{Key: 1, Body: &farTag{5, 6}}
	type message struct {
		T     uint16
		Trees []taggedTree `layout:"count=u8"`
		Last  *taggedTree
	}
	for _, v := range []struct {
		value message
		ok    bool
	}{
		{message{Trees: []taggedTree{near, {Kids: []taggedTree{near}}}, Last: &near}, true},
		{message{Trees: []taggedTree{{Kids: []taggedTree{far}}, far}, Last: &far}, true},
		{message{Trees: []taggedTree{near}, Last: &far}, false},
		{message{Trees: []taggedTree{{Kids: []taggedTree{near}}, far}, Last: &taggedTree{}}, false},
		{message{Trees: []taggedTree{{Key: 1, Body: nearTag{}, Kids: []taggedTree{far}}}, Last: &taggedTree{}}, false},
		{message{Trees: []taggedTree{{Kids: []taggedTree{near, far}}}, Last: &taggedTree{}}, false},
	} {
		b, err := c.Marshal(&v.value)
		if errors.Is(err, layout.ErrVariant) == v.ok || v.ok && c.Unmarshal(b, new(message)) != nil {
			t.Errorf("%+v: % x, %v", v.value, b, err)
		}
	}
}

// TestAbsentTag has unions whose number is absent. The decoder takes it for 0.
func TestAbsentTag(t *testing.T) {
	c, err := layout.New(layout.Options{Unions: []layout.UnionCoder{layout.Union[any](
		layout.VariantOf[nearTag](0), layout.VariantOf[*farTag](300), layout.KeepUnknown())}})
	if err != nil {
		t.Fatal(err)
	}
	type element struct {
		Flag uint8
		T    uint32 `layout:"varint,if=Flag"`
		Body any    `layout:"switch=T,prefix=u8"`
	}
	type linked struct {
		Flag uint8
		T    uint16 `layout:"if=Flag,len=Text"`
		Text string `layout:"prefix=u8"`
		Body any    `layout:"switch=T"`
	}
	type list struct {
		List []element `layout:"count=u8"`
	}
	far, unknown := &farTag{5, 6}, layout.Unknown{Tag: 7, Data: []byte("data")}
	for _, v := range []struct {
		value any
		ok    bool
	}{
		{&element{1, 300, far}, true},
		{&element{0, 0, nearTag{3, 4}}, true},
		{&element{0, 0, far}, false},
		{&element{0, 0, unknown}, false},
		{&linked{0, 0, "text", nearTag{3, 4}}, true},
		{&linked{0, 0, "text", far}, false},
		{&list{[]element{{1, 300, far}, {0, 0, nearTag{3, 4}}, {1, 7, unknown}}}, true},
		{&list{[]element{{1, 300, far}, {0, 0, far}}}, false},
	} {
		b, err := c.Marshal(v.value)
		if errors.Is(err, layout.ErrVariant) == v.ok {
			t.Errorf("%+v: % x, %v", v.value, b, err)
			continue
		}
		back := reflect.New(reflect.TypeOf(v.value).Elem()).Interface()
		if err := c.Unmarshal(b, back); v.ok && (err != nil || !reflect.DeepEqual(back, v.value)) {
			t.Errorf("% x: %+v, %v, want %+v", b, back, err, v.value)
		}
	}
}

// TestUnknownInElement says that it is the Unknown whose end is not known, not another variant of the union.
func TestUnknownInElement(t *testing.T) {
	c, err := layout.New(layout.Options{Unions: []layout.UnionCoder{layout.Union[any](layout.VariantOf[nearTag](1), layout.KeepUnknown())}})
	if err != nil {
		t.Fatal(err)
	}
	type property struct {
		T    uint8
		Body any `layout:"switch=T"`
	}
	_, err = c.Marshal(&struct {
		List []property `layout:"prefix=varint"`
	}{})
	if want := ".List[].Body: the variant layout.Unknown takes what its frame leaves, but it is in an element of List; give it a prefix, link or terminator"; !errors.Is(err, layout.ErrTag) || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestNegativeTag has tags that are negative, in all forms of numbers, with one union and with several, of variants
// that are known and of others.
func TestNegativeTag(t *testing.T) {
	c, err := layout.New(layout.Options{Unions: []layout.UnionCoder{layout.Union[any](layout.VariantOf[nearTag](-1), layout.VariantOf[*farTag](-128), layout.KeepUnknown())}})
	if err != nil {
		t.Fatal(err)
	}
	for tag, body := range map[int64]any{-1: nearTag{3, 4}, -128: &farTag{5, 6}, -9: layout.Unknown{Tag: ^uint64(8), Data: []byte{7, 8}}} {
		for _, v := range []any{
			&struct {
				T    int8
				Body any `layout:"switch=T"`
			}{0, body},
			&struct {
				T    int64 `layout:"i16"`
				A, B any   `layout:"switch=T,prefix=u8"`
			}{0, body, body},
			&struct {
				T    int32 `layout:"zigzag"`
				Body any   `layout:"switch=T,prefix=u8"`
			}{0, body},
			&struct {
				T    int16 `layout:"sleb128"`
				Body any   `layout:"switch=T"`
			}{0, body},
			&struct {
				T    int8  `layout:"bits=8"`
				Kind uint8 `layout:"bits=8"`
				Body any   `layout:"switch=T"`
			}{0, 0, body},
		} {
			b, err := c.Marshal(v)
			if err != nil {
				t.Errorf("tag %d of %T: %v", tag, v, err)
				continue
			}
			back := reflect.New(reflect.TypeOf(v).Elem())
			if err := c.Unmarshal(b, back.Interface()); err != nil {
				t.Errorf("tag %d of %T: % x: %v", tag, v, b, err)
			}
			got := back.Elem().Field(0).Int()
			back.Elem().Field(0).SetInt(0)
			if got != tag || !reflect.DeepEqual(back.Interface(), v) {
				t.Errorf("tag %d of %T: % x is tag %d of %v", tag, v, b, got, back.Elem())
			}
		}
	}
	_, err = c.Marshal(struct {
		T    int8
		Body any `layout:"switch=T"`
	}{0, layout.Unknown{Tag: ^uint64(128)}})
	if !errors.Is(err, layout.ErrLength) || !strings.Contains(err.Error(), "-129 does not fit i8") {
		t.Errorf("got %v", err)
	}
	_, err = c.Marshal(struct {
		T    int8
		Body any `layout:"switch=T"`
	}{0, layout.Unknown{Tag: ^uint64(127)}})
	if !errors.Is(err, layout.ErrVariant) || !strings.Contains(err.Error(), "the tag -128 of an Unknown") {
		t.Errorf("got %v", err)
	}
	if c, err = layout.New(layout.Options{Unions: []layout.UnionCoder{layout.Union[any](layout.VariantOf[nearTag](-1), layout.VariantOf[*farTag](-128))}}); err != nil {
		t.Fatal(err)
	}
	for want, v := range map[string]any{
		"different tags, -1 and -128": struct {
			T    int16
			List []any `layout:"switch=T,prefix=u8"`
		}{0, []any{nearTag{}, &farTag{}}},
		"requires 2, but another link requires -1": struct {
			T    int8   `layout:"len=Text"`
			List []any  `layout:"switch=T,prefix=u8"`
			Text string `layout:"cstring"`
		}{0, []any{nearTag{}}, "a"},
		"different numbers, -128 and -1": struct {
			T    int8
			A, B any `layout:"switch=T"`
		}{0, nearTag{}, &farTag{}},
	} {
		if _, err := c.Marshal(v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
