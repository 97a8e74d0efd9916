package transcode

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octet-go/octet/msgpack/wire"
)

// unhex decodes hexadecimal digits and ignores spaces.
func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatalf("invalid hex %q: %v", s, err)
	}
	return b
}

// ones returns a JSON array of n ones.
func ones(n int) string { return "[" + strings.Repeat("1,", n-1) + "1]" }

var reversible = Options{Reversible: true}

// TestBothWays converts each value in both directions.
func TestBothWays(t *testing.T) {
	for _, tt := range []struct {
		name, json, msgpack string
	}{
		{"null", `null`, "c0"},
		{"false", `false`, "c2"},
		{"true", `true`, "c3"},
		{"zero", `0`, "00"},
		{"largest positive fixint", `127`, "7f"},
		{"smallest uint 8", `128`, "cc 80"},
		{"largest uint 8", `255`, "cc ff"},
		{"smallest uint 16", `256`, "cd 0100"},
		{"smallest uint 32", `65536`, "ce 00010000"},
		{"largest uint 32", `4294967295`, "ce ffffffff"},
		{"smallest uint 64", `4294967296`, "cf 0000000100000000"},
		{"2^53+1", `9007199254740993`, "cf 0020000000000001"},
		{"largest int 64", `9223372036854775807`, "cf 7fffffffffffffff"},
		{"2^63", `9223372036854775808`, "cf 8000000000000000"},
		{"ten to the 19th", `10000000000000000000`, "cf 8ac7230489e80000"},
		{"largest uint 64", `18446744073709551615`, "cf ffffffffffffffff"},
		{"largest negative fixint", `-1`, "ff"},
		{"smallest negative fixint", `-32`, "e0"},
		{"int 8", `-33`, "d0 df"},
		{"int 16", `-129`, "d1 ff7f"},
		{"int 32", `-32769`, "d2 ffff7fff"},
		{"int 64", `-2147483649`, "d3 ffffffff7fffffff"},
		{"smallest int 64", `-9223372036854775808`, "d3 8000000000000000"},
		{"one as a float", `1.0`, "cb 3ff0000000000000"},
		{"minus zero", `-0.0`, "cb 8000000000000000"},
		{"half", `0.5`, "cb 3fe0000000000000"},
		{"a tenth", `0.1`, "cb 3fb999999999999a"},
		{"large float", `1e+300`, "cb 7e37e43c8800759c"},
		{"largest float", `1.7976931348623157e+308`, "cb 7fefffffffffffff"},
		{"smallest float", `5e-324`, "cb 0000000000000001"},
		{"2^64 as a float", `18446744073709552000.0`, "cb 43f0000000000000"},
		{"empty string", `""`, "a0"},
		{"string", `"hi"`, "a2 6869"},
		{"string of 31", `"` + strings.Repeat("x", 31) + `"`, "bf" + strings.Repeat("78", 31)},
		{"string of 32", `"` + strings.Repeat("x", 32) + `"`, "d9 20" + strings.Repeat("78", 32)},
		{"string of 256", `"` + strings.Repeat("x", 256) + `"`, "da 0100" + strings.Repeat("78", 256)},
		{"string of 65536", `"` + strings.Repeat("x", 65536) + `"`, "db 00010000" + strings.Repeat("78", 65536)},
		{"escapes", `"\"\\\b\f\n\r\t\u0001/"`, "a9 225c080c0a0d09012f"},
		{"text", `"é日😀"`, "a9 c3a9e697a5f09f9880"},
		{"empty array", `[]`, "90"},
		{"empty map", `{}`, "80"},
		{"array", `[1,"a",null]`, "93 01 a161 c0"},
		{"array of 15", `[` + strings.Repeat("0,", 14) + `0]`, "9f" + strings.Repeat("00", 15)},
		{"array of 16", `[` + strings.Repeat("0,", 15) + `0]`, "dc 0010" + strings.Repeat("00", 16)},
		{"array of 65536", `[` + strings.Repeat("0,", 65535) + `0]`, "dd 00010000" + strings.Repeat("00", 65536)},
		{"map", `{"b":1,"a":{"c":[]}}`, "82 a162 01 a161 81 a163 90"},
		{"map of 16",
			`{"a":0,"b":0,"c":0,"d":0,"e":0,"f":0,"g":0,"h":0,"i":0,"j":0,"k":0,"l":0,"m":0,"n":0,"o":0,"p":0}`,
			"de 0010 a16100 a16200 a16300 a16400 a16500 a16600 a16700 a16800 a16900 a16a00 a16b00 a16c00 a16d00 a16e00 a16f00 a17000"},
		{"long, short and long headers nested",
			`[[[` + strings.Repeat("1,", 16) + `1],2],[],` + strings.Repeat("[3],", 20) + `[` + strings.Repeat("4,", 15) + `4]]`,
			"dc 0017 92 dc 0011" + strings.Repeat("01", 17) + "02 90" + strings.Repeat("9103", 20) + "dc 0010" + strings.Repeat("04", 16)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			msgpack := unhex(t, tt.msgpack)
			for _, o := range []Options{{}, reversible} {
				got, err := AppendMsgpack(nil, []byte(tt.json), &o)
				if err != nil || string(got) != string(msgpack) {
					t.Errorf("AppendMsgpack(%.60s, %+v) = %.80x, %v, want %.80x", tt.json, o, got, err, msgpack)
				}
				back, err := AppendJSON(nil, msgpack, &o)
				if err != nil || string(back) != tt.json {
					t.Errorf("AppendJSON(%.60x, %+v) = %.80s, %v, want %.80s", msgpack, o, back, err, tt.json)
				}
			}
		})
	}
}

