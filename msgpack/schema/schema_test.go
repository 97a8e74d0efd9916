package schema_test

import (
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// A tree contains itself in every way.
type tree struct {
	Left, Right *tree
	List        forest
	Named       map[string]tree `msgpack:",omitempty"`
}

type forest []forest

// A point has methods that its messages depend on.
type point struct{ X, Y int }

func (p point) MarshalMsgpack() ([]byte, error)  { return []byte{1}, nil }
func (p *point) UnmarshalMsgpack(b []byte) error { return nil }

type base struct{ ID uint64 }

func newCodec(t testing.TB, o msgpack.Options) *msgpack.Codec {
	t.Helper()
	c, err := msgpack.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestOf checks the keywords of types that are easy to get wrong.
func TestOf(t *testing.T) {
	ext := msgpack.ExtType(5, func(dst []byte, v [4]int8) ([]byte, error) { return dst, nil }, func([]byte) (v [4]int8, err error) { return v, nil })
	own := msgpack.Override(func(dst []byte, v time.Month) ([]byte, error) { return append(dst, byte(v)), nil }, func([]byte) (time.Month, error) { return 1, nil })
	cases := []struct {
		name    string
		typ     reflect.Type
		options msgpack.Options
		want    string // part of the text
	}{
		{"int", reflect.TypeFor[int](), msgpack.Options{}, `{"kind":"int","bits":64}`},
		{"pointer", reflect.TypeFor[**uint16](), msgpack.Options{}, `{"kind":"uint","bits":16,"nil":true}`},
		{"slice without nil", reflect.TypeFor[[]byte](), msgpack.Options{NilSliceAsEmpty: true}, `{"kind":"bin"}`},
		{"bytes as str", reflect.TypeFor[[4]byte](), msgpack.Options{BytesAsStr: true}, `{"kind":"str","length":4}`},
		{"bytes in the old formats", reflect.TypeFor[[]byte](), msgpack.Options{Compat: msgpack.Compat{OldFormats: true}}, `{"kind":"str","nil":true}`},
		{"time", reflect.TypeFor[time.Time](), msgpack.Options{}, `{"kind":"time","form":"timestamp"}`},
		{"time as int", reflect.TypeFor[time.Time](), msgpack.Options{Time: msgpack.TimeUnixMicro}, `{"kind":"time","form":"unixmicro"}`},
		{"duration", reflect.TypeFor[time.Duration](), msgpack.Options{}, `{"kind":"int","bits":64}`},
		{"ext", reflect.TypeFor[[4]int8](), msgpack.Options{Types: []msgpack.TypeCoder{ext}}, `{"kind":"ext","ext":5}`},
		{"any ext", reflect.TypeFor[msgpack.Ext](), msgpack.Options{}, `{"kind":"ext"}`},
		{"override", reflect.TypeFor[*time.Month](), msgpack.Options{Types: []msgpack.TypeCoder{own}}, `{"kind":"own","go":"time.Month","nil":true}`},
		{"methods", reflect.TypeFor[point](), msgpack.Options{}, `{"kind":"own","go":"github.com/octet-go/octet/msgpack/schema_test.point"}`},
		{"an interface with methods", reflect.TypeFor[error](), msgpack.Options{}, `{"kind":"own","go":"error","nil":true}`},
		{"binary methods", reflect.TypeFor[netip.Addr](), msgpack.Options{}, `{"kind":"bin","go":"net/netip.Addr"}`},
		{"text methods", reflect.TypeFor[slog.Level](), msgpack.Options{}, `{"kind":"str","go":"log/slog.Level"}`},
		{"text as bin", reflect.TypeFor[slog.Level](), msgpack.Options{Compat: msgpack.Compat{TextAsBin: true}}, `{"kind":"bin","go":"log/slog.Level"}`},
		{"methods that can return nil", reflect.TypeFor[slog.Level](), msgpack.Options{Compat: msgpack.Compat{NilMethods: msgpack.NilByValue}}, `{"kind":"str","go":"log/slog.Level","nil":true}`},
		{"address", reflect.TypeFor[net.IP](), msgpack.Options{}, `{"kind":"bin","go":"net.IP","nil":true}`},
		{"atomic", reflect.TypeFor[atomic.Int32](), msgpack.Options{}, `{"kind":"int","bits":32}`},
		{"complex", reflect.TypeFor[complex64](), msgpack.Options{}, `"items":{"type":"number","msgpack":{"kind":"float","bits":32}},"minItems":2,"maxItems":2,"msgpack":{"kind":"array"}`},
		{"pairs", reflect.TypeFor[msgpack.Pairs](), msgpack.Options{NilMapAsEmpty: true}, `"additionalProperties":{"msgpack":{"kind":"any","nil":true}},"msgpack":{"kind":"map","key":{"msgpack":{"kind":"any","nil":true}},"pairs":true}`},
		{"set", reflect.TypeFor[struct {
			S map[int8]struct{} `msgpack:"s,set"`
		}](), msgpack.Options{}, `"uniqueItems":true,"msgpack":{"kind":"array","set":true,"nil":true}`},
		{"integer keys", reflect.TypeFor[struct {
			A bool `msgpack:"+1,keyasint,alias=-2"`
		}](), msgpack.Options{RejectUnknown: true}, `"properties":{"1":{"type":"boolean","msgpack":{"kind":"bool"},"msgpack-field":{"aliases":["-2"]}}},"propertyNames":{"enum":["1","-2"]},"msgpack":{"kind":"struct","integerkeys":true,"rejectunknown":true}`},
		{"array", reflect.TypeFor[struct {
			A bool `msgpack:"a,required"`
			B any  `msgpack:",omitempty"`
		}](), msgpack.Options{StructAsArray: true, ExactArrays: true}, `"type":"array","prefixItems":[{"type":"boolean","msgpack":{"kind":"bool"},"msgpack-field":{"name":"a","required":true}},{"msgpack":{"kind":"any","nil":true},"msgpack-field":{"name":"B"}}],"minItems":2,"maxItems":2,"msgpack":{"kind":"struct","asarray":true,"exactarrays":true}`},
		{"embedded pointer", reflect.TypeFor[struct{ *base }](), msgpack.Options{}, `"msgpack-field":{"omitnil":true,"encodeonly":true}`},
		{"inline map", reflect.TypeFor[struct {
			M map[string]int8 `msgpack:",inline"`
		}](), msgpack.Options{RejectUnknown: true}, `"properties":{},"additionalProperties":{"type":"integer","minimum":-128,"maximum":127,"msgpack":{"kind":"int","bits":8}},"msgpack":{"kind":"struct"}`},
		{"omitted pointer to a pointer", reflect.TypeFor[struct {
			P **int8 `msgpack:"p,omitempty"`
			Q *int8  `msgpack:"q,omitempty"`
		}](), msgpack.Options{}, `"p":{"type":["integer","null"],"minimum":-128,"maximum":127,"msgpack":{"kind":"int","bits":8,"nil":true},"msgpack-field":{"omitempty":true,"nilinside":true}},"q":{"type":["integer","null"],"minimum":-128,"maximum":127,"msgpack":{"kind":"int","bits":8,"nil":true},"msgpack-field":{"omitempty":true}}`},
		{"union", reflect.TypeFor[shape](), msgpack.Options{Types: unions}, `"anyOf":[{"$ref":"#/$defs/shape"},{"type":"null"}],"$defs":{"shape":{"oneOf":[{"type":"object","properties":{"type":{"const":"circle"}},"required":["type"],"allOf":[{"$ref":"#/$defs/circle"}]},{"type":"object","properties":{"type":{"const":2}},"required":["type"],"allOf":[{"$ref":"#/$defs/square"}]}],"msgpack":{"kind":"union","discriminator":"type"}}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, err := schema.OfType(c.typ, newCodec(t, c.options))
			if err != nil {
				t.Fatal(err)
			}
			if got := string(s.Compact()); !strings.Contains(got, c.want) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			again(t, s)
		})
	}
}

// again checks that the text form of s is read back to the same schema.
func again(t *testing.T, s *schema.Schema) {
	t.Helper()
	parsed, err := schema.Parse([]byte(s.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, s)
	}
	if !reflect.DeepEqual(s, parsed) {
		t.Errorf("%s\nwas read back as\n%s", s, parsed)
	}
	if got := schema.Compare(s, parsed); len(got) > 0 {
		t.Errorf("a schema differs from itself: %v", got)
	}
}

// TestParseIsOppositeOfString checks random types.
func TestParseIsOppositeOfString(t *testing.T) {
	codecs := []*msgpack.Codec{nil, newCodec(t, msgpack.Options{RejectUnknown: true, StructAsArray: true, ExactArrays: true, BytesAsStr: true, Types: unions})}
	checked := 0
	for seed := range uint64(2000) {
		r := randtype.FromSeed(seed)
		typ := r.Type()
		if seed%2 == 0 {
			typ = generator{r}.typ(3)
		}
		s, err := schema.OfType(typ, codecs[seed/2%2])
		if err != nil {
			if !errors.Is(err, msgpack.ErrUnsupported) {
				t.Errorf("%v: %v", typ, err)
			}
			continue
		}
		checked++
		again(t, s)
	}
	if checked < 1500 {
		t.Errorf("only %d types", checked)
	}
}

// TestRecursive checks types that contain themselves.
func TestRecursive(t *testing.T) {
	s, err := schema.Of[tree](nil)
	if err != nil {
		t.Fatal(err)
	}
	again(t, s)
	if root := s.Root.Type; root.Fields[0].Type != root || root.Fields[2].Type.Elem.Type != root.Fields[2].Type {
		t.Errorf("types are not shared: %s", s)
	}
	type pointer *pointer
	if _, err := schema.Of[pointer](nil); !errors.Is(err, msgpack.ErrUnsupported) {
		t.Errorf("a pointer to itself: %v", err)
	}
}

// TestRecursiveWithoutName checks types without a name that contain themselves by a
// pointer type that has one.
func TestRecursiveWithoutName(t *testing.T) {
	type node *struct {
		Value int
		Next  node
		Kids  []node
	}
	type chain *[]chain
	type other *map[string]struct{ Inner []other }
	for _, typ := range []reflect.Type{
		reflect.TypeFor[node](), reflect.TypeFor[[]chain](), reflect.TypeFor[other](), reflect.TypeFor[other]().Elem().Elem(),
		reflect.TypeFor[struct {
			A, B node
			C    chain
		}](),
	} {
		again(t, schemaOf(t, typ, nil))
	}
}

// TestUnsupported checks the path to a type that has no form.
func TestUnsupported(t *testing.T) {
	type bad struct{ Calls map[string][]func() }
	_, err := schema.Of[struct{ Inner bad }](nil)
	var e *msgpack.Error
	if !errors.As(err, &e) || !errors.Is(err, msgpack.ErrUnsupported) || e.Path != "Inner.Calls[][]" {
		t.Errorf("got %v", err)
	}
}

// TestParseErrors checks that texts that are not schemas are refused with their place.
func TestParseErrors(t *testing.T) {
	str := `{"msgpack":{"kind":"str"}}`
	for text, want := range map[string]string{
		``:                                       "unexpected EOF",
		`[]`:                                     "not a JSON object",
		str + `1`:                                "after the end",
		`{"a":1,"a":2}`:                          "duplicate key",
		`{}`:                                     `/ has no keyword "msgpack"`,
		`{"msgpack":{}}`:                         `no text "kind"`,
		`{"msgpack":{"kind":"strange"}}`:         "unknown kind",
		`{"msgpack":{"kind":"invalid"}}`:         "unknown kind",
		`{"msgpack":{"kind":"int","bits":7}}`:    "/msgpack/bits is not one of",
		`{"msgpack":{"kind":"ext","ext":128}}`:   "/msgpack/ext is not an integer from -128",
		`{"msgpack":{"kind":"time","form":"x"}}`: "form of time",
		`{"$ref":"#/$defs/A"}`:                   "not in $defs",
		`{"$ref":"#/$defs/A","$defs":{"A":` + str + `}}`:                                                                                "/$defs/A is not the definition",
		`{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/A"}}}`:                                                                       "/$defs/A has no keyword",
		`{"properties":{"a":` + str + `,"b":{"msgpack":{"kind":"str"},"msgpack-field":{"aliases":["a"]}}},"msgpack":{"kind":"struct"}}`: `key "a" twice`,
		`{"properties":{"01":` + str + `},"msgpack":{"kind":"struct","integerkeys":true}}`:                                              "not an integer",
		`{"oneOf":[{"prefixItems":[{"const":true},` + str + `]}],"msgpack":{"kind":"union"}}`:                                           "has no tag",
		`{"oneOf":[{"properties":{"t":{"const":1}},"allOf":[` + str + `]}],"msgpack":{"kind":"union","discriminator":"t"}}`:             "not a struct",
		strings.Repeat(`{"items":`, 2000):                                                                                               "too deeply",
	} {
		_, err := schema.Parse([]byte(text))
		if !errors.Is(err, schema.ErrSyntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: got %v, want %q", text, err, want)
		}
	}
}
