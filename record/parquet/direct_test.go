package parquet_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/record/parquet"
	"github.com/octet-go/octet/transcode"
)

// checkJSON requires that JSON becomes the same file as its MessagePack, with the same
// report, and the error that package transcode has.
func checkJSON(t testing.TB, text []byte, s *schema.Schema) {
	t.Helper()
	o := parquet.Options{Format: parquet.JSON, Schema: s, Procs: 1}
	var got, want, stream bytes.Buffer
	report, err := parquet.Export(&got, bytes.NewReader(text), &o)
	_, fault := transcode.ToMsgpack(&stream, bytes.NewReader(text), nil)
	if fault != nil {
		if err == nil || err.Error() != fault.Error() {
			t.Errorf("%.200q: error %v, want %v", text, err, fault)
		}
		return
	}
	o.Format = parquet.MessagePack
	wanted, other := parquet.Export(&want, &stream, &o)
	if s == nil {
		wanted, other = parquet.Export(&want, bytes.NewReader(stream.Bytes()), &o)
	}
	if (err == nil) != (other == nil) {
		t.Errorf("%.200q: error %v, as MessagePack %v", text, err, other)
	}
	if !reflect.DeepEqual(report, wanted) {
		t.Errorf("%.200q: report %+v, as MessagePack %+v", text, report, wanted)
	}
	if !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("%.200q: another file than as MessagePack", text)
	}
}

func TestJSON(t *testing.T) {
	types := uint64(200)
	if few() {
		types = 100
	}
	for seed := range randtype.Seeds(t, types) {
		r := randtype.FromSeed(seed)
		typ := r.Type()
		s, err := schema.OfType(typ, nil)
		if err != nil {
			continue
		}
		var text []byte
		for range 20 {
			if data, err := msgpack.Marshal(r.Value(typ).Interface()); err == nil {
				if line, err := transcode.AppendJSON(text, data, nil); err == nil {
					text = append(line, '\n')
				}
			}
		}
		checkJSON(t, text, s)
		checkJSON(t, text, nil)
	}
}

func TestOddJSON(t *testing.T) {
	type odd struct {
		A any     `msgpack:"a"`
		I int32   `msgpack:"i"`
		U uint64  `msgpack:"u"`
		F float64 `msgpack:"f"`
		G float32 `msgpack:"g"`
		S string  `msgpack:"s"`
		B []byte  `msgpack:"b"`
		T bool    `msgpack:"t"`
		M map[string]int
		L [][]string
		P *odd
		Q struct {
			X int `msgpack:"x\"y"`
			Y int `msgpack:"é"`
		}
	}
	s := schemaOf[odd](t)
	values := []string{"0", "-0", "01", "-", "1", "-17", "1.5", "1.", ".5", "1e5", "1E-5", "1e999", "1e-999", "2147483648", "9007199254740993",
		"123456789012345678", "1234567890123456789", "18446744073709551615", "18446744073709551616", "0.1234567890123456789", "3.4028235e39", "16777217",
		"1.0000000000000002", "0.0", "-0.0", `""`, `"x"`, `"\u00e9\n"`, `"\ud800"`, "\"\xff\"", "\"é\"", "\"a\x01\"", `"a`, "true", "false", "null", "nul", "truex",
		"[]", "[[]]", `[["a"],null,[null,"b"]]`, "[1,]", "{}", `{"k":1}`, `{"k":1,"k":2}`, `{"k":1,"l":null,"\u006b":2}`, `{"k":{}}`, `{"x\"y":1,"é":2}`, `{"x":1}`,
		`{"a":1,"P":{"a":2}}`, " 1 ", "[1 2]", "{a}", `{"a"}`, strings.Repeat("[", 600) + strings.Repeat("]", 600), strings.Repeat("[", 511) + strings.Repeat("]", 511)}
	for i, name := range []string{"a", "i", "u", "f", "g", "s", "b", "t", "M", "L", "P", "Q", "other"} {
		for k, v := range values {
			if few() && (i+k)%4 != 0 {
				continue // a quarter of the pairs, among them every name and every value
			}
			for _, text := range []string{
				fmt.Sprintf("{%q:%s}", name, v),
				fmt.Sprintf("{\"i\":1}\n{ \"f\" : 2 , %q : %s }\r\n{\"i\":3}\n", name, v),
				fmt.Sprintf("{\"i\":1}\n{\"i\":5,%q:%s,\"s\":\"x\"}\n", name, v),
				fmt.Sprintf("{\"i\":1,\n\"s\":\"é\", %q:%s,\"i\":\"x\"}\n", name, v),
			} {
				checkJSON(t, []byte(text), s)
			}
			checkJSON(t, fmt.Appendf(nil, "{\"i\":1}\n{%q:%s}", name, v), nil)
		}
	}
	for _, text := range []string{"", " \n", "\ufeff{\"i\":1}", "\ufeff", "1 2", "1\n2", "12x", "1,2", "{}{}", "{}\n{}", "[]\n{}", "{} x", "{\"i\":1}{\"i\":2}", "\"a\"\"b\"", "truefalse",
		"{\n \"i\": 1,\n \"L\": [\n  [\n  ]\n ]\n}\n{\n \"i\": 2\n}", "{\"i\":1", "{\"i\":1}\n}", "{\"i\":1}]"} {
		checkJSON(t, []byte(text), s)
		checkJSON(t, []byte(text), nil)
	}
}

