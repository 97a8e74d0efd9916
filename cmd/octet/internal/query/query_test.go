package query

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// compile compiles a program whose further inputs are rest.
func compile(t testing.TB, text string, o Options, rest ...[]byte) *Program {
	t.Helper()
	o.Environ = func() []string { return []string{"HOME=/home/ada"} }
	o.File = func() any { return "a.msgpack" }
	o.Debug = io.Discard
	o.Inputs = func() ([]byte, error) {
		if len(rest) == 0 {
			return nil, io.EOF
		}
		data := rest[0]
		rest = rest[1:]
		return data, nil
	}
	p, err := Compile(text, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sample returns a map with a value of every kind that JSON lacks.
func sample() []byte {
	b := wire.AppendMapHeader(nil, 8)
	b = wire.AppendUint(wire.AppendString(b, "big"), 1<<64-1)
	b = wire.AppendTimestamp(wire.AppendString(b, "at"), 1e9, 0)
	b = wire.AppendBin(wire.AppendString(b, "bin"), []byte{0xff, 0})
	b = wire.AppendExt(wire.AppendString(b, "ext"), 5, []byte{1, 2})
	b = wire.AppendFloat32(wire.AppendString(b, "f32"), 0.5)
	b = wire.AppendString(wire.AppendInt(b, 7), "seven")
	b = wire.AppendFloat64(wire.AppendString(b, "one"), 1)
	b = wire.AppendString(b, "list")
	return append(b, 0x92, 0xcd, 0, 5, 0xc4, 1, 0xaa) // [5_u16, h'aa']
}

func TestJSON(t *testing.T) {
	for _, c := range []struct {
		program, want string
		o             Options
	}{
		{".big", "18446744073709551615\n", Options{}},
		{".big - 1", "18446744073709551614\n", Options{}},
		{".big + 1", "18446744073709551616\n", Options{}},
		{"[.big + 1]", "[\n  18446744073709551616\n]\n", Options{Indent: "  "}},
		{"-9223372036854775808 - 1", "-9223372036854775809\n", Options{}},
		{".at", `"2001-09-09T01:46:40Z"` + "\n", Options{}},
		{".at, .big", "2001-09-09T01:46:40Z\n18446744073709551615\n", Options{Raw: true}},
		{`.at > "2001"`, "true\n", Options{}},
		{`.at["$time"]`, `"2001-09-09T01:46:40Z"` + "\n", Options{Reversible: true}},
		{".bin", `"/wA="` + "\n", Options{}},
		{".ext", `{"$ext":{"type":5,"data":"AQI="}}` + "\n", Options{}},
		{`.["7"]`, `"seven"` + "\n", Options{}},
		{`.["$map"][5]`, `[7,"seven"]` + "\n", Options{Reversible: true}},
		{".f32, .one, .one * 3", "0.5\n1\n3\n", Options{}},
		{".list", `[5,"qg=="]` + "\n", Options{}},
		{"nan, [infinite]", "{\"$f64\":\"7ff8000000000001\"}\n[{\"$f64\":\"7ff0000000000000\"}]\n", Options{Reversible: true}},
		{"[1e3, .big * 4, {a: .list}]", `[1000,73786976294838206460,{"a":[5,"qg=="]}]` + "\n", Options{}},
		{"{b: 1, a: .list}", `{"a":[5,"qg=="],"b":1}` + "\n", Options{}},
		{"$ENV.HOME, env.HOME, input_filename", "/home/ada\n/home/ada\na.msgpack\n", Options{Raw: true}},
		{"$x + $y", `"a2"` + "\n", Options{Variables: map[string]string{"x": `"a"`, "y": `"2"`}}},
		{"[.one, input]", `[1,{"k":2}]` + "\n", Options{}},
		{"[inputs.k]", "[2,3]\n", Options{}},
		{"empty", "", Options{}},
		{"1, halt, 2", "1\n", Options{}},
		{`"\u00ff" | @base64 | @base64d`, "\"ÿ\"\n", Options{}},
	} {
		p := compile(t, c.program, c.o, []byte("\x81\xa1k\x02"), []byte("\x81\xa1k\x03"))
		var b strings.Builder
		in := sample()
		if !strings.Contains(c.program, "$map") && c.o.Reversible {
			in = wire.AppendTimestamp(append([]byte{0x81}, "\xa2at"...), 1e9, 0)
		}
		err := p.Run(t.Context(), &b, in)
		if err != nil && err != ErrHalt || b.String() != c.want {
			t.Errorf("%s: %v\ngot  %swant %s", c.program, err, b.String(), c.want)
		}
	}
}

// TestUnchanged checks that parts of the input keep their bytes.
func TestUnchanged(t *testing.T) {
	list := "92cd0005c401aa"
	for _, c := range []struct {
		program, want string
		o             Options
	}{
		{".", hex.EncodeToString(sample()), Options{}},
		{"select(.one == 1)", hex.EncodeToString(sample()), Options{}},
		{`select(.["$map"])`, hex.EncodeToString(sample()), Options{Reversible: true}},
		{".ext", "d5050102", Options{}},
		{".list", list, Options{}},
		{"{l: .list, o: .one}", "82a16c" + list + "a16fcb3ff0000000000000", Options{}},
		{".list | .[0] = 6", "9206a471673d3d", Options{}},
		{".list[0:1]", "9105", Options{}},
		{".list + []", list, Options{}},
		{"[(.list | .[0] = 6), .list]", "929206a471673d3d" + list, Options{}},
		{`.list = 5 | del(.big, .at, .bin, .ext, .f32, ."7", .one)`, "81a46c69737405", Options{}},
		{"{a: .[\"$map\"][2][1]}", "81a161c402ff00", Options{Reversible: true}},
		{"[]", "90", Options{}},
		{".list, [.list]", list + "91" + list, Options{Sorted: true}},
		{". | {one, list, f32, big}", "84a3626967cfffffffffffffffffa3663332cb3fe0000000000000a46c697374" + list + "a36f6e65cb3ff0000000000000", Options{Sorted: true}},
		{".", "8807a5736576656ea26174d6ff3b9aca00a3626967cfffffffffffffffffa362696ec402ff00a3657874d5050102a3663332ca3f000000a46c697374" + list + "a36f6e65cb3ff0000000000000", Options{Sorted: true}},
		{".", hex.EncodeToString(sample()), Options{Sorted: true, Reversible: true}}, // with the key 7, it is a list of pairs
		{"nan", "cb7ff8000000000001", Options{}},
	} {
		c.o.MessagePack = true
		p := compile(t, c.program, c.o)
		var b bytes.Buffer
		if err := p.Run(t.Context(), &b, sample()); err != nil || hex.EncodeToString(b.Bytes()) != c.want {
			t.Errorf("%s: %v\ngot  %x\nwant %s", c.program, err, b.Bytes(), c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ program, want string }{
		{".a[", "line 1, column 4 of the program: unexpected EOF"},
		{".a\n| é)", "line 2, column 3 of the program: unexpected token \"é\""},
		{"foo(1)", "function not defined: foo/1"},
		{"$nope", "variable not defined: $nope"},
	} {
		if _, err := Compile(c.program, Options{}); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.program, err, c.want)
		}
	}
	for _, c := range []struct{ program, want string }{
		{".at.x", `expected an object but got: string ("2001-09-09T01:46:40Z")`},
		{`error("no")`, "error: no"},
		{`"bad" | halt_error`, "bad"},
		{"[limit(600; repeat(1))] | reduce .[] as $x (0; [.])", "a result is nested more than 512 levels deep"},
	} {
		var wrong *RuntimeError
		err := compile(t, c.program, Options{}).Run(t.Context(), io.Discard, sample())
		if !errors.As(err, &wrong) || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.program, err, c.want)
		}
	}
	for name, data := range map[string]string{"duplicate": "\x91\x82\xa1a\x01\xa1a\x02", "UTF-8": "\x91\xa1\xff", "timestamp": "\x91\xd4\xff\x00"} {
		err := compile(t, ".", Options{}).Run(t.Context(), io.Discard, []byte(data))
		var content *transcode.Error
		if !errors.As(err, &content) || content.Path == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Compile("$x", Options{Variables: map[string]string{"x": "{"}}); err == nil || !strings.Contains(err.Error(), "$x is not JSON") {
		t.Errorf("variable: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := compile(t, "repeat(1) | empty", Options{}).Run(ctx, io.Discard, sample()); !errors.Is(err, context.Canceled) {
		t.Errorf("endless program: %v", err)
	}
}

// TestChanged counts the values of results that lost their type, and requires an error
// for values that JSON cannot hold.
func TestChanged(t *testing.T) {
	for _, c := range []struct {
		program string
		packed  bool
		want    transcode.Changed
	}{
		{".", true, transcode.Changed{}},
		{".", false, transcode.Changed{Bins: 2, Timestamps: 1, Exts: 1, Floats: 1, Keys: 1}},
		{".list", true, transcode.Changed{}},
		{".list", false, transcode.Changed{Bins: 1}},
		{"{at}, .at, .big", true, transcode.Changed{Timestamps: 2}},
		{"[.bin], .big * 4", false, transcode.Changed{Bins: 1}},
		{"[.bin, .big * 4]", false, transcode.Changed{Bins: 1}},
		{`.["7"] = 5 | keys`, false, transcode.Changed{Keys: 1}},
		{".one, .big", false, transcode.Changed{}},
	} {
		p := compile(t, c.program, Options{MessagePack: c.packed})
		err := p.Run(t.Context(), io.Discard, sample())
		if err != nil || p.Changed() != c.want {
			t.Errorf("%s: %+v, %v; want %+v", c.program, p.Changed(), err, c.want)
		}
	}
	p := compile(t, `"/w==" | @base64d | ., {(.): 1}`, Options{})
	if err := p.Run(t.Context(), io.Discard, sample()); err != nil || p.Replaced() != 2 {
		t.Errorf("%d strings replaced, %v; want 2", p.Replaced(), err)
	}
	for _, program := range []string{"nan", "[infinite]", "{a: 1, b: [-infinite, .big * 4]}"} {
		var b strings.Builder
		var wrong *ResultError
		if err := compile(t, program, Options{}).Run(t.Context(), &b, sample()); !errors.As(err, &wrong) || b.Len() > 0 {
			t.Errorf("%s: %v, %s", program, err, &b)
		}
	}
}

// FuzzRun compares what the program . prints with what package transcode prints,
// and checks that its MessagePack is the input.
func FuzzRun(f *testing.F) {
	f.Add(sample())
	f.Add([]byte("\x81\xc0\x92\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00\xa1\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := wire.Skip(data, wire.MaxDepth)
		if err != nil {
			return
		}
		data = data[:n]
		for _, reversible := range []bool{false, true} {
			want, wantErr := transcode.AppendJSON(nil, data, &transcode.Options{Reversible: reversible})
			var text, packed bytes.Buffer
			var err error
			var p *Program
			heaptest.AtMost(t, 500*n+2<<20, func() {
				text, p = bytes.Buffer{}, compile(t, ".", Options{Reversible: reversible})
				err = p.Run(t.Context(), &text, data)
			})
			if wantErr == nil && err != nil {
				t.Fatalf("%x: %v; transcode: %s", data, err, want)
			}
			if kind := wire.FormatOf(data[0]).Kind(); err == nil && wantErr == nil && kind != wire.KindFloat && text.String() != string(want)+"\n" {
				t.Fatalf("%x: %s; transcode: %s, %v", data, &text, want, wantErr)
			}
			err = compile(t, ".", Options{Reversible: reversible, MessagePack: true}).Run(t.Context(), &packed, data)
			if kind := wire.FormatOf(data[0]).Kind(); err == nil && kind == wire.KindMap && data[0] != 0x80 && n > 5 && !bytes.Equal(packed.Bytes(), data) {
				t.Fatalf("%x: became %x", data, packed.Bytes())
			}
			again := compile(t, "[.. | select(false)], map(.)?", Options{Reversible: reversible})
			_ = again.Run(t.Context(), io.Discard, data)
		}
	})
}
