package transcode

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// A fault is the expected Error for an input.
type fault struct {
	name   string
	input  string // MessagePack in hexadecimal
	o      Options
	err    error
	offset int64
	value  int64
	path   string
	text   string // a part of the message
}

func (f fault) check(t *testing.T, err error) {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("error is %v, want an *Error", err)
	}
	if !errors.Is(err, f.err) {
		t.Errorf("error %q does not match %q", err, f.err)
	}
	if e.Offset != f.offset || e.Value != f.value || e.Path != f.path {
		t.Errorf("offset %d, value %d, path %q; want %d, %d, %q", e.Offset, e.Value, e.Path, f.offset, f.value, f.path)
	}
	if !strings.Contains(err.Error(), f.text) || !strings.HasPrefix(err.Error(), "transcode: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("message %q does not contain %q", err, f.text)
	}
}

// TestJSONFaults checks the reason, position and text of every error in JSON
// input.
func TestJSONFaults(t *testing.T) {
	deep := strings.Repeat("[", 512) + strings.Repeat("]", 512)
	deeper := strings.Repeat("[", 513) + strings.Repeat("]", 513)
	if _, err := AppendMsgpack(nil, []byte(deep), nil); err != nil {
		t.Errorf("512 levels: %v", err)
	}
	indexes := func(n int) string { return strings.Repeat("[0]", n) }
	for _, f := range []fault{
		{"comma first", `,`, Options{}, ErrSyntax, 0, 0, "", "invalid JSON: invalid character ','"},
		{"closing bracket first", `1 ]`, Options{}, ErrSyntax, 2, 1, "", "invalid character ']'"},
		{"unknown literal", `{"a":[1,nope]}`, Options{}, ErrSyntax, 9, 0, ".a[1]", "invalid character 'o'"},
		{"incomplete literal", `tru 1`, Options{}, ErrSyntax, 3, 0, "", "' '"},
		{"incomplete literal before a string", `tru"x"`, Options{}, ErrSyntax, 3, 0, "", `'"'`},
		{"incomplete number", `1. `, Options{}, ErrSyntax, 2, 0, "", "' '"},
		{"incomplete number in an array", `[-]`, Options{}, ErrSyntax, 2, 0, "[0]", "']'"},
		{"no colon", `{"a_Z9" 1}`, Options{}, ErrSyntax, 8, 0, ".a_Z9", "expecting ':'"},
		{"name that is not an identifier", `{"9a" 1}`, Options{}, ErrSyntax, 6, 0, `["9a"]`, "expecting ':'"},
		{"no comma", `[1 2]`, Options{}, ErrSyntax, 3, 0, "[1]", "expecting ',' or ']'"},
		{"wrong bracket", `{"a b":[1}}`, Options{}, ErrSyntax, 9, 0, `["a b"][1]`, "expecting ',' or ']'"},
		{"trailing comma", `[1,]`, Options{}, ErrSyntax, 2, 0, "[1]", "trailing comma before ']'"},
		{"trailing comma in an object", "{\"a\":1 ,\n }", Options{}, ErrSyntax, 7, 0, "", "(line 1, column 8): invalid JSON: trailing comma before '}'"},
		{"two commas", `[1,,2]`, Options{}, ErrSyntax, 3, 0, "[1]", "invalid character ','"},
		{"single quotes", `{'a':1}`, Options{}, ErrSyntax, 1, 0, "", "a string must be in double quotes"},
		{"comment", "[1, // one\n 2]", Options{}, ErrSyntax, 4, 0, "[1]", "JSON has no comments"},
		{"NaN", `[NaN]`, Options{}, ErrSyntax, 1, 0, "[0]", "JSON has no NaN"},
		{"column in characters", "[\n \"é日\",x]", Options{}, ErrSyntax, 11, 0, "[1]", "line 2, column 7"},
		{"first line after a byte order mark", "\xef\xbb\xbf[x]", Options{}, ErrSyntax, 4, 0, "[0]", "line 1, column 2"},
		{"second line, as a stream", "[1]\n[2]\n  x", Options{}, ErrSyntax, 10, 2, "", "line 3, column 3"},
		{"name not a string", `{1:2}`, Options{}, ErrSyntax, 1, 0, "", "must be a string"},
		{"leading zero", `5 01`, Options{}, ErrSyntax, 3, 1, "", "found '1', want white space"},
		{"literals without white space", `truefalse`, Options{}, ErrSyntax, 4, 0, "", "found 'f', want white space"},
		{"two points", `1.2.3`, Options{}, ErrSyntax, 3, 0, "", "found '.', want white space"},
		{"byte order mark inside", "[]\xef\xbb\xbf", Options{}, ErrSyntax, 2, 1, "", "invalid character"},
		{"control character", "\"a\nb\"", Options{}, ErrSyntax, 2, 0, "", `'\n'`},
		{"bad escape", `"a\x"`, Options{}, ErrSyntax, 2, 0, "", "escape"},
		{"not UTF-8", "[\"\xc3\xa9\xff\"]", Options{}, ErrUTF8, 4, 0, "[0]", "invalid UTF-8"},
		{"name not UTF-8", "{\"\xff\":1}", Options{}, ErrUTF8, 2, 0, "", "invalid UTF-8"},
		{"lone surrogate", `["\ud800x"]`, Options{}, ErrUTF8, 2, 0, "[0]", `half of a surrogate pair: found \ud800`},
		{"lone low surrogate", `["\udc00"]`, Options{}, ErrUTF8, 2, 0, "[0]", `half of a surrogate pair: found \udc00`},
		{"nothing after a name", `{"a":`, Options{}, ErrTruncated, 5, 0, ".a", "truncated input"},
		{"incomplete literal at the end", `[tru`, Options{}, ErrTruncated, 4, 0, "[0]", "truncated input"},
		{"incomplete string", `"abc`, Options{}, ErrTruncated, 4, 0, "", "truncated input"},
		{"duplicate", `{"a":1,"b":{"c":1,"\u0063":2}}`, Options{}, ErrDuplicateKey, 18, 0, ".b", `another "\u0063"`},
		{"duplicate among many", `{"k0":0,"k1":0,"k2":0,"k3":0,"k4":0,"k5":0,"k6":0,"k7":0,"k8":0,"k9":0,"l0":0,"l1":0,"l2":0,"l3":0,"l4":0,"l5":0,"k1":0}`,
			Options{}, ErrDuplicateKey, 113, 0, "", `another "k1"`},
		{"too large", `[1e400]`, Options{}, ErrNumber, 1, 0, "[0]", "found 1e400"},
		{"too large to round", `1e400`, Options{RoundNumbers: true}, ErrNumber, 0, 0, "", "found 1e400"},
		{"too small", `-1e-400`, Options{}, ErrNumber, 0, 0, "", "found -1e-400"},
		{"beyond uint64", `{"n": 18446744073709551617}`, Options{}, ErrNumber, 6, 0, ".n", "RoundNumbers"},
		{"below int64", `-9223372036854775809`, Options{}, ErrNumber, 0, 0, "", "RoundNumbers"},
		{"too deep", deeper, Options{}, ErrDepth, 512, 0, indexes(512), "nested too deeply"},
		{"too deep, unclosed", strings.Repeat("[", 513), Options{}, ErrDepth, 512, 0, indexes(512), "nested too deeply"},
		{"far too deep", strings.Repeat("[", 1000000), Options{}, ErrDepth, 512, 0, indexes(512), "nested too deeply"},
		{"far too deep, reversible", strings.Repeat("[", 1000000), reversible, ErrDepth, 3*512 + 2, 0, indexes(3*512 + 2), "nested too deeply"},
		{"too deep in objects", `{"a":{"b":{}}}`, Options{MaxDepth: 2}, ErrDepth, 10, 0, ".a.b", "nested too deeply"},
		{"too large a value", `1 "1234"`, Options{MaxValue: 5}, ErrLimit, 2, 1, "", "size limit"},
		{"too large a number", `12345 123456 `, Options{MaxValue: 5}, ErrLimit, 6, 1, "", "size limit"},
		{"too large an array", `[1,2] [1,22]`, Options{MaxValue: 5}, ErrLimit, 6, 1, "", "size limit"},
		{"second value", "1\n[2]\n{\"a\":x}", Options{}, ErrSyntax, 11, 2, ".a", "value 2, offset 11 (line 3, column 6), at .a"},
		{"after a byte order mark", "\xef\xbb\xbf[x]", Options{}, ErrSyntax, 4, 0, "[0]", "'x'"},
		{"unknown escape", `[{"$oid":1}]`, reversible, ErrEscape, 1, 0, "[0]", `the name "$oid"`},
		{"lone dollar", `{"$":1}`, reversible, ErrEscape, 0, 0, "", `the name "$"`},
		{"second member after an escape", `{"$bin":"","a":1}`, reversible, ErrEscape, 11, 0, "", "second member"},
		{"escape after a member", `{"a":1,"$bin":""}`, reversible, ErrEscape, 7, 0, "", `found "$bin"`},
		{"bin of a number", `{"$bin":17}`, reversible, ErrEscape, 8, 0, ".$bin", "found 17, want a string in base64"},
		{"bin not padded", `{"$bin":"AQ"}`, reversible, ErrEscape, 8, 0, ".$bin", `found "AQ"`},
		{"bin with nonzero padding bits", `{"$bin":"AR=="}`, reversible, ErrEscape, 8, 0, ".$bin", `found "AR=="`},
		{"bin in lines", `{"$bin":"AQ\nI="}`, reversible, ErrEscape, 8, 0, ".$bin", "a string in base64"},
		{"str of null", `{"$str":null}`, reversible, ErrEscape, 8, 0, ".$str", "found null"},
		{"float 32 too large", `{"$f32":1e39}`, reversible, ErrEscape, 8, 0, ".$f32", "found 1e39"},
		{"float 32 of 16 digits", `{"$f32":"7ff8000000000000"}`, reversible, ErrEscape, 8, 0, ".$f32", "the 8 hexadecimal digits"},
		{"float 64 not hexadecimal", `{"$f64":"7ff800000000000x"}`, reversible, ErrEscape, 8, 0, ".$f64", "the 16 hexadecimal digits"},
		{"float of true", `{"$f64":true}`, reversible, ErrEscape, 8, 0, ".$f64", "found true"},
		{"float of an array", `{"$f64":[1]}`, reversible, ErrEscape, 8, 0, ".$f64", "found ["},
		{"time of a number", `{"$time":0}`, reversible, ErrEscape, 9, 0, ".$time", "found 0"},
		{"time of picoseconds", `{"$time":"1970-01-01T00:00:00.0000000001Z"}`, reversible, ErrEscape, 9, 0, ".$time", "nine fractional digits"},
		{"time without a zone", `{"$time":"1970-01-01T00:00:00"}`, reversible, ErrEscape, 9, 0, ".$time", "RFC 3339"},
		{"time with a comma", `{"$time":"1970-01-01T00:00:00,5Z"}`, reversible, ErrEscape, 9, 0, ".$time", "RFC 3339"},
		{"time with a zone of 24 hours", `{"$time":"1970-01-01T00:00:00+24:00"}`, reversible, ErrEscape, 9, 0, ".$time", "RFC 3339"},
		{"time with a zone of 60 minutes", `{"$time":"1970-01-01T00:00:00-01:60"}`, reversible, ErrEscape, 9, 0, ".$time", "RFC 3339"},
		{"time with an hour of one digit", `{"$time":"1970-01-01T0:00:00Z"}`, reversible, ErrEscape, 9, 0, ".$time", "RFC 3339"},
		{"ext of a string", `{"$ext":""}`, reversible, ErrEscape, 8, 0, ".$ext", `an object with "type"`},
		{"ext without data", `{"$ext":{"type":1}}`, reversible, ErrEscape, 8, 0, ".$ext", ""},
		{"ext without type", `{"$ext":{"data":""}}`, reversible, ErrEscape, 8, 0, ".$ext", ""},
		{"ext with two types", `{"$ext":{"type":1,"type":1,"data":""}}`, reversible, ErrEscape, 8, 0, ".$ext", ""},
		{"ext type out of range", `{"$ext":{"type":128,"data":""}}`, reversible, ErrEscape, 8, 0, ".$ext", "-128 to 127"},
		{"ext type a string", `{"$ext":{"type":"1","data":""}}`, reversible, ErrEscape, 8, 0, ".$ext", ""},
		{"ext type not an integer", `{"$ext":{"type":1.0,"data":""}}`, reversible, ErrEscape, 8, 0, ".$ext", ""},
		{"ext data a number", `{"$ext":{"type":1,"data":1}}`, reversible, ErrEscape, 8, 0, ".$ext", ""},
		{"map of an object", `{"$map":{}}`, reversible, ErrEscape, 8, 0, ".$map", "[key, value] pairs"},
		{"map of numbers", `{"$map":[1]}`, reversible, ErrEscape, 9, 0, ".$map[0]", "found 1"},
		{"empty pair", `{"$map":[[]]}`, reversible, ErrEscape, 10, 0, ".$map[0][0]", "found ]"},
		{"pair of one", `{"$map":[[1]]}`, reversible, ErrEscape, 11, 0, ".$map[0][1]", "found ]"},
		{"pair of three", `{"$map":[[1,2,3]]}`, reversible, ErrEscape, 14, 0, ".$map[0][2]", "found 3"},
		{"duplicate among pairs", `{"$map":[[1,2],[1,3]]}`, reversible, ErrDuplicateKey, 16, 0, ".$map[1][0]", "another 1"},
		{"duplicate among pairs with long keys", `{"$map":[[` + ones(16) + `,2],[` + ones(16) + `,3]]}`, reversible, ErrDuplicateKey, 48, 0, ".$map[1][0]", "another ["},
		{"duplicate after unescaping", `{"$$a":1,"\u0024$a":2}`, reversible, ErrDuplicateKey, 9, 0, "", "another"},
		{"pairs too deep", `{"$map":[[1,{"$map":[]}]]}`, Options{Reversible: true, MaxDepth: 1}, ErrDepth, 20, 0, ".$map[0][1].$map", "nested"},
	} {
		t.Run(f.name, func(t *testing.T) {
			out, err := AppendMsgpackValues([]byte("x"), []byte(f.input), &f.o)
			f.check(t, err)
			if values := countValues(t, out[1:]); values != f.value {
				t.Errorf("%d values before the fault, want %d", values, f.value)
			}
			if out, err := AppendMsgpack([]byte("x"), []byte(f.input), &f.o); err == nil || string(out) != "x" {
				t.Errorf("AppendMsgpack = %q, %v, want an error", out, err)
			}
		})
	}
}