// TestFromJSON converts JSON that is written differently from the output of
// this package.
func TestFromJSON(t *testing.T) {
	for _, tt := range []struct {
		name, json, msgpack string
		o                   Options
	}{
		{"white space everywhere", " \t\r\n{ \"a\" : [ 1 , 2 ] , \"b\" : { } } \n", "82 a161 92 01 02 a162 80", Options{}},
		{"byte order mark", "\xef\xbb\xbf[1]", "91 01", Options{}},
		{"escaped slash and letter", `"\/\u0041"`, "a2 2f41", Options{}},
		{"surrogate pair", `"\ud83d\ude00"`, "a4 f09f9880", Options{}},
		{"escaped name", `{"\u0061":1}`, "81 a161 01", Options{}},
		{"long string with escapes", `"` + strings.Repeat(`\n`, 40) + `"`, "d9 28" + strings.Repeat("0a", 40), Options{}},
		{"minus zero", `-0`, "cb 8000000000000000", Options{}},
		{"exponent", `1E2`, "cb 4059000000000000", Options{}},
		{"zero with exponent", `0e-999`, "cb 0000000000000000", Options{}},
		{"integer beyond uint64 that is a float", `18446744073709551616`, "cb 43f0000000000000", Options{}},
		{"integer below int64 that is a float", `-18446744073709551616`, "cb c3f0000000000000", Options{}},
		{"more digits than a float has", `0.1000000000000000055511151231257827`, "cb 3fb999999999999a", Options{}},
		{"rounded integer", `18446744073709551617`, "cb 43f0000000000000", Options{RoundNumbers: true}},
		{"rounded to zero", `1e-400`, "cb 0000000000000000", Options{RoundNumbers: true}},
		{"escape object without Reversible", `{"$bin":"AQI="}`, "81 a4 2462696e a4 4151493d", Options{}},
		{"bin", `{"$bin":"AQI="}`, "c4 02 0102", reversible},
		{"bin, with escaped name and white space", ` { "\u0024bin" : "AQI=" } `, "c4 02 0102", reversible},
		{"$str that is valid UTF-8", `{"$str":"aGk="}`, "a2 6869", reversible},
		{"float 32 from an integer", `{"$f32":1}`, "ca 3f800000", reversible},
		{"float 64 from an integer", `{"$f64":-1}`, "cb bff0000000000000", reversible},
		{"time in another zone", `{"$time":"1970-01-01T01:00:00+01:00"}`, "d6 ff 00000000", reversible},
		{"time with a fraction", `{"$time":"1970-01-01T00:00:00.5Z"}`, "d7 ff 7735940000000000", reversible},
		{"ext, data first", `{"$ext":{"data":"AQ==","type":-128}}`, "d4 80 01", reversible},
		{"empty pairs", `{"$map":[]}`, "80", reversible},
		{"pairs with text keys", `{"$map":[["a",1]]}`, "81 a161 01", reversible},
		{"two dollar signs after an escape", `{"\u0024\u0024x":1}`, "81 a2 2478 01", reversible},
		{"dollar inside a name", `{"a$":1,"":2}`, "82 a2 6124 01 a0 02", reversible},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := unhex(t, tt.msgpack)
			got, err := AppendMsgpack(nil, []byte(tt.json), &tt.o)
			if err != nil || string(got) != string(want) {
				t.Errorf("AppendMsgpack(%s) = %x, %v, want %x", tt.json, got, err, want)
			}
		})
	}
}

