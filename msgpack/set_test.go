package msgpack_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

type (
	stringSet struct {
		S map[string]struct{} `msgpack:",set"`
	}
	namedSet    map[int]struct{}
	severalSets struct {
		N namedSet               `msgpack:",set,omitempty"`
		P *map[uint8]struct{}    `msgpack:",set"`
		A map[[2]int8]struct{}   `msgpack:"a,set"`
		K map[keyStruct]struct{} `msgpack:",set"`
		Y map[any]struct{}       `msgpack:",set"`
		M map[string]struct{}    // as a map
	}
	keyStruct struct{ X, Y bool }
)

func setOf[T comparable](keys ...T) map[T]struct{} {
	m := map[T]struct{}{}
	for _, k := range keys {
		m[k] = struct{}{}
	}
	return m
}

// TestSets encodes and decodes sets of several key types, sorted and unsorted, and
// truncates their messages.
func TestSets(t *testing.T) {
	sorted := newCodec(t, msgpack.Options{SortKeys: true})
	canonical := newCodec(t, msgpack.Options{Canonical: true})
	plain := newCodec(t, msgpack.Options{})
	p := setOf[uint8](200)
	several := severalSets{
		N: namedSet(setOf(3, 1, 300, -1)), P: &p, A: setOf([2]int8{1, 2}), K: setOf(keyStruct{true, false}),
		Y: setOf[any](int64(1), "a", nil), M: setOf("m"),
	}
	severalBytes := "\x86\xa1N\x94\xff\x01\x03\xcd\x01\x2c\xa1P\x91\xcc\xc8\xa1a\x91\x92\x01\x02" +
		"\xa1K\x91\x82\xa1X\xc3\xa1Y\xc2\xa1Y\x93\x01\xa1a\xc0\xa1M\x81\xa1m\x80"
	for name, test := range map[string]struct {
		value any
		bytes string
	}{
		"nil":     {stringSet{}, "\x81\xa1S\xc0"},
		"empty":   {stringSet{setOf[string]()}, "\x81\xa1S\x90"},
		"one":     {stringSet{setOf("a")}, "\x81\xa1S\x91\xa1a"},
		"sorted":  {stringSet{setOf("b", "a", "ab", "")}, "\x81\xa1S\x94\xa0\xa1a\xa2ab\xa1b"},
		"several": {several, severalBytes},
	} {
		t.Run(name, func(t *testing.T) {
			checkCodec(t, sorted, test.value, []byte(test.bytes))
			if name != "several" { // the bytes have the fields in declared order, which is not canonical
				checkCodec(t, canonical, test.value, []byte(test.bytes))
			}
			for _, c := range []*msgpack.Codec{sorted, canonical, plain} {
				got := reflect.New(reflect.TypeOf(test.value))
				if err := c.Unmarshal([]byte(test.bytes), got.Interface()); err != nil || !reflect.DeepEqual(got.Elem().Interface(), test.value) {
					t.Errorf("got %+v, %v", got.Elem(), err)
				}
			}
			data, err := plain.Marshal(test.value)
			got := reflect.New(reflect.TypeOf(test.value))
			if err == nil {
				err = plain.Unmarshal(data, got.Interface())
			}
			if err != nil || !reflect.DeepEqual(got.Elem().Interface(), test.value) {
				t.Errorf("without sorting: got %+v, %v", got.Elem(), err)
			}
			for n := range test.bytes {
				err := plain.Unmarshal([]byte(test.bytes[:n]), reflect.New(reflect.TypeOf(test.value)).Interface())
				checkError(t, err, msgpack.ErrTruncated)
			}
		})
	}
	empty := newCodec(t, msgpack.Options{NilMapAsEmpty: true})
	checkCodec(t, empty, stringSet{}, []byte("\x81\xa1S\x90"))
	array := newCodec(t, msgpack.Options{StructAsArray: true})
	checkCodec(t, array, stringSet{setOf("a")}, []byte("\x91\x91\xa1a"))
}

// TestSetsAreAddedTo decodes arrays and maps into a set that has an element. The
// element must stay, except if the message has a nil.
func TestSetsAreAddedTo(t *testing.T) {
	strict := newCodec(t, msgpack.Options{RejectDuplicates: true})
	for data, want := range map[string][]string{
		"\x81\xa1S\x92\xa1a\xa1b":                    {"a", "b", "old"},
		"\x81\xa1S\x91\xa3old":                       {"old"},
		"\x81\xa1S\x90":                              {"old"},
		"\x81\xa1S\x81\xa1a\x80":                     {"a", "old"}, // as a map
		"\x81\xa1S\xc0":                              {},
		"\x81\xa1S\xdd\x00\x00\x00\x01\xc4\x01a":     {"a", "old"},
		"\x81\xa1S\xdc\x00\x02\xd9\x01a\xa1b":        {"a", "b", "old"},
		"\x81\xa1S\xdf\x00\x00\x00\x01\xd9\x01a\x80": {"a", "old"},
	} {
		v := stringSet{setOf("old")}
		if err := strict.Unmarshal([]byte(data), &v); err != nil || !reflect.DeepEqual(setOf(want...), nonNil(v.S)) {
			t.Errorf("% x: got %v, %v, want %v", data, v.S, err, want)
		}
	}
}

func nonNil(m map[string]struct{}) map[string]struct{} {
	if m == nil {
		m = map[string]struct{}{}
	}
	return m
}