// TestMsgpackFaults checks the reason, position and text of every error in
// MessagePack input.
func TestMsgpackFaults(t *testing.T) {
	for _, f := range []fault{
		{"incomplete header", "cd 01", Options{}, ErrTruncated, 0, 0, "", "truncated input"},
		{"incomplete string", "92 01 a3 6161", Options{}, ErrTruncated, 2, 0, "[1]", "found 2, then the end of the input, want 3 bytes after the header of the fixstr"},
		{"array without elements", "92", Options{}, ErrTruncated, 1, 0, "[0]", "truncated input"},
		{"array of 2^32-1 elements", "dd ffffffff", Options{}, ErrTruncated, 5, 0, "[0]", "truncated input"},
		{"map of 2^33 values", "df ffffffff 01", Options{}, ErrTruncated, 6, 0, `{"1"}`, "truncated input"},
		{"bin of 4 GiB", "c6 ffffffff 01", Options{}, ErrTruncated, 0, 0, "", "after the header of the bin 32"},
		{"nested incomplete arrays", "92 92 92 01", Options{}, ErrTruncated, 4, 0, "[0][0][1]", ""},
		{"map without its last value", "81 a161", Options{}, ErrTruncated, 3, 0, ".a", "truncated input"},
		{"reserved", "93 01 81 a161 c1 02", Options{}, wire.ErrReserved, 5, 0, "[1].a", "reserved format byte c1"},
		{"reserved after a value", "01 c1", Options{}, wire.ErrReserved, 1, 1, "", "value 1, offset 1"},
		{"not UTF-8", "81 a161 a3 61ff62", Options{}, ErrUTF8, 5, 0, ".a", "invalid UTF-8"},
		{"not UTF-8, long", "d9 20" + strings.Repeat("61", 31) + "e6", Options{}, ErrUTF8, 33, 0, "", "invalid UTF-8"},
		{"not UTF-8 after a replacement character", "a4 efbfbd ff", Options{}, ErrUTF8, 4, 0, "", "invalid UTF-8"},
		{"surrogate in a str", "a3 eda080", Options{}, ErrUTF8, 1, 0, "", "invalid UTF-8"},
		{"key not UTF-8", "81 a1 ff 01", Options{}, ErrUTF8, 2, 0, "", "invalid UTF-8"},
		{"NaN", "81 a3612062 cb 7ff8000000000001", Options{}, ErrNaN, 5, 0, `["a b"]`, "found NaN"},
		{"infinity", "92 c0 ca ff800000", Options{}, ErrNaN, 2, 0, "[1]", "found -Inf"},
		{"NaN as a key", "81 cb 7ff8000000000001 01", Options{}, ErrNaN, 1, 0, "", "found NaN"},
		{"timestamp of 1 byte", "91 d4 ff 00", Options{}, wire.ErrTimestamp, 1, 0, "[0]", "malformed timestamp"},
		{"duplicate", "82 a161 01 a161 02", Options{}, ErrDuplicateKey, 4, 0, "", `another "a"`},
		{"duplicate, longer format", "82 a161 01 d901 61 02", Options{}, ErrDuplicateKey, 4, 0, "", `another "a"`},
		{"1 and \"1\"", "91 82 01 01 a131 02", Options{}, ErrDuplicateKey, 4, 0, "[0]", `another "1"`},
		{"duplicate of many", "de 0012 a161 00 a162 00 a163 00 a164 00 a165 00 a166 00 a167 00 a168 00 a169 00" +
			"a16a 00 a16b 00 a16c 00 a16d 00 a16e 00 a16f 00 a170 00 a171 00 a163 00", Options{}, ErrDuplicateKey, 54, 0, "", `another "c"`},
		{"duplicate, reversible", "82 01 01 01 02", reversible, ErrDuplicateKey, 3, 0, "", "another 1"},
		{"error below a key that is not a str", "81 02 91 c1", Options{}, wire.ErrReserved, 3, 0, "{\"2\"}[0]", ""},
		{"error below a key that is not a str, reversible", "81 02 91 c1", reversible, wire.ErrReserved, 3, 0, "{2}[0]", ""},
		{"array in a key in a key", "81 81 91 01 02 03", Options{}, ErrKey, 2, 0, "", "found array as a key inside a key"},
		{"ext in a key in a key", "81 81 d40500 02 03", Options{}, ErrKey, 2, 0, "", "ext as a key inside a key"},
		{"too deep", strings.Repeat("91", 512) + "90", Options{}, ErrDepth, 512, 0, strings.Repeat("[0]", 512), "nested too deeply"},
		{"too deep in a key", "81 91 01 02", Options{MaxDepth: 1}, ErrDepth, 1, 0, "", "nested too deeply"},
		{"too deep in pairs", "81 01 80", Options{MaxDepth: 1, Reversible: true}, ErrDepth, 2, 0, "{1}", "nested too deeply"},
		{"too large", "01 93 010203 a3 616263 94 01020304", Options{MaxValue: 4}, ErrLimit, 9, 3, "", "size limit"},
		{"length too large", "c6 ffffffff 0102", Options{MaxValue: 6}, ErrLimit, 0, 0, "", "size limit"},
	} {
		t.Run(f.name, func(t *testing.T) {
			input := unhex(t, f.input)
			out, err := AppendJSONValues([]byte("x"), input, &f.o)
			f.check(t, err)
			if lines := int64(strings.Count(string(out), "\n")); lines != f.value {
				t.Errorf("%d values before the fault, want %d", lines, f.value)
			}
			if out, err := AppendJSON([]byte("x"), input, &f.o); err == nil || string(out) != "x" {
				t.Errorf("AppendJSON = %q, %v, want an error", out, err)
			}
		})
	}
	deepest := append([]byte(strings.Repeat("\x91", 511)), 0x90)
	if _, err := AppendJSON(nil, deepest, nil); err != nil {
		t.Errorf("512 levels: %v", err)
	}
}