// TestToJSON converts values that JSON lacks in both forms. The reversible form
// must convert back to the same message.
func TestToJSON(t *testing.T) {
	const same = ""
	for _, tt := range []struct {
		name, msgpack, plain, reversible string
	}{
		{"float 32", "ca 3dcccccd", `0.10000000149011612`, `{"$f32":0.1}`},
		{"float 32 one", "ca 3f800000", `1.0`, `{"$f32":1.0}`},
		{"float 32 minus zero", "ca 80000000", `-0.0`, `{"$f32":-0.0}`},
		{"largest float 32", "ca 7f7fffff", `3.4028234663852886e+38`, `{"$f32":3.4028235e+38}`},
		{"empty bin", "c4 00", `""`, `{"$bin":""}`},
		{"bin", "c4 02 0102", `"AQI="`, `{"$bin":"AQI="}`},
		{"bin 16", "c5 0100" + strings.Repeat("00", 256), `"` + strings.Repeat("A", 342) + `=="`, `{"$bin":"` + strings.Repeat("A", 342) + `=="}`},
		{"timestamp 32", "d6 ff 00000001", `"1970-01-01T00:00:01Z"`, `{"$time":"1970-01-01T00:00:01Z"}`},
		{"timestamp 64", "d7 ff 0000000400000000", `"1970-01-01T00:00:00.000000001Z"`, `{"$time":"1970-01-01T00:00:00.000000001Z"}`},
		{"timestamp 96", "c7 0c ff 00000000 ffffffffffffffff", `"1969-12-31T23:59:59Z"`, `{"$time":"1969-12-31T23:59:59Z"}`},
		{"first second of year 0", "c7 0c ff 00000000 fffffff1868b8400", `"0000-01-01T00:00:00Z"`, `{"$time":"0000-01-01T00:00:00Z"}`},
		{"the second before", "c7 0c ff 00000000 fffffff1868b83ff", `{"$ext":{"type":-1,"data":"AAAAAP////GGi4P/"}}`, same},
		{"last second of year 9999", "c7 0c ff 3b9ac9ff 0000003afff4417f", `"9999-12-31T23:59:59.999999999Z"`, `{"$time":"9999-12-31T23:59:59.999999999Z"}`},
		{"the second after", "c7 0c ff 00000000 0000003afff44180", `{"$ext":{"type":-1,"data":"AAAAAAAAADr/9EGA"}}`, same},
		{"fixext", "d5 05 0102", `{"$ext":{"type":5,"data":"AQI="}}`, same},
		{"empty ext", "c7 00 80", `{"$ext":{"type":-128,"data":""}}`, same},
		{"int key", "81 01 a161", `{"1":"a"}`, `{"$map":[[1,"a"]]}`},
		{"negative key", "81 ff c0", `{"-1":null}`, `{"$map":[[-1,null]]}`},
		{"uint64 key", "81 cf ffffffffffffffff c0", `{"18446744073709551615":null}`, `{"$map":[[18446744073709551615,null]]}`},
		{"nil, bool keys", "83 c0 01 c2 02 c3 03", `{"null":1,"false":2,"true":3}`, `{"$map":[[null,1],[false,2],[true,3]]}`},
		{"float key", "81 cb 3ff8000000000000 c0", `{"1.5":null}`, `{"$map":[[1.5,null]]}`},
		{"float 32 key", "81 ca 3f800000 c0", `{"1.0":null}`, `{"$map":[[{"$f32":1.0},null]]}`},
		{"bin key", "81 c4 01 00 01", `{"AA==":1}`, `{"$map":[[{"$bin":"AA=="},1]]}`},
		{"timestamp key", "81 d6 ff 00000000 01", `{"1970-01-01T00:00:00Z":1}`, `{"$map":[[{"$time":"1970-01-01T00:00:00Z"},1]]}`},
		{"ext key", "81 d4 05 00 01", `{"{\"$ext\":{\"type\":5,\"data\":\"AA==\"}}":1}`, `{"$map":[[{"$ext":{"type":5,"data":"AA=="}},1]]}`},
		{"array key", "81 92 01 a161 02", `{"[1,\"a\"]":2}`, `{"$map":[[[1,"a"],2]]}`},
		{"map key with an int key", "81 81 01 02 03", `{"{\"1\":2}":3}`, `{"$map":[[{"$map":[[1,2]]},3]]}`},
		{"map with string and int keys", "82 a161 01 02 81 03 04", `{"a":1,"2":{"3":4}}`, `{"$map":[["a",1],[2,{"$map":[[3,4]]}]]}`},
		{"map with an int key in a map with string keys", "81 a161 81 01 80", `{"a":{"1":{}}}`, `{"a":{"$map":[[1,{}]]}}`},
		{"pairs of 16", "de 0010 0000 0100 0200 0300 0400 0500 0600 0700 0800 0900 0a00 0b00 0c00 0d00 0e00 0f00",
			`{"0":0,"1":0,"2":0,"3":0,"4":0,"5":0,"6":0,"7":0,"8":0,"9":0,"10":0,"11":0,"12":0,"13":0,"14":0,"15":0}`,
			`{"$map":[[0,0],[1,0],[2,0],[3,0],[4,0],[5,0],[6,0],[7,0],[8,0],[9,0],[10,0],[11,0],[12,0],[13,0],[14,0],[15,0]]}`},
		// Without their headers, these two keys would have the same MessagePack
		// encoding.
		{"long keys that differ in shape",
			"82 dc0012 dc0010" + strings.Repeat("01", 16+17) + "c0 dc0011 dc0011" + strings.Repeat("01", 17+16) + "c0",
			`{"[` + ones(16) + strings.Repeat(",1", 17) + `]":null,"[` + ones(17) + strings.Repeat(",1", 16) + `]":null}`,
			`{"$map":[[[` + ones(16) + strings.Repeat(",1", 17) + `],null],[[` + ones(17) + strings.Repeat(",1", 16) + `],null]]}`},
		{"looks like a bin", "81 a4 2462696e a4 4151493d", `{"$bin":"AQI="}`, `{"$$bin":"AQI="}`},
		{"looks like an escaped escape", "82 a3 242478 01 a1 24 02", `{"$$x":1,"$":2}`, `{"$$$x":1,"$$":2}`},
		{"text key like an escape among pairs", "82 01 02 a4 2462696e 03", `{"1":2,"$bin":3}`, `{"$map":[[1,2],["$bin",3]]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			msgpack := unhex(t, tt.msgpack)
			got, err := AppendJSON(nil, msgpack, nil)
			if err != nil || string(got) != tt.plain {
				t.Errorf("plain: %s, %v, want %s", got, err, tt.plain)
			}
			want := tt.reversible
			if want == same {
				want = tt.plain
			}
			got, err = AppendJSON(nil, msgpack, &reversible)
			if err != nil || string(got) != want {
				t.Errorf("reversible: %s, %v, want %s", got, err, want)
			}
			back, err := AppendMsgpack(nil, got, &reversible)
			if err != nil || string(back) != string(msgpack) {
				t.Errorf("back: %x, %v, want %x", back, err, msgpack)
			}
		})
	}
}

// TestOnlyReversible converts values that only the reversible form can
// represent.
func TestOnlyReversible(t *testing.T) {
	for _, tt := range []struct{ name, msgpack, json string }{
		{"NaN", "cb 7ff8000000000000", `{"$f64":"7ff8000000000000"}`},
		{"signaling NaN with a payload", "cb fff0000000000123", `{"$f64":"fff0000000000123"}`},
		{"infinity", "cb 7ff0000000000000", `{"$f64":"7ff0000000000000"}`},
		{"float 32 NaN", "ca 7fc00001", `{"$f32":"7fc00001"}`},
		{"float 32 infinity", "ca ff800000", `{"$f32":"ff800000"}`},
		{"str that is not UTF-8", "a2 61ff", `{"$str":"Yf8="}`},
		{"key that is not UTF-8", "81 a1 ff 01", `{"$map":[[{"$str":"/w=="},1]]}`},
		{"timestamp of wrong length", "d4 ff 01", `{"$ext":{"type":-1,"data":"AQ=="}}`},
		{"timestamp of too many nanoseconds", "d7 ff ffffffff00000000", `{"$ext":{"type":-1,"data":"/////wAAAAA="}}`},
		{"1 and \"1\"", "82 01 01 a1 31 02", `{"$map":[[1,1],["1",2]]}`},
		{"arrays in keys in keys", "81 81 91 01 02 03", `{"$map":[[{"$map":[[[1],2]]},3]]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			msgpack := unhex(t, tt.msgpack)
			got, err := AppendJSON(nil, msgpack, &reversible)
			if err != nil || string(got) != tt.json {
				t.Errorf("AppendJSON = %s, %v, want %s", got, err, tt.json)
			}
			back, err := AppendMsgpack(nil, got, &reversible)
			if err != nil || string(back) != string(msgpack) {
				t.Errorf("back: %x, %v, want %x", back, err, msgpack)
			}
			if _, err := AppendJSON(nil, msgpack, nil); err == nil {
				t.Error("AppendJSON succeeded without Reversible")
			}
		})
	}
}

