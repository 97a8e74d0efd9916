package diag

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
)

// toText returns the notation of all values in data.
func toText(data []byte, indent string) (string, error) {
	var b bytes.Buffer
	out := bufio.NewWriter(&b)
	w := Writer{W: out, Indent: indent}
	_, err := w.Write(scan.New(bytes.NewReader(data), 0))
	out.Flush()
	return b.String(), err
}

// fromText returns the MessagePack of all values in text.
func fromText(text io.Reader) (data []byte, err error) {
	r := NewReader(text)
	for err == nil {
		data, err = r.Append(data)
	}
	if err == io.EOF {
		err = nil
	}
	return data, err
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	data, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestNotation has each form of the notation that Write produces.
func TestNotation(t *testing.T) {
	for _, c := range []struct{ hex, text string }{
		{"c0", "nil"},
		{"c2 c3", "false\ntrue"},
		{"00 7f e0 ff", "0\n127\n-32\n-1"},
		{"cc80 cdffff ceffffffff cfffffffffffffffff", "128\n65535\n4294967295\n18446744073709551615"},
		{"d080 d18000 d280000000 d38000000000000000", "-128\n-32768\n-2147483648\n-9223372036854775808"},
		{"cc05 cd0005 ce00000005 cf0000000000000005", "5_u8\n5_u16\n5_u32\n5_u64"},
		{"d005 d10005 d200000005 d30000000000000005", "5_i8\n5_i16\n5_i32\n5_i64"},
		{"d0ff d103e8", "-1_i8\n1000_i16"},
		{"ca3dcccccd cb3fb999999999999a", "0.1_f32\n0.1"},
		{"cb0000000000000000 cb8000000000000000 cb4341c37937e08000", "0.0\n-0.0\n10000000000000000.0"},
		{"cb44b52d02c7e14af6 cb3e7ad7f29abcaf48", "1e+23\n1e-07"},
		{"cb7ff0000000000000 caff800000", "inf\n-inf_f32"},
		{"cb7ff8000000000000 ca7fc00000", "nan\nnan_f32"},
		{"cbfff8000000000001 caff800001", "nan'fff8000000000001'\nnan'ff800001'_f32"},
		{"a0 a3e282ac d90161 da000161 db0000000161", "\"\"\n\"€\"\n\"a\"_8\n\"a\"_16\n\"a\"_32"},
		{"a9 225c0a0d09007f2f1b", `"\"\\\n\r\t\u0000\u007f/\u001b"`},
		{"a8 ff61c328e2 82f09f", `"\xffa\xc3(\xe2\x82\xf0\x9f"`},
		{"a7 e280ae f09f9880", `"\u202e😀"`},
		{"a4 f3a08081", `"\udb40\udc01"`},
		{"a3 eda080", `"\xed\xa0\x80"`},
		{"c400 c40189 c5000189 c60000000189", "h''\nh'89'\nh'89'_16\nh'89'_32"},
		{"90 920102 dc0000 dd0000000191c0", "[]\n[1, 2]\n[]_16\n[[nil]]_32"},
		{"80 82a16101 c0 81c3c2 de000101 df00000000 02", "{}\n{\"a\": 1, nil: {true: false}}\n{1: {}_32}_16\n2"},
		{"d4052a d505 0102 c70305616263 c7 01052a c8000105 2a c90000000105 2a", "ext(5, h'2a')\next(5, h'0102')\next(5, h'616263')\next(5, h'2a')_8\next(5, h'2a')_16\next(5, h'2a')_32"},
		{"d6ff5fe7139c d7ff773593fc5fe7139c", "time'2020-12-26T10:42:36Z'\ntime'2020-12-26T10:42:36.499999999Z'"},
		{"d7ff000000005fe7139c c70cff00000000000000005fe7139c c70cff00000000ffffffffffffffff", "time'2020-12-26T10:42:36Z'_64\ntime'2020-12-26T10:42:36Z'_96\ntime'1969-12-31T23:59:59Z'"},
		{"c70cff000000017fffffffffffffff", "time(9223372036854775807, 1)"},
		{"c704ff5fe7139c d4ff00 d7ffee6b280000000000", "ext(-1, h'5fe7139c')_8\next(-1, h'00')\next(-1, h'ee6b280000000000')"},
	} {
		data := unhex(t, c.hex)
		text, err := toText(data, "")
		if err != nil || text != c.text+"\n" {
			t.Errorf("%s:\ngot  %q, %v\nwant %q", c.hex, text, err, c.text)
		}
		for _, indent := range []string{"", "  "} {
			text, _ := toText(data, indent)
			if back, err := fromText(iotest.OneByteReader(strings.NewReader(text))); err != nil || !bytes.Equal(back, data) {
				t.Errorf("%s: read back from %q: %x, %v", c.hex, text, back, err)
			}
		}
	}
}

func TestIndent(t *testing.T) {
	got, err := toText(unhex(t, "82 a161 920190 a162 81c080 80"), "  ")
	want := "{\n  \"a\": [\n    1,\n    []\n  ],\n  \"b\": {\n    nil: {}\n  }\n}\n{}\n"
	if err != nil || got != want {
		t.Errorf("got %s, %v", got, err)
	}
}

// TestRead has forms that Write does not produce.
func TestRead(t *testing.T) {
	for _, c := range []struct{ text, hex string }{
		{"# nothing\n", ""},
		{"1 # one\n\t2\r\n#end", "0102"},
		{`{"a":null,"b":[1.5e3,true]}`, "82a161c0a16292cb4097700000000000c3"},
		{"-0 0x1F 0xff_u16", "cb8000000000000000 1f cd00ff"},
		{"1_f64 1_f32 1.0_f64", "cb3ff0000000000000 ca3f800000 cb3ff0000000000000"},
		{"h' 01\n02 ' b64'AQI=' b64'AQI'", "c4020102 c4020102 c4020102"},
		{`"\u00e9\ud83d\ude00\/\b\f"`, "a9c3a9f09f98802f080c"},
		{"ext( -5 , b64'AQI=' )", "d5fb0102"},
		{"time'2020-12-26t11:42:36+01:00'", "d6ff5fe7139c"},
		{"time(5,0) time(5, 0)_96", "d6ff00000005 c70cff000000000000000000000005"},
		{"[\n1,2 ,3]", "93010203"},
	} {
		data, err := fromText(strings.NewReader(c.text))
		if want := unhex(t, c.hex); err != nil || !bytes.Equal(data, want) {
			t.Errorf("%q: %x, %v; want %x", c.text, data, err, want)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[1,\n 2", "line 2, column 3: expected a comma or ']' in the array, found the end of the input"},
		{"[1,]", "line 1, column 4: trailing comma in the array"},
		{`{"a" 1}`, "line 1, column 6: expected ':' after the key, found '1'"},
		{"[é", "line 1, column 2: expected a value, found the byte 0xc3"},
		{"1, 2", "line 1, column 2: top-level values are separated by white space, not by commas"},
		{"[1][2]", "line 1, column 4: expected white space after the value, found '['"},
		{"yes", `line 1, column 4: unknown word "yes"; strings are in double quotes`},
		{"01", `line 1, column 3: unknown word "01"`},
		{"1__u8", `line 1, column 3: unknown format suffix "_"; this value can have _u8, _u16, _u32, _u64, _i8, _i16, _i32, _i64, _f32 or _f64`},
		{"0x1_f32", "line 1, column 8: 0x1 is not a decimal number"},
		{"\ufeff1", "line 1, column 1: expected a value, found the byte 0xef"},
		{"256_u8", "line 1, column 7: 256 does not fit the format u8"},
		{"-1_u64", "line 1, column 7: -1 does not fit the format u64"},
		{"128_i8", "line 1, column 7: 128 does not fit the format i8"},
		{"18446744073709551615_i64", "line 1, column 25: 18446744073709551615 does not fit the format i64"},
		{"18446744073709551616", "line 1, column 21: the integer 18446744073709551616 does not fit 64 bits; write a float as 18446744073709551616.0"},
		{"1e400", "line 1, column 6: the number 1e400 does not fit a float 64"},
		{"1e300_f32", "line 1, column 10: the number 1e300 does not fit a float 32"},
		{"-1e-400", "line 1, column 8: the number -1e-400 is too small for a float 64, which would be 0"},
		{"1E-60_f32", "line 1, column 10: the number 1E-60 is too small for a float 32, which would be 0"},
		{`"a`, "line 1, column 3: the string is not closed"},
		{"\"a\n\"", "line 2, column 1: a string cannot contain the byte 0x0a; write \\u000a"},
		{"\"\xff\"", `line 1, column 4: the string is not valid UTF-8; write other bytes as \xff`},
		{`"\ud800"`, `line 1, column 8: \ud800 is half of a surrogate pair`},
		{`"\q"`, `line 1, column 4: unknown escape: a backslash before 'q'`},
		{`"\xg0"`, "line 1, column 6: expected 2 hexadecimal digits in an escape"},
		{"h'1'", "line 1, column 5: the text in h'…' is not an even number of hexadecimal digits"},
		{"b64'A'", "line 1, column 7: the text in b64'…' is not base64"},
		{"ext(128, h'')", `line 1, column 8: the type of an ext must be an integer from -128 to 127, found "128"`},
		{"nan'7ff0000000000000'", "line 1, column 22: nan'…' needs the 16 hexadecimal digits of a NaN"},
		{"time'2020-13-26T10:42:36Z'", `line 1, column 27: "2020-13-26T10:42:36Z" is not a time as in 2026-11-21T08:00:00Z`},
		{"time'2020-12-26T10:42:36.0000000001Z'", `line 1, column 38: "2020-12-26T10:42:36.0000000001Z" is not a time as in 2026-11-21T08:00:00Z`},
		{"time(-1, 0)_32", "line 1, column 15: the time does not fit a timestamp 32"},
		{"time(0, 1000000000)", `line 1, column 20: a time needs seconds since 1970 and 0 to 999999999 nanoseconds, found "0" and "1000000000"`},
		{strings.Repeat("[", 513), "line 1, column 513: more than 512 containers inside each other"},
	} {
		_, err := fromText(strings.NewReader(c.text))
		var s *SyntaxError
		if !errors.As(err, &s) || err.Error() != c.want {
			t.Errorf("%.30q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
	broken := errors.New("broken")
	for _, text := range []string{"", "[1,", "\"a", "# a", "h'00", "ext(", "12"} {
		if _, err := fromText(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))); err != broken {
			t.Errorf("%q from a broken reader: %v", text, err)
		}
	}
}

// TestMalformed checks that the values before a fault are written.
func TestMalformed(t *testing.T) {
	text, err := toText(unhex(t, "01 92a161"), "")
	var f *scan.Fault
	if !errors.As(err, &f) || f.Offset != 4 || text != "1\n[\"a\"\n" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestMemory(t *testing.T) {
	const size = 1 << 26
	head := wire.AppendStringHeader(nil, size)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w := Writer{W: bufio.NewWriter(io.Discard)}
	n, err := w.Write(scan.New(io.MultiReader(bytes.NewReader(head), io.LimitReader(letters{}, size)), 0))
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; n != 1 || err != nil || got > 1<<20 {
		t.Errorf("%d values, %v, allocated %d bytes", n, err, got)
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

// TestSplitText writes text in parts of every size.
func TestSplitText(t *testing.T) {
	text := "aé€😀\xff\xe2\x82\xf0\x9f\x98a\xc3\xc3\xa9\xed\xa0\x80\xf4\x90\x80\x80"
	var e escaper
	want := string(e.flush(e.append(nil, []byte(text))))
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var got []byte
		for rest := []byte(text); len(rest) > 0; {
			n := min(len(rest), random.IntN(4))
			got = e.append(got, rest[:n])
			rest = rest[n:]
		}
		if got = e.flush(got); string(got) != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	}
}

// FuzzBytes checks that bytes become text and the same bytes again.
func FuzzBytes(f *testing.F) {
	for _, s := range []string{"\x82\xa1a\xcd\x00\x05\xd9\x01b\xca\x7f\xa0\x00\x01", "\xc7\x0c\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\xd4\xff\x01", "\xdd\xff\xff\xff\xff", "\xdc\x00\x01\xdf\x00\x00\x00\x00\xc1"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var text string
		var err error
		heaptest.AtMost(t, 200*len(data)+2<<20, func() { text, err = toText(data, "") })
		if err != nil {
			return
		}
		back, err := fromText(strings.NewReader(text))
		if err != nil || !bytes.Equal(back, data) {
			t.Fatalf("%x\ntext %s\nback %x, %v", data, text, back, err)
		}
		pretty, err := toText(data, "\t")
		if err != nil {
			t.Fatal(err)
		}
		if back, err := fromText(strings.NewReader(pretty)); err != nil || !bytes.Equal(back, data) {
			t.Fatalf("%x\ntext %s\nback %x, %v", data, pretty, back, err)
		}
	})
}

// FuzzText checks that text becomes bytes, and that their text becomes the same
// bytes.
func FuzzText(f *testing.F) {
	for _, s := range []string{
		`{"a": 5_u16, "b": [nil, true, -1.5e3_f32, nan, -inf], nan'7ff8000000000001': h'00ff'_16}_32`,
		`ext(-1, b64'AQI=')_8 time'2020-12-26T10:42:36.5+01:00'_96 time(-5, 1) "\ud83d\ude00\xff\n"_32 # end`,
		"[[[]_16]_32]", "-0 0x1f", "nan'ff800001'_f32",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var data []byte
		var err error
		heaptest.AtMost(t, 200*len(text)+2<<20, func() { data, err = fromText(strings.NewReader(text)) })
		if err != nil {
			return
		}
		again, err := toText(data, "")
		if err != nil {
			t.Fatalf("%q: %x: %v", text, data, err)
		}
		if back, err := fromText(strings.NewReader(again)); err != nil || !bytes.Equal(back, data) {
			t.Fatalf("%q\nbytes %x\ntext  %q\nback  %x, %v", text, data, again, back, err)
		}
	})
}
