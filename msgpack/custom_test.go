package msgpack_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// These types have no form of their own: Options registers functions that convert
// them to text. Each stands for one kind of Go value.
type (
	celsius  float64 // a number
	label    string  // a string
	pixel    struct{ R, G, B byte }
	holder   struct{ p *byte } // one pointer, which an interface stores in its data word
	index    map[string]int
	words2   []string
	withText int // has text methods, which the registered functions replace
	shared   struct{ name string }
	callback func()
)

func (withText) MarshalText() ([]byte, error)     { return nil, errOwn }
func (*withText) UnmarshalText(text []byte) error { return errOwn }

// asString returns the functions of an ext type for T. The functions to and from
// convert between a T and the text that is its payload.
func asString[T any](to func(T) string, from func(string) (T, error)) (func([]byte, T) ([]byte, error), func([]byte) (T, error)) {
	return func(dst []byte, v T) ([]byte, error) { return append(dst, to(v)...), nil },
		func(data []byte) (T, error) { return from(string(data)) }
}

func extOf[T any](id int8, to func(T) string, from func(string) (T, error)) msgpack.TypeCoder {
	appendText, parse := asString(to, from)
	return msgpack.ExtType(id, appendText, parse)
}

// overrideOf returns an Override that encodes a T as a str with its text.
func overrideOf[T any](to func(T) string, from func(string) (T, error)) msgpack.TypeCoder {
	return msgpack.Override(
		func(dst []byte, v T) ([]byte, error) { return wire.AppendString(dst, to(v)), nil },
		func(data []byte) (v T, err error) {
			s, _, err := wire.ConsumeString(data)
			if err != nil {
				return v, err
			}
			return from(string(s))
		})
}

// These functions convert values to text and back, for ext types and for overrides.
func celsiusText(c celsius) string { return fmt.Sprint(float64(c)) }
func celsiusFrom(s string) (c celsius, err error) {
	_, err = fmt.Sscan(s, (*float64)(&c))
	return c, err
}
func labelText(l label) string                    { return strings.ToUpper(string(l)) }
func labelFrom(s string) (label, error)           { return label(strings.ToLower(s)), nil }
func pixelText(p pixel) string                    { return string([]byte{p.R, p.G, p.B}) }
func holderText(h holder) string                  { return string([]byte{*h.p}) }
func indexText(x index) string                    { return fmt.Sprint(len(x)) }
func words2Text(w words2) string                  { return strings.Join(w, " ") }
func words2From(s string) (words2, error)         { return strings.Fields(s), nil }
func withTextText(n withText) string              { return fmt.Sprint(int(n)) }
func withTextFrom(s string) (n withText, e error) { _, e = fmt.Sscan(s, (*int)(&n)); return n, e }

func pixelFrom(s string) (p pixel, err error) {
	if len(s) != 3 {
		return p, errOwn
	}
	return pixel{s[0], s[1], s[2]}, nil
}

func holderFrom(s string) (holder, error) {
	b := []byte(s)
	if len(b) != 1 {
		return holder{}, errOwn
	}
	return holder{&b[0]}, nil
}

func indexFrom(s string) (index, error) {
	var n int
	_, err := fmt.Sscan(s, &n)
	x := index{}
	for i := range min(n, 10) {
		x[fmt.Sprint(i)] = i
	}
	return x, err
}

// Decoding a name always returns the same pointer to a shared.
var (
	red, blue   = &shared{"red"}, &shared{"blue"}
	allShared   = map[string]*shared{"red": red, "blue": blue}
	errNoShared = errors.New("nothing shared has that name")
)

func sharedText(s *shared) string { return s.name }
func sharedFrom(s string) (*shared, error) {
	if v := allShared[s]; v != nil {
		return v, nil
	}
	return nil, errNoShared
}

var customExts = []msgpack.TypeCoder{
	extOf(1, celsiusText, celsiusFrom), extOf(2, labelText, labelFrom), extOf(3, pixelText, pixelFrom),
	extOf(4, holderText, holderFrom), extOf(5, indexText, indexFrom), extOf(6, words2Text, words2From),
	extOf(-128, withTextText, withTextFrom), extOf(127, sharedText, sharedFrom),
	extOf(0, func(b bool3) string { return string(b[:]) }, func(s string) (b bool3, err error) { copy(b[:], s); return b, nil }),
}

type bool3 [3]byte

var customOverrides = []msgpack.TypeCoder{
	overrideOf(celsiusText, celsiusFrom), overrideOf(labelText, labelFrom), overrideOf(pixelText, pixelFrom),
	overrideOf(holderText, holderFrom), overrideOf(indexText, indexFrom), overrideOf(words2Text, words2From),
	overrideOf(withTextText, withTextFrom), overrideOf(sharedText, sharedFrom),
}

func one(b byte) *byte { return &b }

// customValues holds values and their texts.
var customValues = []struct {
	name  string
	value any
	id    string // of the ext, in hexadecimal
	text  string
}{
	{"number", celsius(-1.5), "01", "-1.5"},
	{"string", label("a"), "02", "A"},
	{"empty string", label(""), "02", ""},
	{"long string", label(strings.Repeat("x", 300)), "02", strings.Repeat("X", 300)},
	{"struct", pixel{1, 2, 3}, "03", "\x01\x02\x03"},
	{"struct of one pointer", holder{one(7)}, "04", "\x07"},
	{"map", index{"0": 0, "1": 1}, "05", "2"},
	{"empty map", index{}, "05", "0"},
	{"slice", words2{"a", "b"}, "06", "a b"},
	{"with methods", withText(5), "80", "5"},
	{"pointer", blue, "7f", "blue"},
	{"the variable of a pointer", *red, "7f", "red"},
}

