package schema_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/msgpack/wire"
)

func TestMain(m *testing.M) { heaptest.Main(m) }

// TestCheck checks messages that follow a schema, and the place and the reason for those
// that do not. Random messages are checked by TestCompareIsTrue.
func TestCheck(t *testing.T) {
	type item struct {
		ID   int32             `msgpack:"id,required"`
		Name string            `msgpack:"name,alias=title"`
		Sum  [2]byte           `msgpack:"sum"`
		At   time.Time         `msgpack:"at"`
		More map[string]uint16 `msgpack:"more"`
	}
	array := msgpack.Options{StructAsArray: true}
	none := msgpack.Options{}
	strict := msgpack.Options{RejectUnknown: true, Types: unions}
	cases := []struct {
		name    string
		schema  *schema.Schema
		message string
		want    string // "" if it follows, or part of the error
		reason  error
	}{
		{"empty", of[int](t, none), "", "offset 0", wire.ErrTruncated},
		{"cut", of[[]int](t, none), "\x92\x01", "offset 0", wire.ErrTruncated},
		{"trailing", of[int](t, none), "\x01\x02", "offset 1", wire.ErrTrailing},
		{"nil", of[int](t, none), "\xc0", "found nil, want int of 64 bits", schema.ErrKind},
		{"nil pointer", of[*int](t, none), "\xc0", "", nil},
		{"range", of[int8](t, none), "\xcc\x80", "want int of 8 bits", wire.ErrRange},
		{"least", of[int8](t, none), "\xd1\xff\x80", "", nil},
		{"too small", of[int8](t, none), "\xd1\xff\x7f", "offset 0", wire.ErrRange},
		{"negative uint", of[uint64](t, none), "\xff", "offset 0", wire.ErrRange},
		{"largest", of[uint64](t, none), "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "", nil},
		{"beyond int64", of[int64](t, none), "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "offset 0", wire.ErrRange},
		{"float without a fraction", of[uint8](t, none), "\xca\x43\x7f\x00\x00", "", nil},
		{"float with a fraction", of[int8](t, none), "\xca\x3f\x00\x00\x00", "offset 0", wire.ErrRange},
		{"int as float", of[float32](t, none), "\xce\x01\x00\x00\x00", "", nil},
		{"int that is no float32", of[float32](t, none), "\xce\x01\x00\x00\x01", "offset 0", wire.ErrRange},
		{"str as bin", of[[]byte](t, none), "\xa1a", "found fixstr of 1 byte", schema.ErrKind},
		{"required", of[item](t, none), "\x81\xa4name\xa0", `offset 0: found fixmap of 1 pair, want key "id"`, schema.ErrKey},
		{"alias", of[item](t, none), "\x82\xa2id\x01\xa5title\x01", `["title"] at offset 11`, schema.ErrKind},
		{"length", of[item](t, none), "\x82\xa2id\x01\xa3sum\xc4\x01x", `["sum"] at offset 9: found bin 8 of 1 byte, want bin of 2 bytes`, schema.ErrKind},
		{"time", of[item](t, none), "\x82\xa2id\x01\xa2at\xd6\xff\x00\x00\x00\x00", "", nil},
		{"malformed time", of[item](t, none), "\x82\xa2id\x01\xa2at\xd5\xff\x00\x00", `["at"]`, wire.ErrTimestamp},
		{"value of a map", of[item](t, none), "\x82\xa2id\x01\xa4more\x81\xa1a\xff", `["more"]["a"] at offset 13: found negative fixint -1`, wire.ErrRange},
		{"unknown key", of[item](t, none), "\x82\xa2id\x01\xa1x\xc0", "", nil},
		{"unknown key, refused", of[item](t, strict), "\x82\xa2id\x01\xa1x\xc0", `offset 5: found fixstr`, msgpack.ErrUnknownField},
		{"array", of[item](t, array), "\x91\x05", "", nil},
		{"array without a required element", of[item](t, array), "\x90", `want element 0, "id"`, schema.ErrKey},
		{"map instead of an array", of[item](t, array), "\x81\xa2id\x01", "struct item", schema.ErrKind},
		{"union", of[shape](t, strict), "\x82\xa4type\xa6circle\xa6radius\x01", "", nil},
		{"union with a late tag", of[shape](t, strict), "\x82\xa4side\x01\xa4type\x02", "", nil},
		{"union with an unknown tag", of[shape](t, strict), "\x81\xa4type\x03", "tag of union shape", msgpack.ErrVariant},
		{"union without a tag", of[shape](t, strict), "\x81\xa4side\x03", `want key "type"`, schema.ErrKey},
		{"union with another key", of[shape](t, strict), "\x82\xa4type\x02\xa4edge\x01", "offset 7", msgpack.ErrUnknownField},
		{"union as array", of[figure](t, strict), "\x92\xff\x81\xa1A\x01", "", nil},
		{"value of a union", of[figure](t, strict), "\x92\xff\x81\xa1A\xa0", `[1]["A"] at offset 5`, schema.ErrKind},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := c.schema.Check([]byte(c.message))
			if c.reason == nil {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var e *schema.Error
			if !errors.Is(err, c.reason) || !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestCheckIsLinear nests unions whose tags come last, so that each would be searched
// again by all unions around it.
func TestCheckIsLinear(t *testing.T) {
	s, err := schema.Parse([]byte(`{"$ref":"#/$defs/u","$defs":{
		"u":{"oneOf":[{"properties":{"t":{"const":1}},"allOf":[{"$ref":"#/$defs/v"}]}],"msgpack":{"kind":"union","discriminator":"t"}},
		"v":{"properties":{"next":{"$ref":"#/$defs/u"}},"msgpack":{"kind":"struct"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	nested := func(levels int) []byte {
		b := []byte("\x81\xa1t\x01")
		for range levels {
			b = append(append([]byte("\x82\xa4next"), b...), "\xa1t\x01"...)
		}
		return b
	}
	if err := s.Check(nested(20)); err != nil {
		t.Errorf("20 levels: %v", err)
	}
	if err := s.Check(nested(500)); !errors.Is(err, wire.ErrLimit) {
		t.Errorf("500 levels: %v", err)
	}
	first := bytes.Repeat([]byte("\x82\xa1t\x01\xa4next"), 500)
	if err := s.Check(append(first, "\x81\xa1t\x01"...)); err != nil {
		t.Errorf("tags that come first: %v", err)
	}
}

// FuzzCheck checks that Check reads any bytes without allocating, and that what follows a
// schema can be decoded.
func FuzzCheck(f *testing.F) {
	type all struct {
		A  int8                `msgpack:"a,required,alias=x"`
		B  []byte              `msgpack:"b"`
		C  map[string][]uint16 `msgpack:"c"`
		D  shape               `msgpack:"d"`
		E  [2]float32          `msgpack:"e"`
		F  any                 `msgpack:"f"`
		G  time.Time           `msgpack:"g"`
		H  figure              `msgpack:"h"`
		In []all               `msgpack:"in"`
	}
	codec := newCodec(f, msgpack.Options{Types: unions})
	s, err := schema.Of[all](codec)
	if err != nil {
		f.Fatal(err)
	}
	for _, v := range []any{all{}, all{A: 5, B: []byte{1}, C: map[string][]uint16{"k": {1, 2}}, D: circle{1}, H: triangle{1, 2, 3}, In: []all{{}}}, map[string]any{"a": 1, "d": map[string]any{"side": 1, "type": 2}}} {
		b, err := codec.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var err error
		heaptest.AtMost(t, 96<<10, func() { err = s.Check(data) }) // of the error, which can have 500 steps
		n, prefixErr := s.CheckPrefix(data)
		if err != nil {
			var e *schema.Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(len(data)) {
				t.Errorf("% x: %v", data, err)
			}
			if prefixErr == nil && !errors.Is(err, wire.ErrTrailing) {
				t.Errorf("% x: Check fails and CheckPrefix does not: %v", data, err)
			}
			return
		}
		if prefixErr != nil || n != len(data) {
			t.Errorf("% x: CheckPrefix returned %d, %v", data, n, prefixErr)
		}
		var v all
		// The decoder has to make keys of what a map in a variable of type any has.
		if err := codec.Unmarshal(data, &v); err != nil && !errors.Is(err, msgpack.ErrUnhashable) {
			t.Errorf("% x follows the schema, but: %v", data, err)
		}
	})
}

// FuzzParse checks that Parse reads any text, and that what it reads has a text form with
// the same meaning.
func FuzzParse(f *testing.F) {
	for _, s := range []*schema.Schema{must(schema.Of[tree](nil)), must(schema.Of[User](nil)), must(schema.Of[point](nil))} {
		f.Add(s.Compact())
	}
	union, err := schema.Of[map[string]shape](newCodec(f, msgpack.Options{Types: unions, StructAsArray: true, RejectUnknown: true}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(union.Compact())
	f.Fuzz(func(t *testing.T, text []byte) {
		var s *schema.Schema
		var err error
		heaptest.AtMost(t, 400*len(text)+64<<10, func() { s, err = schema.Parse(text) })
		if err != nil {
			if !errors.Is(err, schema.ErrSyntax) {
				t.Error(err)
			}
			return
		}
		again, err := schema.Parse([]byte(s.String()))
		if err != nil {
			t.Fatalf("%v\n%s", err, s)
		}
		if got, want := again.String(), s.String(); got != want {
			t.Errorf("%s\nbecame\n%s", want, got)
		}
		if changes := schema.Compare(s, again); len(changes) > 0 {
			t.Errorf("%s\n%v", s, changes)
		}
		_ = s.Check(text)
	})
}

func must(s *schema.Schema, err error) *schema.Schema {
	if err != nil {
		panic(err)
	}
	return s
}

// Keys are compared with the names of all fields, and not copied for each.
func TestCheckCopiesNoKeys(t *testing.T) {
	s, err := schema.Of[struct {
		A, B, C, D, E, F, G, H int `msgpack:",omitempty"`
		I                      int `msgpack:"i,alias=j,alias=k"`
	}](nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := msgpack.Marshal(map[string]int{strings.Repeat("k", 1<<20): 1})
	if err != nil {
		t.Fatal(err)
	}
	heaptest.AtMost(t, 4<<10, func() { err = s.Check(data) })
	if err != nil {
		t.Error(err)
	}
}
