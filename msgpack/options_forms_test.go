package msgpack_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"net"
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
		{"nil embedded", c{Compat: msgpack.Compat{NilEmbedded: true}}, pointing{nil, 2}, "82 a141 c0 a142 02"},
		{"nil embedded, not nil", c{Compat: msgpack.Compat{NilEmbedded: true}}, pointing{&FormsBase{1}, 2}, "82 a141 01 a142 02"},
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

type (
	point2     struct{ Y, X int8 }
	FormsBase2 struct{ Z int8 }
)

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
		"Compat.Empty is 4, not a valid EmptyRule":                        {Compat: msgpack.Compat{Empty: 4}},
	} {
		if _, err := msgpack.New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
