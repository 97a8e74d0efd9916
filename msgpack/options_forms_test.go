package msgpack_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// formsBase, FormsDeep and FormsBase are embedded in the structs of
// TestProfileOptions.
type (
	formsBase struct{ A int8 }
	FormsDeep struct {
		FormsDeeper
		D int8
	}
	FormsDeeper struct{ E int8 }
	FormsBase   struct{ A int8 }

	// A formsText and a formsBinary have one pair of methods each, and a formsBoth has
	// both. The fields of a formsHidden are unexported.
	formsText   int8
	formsBinary int8
	formsBoth   int8
	formsHidden struct{ n byte }

	formsPart struct {
		A int8   `msgpack:"a,omitempty"`
		B string `msgpack:"b,omitempty"`
	}
	formsMixed struct {
		A int8 `msgpack:"a,omitempty"`
		B string
	}
	// A formsUncomparable has no ==, but reflect.Value.Comparable is true.
	formsUncomparable struct {
		_ [0][1]func()
		N int8
	}
	formsEmpty struct {
		L []int8            `msgpack:"l,omitempty"`
		M map[string]string `msgpack:"m,omitempty"`
		T time.Time         `msgpack:"t,omitempty"`
		A [1]int8           `msgpack:"a,omitempty"`
		P formsPart         `msgpack:"p,omitempty"`
		X formsMixed        `msgpack:"x,omitempty"`
		V any               `msgpack:"v,omitempty"`
		S string            `msgpack:"s,omitempty"`
	}
)

func (f formsText) MarshalText() ([]byte, error)     { return []byte{'t', '0' + byte(f)}, nil }
func (f *formsText) UnmarshalText(b []byte) error    { *f = formsText(b[1] - '0'); return nil }
func (f formsBinary) MarshalBinary() ([]byte, error) { return []byte{'b', '0' + byte(f)}, nil }
func (f *formsBinary) UnmarshalBinary(b []byte) error {
	*f = formsBinary(b[1] - '0')
	return nil
}
func (f formsBoth) MarshalText() ([]byte, error)    { return formsText(f).MarshalText() }
func (f *formsBoth) UnmarshalText(b []byte) error   { return (*formsText)(f).UnmarshalText(b) }
func (f formsBoth) MarshalBinary() ([]byte, error)  { return formsBinary(f).MarshalBinary() }
func (f *formsBoth) UnmarshalBinary(b []byte) error { return (*formsBinary)(f).UnmarshalBinary(b) }
func (f formsHidden) MarshalText() ([]byte, error)  { return []byte{'h', f.n}, nil }
func (f *formsHidden) UnmarshalText(b []byte) error { f.n = b[1]; return nil }