// extHex returns an ext in hexadecimal.
func extHex(t testing.TB, id, payload string) string {
	return fmt.Sprintf("%x", wire.AppendExt(nil, int8(unhex(t, id)[0]), []byte(payload)))
}

// checkCustom encodes and decodes a value in all places.
func checkCustom(t *testing.T, c *msgpack.Codec, value any, bytes string) {
	t.Helper()
	v := reflect.ValueOf(value)
	for _, p := range places {
		if !p.takes(v.Type()) || p.key && (v.Kind() == reflect.Pointer || v.Type() == reflect.TypeFor[holder]() || v.Type() == reflect.TypeFor[hookPointer]()) || p.name == "pointer to pointer" && v.Kind() == reflect.Pointer {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			outer, want := p.around(v).Interface(), unhex(t, p.message(bytes))
			checkCodec(t, c, outer, want)
			if p.encode {
				return
			}
			got := reflect.New(reflect.TypeOf(outer))
			if err := c.Unmarshal(want, got.Interface()); err != nil || !reflect.DeepEqual(got.Elem().Interface(), outer) {
				t.Errorf("got %+v, %v, want %+v", got.Elem(), err, outer)
			}
			for n := range want {
				var e *msgpack.Error
				err := c.Unmarshal(want[:n], reflect.New(reflect.TypeOf(outer)).Interface())
				if !errors.As(err, &e) || !errors.Is(err, msgpack.ErrTruncated) || int(e.Offset) > n {
					t.Errorf("%d of %d bytes: %v", n, len(want), err)
				}
			}
		})
	}
}

// TestCustomTypesInPlaces encodes and decodes registered types in every place,
// because each place uses other code.
func TestCustomTypesInPlaces(t *testing.T) {
	exts, overrides := newCodec(t, msgpack.Options{Types: customExts}), newCodec(t, msgpack.Options{Types: customOverrides})
	for _, v := range customValues {
		t.Run("ext/"+v.name, func(t *testing.T) { checkCustom(t, exts, v.value, extHex(t, v.id, v.text)) })
		t.Run("override/"+v.name, func(t *testing.T) {
			checkCustom(t, overrides, v.value, fmt.Sprintf("%x", wire.AppendString(nil, v.text)))
		})
	}
}

// TestSharedPointers decodes values that are the same pointer each time. The
// functions must receive the pointers that were decoded.
func TestSharedPointers(t *testing.T) {
	var got []*shared
	spy := func(s *shared) string { got = append(got, s); return s.name }
	for name, c := range map[string]*msgpack.Codec{
		"ext":      newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{extOf(1, spy, sharedFrom)}}),
		"override": newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{overrideOf(spy, sharedFrom)}}),
	} {
		got = nil
		data, err := c.Marshal(map[string]*shared{"k": red})
		if err != nil || len(got) != 1 || got[0] != red {
			t.Errorf("%s: %v, got %v", name, err, got)
		}
		var m map[string]*shared
		if err := c.Unmarshal(data, &m); err != nil || m["k"] != red {
			t.Errorf("%s: %v, %v", name, m, err)
		}
		list := []*shared{blue, nil, red} // nil is nil
		if data, err = c.Marshal(list); err != nil {
			t.Fatal(err)
		}
		list = nil
		if err := c.Unmarshal(data, &list); err != nil || len(list) != 3 || list[0] != blue || list[1] != nil || list[2] != red {
			t.Errorf("%s: %v, %v", name, list, err)
		}
		// A variable of the element type receives a copy.
		var v shared
		if data, err = c.Marshal(red); err == nil {
			err = c.Unmarshal(data, &v)
		}
		if err != nil || v != *red {
			t.Errorf("%s: %v, %v", name, v, err)
		}
		if err := c.Unmarshal([]byte{0xc0}, &v); err != nil || v != (shared{}) {
			t.Errorf("%s: nil: %v, %v", name, v, err)
		}
	}
}

// TestFunctionsThatUseTheCodec registers functions that call the Codec to which they
// belong.
func TestFunctionsThatUseTheCodec(t *testing.T) {
	type inner struct{ N int }
	type wrapped struct{ in inner }
	var c *msgpack.Codec
	c = newCodec(t, msgpack.Options{
		Types: []msgpack.TypeCoder{msgpack.ExtType(9,
			func(dst []byte, v wrapped) ([]byte, error) { return c.MarshalAppend(dst, v.in) },
			func(data []byte) (v wrapped, err error) {
				err = c.Unmarshal(data, &v.in)
				return v, err
			})},
	})
	v := []wrapped{{inner{1}}, {inner{2}}}
	data := []byte("\x92\xd6\x09\x81\xa1N\x01\xd6\x09\x81\xa1N\x02")
	checkCodec(t, c, v, data)
	var got []wrapped
	if err := c.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, v) {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestCustomConcurrency uses registered types for the first time on many goroutines
// at once.
func TestCustomConcurrency(t *testing.T) {
	for range 20 {
		c := newCodec(t, msgpack.Options{Types: append(slices.Clone(customExts), shapes("type"))})
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				v := map[string]any{"a": celsius(1), "b": []shape{circle{1}, &square{2, ""}, &group{[]shape{circle{3}}}}, "c": pixel{1, 2, 3}}
				data, err := c.Marshal(v)
				if err != nil {
					t.Error(err)
					return
				}
				var got struct {
					A celsius `msgpack:"a"`
					B []shape `msgpack:"b"`
					C any     `msgpack:"c"`
				}
				if err := c.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(any(got.B), v["b"]) || got.C != v["c"] {
					t.Errorf("%+v, %v", got, err)
				}
			})
		}
		wg.Wait()
	}
}