// TestGuess exports JSON in which late records differ from the first ones to a file, which
// can be written again, and to a buffer.
func TestGuess(t *testing.T) {
	line := `{"a":1,"d":null,"e":1.5,"f":"` + strings.Repeat("x", 200) + `","g":[1],"h":{"i":true}}` + "\n"
	plain := bytes.Repeat([]byte(line), 20_000)
	open := append([]byte(`{"b":[],"c":{},"k":[null]}`+"\n"), plain...)
	for i, late := range []string{
		``, `{"a":2}`, `{"a":2.5}`, `{"a":9007199254740993}`, `{"a":18446744073709551615}`, `{"a":"x"}`, `{"b":[1]}`, `{"b":[]}`, `{"b":["x"]}`, `{"b":[null]}`, `{"c":{"x":1}}`,
		`{"c":{}}`, `{"d":1}`, `{"d":[]}`, `{"e":1}`, `{"e":9007199254740993}`, `{"f":"\u0041"}`, `{"f":1}`, `{"g":[1.5]}`, `{"g":[null]}`, `{"g":[[]]}`, `{"h":{"i":1}}`,
		`{"h":{"k":1}}`, `{"h":[]}`, `{"new":1}`, `null`, `1`, `[1]`, `{"a":`, `{"a":1,"a":2}`,
	} {
		if few() && i%4 != 0 {
			continue // each takes a fifth of a second
		}
		t.Run(late, func(t *testing.T) {
			text := append(bytes.Clone(plain), late...)
			if strings.ContainsAny(late, "bc") {
				text = append(bytes.Clone(open), late...)
			}
			var want bytes.Buffer
			o := &parquet.Options{Format: parquet.JSON}
			wanted, err := parquet.Export(&want, bytes.NewReader(text), o)
			f, fault := os.Create(filepath.Join(t.TempDir(), "a.parquet"))
			if fault != nil {
				t.Fatal(fault)
			}
			defer f.Close()
			report, fault := parquet.Export(f, bytes.NewReader(text), o)
			if fmt.Sprint(err) != fmt.Sprint(fault) || !reflect.DeepEqual(report, wanted) {
				t.Fatalf("%+v, %v; to a buffer %+v, %v", report, fault, wanted, err)
			}
			if got, _ := os.ReadFile(f.Name()); err == nil && !bytes.Equal(got, want.Bytes()) {
				t.Error("another file than to a buffer")
			}
		})
	}
}

// TestGuessKeepsFile requires that what stands in the output before Export stays.
func TestGuessKeepsFile(t *testing.T) {
	text := append(bytes.Repeat([]byte("{\"a\":1,\"text\":\""+strings.Repeat("0123456789", 12)+"\"}\n"), 40_000), "{\"b\":1}"...)
	for name, flags := range map[string]int{"end": os.O_RDWR, "append": os.O_RDWR | os.O_APPEND} {
		path := filepath.Join(t.TempDir(), "a.parquet")
		if err := os.WriteFile(path, []byte("before"), 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, flags, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if name == "end" {
			if _, err := f.Seek(6, 0); err != nil {
				t.Fatal(err)
			}
		}
		if report, err := parquet.Export(f, bytes.NewReader(text), &parquet.Options{Format: parquet.JSON}); err != nil || report.Columns != 3 {
			t.Fatal(report, err)
		}
		data, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(data, []byte("beforePAR1")) {
			t.Errorf("%s: %.20q, %v", name, data, err)
		}
		if rows, _ := readBack(t, data[6:]); len(rows) != 40_001 {
			t.Errorf("%s: %d rows", name, len(rows))
		}
	}
}
