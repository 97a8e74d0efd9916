package msgpack_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// TestUnionErrors checks the reason, path and offset of errors in unions.
func TestUnionErrors(t *testing.T) {
	array, tagged := shapeCodec(t, ""), shapeCodec(t, "t")
	for _, test := range []struct {
		codec *msgpack.Codec
		name  string
		bytes string
		err   error
		at    int
		path  string
		found string
	}{
		{array, "unknown name", "\x91\x92\xa5squid\x80", msgpack.ErrVariant, 2, "[0]", `tag "squid"`},
		{array, "long name", "\x91\x92\xd9\x64" + strings.Repeat("x", 100) + "\x80", msgpack.ErrVariant, 2, "[0]", `tag "` + strings.Repeat("x", 40) + `"`},
		{array, "unknown number", "\x91\x92\x05\x80", msgpack.ErrVariant, 2, "[0]", "tag 5"},
		{array, "negative number", "\x91\x92\xff\x80", msgpack.ErrVariant, 2, "[0]", "tag -1"},
		{array, "uint 64 like -3", "\x91\x92\xcf\xff\xff\xff\xff\xff\xff\xff\xfd\x80", msgpack.ErrVariant, 2, "[0]", "tag 18446744073709551613"},
		{array, "float", "\x91\x92\xca\xc0\x40\x00\x00\x80", msgpack.ErrMismatch, 2, "[0]", "float 32 -3"},
		{array, "nil tag", "\x91\x92\xc0\x80", msgpack.ErrMismatch, 2, "[0]", "nil"},
		{array, "map", "\x91\x82\xa1t\xa6circle\xa1R\x01", msgpack.ErrMismatch, 1, "[0]", "fixmap of 2 pairs"},
		{array, "one element", "\x91\x91\xa6circle", msgpack.ErrMismatch, 1, "[0]", "fixarray of 1 element"},
		{array, "three elements", "\x91\x93\xa6circle\x80\x80", msgpack.ErrMismatch, 1, "[0]", "fixarray of 3 elements"},
		{array, "another value", "\x91\x92\xa6circle\x05", msgpack.ErrMismatch, 9, "[0]", ""},
		{array, "a field's value", "\x91\x92\xa6circle\x81\xa1R\xa1x", msgpack.ErrMismatch, 12, "[0].R", ""},
		{array, "claim", "\x91\x92\xa6circle\xdf\xff\xff\xff\xff", msgpack.ErrTruncated, 9, "[0]", ""},
		{tagged, "unknown name", "\x91\x81\xa1t\xa5squid", msgpack.ErrVariant, 4, "[0]", `tag "squid"`},
		{tagged, "no name", "\x91\x81\xa1R\x01", msgpack.ErrVariant, 1, "[0]", `map without the key "t"`},
		{tagged, "empty map", "\x91\x80", msgpack.ErrVariant, 1, "[0]", `map without the key "t"`},
		{tagged, "array", "\x91\x92\xa6circle\x80", msgpack.ErrMismatch, 1, "[0]", ""},
		{tagged, "number", "\x91\x05", msgpack.ErrMismatch, 1, "[0]", ""},
		{tagged, "two tags", "\x91\x83\xa1t\xa6circle\xa1R\x01\xa1t\xa6square", msgpack.ErrVariant, 16, "[0].t", ""},
		{tagged, "two tags, one unknown", "\x91\x83\xa1t\xa6circle\xa1R\x01\xa1t\xa1x", msgpack.ErrVariant, 16, "[0].t", `tag "x"`},
		{tagged, "nil tag", "\x91\x81\xa1t\xc0", msgpack.ErrMismatch, 4, "[0]", ""},
		{tagged, "claim", "\x91\xdf\xff\xff\xff\xff\xa1t\xa6circle", msgpack.ErrTruncated, 1, "[0]", ""},
		{tagged, "claim of what has no tag", "\x91\xdf\xff\xff\xff\xff\xa1R\x01", msgpack.ErrTruncated, 1, "[0]", ""},
		{tagged, "reserved byte before the tag", "\x91\x82\xa1R\xc1\xa1t\xa6circle", msgpack.ErrReserved, 4, "[0]", ""},
		{tagged, "reserved byte as key", "\x91\x82\xc1\x01\xa1t\xa6circle", msgpack.ErrReserved, 2, "[0]", ""},
		{tagged, "claim before the tag", "\x91\x82\xa1R\xdd\xff\xff\xff\xff\xa1t\xa6circle", msgpack.ErrTruncated, 4, "[0]", ""},
		{tagged, "field's value", "\x91\x82\xa1R\xa1x\xa1t\xa6circle", msgpack.ErrMismatch, 4, "[0].R", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var all []shape
			e := checkError(t, test.codec.Unmarshal([]byte(test.bytes), &all), test.err)
			if e != nil && (int(e.Offset) != test.at || e.Path != test.path || test.found != "" && e.Found != test.found) {
				t.Errorf("%v\nfound %q at %d in %q, want %q at %d in %q", e, e.Found, e.Offset, e.Path, test.found, test.at, test.path)
			}
			// The codec can be used after the error.
			var s shape
			if err := tagged.Unmarshal([]byte("\x82\xa1R\x01\xa1t\xa6circle"), &s); err != nil || s != (circle{1}) {
				t.Errorf("afterwards: %v, %v", s, err)
			}
		})
	}
	for _, c := range []*msgpack.Codec{array, tagged} {
		for name, v := range map[string]shape{"pointer of a value": &circle{1}, "not of the union": length(1)} {
			got, err := c.MarshalAppend([]byte("before"), []shape{circle{1}, v})
			e := checkError(t, err, msgpack.ErrVariant)
			if e != nil && (e.Path != "[1]" || e.Found != reflect.TypeOf(v).String()+" in msgpack_test.shape") || string(got) != "before" {
				t.Errorf("%s: %v, appended %q", name, e, got)
			}
		}
	}
}