// TestEnds checks that input without a value is io.EOF and input that ends inside
// one is not. Both are io.ErrUnexpectedEOF.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		name    string
		convert func(dst, src []byte, o *Options) ([]byte, error)
		input   string
		empty   bool
	}{
		{"no JSON", AppendMsgpack, "", true},
		{"only white space", AppendMsgpack, "\ufeff \n", true},
		{"truncated JSON", AppendMsgpack, "[1,", false},
		{"truncated JSON after a value", AppendMsgpackValues, "1 [1,", false},
		{"no MessagePack", AppendJSON, "", true},
		{"truncated MessagePack", AppendJSON, "\x92\x01", false},
		{"truncated MessagePack after a value", AppendJSONValues, "\x01\x92\x01", false},
	} {
		_, err := c.convert(nil, []byte(c.input), nil)
		if !errors.Is(err, ErrTruncated) || !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) != c.empty {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestOneValue checks that the functions for one value accept exactly one
// value.
func TestOneValue(t *testing.T) {
	for _, f := range []fault{
		{"empty", "", Options{}, ErrTruncated, 0, 0, "", "want a value"},
		{"white space", " \n", Options{}, ErrTruncated, 2, 0, "", "want a value"},
		{"two values", "1 [2]", Options{}, ErrTrailing, 2, 1, "", "data after the value"},
		{"garbage after the value", "{}\n;", Options{}, ErrTrailing, 3, 1, "", "data after the value"},
	} {
		t.Run("JSON/"+f.name, func(t *testing.T) {
			out, err := AppendMsgpack([]byte("x"), []byte(f.input), &f.o)
			f.check(t, err)
			if string(out) != "x" {
				t.Errorf("dst changed to %q", out)
			}
		})
	}
	for _, f := range []fault{
		{"empty", "", Options{}, ErrTruncated, 0, 0, "", "want a value"},
		{"two values", "9101 02", Options{}, ErrTrailing, 2, 1, "", "data after the value"},
	} {
		t.Run("MessagePack/"+f.name, func(t *testing.T) {
			out, err := AppendJSON([]byte("x"), unhex(t, f.input), &f.o)
			f.check(t, err)
			if string(out) != "x" {
				t.Errorf("dst changed to %q", out)
			}
		})
	}
}

func TestOptionsOutOfRange(t *testing.T) {
	for _, tt := range []struct {
		o    Options
		text string
	}{
		{Options{MaxDepth: -1}, "MaxDepth -1 is not in the range 1 to 3000"},
		{Options{MaxDepth: 3001}, "MaxDepth 3001 is not in the range 1 to 3000"},
		{Options{MaxValue: -1}, "MaxValue -1 is negative"},
		{Options{Indent: "  x"}, `Indent "  x" is not at most 16 spaces`},
		{Options{Indent: strings.Repeat(" ", 17)}, `Indent "                 " is not at most 16 spaces`},
	} {
		for name, do := range map[string]func() error{
			"AppendMsgpack": func() error { _, err := AppendMsgpack(nil, []byte("1"), &tt.o); return err },
			"AppendJSON":    func() error { _, err := AppendJSON(nil, []byte{1}, &tt.o); return err },
			"ToMsgpack":     func() error { _, err := ToMsgpack(nil, nil, &tt.o); return err },
			"ToJSON":        func() error { _, err := ToJSON(nil, nil, &tt.o); return err },
		} {
			err := do()
			if !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), "transcode: invalid option: "+tt.text) {
				t.Errorf("%s(%+v): %v, want %q", name, tt.o, err, tt.text)
			}
			if _, ok := errors.AsType[*Error](err); ok {
				t.Errorf("%s(%+v): invalid options returned an *Error", name, tt.o)
			}
		}
	}
	if _, err := AppendJSON(nil, []byte{1}, &Options{MaxDepth: 3000, Indent: strings.Repeat("\t", 16)}); err != nil {
		t.Errorf("largest options: %v", err)
	}
}