// TestNonMinimalFormats checks that values in longer formats than needed are
// converted back to the shortest formats, as the documentation says.
func TestNonMinimalFormats(t *testing.T) {
	for _, tt := range []struct{ name, long, json, short string }{
		{"uint 64", "cf 0000000000000005", `5`, "05"},
		{"int 8", "d0 05", `5`, "05"},
		{"int 64", "d3 ffffffffffffffff", `-1`, "ff"},
		{"str 32", "db 00000001 61", `"a"`, "a1 61"},
		{"bin 32", "c6 00000001 61", `{"$bin":"YQ=="}`, "c4 01 61"},
		{"array 32", "dd 00000001 01", `[1]`, "91 01"},
		{"map 16", "de 0001 a161 01", `{"a":1}`, "81 a161 01"},
		{"ext 8", "c7 01 05 01", `{"$ext":{"type":5,"data":"AQ=="}}`, "d4 05 01"},
		{"timestamp 96", "c7 0c ff 00000000 0000000000000001", `{"$time":"1970-01-01T00:00:01Z"}`, "d6 ff 00000001"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := AppendJSON(nil, unhex(t, tt.long), &reversible)
			if err != nil || string(got) != tt.json {
				t.Errorf("AppendJSON = %s, %v, want %s", got, err, tt.json)
			}
			back, err := AppendMsgpack(nil, got, &reversible)
			if want := unhex(t, tt.short); err != nil || string(back) != string(want) {
				t.Errorf("back: %x, %v, want %x", back, err, want)
			}
		})
	}
}