// TestSetDuplicates decodes equal elements, in the same format and in different
// ones.
func TestSetDuplicates(t *testing.T) {
	strict := newCodec(t, msgpack.Options{RejectDuplicates: true})
	many := make([]byte, 0, 1000)
	for i := range 100 {
		many = append(many, byte(i))
	}
	for data, offset := range map[string]int{
		"\x81\xa1S\x92\xa1a\xa1a":                       6,
		"\x81\xa1S\x93\xa1a\xa1b\xd9\x01a":              8,
		"\x81\xa1S\x92\xa1a\xc4\x01a":                   6,
		"\x81\xa1N\x92\x01\xd0\x01":                     5,
		"\x81\xa1N\xdc\x00\x65" + string(many) + "\x07": 106,
	} {
		var v struct {
			S map[string]struct{} `msgpack:",set"`
			N namedSet            `msgpack:",set"`
		}
		e := checkError(t, strict.Unmarshal([]byte(data), &v), msgpack.ErrDuplicateKey)
		if e != nil && (int(e.Offset) != offset || !strings.HasSuffix(e.Path, "]")) {
			t.Errorf("% x: %v", data, e)
		}
		if err := msgpack.Unmarshal([]byte(data), &v); err != nil || len(v.S)+len(v.N) == 0 {
			t.Errorf("% x: by default: %v, %v", data, v, err)
		}
	}
	// Encoding different elements that have the same bytes.
	type anySet struct {
		S map[any]struct{} `msgpack:",set"`
	}
	for _, c := range []msgpack.Options{{SortKeys: true}, {Canonical: true}} {
		_, err := newCodec(t, c).Marshal(anySet{setOf[any](1, int8(1))})
		if e := checkError(t, err, msgpack.ErrDuplicateKey); e != nil && e.Path != "S" {
			t.Error(e)
		}
	}
}

// TestSetErrors checks the errors of messages that are not sets, and of the tag
// option on other types.
func TestSetErrors(t *testing.T) {
	for name, test := range map[string]struct {
		data string
		v    any
		want error
		path string
	}{
		"element":    {"\x81\xa1S\x92\xa1a\x05", new(stringSet), msgpack.ErrMismatch, "S[1]"},
		"kind":       {"\x81\xa1S\xa1a", new(stringSet), msgpack.ErrMismatch, "S"},
		"unhashable": {"\x81\xa1Y\x92\x01\x90", new(severalSets), msgpack.ErrUnhashable, "Y[1]"},
		"claim":      {"\x81\xa1S\xdd\xff\xff\xff\xff\xa1a", new(stringSet), msgpack.ErrTruncated, "S"},
		"nested":     {"\x81\xa1a\x92\x92\x01\x02\x92\x01", new(severalSets), msgpack.ErrTruncated, "A[1]"},
	} {
		e := checkError(t, msgpack.Unmarshal([]byte(test.data), test.v), test.want)
		if e != nil && !strings.HasPrefix(e.Path, test.path) {
			t.Errorf("%s: path %q, want %q", name, e.Path, test.path)
		}
	}
	for _, v := range []any{
		struct {
			F []int `msgpack:",set"`
		}{},
		struct {
			F map[string]bool `msgpack:",set"`
		}{},
		struct {
			F map[string]struct{} `msgpack:",set,as_array"`
		}{},
		struct {
			F map[string]struct{} `msgpack:",set,inline"`
		}{},
		struct {
			_ struct{} `msgpack:",set"`
		}{},
	} {
		_, err := msgpack.Marshal(v)
		if e := checkError(t, err, msgpack.ErrUnsupported); e != nil && !strings.Contains(e.Found, "option ") {
			t.Error(e)
		}
	}
	shallow := newCodec(t, msgpack.Options{MaxDepth: 1})
	_, err := shallow.Marshal(stringSet{setOf("a")})
	checkError(t, err, msgpack.ErrDepth)
	checkError(t, shallow.Unmarshal([]byte("\x81\xa1S\x91\xa1a"), new(stringSet)), msgpack.ErrDepth)
	if errors.Is(shallow.Unmarshal([]byte("\x81\xa1S\xc0"), new(stringSet)), msgpack.ErrDepth) {
		t.Error("a nil counts as a level")
	}
}

// TestSetForms uses one type in a field with the option set and in one without it.
// The second is a map, whichever field is encoded first.
func TestSetForms(t *testing.T) {
	type first map[string]struct{}
	type both struct {
		A first `msgpack:",set"`
		B first
		C *first `msgpack:",set"`
		D []first
	}
	f := first(setOf("k"))
	c := newCodec(t, msgpack.Options{})
	checkCodec(t, c, both{f, f, &f, []first{f}}, []byte("\x84\xa1A\x91\xa1k\xa1B\x81\xa1k\x80\xa1C\x91\xa1k\xa1D\x91\x81\xa1k\x80"))
	checkCodec(t, c, f, []byte("\x81\xa1k\x80"))
	// A field that is missing in an element must not keep the value of the previous
	// element.
	var v severalSets
	if err := c.Unmarshal([]byte("\x81\xa1K\x92\x81\xa1X\xc3\x80"), &v); err != nil || !reflect.DeepEqual(v.K, setOf(keyStruct{true, false}, keyStruct{})) {
		t.Errorf("got %v, %v", v.K, err)
	}
}

// The tag option set encodes a map[T]struct{} as an array.
func Example_set() {
	type Post struct {
		Title string
		Tags  map[string]struct{} `msgpack:",set"`
	}
	data, err := msgpack.Marshal(Post{"Sets", map[string]struct{}{"go": {}}})
	fmt.Printf("%q, %v\n", data, err)
	var post Post
	err = msgpack.Unmarshal([]byte("\x82\xa5Title\xa1x\xa4Tags\x93\xa1b\xa1a\xa1b"), &post)
	var tags []string
	for tag := range post.Tags {
		tags = append(tags, tag)
	}
	slices.Sort(tags)
	fmt.Println(tags, err)
	// Output:
	// "\x82\xa5Title\xa4Sets\xa4Tags\x91\xa2go", <nil>
	// [a b] <nil>
}