// TestDepthOfEscapes checks that a reversible message of the maximum depth can
// be converted back, although its JSON is deeper, up to three times.
func TestDepthOfEscapes(t *testing.T) {
	o := Options{Reversible: true, MaxDepth: 3000}
	for _, level := range []string{"\x81\x01", "\x81\xa1a", "\x91"} {
		for _, value := range []string{"d4 05 00", "c4 01 02", "a1 ff", "ca 3f 80 00 00", "cb 7f f8 00 00 00 00 00 00", "d6 ff 00 00 00 00"} {
			msgpack := append([]byte(strings.Repeat(level, 3000)), unhex(t, value)...)
			json, err := AppendJSON(nil, msgpack, &o)
			if err != nil {
				t.Fatal(err)
			}
			back, err := AppendMsgpack(nil, json, &o)
			if err != nil || string(back) != string(msgpack) {
				t.Errorf("%q, %s: back: %.40x, %v", level, value, back, err)
			}
			if _, err = AppendJSON(nil, append([]byte("\x91"), msgpack...), &o); !errors.Is(err, ErrDepth) {
				t.Errorf("%q, %s: one more level: %v", level, value, err)
			}
		}
	}
}

// TestLongMessages checks that long paths and texts are shortened in messages
// but not in the Error.
func TestLongMessages(t *testing.T) {
	name := "x" + strings.Repeat("é", 100) // cutting it at an even offset would split a letter
	input := strings.Repeat(`{"`+name+`":`, 100) + "1e999" + strings.Repeat("}", 100)
	_, err := AppendMsgpack(nil, []byte(input), nil)
	e, ok := errors.AsType[*Error](err)
	if !ok || !errors.Is(err, ErrNumber) {
		t.Fatal(err)
	}
	if got := strings.Count(e.Path, "["); got != 100 {
		t.Errorf("path has %d steps, want 100: %s", got, e.Path)
	}
	if msg := err.Error(); len(msg) > 400 || !strings.Contains(msg, "…") || strings.Contains(msg, `\x`) || !utf8.ValidString(msg) {
		t.Errorf("message of %d bytes: %s", len(err.Error()), err)
	}
}