// TestUnionDepth nests unions to the limit and one level deeper, in both
// directions.
func TestUnionDepth(t *testing.T) {
	for form, perLevel := range map[string]int{"": 2, "t": 1} {
		c := shapeCodec(t, form)
		for _, levels := range []int{512/perLevel - 1, 512 / perLevel, 512/perLevel + 1} {
			v := shape(loop{})
			for range levels - 1 {
				v = loop{v}
			}
			deepest := levels * perLevel
			data, err := c.Marshal(&v)
			if (err == nil) != (deepest <= 512) || err != nil && !errors.Is(err, msgpack.ErrDepth) {
				t.Fatalf("%q, %d levels: %v", form, levels, err)
			}
			if err != nil {
				before, after := "\x92\xa4loop\x81\xa4Next", ""
				if form != "" {
					before, after = "\x82\xa4Next", "\xa1t\xa4loop"
				}
				data = []byte(strings.Repeat(before, levels) + "\xc0" + strings.Repeat(after, levels))
			}
			var got shape
			if err := c.Unmarshal(data, &got); (err == nil) != (deepest <= 512) || err != nil && !errors.Is(err, msgpack.ErrDepth) {
				t.Errorf("%q, %d levels: %v", form, levels, err)
			}
		}
	}
	// A value that contains itself.
	g := &group{make([]shape, 1)}
	g.Shapes[0] = g
	for _, form := range []string{"", "t"} {
		_, err := shapeCodec(t, form).Marshal(g)
		checkError(t, err, msgpack.ErrDepth)
	}
}

// TestUnionDeepTags decodes nested maps with their tags at the end, so that every
// search for a tag passes all inner maps. The memory must be in proportion to the
// input.
func TestUnionDeepTags(t *testing.T) {
	c := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{shapes("t")}, MaxDepth: deepest()})
	for _, n := range []int{100, deepest()} {
		data := []byte(strings.Repeat("\x82\xa4Next", n) + "\xc0" + strings.Repeat("\xa1t\xa4loop", n))
		var s shape
		var err error
		used := allocated(func() { err = c.Unmarshal(data, &s) })
		if bound := uint64(anyFactor*len(data)) + 16<<10; err != nil || used > bound {
			t.Errorf("%d levels, %d bytes, took %d bytes, more than %d, %v", n, len(data), used, bound, err)
		}
	}
}