// TestProfileOptions checks the bytes of values encoded with the options that
// package profile needs to imitate other libraries.
func TestProfileOptions(t *testing.T) {
	type c = msgpack.Options
	type ints struct {
		A int8
		B int16
		C int32
		D int64
		E int
		F uint8
		G uint16
		H uint32
		I uint64
		J uint
	}
	type embedding struct {
		FormsDeep
		B int8
		formsBase
		C int8
	}
	type pointing struct {
		*FormsBase
		B int8
	}
	type pointingOmitting struct {
		*FormsBase
		B int8 `msgpack:",omitempty"`
	}
	long := strings.Repeat("k", 40)
	type longKey struct {
		V string `msgpack:"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"`
	}
	inHex := func(s string) string { return hex.EncodeToString([]byte(s)) }
	for _, test := range []struct {
		name   string
		config c
		value  any
		want   string
	}{
		{"mixed ints", c{Compat: msgpack.Compat{MixedInts: true}}, ints{-1, 1, 1, -1, 200, 1, 1, 1, 1, 70000},
			"8a a141 d0ff a142 d10001 a143 d200000001 a144 d3ffffffffffffffff a145 ccc8" +
				"a146 cc01 a147 cd0001 a148 ce00000001 a149 cf0000000000000001 a14a ce00011170"},
		{"mixed ints in any", c{Compat: msgpack.Compat{MixedInts: true}}, []any{1, int64(1), []int{1}, []uint64{1}, map[string]int64{"a": 1}},
			"95 01 d30000000000000001 9101 91cf0000000000000001 81a161d30000000000000001"},
		{"signed ints", c{Compat: msgpack.Compat{SignedInts: true}}, ints{127, 128, 1 << 15, 1 << 31, -129, 200, 1 << 15, 1 << 31, 1 << 63, 128},
			"8a a141 7f a142 d10080 a143 d200008000 a144 d30000000080000000 a145 d1ff7f" +
				"a146 ccc8 a147 cd8000 a148 ce80000000 a149 cf8000000000000000 a14a cc80"},
		{"signed ints, limits", c{Compat: msgpack.Compat{SignedInts: true}}, []int64{127, 128, -32, -33, -128, -129, 32767, 32768, math.MaxInt32, math.MaxInt32 + 1, math.MinInt32, math.MaxInt64, math.MinInt64},
			"9d 7f d10080 e0 d0df d080 d1ff7f d17fff d200008000 d27fffffff d30000000080000000 d280000000 d37fffffffffffffff d38000000000000000"},
		{"signed ints, sorted", c{Compat: msgpack.Compat{SignedInts: true}, SortKeys: true}, map[int]bool{200: true, -200: false, 3: true}, "83 d1ff38 c2 03 c3 d100c8 c3"},
		{"old strings", c{Compat: msgpack.Compat{OldFormats: true}}, []string{"", strings.Repeat("x", 31), strings.Repeat("x", 32), strings.Repeat("x", 255), strings.Repeat("x", 256)},
			"95 a0 bf" + strings.Repeat("78", 31) + "da0020" + strings.Repeat("78", 32) + "da00ff" + strings.Repeat("78", 255) + "da0100" + strings.Repeat("78", 256)},
		{"old keys", c{Compat: msgpack.Compat{OldFormats: true}}, longKey{long}, "81 da0028" + inHex(long) + "da0028" + inHex(long)},
		{"old map keys", c{Compat: msgpack.Compat{OldFormats: true}}, map[string]any{long: long}, "81 da0028" + inHex(long) + "da0028" + inHex(long)},
		{"old bytes", c{Compat: msgpack.Compat{OldFormats: true}}, []any{[]byte("ab"), [1]byte{'c'}, []byte(long), formsBinary(1), formsText(1), net.IP{1, 2, 3, 4}},
			"96 a26162 a163 da0028" + inHex(long) + "a26231 a27431 a401020304"},
		{"old times as text", c{Compat: msgpack.Compat{OldFormats: true}, Time: msgpack.TimeRFC3339}, time.Unix(0, 123456789).In(time.FixedZone("", 3600)),
			"da0023" + inHex("1970-01-01T01:00:00.123456789+01:00")},
		{"sorted fields", c{Compat: msgpack.Compat{SortFields: true}}, struct {
			B float64
			A []point2
		}{1, []point2{{1, 2}}}, "82 a141 91 82 a158 02 a159 01 a142 cb3ff0000000000000"},
		{"sorted fields in an array", c{Compat: msgpack.Compat{SortFields: true}, StructAsArray: true}, point2{1, 2}, "92 01 02"},
		{"embedded last", c{Compat: msgpack.Compat{EmbeddedLast: true}}, embedding{FormsDeep{FormsDeeper{1}, 2}, 3, formsBase{4}, 5},
			"85 a142 03 a143 05 a144 02 a145 01 a141 04"},
		{"embedded last in an array", c{Compat: msgpack.Compat{EmbeddedLast: true}, StructAsArray: true}, embedding{FormsDeep{FormsDeeper{1}, 2}, 3, formsBase{4}, 5}, "95 03 05 02 01 04"},
		{"embedded in their place", c{}, embedding{FormsDeep{FormsDeeper{1}, 2}, 3, formsBase{4}, 5}, "85 a145 01 a144 02 a142 03 a141 04 a143 05"},
		{"nested embedded", c{Compat: msgpack.Compat{NestEmbedded: true}}, struct {
			FormsDeep
			*FormsBase
			FormsBase2 `msgpack:",inline"`
		}{FormsDeep{FormsDeeper{1}, 2}, &FormsBase{3}, FormsBase2{4}},
			"83 a9" + inHex("FormsDeep") + "82 ab" + inHex("FormsDeeper") + "81a14501 a14402 a9" + inHex("FormsBase") + "81a14103 a15a04"},
		{"nil embedded", c{Compat: msgpack.Compat{NilEmbedded: msgpack.EmbeddedNil}}, pointing{nil, 2}, "82 a141 c0 a142 02"},
		{"nil embedded, not nil", c{Compat: msgpack.Compat{NilEmbedded: msgpack.EmbeddedNil}}, pointing{&FormsBase{1}, 2}, "82 a141 01 a142 02"},
		{"nil embedded, plain", c{Compat: msgpack.Compat{NilEmbedded: msgpack.EmbeddedNilPlain}}, pointing{nil, 2}, "82 a141 c0 a142 02"},
		{"nil embedded, beside omitempty", c{Compat: msgpack.Compat{NilEmbedded: msgpack.EmbeddedNil}}, pointingOmitting{nil, 2}, "82 a141 c0 a142 02"},
		{"nil embedded, plain, beside omitempty", c{Compat: msgpack.Compat{NilEmbedded: msgpack.EmbeddedNilPlain}}, pointingOmitting{nil, 2}, "81 a142 02"},
		{"nil embedded, plain, as an array", c{Compat: msgpack.Compat{NilEmbedded: msgpack.EmbeddedNilPlain}, StructAsArray: true}, pointingOmitting{nil, 2}, "92 c0 02"},
		{"nil embedded by default", c{}, pointing{nil, 2}, "81 a142 02"},
		{"text methods ignored", c{IgnoreTextMethods: true}, []any{formsText(1), formsBinary(1), formsBoth(1), formsHidden{'1'}, []formsText{2}},
			"95 01 c4026231 c4026231 a26831 9102"},
		{"binary methods ignored", c{IgnoreBinaryMethods: true}, []any{formsText(1), formsBinary(1), formsBoth(1), map[formsBoth]int8{2: 3}},
			"94 a27431 01 a27431 81a2743203"},
		{"methods ignored", c{IgnoreTextMethods: true, IgnoreBinaryMethods: true},
			[]any{formsText(1), formsBinary(1), formsBoth(1), formsHidden{'1'}, net.IP{1, 2, 3, 4}, struct{ U *url.URL }{}},
			"96 01 01 01 a26831 c40401020304 81a155c0"},
		{"empty by length", c{}, formsEmpty{L: []int8{}, V: 0}, "85" +
			"a174 c70cff00000000fffffff1886e0900 a161 9100 a170 80 a178 81a142a0 a176 00"},
		{"empty, zero structs", c{Compat: msgpack.Compat{Empty: msgpack.EmptyZeroStruct}}, formsEmpty{L: []int8{}, V: 0}, "82 a161 9100 a176 00"},
		{"empty, nested", c{Compat: msgpack.Compat{Empty: msgpack.EmptyNested}}, formsEmpty{L: []int8{}, V: formsPart{}, X: formsMixed{A: 0}}, "82 a161 9100 a178 81a142a0"},
		{"empty, nested, not empty", c{Compat: msgpack.Compat{Empty: msgpack.EmptyNested}}, formsEmpty{P: formsPart{B: "b"}, V: 1, T: time.Unix(1, 0)},
			"85 a174 d6ff00000001 a161 9100 a170 81a162a162 a178 81a142a0 a176 01"},
		{"empty, zero", c{Compat: msgpack.Compat{Empty: msgpack.EmptyZero}}, formsEmpty{L: []int8{}, M: map[string]string{}, V: 0}, "83 a16c 90 a16d 80 a176 00"},
		{"empty, zero, float and time", c{Compat: msgpack.Compat{Empty: msgpack.EmptyZero}}, formsBits{F: minus0, T: time.Time{}.In(time.FixedZone("", 60)), P: new(time.Time)},
			"82 a154 c70cff00000000fffffff1886e0900 a150 c70cff00000000fffffff1886e0900"},
		{"empty, bits", c{Compat: msgpack.Compat{Empty: msgpack.EmptyBits}}, formsBits{F: minus0, I: new(*int), C: [1]float32{float32(minus0)}, L: new(formsLevel)},
			"83 a146 cb8000000000000000 a143 91ca80000000 a14c 00"},
		{"empty, equal", c{Compat: msgpack.Compat{Empty: msgpack.EmptyEqual}}, formsBits{F: minus0, I: new(*int), S: []int{}}, "84 a149 c0 a143 91ca00000000 a153 90 a155 81a14100"},
		{"empty, zero structs, not comparable", c{Compat: msgpack.Compat{Empty: msgpack.EmptyZeroStruct}}, struct {
			A struct{ L []int }   `msgpack:",omitempty"`
			B point2              `msgpack:",omitempty"`
			C struct{ F float64 } `msgpack:",omitempty"`
			D formsUncomparable   `msgpack:",omitempty"`
		}{C: struct{ F float64 }{minus0}}, "82 a141 81a14cc0 a144 81a14e00"},
		{"empty, equal, not comparable", c{Compat: msgpack.Compat{Empty: msgpack.EmptyEqual}}, struct {
			D formsUncomparable `msgpack:",omitempty"`
		}{}, "81 a144 81a14e00"},
		{"empty by length, -0 in an embedded struct", c{}, struct {
			*FormsBase3
		}{&FormsBase3{minus0}}, "80"},
		{"nil with methods", c{}, formsNils{}, "82 a156 c40100 a150 c40100"},
		{"nil with methods, by value", c{Compat: msgpack.Compat{NilMethods: msgpack.NilByValue}}, formsNils{}, "82 a156 c0 a150 c40100"},
		{"nil with methods, always", c{Compat: msgpack.Compat{NilMethods: msgpack.NilAlways}}, formsNils{}, "82 a156 c0 a150 c0"},
		{"methods that return nil", c{Compat: msgpack.Compat{NilMethods: msgpack.NilByValue}}, []url.URL{{}, {Path: "/"}}, "92 c0 c4012f"},
		{"methods that return nil, by default", c{}, []url.URL{{}, {Path: "/"}}, "92 c400 c4012f"},
		{"empty with methods", c{Compat: msgpack.Compat{NilMethods: msgpack.NilAlways}}, formsNils{formsNil{}, formsNilPointer{}}, "82 a156 c40100 a150 c40100"},
		{"unexported embedded", c{Compat: msgpack.Compat{SkipUnexported: true}}, struct {
			formsBase
			*FormsBase
		}{formsBase{1}, &FormsBase{2}}, "81 a141 02"},
		{"empty, zero, all fields", c{Compat: msgpack.Compat{Empty: msgpack.EmptyZero}, OmitEmpty: true}, point2{0, 1}, "81 a158 01"},
	} {
		t.Run(test.name, func(t *testing.T) {
			want, err := hex.DecodeString(strings.ReplaceAll(test.want, " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			got, err := newCodec(t, test.config).Marshal(test.value)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("got  % x, %v\nwant % x", got, err, want)
			}
		})
	}
}

var minus0 = math.Copysign(0, -1)

func (formsNil) MarshalBinary() ([]byte, error)         { return []byte{0}, nil }
func (*formsNilPointer) MarshalBinary() ([]byte, error) { return []byte{0}, nil }

// IsZero is ignored by rules that look at bits.
func (formsLevel) IsZero() bool { return true }

type (
	formsNil        []int
	formsNilPointer map[string]int
	formsLevel      int8
	formsNils       struct {
		V formsNil
		P formsNilPointer
	}
	formsBits struct {
		F float64         `msgpack:",omitempty"`
		T time.Time       `msgpack:",omitempty"`
		P *time.Time      `msgpack:",omitempty"`
		I **int           `msgpack:",omitempty"`
		C [1]float32      `msgpack:",omitempty"`
		L *formsLevel     `msgpack:",omitempty"`
		S []int           `msgpack:",omitempty"`
		U struct{ A int } `msgpack:",omitempty"`
		O formsLevel      `msgpack:",omitempty"`
	}
	FormsBase3 struct {
		F float64 `msgpack:",omitempty"`
	}
	point2     struct{ Y, X int8 }
	FormsBase2 struct{ Z int8 }
)

type (
	zeroNever  []int
	zeroNoMap  map[string]int
	zeroNoInt  int
	zeroValues struct {
		S zeroNever  `msgpack:",omitempty"`
		M zeroNoMap  `msgpack:",omitempty"`
		P *zeroNoInt `msgpack:",omitempty"`
		I any        `msgpack:",omitempty"`
		N zeroNoInt  `msgpack:",omitempty"`
	}
)

func (zeroNever) IsZero() bool { return false }
func (zeroNoMap) IsZero() bool { return false }
func (zeroNoInt) IsZero() bool { return false }

// TestEmptyNestedZeroer checks that the method IsZero is not asked about nil, and decides about
// everything else.
func TestEmptyNestedZeroer(t *testing.T) {
	codec := newCodec(t, msgpack.Options{Compat: msgpack.Compat{Empty: msgpack.EmptyNested}})
	for _, test := range []struct {
		value zeroValues
		want  string
	}{
		{zeroValues{}, "\x81\xa1N\x00"},
		{zeroValues{I: zeroNever(nil)}, "\x81\xa1N\x00"},
		{zeroValues{I: zeroNoMap(nil)}, "\x81\xa1N\x00"},
		{zeroValues{S: zeroNever{}}, "\x82\xa1S\x90\xa1N\x00"},
		{zeroValues{M: zeroNoMap{}}, "\x82\xa1M\x80\xa1N\x00"},
		{zeroValues{P: new(zeroNoInt)}, "\x82\xa1P\x00\xa1N\x00"},
		{zeroValues{I: zeroNever{}}, "\x82\xa1I\x90\xa1N\x00"},
		{zeroValues{I: zeroNoInt(0)}, "\x82\xa1I\x00\xa1N\x00"},
	} {
		if got, err := codec.Marshal(test.value); err != nil || string(got) != test.want {
			t.Errorf("%+v: got %q, %v, want %q", test.value, got, err, test.want)
		}
	}
}

// TestProfileOptionsDecode checks that options that move fields or ignore methods
// also apply to decoding.
func TestProfileOptionsDecode(t *testing.T) {
	var embedding struct {
		FormsDeep
		B int8
	}
	last := newCodec(t, msgpack.Options{Compat: msgpack.Compat{EmbeddedLast: true}})
	if err := last.Unmarshal([]byte("\x93\x01\x02\x03"), &embedding); err != nil || embedding.B != 1 || embedding.D != 2 || embedding.E != 3 {
		t.Errorf("got %+v, %v", embedding, err)
	}
	nested := newCodec(t, msgpack.Options{Compat: msgpack.Compat{NestEmbedded: true}})
	if err := nested.Unmarshal([]byte("\x81\xa9FormsDeep\x81\xa1D\x05"), &embedding); err != nil || embedding.D != 5 {
		t.Errorf("got %+v, %v", embedding, err)
	}
	var text formsText
	ignoring := newCodec(t, msgpack.Options{IgnoreTextMethods: true, IgnoreBinaryMethods: true})
	if err := ignoring.Unmarshal([]byte("\x05"), &text); err != nil || text != 5 {
		t.Errorf("got %v, %v", text, err)
	}
	if err := ignoring.Unmarshal([]byte("\xa2t5"), &text); !errors.Is(err, msgpack.ErrMismatch) {
		t.Errorf("text: got %v, %v", text, err)
	}
}

// TestOldFormatsInParts checks that OldFormats also applies to values that an
// Encoder writes in parts.
func TestOldFormatsInParts(t *testing.T) {
	var b bytes.Buffer
	e := newCodec(t, msgpack.Options{Compat: msgpack.Compat{OldFormats: true}}).NewEncoder(&b)
	text := strings.Repeat("x", 40)
	for _, err := range []error{e.WriteString(text), e.WriteBytes([]byte(text)), e.WriteStringHeader(40)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	e.Write([]byte(text))
	if err := e.WriteBytesHeader(40); err != nil {
		t.Fatal(err)
	}
	e.Write([]byte(text))
	if err := e.Flush(); err != nil || b.String() != strings.Repeat("\xda\x00\x28"+text, 4) {
		t.Errorf("got %q, %v", b.String(), err)
	}
}

// TestCompatConflicts checks that New refuses options that cannot be
// combined.
func TestCompatConflicts(t *testing.T) {
	for want, c := range map[string]msgpack.Options{
		"Compat.MixedInts conflicts with TypedInts":                       {TypedInts: true, Compat: msgpack.Compat{MixedInts: true}},
		"Compat.SignedInts conflicts with TypedInts and Compat.MixedInts": {Compat: msgpack.Compat{SignedInts: true, MixedInts: true}},
		"Compat.MixedInts conflicts with Canonical":                       {Canonical: true, Compat: msgpack.Compat{MixedInts: true}},
		"Compat.SignedInts conflicts with Canonical":                      {Canonical: true, Compat: msgpack.Compat{SignedInts: true}},
		"Compat.Empty is 6, not a valid EmptyRule":                        {Compat: msgpack.Compat{Empty: 6}},
		"Compat.ReplaceMaps is 4, not a valid MapRule":                    {Compat: msgpack.Compat{ReplaceMaps: 4}},
		"Compat.AnyText is 3, not a valid AnyText":                        {Compat: msgpack.Compat{AnyText: 3}},
		"Compat.NilEmbedded is 3, not a valid EmbeddedRule":               {Compat: msgpack.Compat{NilEmbedded: 3}},
		"Compat.NilMethods is 3, not a valid NilRule":                     {Compat: msgpack.Compat{NilMethods: 3}},
	} {
		if _, err := msgpack.New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestOldFormatsInvalidAddress checks that a net.IP of a length that is no address is
// decoded from its own bytes.
func TestOldFormatsInvalidAddress(t *testing.T) {
	codec := newCodec(t, msgpack.Options{Compat: msgpack.Compat{OldFormats: true}})
	var ip net.IP
	if err := codec.Unmarshal([]byte("\xa5\x6a\xde\x20\x01\x00"), &ip); err != nil || len(ip) != 5 {
		t.Errorf("got %v, %v", []byte(ip), err)
	}
}

// TestReplaceMaps checks that only maps from strings to values of type any are replaced,
// and that they stay after an error.
func TestReplaceMaps(t *testing.T) {
	codec := newCodec(t, msgpack.Options{Compat: msgpack.Compat{ReplaceMaps: msgpack.MapsOfAny}})
	v := struct {
		M map[string]any
		S map[string]string
	}{map[string]any{"old": 1}, map[string]string{"old": "1"}}
	if err := codec.Unmarshal([]byte("\x82\xa1M\x81\xa1k\xc3\xa1S\x81\xa1k\xa1v"), &v); err != nil || len(v.M) != 1 || v.M["k"] != true || len(v.S) != 2 {
		t.Errorf("got %v, %v", v, err)
	}
	if err := codec.Unmarshal([]byte("\x81\xa1M\x81\xa1n\xc1"), &v); err == nil || v.M["k"] != true {
		t.Errorf("after an error: got %v, %v", v, err)
	}
	if err := codec.Unmarshal([]byte("\x81\xa1M\xc0"), &v); err != nil || v.M != nil {
		t.Errorf("nil: got %v, %v", v, err)
	}
}

// TestReplaceMapsOfScalars checks which maps the other rule replaces.
func TestReplaceMapsOfScalars(t *testing.T) {
	type named map[string]int
	type v struct {
		A map[string]float64
		B map[int]string
		C map[int]int
		D named
		E map[string]any
	}
	all := newCodec(t, msgpack.Options{Compat: msgpack.Compat{ReplaceMaps: msgpack.MapsAll}})
	if m := (map[int][]int{1: {2}}); all.Unmarshal([]byte("\x80"), &m) != nil || m == nil || len(m) != 0 {
		t.Errorf("all: got %v", m)
	}
	codec := newCodec(t, msgpack.Options{Compat: msgpack.Compat{ReplaceMaps: msgpack.MapsOfScalars}})
	used := v{map[string]float64{"o": 1}, map[int]string{9: ""}, map[int]int{9: 9}, named{"o": 1}, map[string]any{"o": 1}}
	err := codec.Unmarshal([]byte("\x85\xa1A\x80\xa1B\x80\xa1C\x80\xa1D\x80\xa1E\x80"), &used)
	if err != nil || len(used.A) != 0 || used.A == nil || len(used.B) != 0 || len(used.C) != 1 || len(used.D) != 1 || len(used.E) != 1 {
		t.Errorf("got %v, %v", used, err)
	}
}

// TestPlainEOF checks that empty input is io.EOF itself in every function, and that a
// part of a value is not.
func TestPlainEOF(t *testing.T) {
	for _, c := range []msgpack.Options{{}, {MaxElements: 1}} {
		c.Compat.PlainEOF = true
		codec := newCodec(t, c)
		typed, err := msgpack.For[int](codec)
		if err != nil {
			t.Fatal(err)
		}
		var n int
		for name, call := range map[string]func(data []byte) error{
			"Unmarshal":       func(data []byte) error { return codec.Unmarshal(data, &n) },
			"UnmarshalPrefix": func(data []byte) error { _, err := codec.UnmarshalPrefix(data, &n); return err },
			"UnmarshalRead":   func(data []byte) error { return codec.UnmarshalRead(bytes.NewReader(data), &n) },
			"Typed":           func(data []byte) error { return typed.Unmarshal(data, &n) },
		} {
			if err := call(nil); err != io.EOF {
				t.Errorf("%s: got %v, want io.EOF", name, err)
			}
			if err := call([]byte{0xcd, 0}); err == io.EOF || !errors.Is(err, msgpack.ErrTruncated) {
				t.Errorf("%s of a part: got %v, want ErrTruncated", name, err)
			}
		}
	}
}

// TestOldFormatsDecode checks that a type with both methods is decoded from its own str.
func TestOldFormatsDecode(t *testing.T) {
	codec := newCodec(t, msgpack.Options{Compat: msgpack.Compat{OldFormats: true}})
	for _, data := range []string{"\xa4\x01\x02\x03\x04", "\xc4\x04\x01\x02\x03\x04", "\xa71.2.3.4"} {
		var addr netip.Addr
		var ip net.IP
		if err := codec.Unmarshal([]byte(data), &addr); err != nil || addr != netip.AddrFrom4([4]byte{1, 2, 3, 4}) {
			t.Errorf("%q: got %v, %v", data, addr, err)
		}
		if err := codec.Unmarshal([]byte(data), &ip); err != nil || !ip.Equal(net.IPv4(1, 2, 3, 4)) {
			t.Errorf("%q: got %v, %v", data, ip, err)
		}
		if err := msgpack.Unmarshal([]byte(data), &ip); err != nil || !ip.Equal(net.IPv4(1, 2, 3, 4)) {
			t.Errorf("%q by default: got %v, %v", data, ip, err)
		}
	}
}