// TestIndent checks where Indent adds line ends and white space, and that the
// reversible form still converts back to the same message.
func TestIndent(t *testing.T) {
	msgpack := unhex(t, "84 a161 92 01 90 a162 80 03 81 02 c0 a163 81 91 05 a0")
	plain := "{\n\t\"a\": [\n\t\t1,\n\t\t[]\n\t],\n\t\"b\": {},\n\t\"3\": {\n\t\t\"2\": null\n\t},\n\t\"c\": {\n\t\t\"[5]\": \"\"\n\t}\n}\n"
	got, err := AppendJSONValues(nil, msgpack, &Options{Indent: "\t"})
	if err != nil || string(got) != plain {
		t.Errorf("plain: %s, %v, want %s", got, err, plain)
	}
	pairs := "{\"$map\":[\n [\"a\", [\n   1,\n   []\n  ]],\n [\"b\", {}],\n [3, {\"$map\":[\n   [2, null]\n  ]}],\n [\"c\", {\"$map\":[\n   [[\n     5\n    ], \"\"]\n  ]}]\n]}"
	got, err = AppendJSON(nil, msgpack, &Options{Indent: " ", Reversible: true})
	if err != nil || string(got) != pairs {
		t.Errorf("reversible: %s, %v, want %s", got, err, pairs)
	}
	back, err := AppendMsgpack(nil, got, &reversible)
	if err != nil || string(back) != string(msgpack) {
		t.Errorf("back: %x, %v, want %x", back, err, msgpack)
	}
}