// TestReuseAfterFault checks that a converter works correctly after an error
// deep inside a value.
func TestReuseAfterFault(t *testing.T) {
	for _, tt := range []struct {
		d         *direction
		bad, good string
		want      string
	}{
		{&toMsgpack, `{"a":[` + ones(17) + `,{"a":` + ones(16) + `,"b":1e999}]}`, `{"a":[]}`, "\x81\xa1a\x90"},
		{&toJSON, "\x81\xa1a\x91\x81\x91\x81\x01\xc1", "\x81\xa1a\x91\x01", "{\n \"a\": [\n  1\n ]\n}\n"},
	} {
		o, err := (&Options{Indent: " "}).check()
		if err != nil {
			t.Fatal(err)
		}
		c := tt.d.take(o)
		if _, _, _, err := c.convert(nil, []byte(tt.bad), true, false); err == nil {
			t.Errorf("%q was accepted", tt.bad)
		}
		if out, n, used, err := c.convert(nil, []byte(tt.good), true, false); err != nil || string(out) != tt.want || n != 1 || used != len(tt.good) {
			t.Errorf("%q after an error: %q, %d, %d, %v, want %q", tt.good, out, n, used, err, tt.want)
		}
	}
}

// countValues counts the MessagePack values in data, which must be complete.
func countValues(t *testing.T, data []byte) int64 {
	t.Helper()
	lines, err := AppendJSONValues(nil, data, &Options{Reversible: true, MaxDepth: maxDepth})
	if err != nil {
		t.Fatalf("output is not valid MessagePack: %v", err)
	}
	return int64(strings.Count(string(lines), "\n"))
}