// TestSequences converts inputs of several values, with and without white space
// between them.
func TestSequences(t *testing.T) {
	for _, tt := range []struct{ name, json, msgpack, out string }{
		{"none", "", "", ""},
		{"only white space", " \n\t", "", ""},
		{"only a byte order mark", "\xef\xbb\xbf", "", ""},
		{"lines", "1\n2\r\n\n3", "01 02 03", "1\n2\n3\n"},
		{"without white space", `1"a"[]{}null"b"true[2]`, "01 a161 90 80 c0 a162 c3 9102", "1\n\"a\"\n[]\n{}\nnull\n\"b\"\ntrue\n[2]\n"},
		{"over several lines", "{\n\"a\":\n1}\n[\n]", "81 a161 01 90", "{\"a\":1}\n[]\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := unhex(t, tt.msgpack)
			got, err := AppendMsgpackValues([]byte("x"), []byte(tt.json), nil)
			if err != nil || string(got) != "x"+string(want) {
				t.Errorf("AppendMsgpackValues = %x, %v, want x and %x", got, err, want)
			}
			back, err := AppendJSONValues([]byte("x"), want, nil)
			if err != nil || string(back) != "x"+tt.out {
				t.Errorf("AppendJSONValues = %q, %v, want x and %q", back, err, tt.out)
			}
		})
	}
}

// TestPlainStrings compares the JSON of strings with that of jsontext, for each
// byte at each place in strings of several lengths.
func TestPlainStrings(t *testing.T) {
	for _, n := range []int{1, 2, 7, 8, 9, 15, 16, 17, 40} {
		for at := range n {
			for c := range 256 {
				text := bytes.Repeat([]byte("x"), n)
				text[at] = byte(c)
				want, err := jsontext.AppendQuote(nil, text)
				got, gotErr := AppendJSON(nil, wire.AppendString(nil, string(text)), nil)
				if (err == nil) != (gotErr == nil) || err == nil && !bytes.Equal(got, want) {
					t.Fatalf("%q: %s, %v; want %s, %v", text, got, gotErr, want, err)
				}
			}
		}
	}
}