// TestSharedReasons checks that the reasons are the same values as in package
// msgpack, so that a program needs to know only one of the packages.
func TestSharedReasons(t *testing.T) {
	for _, c := range []struct {
		json, msgpack string
		o             Options
		want          error
	}{
		{"\"\xff\"", "\xa1\xff", Options{}, msgpack.ErrUTF8},
		{`{"a":1,"a":2}`, "\x82\xa1a\x01\xa1a\x02", Options{}, msgpack.ErrDuplicateKey},
		{`1 2`, "\x01\x02", Options{}, msgpack.ErrTrailing},
		{`[1,22]`, "\x95\x01\x02\x03\x04\x05", Options{MaxValue: 5}, msgpack.ErrLimit},
		{`[[1]]`, "\x91\x91\x01", Options{MaxDepth: 1}, msgpack.ErrDepth},
		{`[1`, "\x92\x01", Options{}, msgpack.ErrTruncated},
	} {
		if _, err := AppendMsgpack(nil, []byte(c.json), &c.o); !errors.Is(err, c.want) {
			t.Errorf("%q: %v, want %v", c.json, err, c.want)
		}
		if _, err := AppendJSON(nil, []byte(c.msgpack), &c.o); !errors.Is(err, c.want) {
			t.Errorf("% x: %v, want %v", c.msgpack, err, c.want)
		}
	}
}

// TestDepthOrSyntax converts random bytes of JSON that are nested too deeply, with wrong syntax
// before that or after it. The first of the two errors is the one that is returned.
func TestDepthOrSyntax(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	deep, wrong := 0, 0
	for range 20_000 {
		text := make([]byte, 1+rng.IntN(24))
		for i := range text {
			text[i] = "[[[[{\"a:,]}1 \xff"[rng.IntN(14)]
		}
		most := 1 + rng.IntN(3)
		_, err := AppendMsgpack(nil, text, &Options{MaxDepth: most})
		dec := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
		offset, fault := int64(-1), error(nil)
		for offset < 0 && fault == nil {
			if _, fault = dec.ReadToken(); dec.StackDepth() > most {
				offset = dec.InputOffset() - 1
			} else if dec.StackDepth() == 0 {
				break // what follows the value is another error
			}
		}
		e, ok := errors.AsType[*Error](err)
		switch {
		case offset >= 0:
			if deep++; !ok || e.Err != ErrDepth || e.Offset != offset {
				t.Fatalf("%q with %d levels: %v, want the depth at offset %d", text, most, err, offset)
			}
		case errors.Is(err, ErrDepth):
			t.Fatalf("%q with %d levels: %v, want %v", text, most, err, fault)
		default:
			wrong++
		}
	}
	if deep < 500 || wrong < 500 {
		t.Errorf("%d values are nested too deeply, %d are not", deep, wrong)
	}
}
