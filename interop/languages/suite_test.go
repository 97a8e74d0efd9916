package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// suiteFile is the file of kawanet's msgpack-test-suite, which is installed with the libraries of JavaScript.
const suiteFile = "node_modules/msgpack-test-suite/dist/msgpack-test-suite.json"

// TestSuite decodes all encodings of the values of msgpack-test-suite, and requires that the values, encoded, are one of them.
func TestSuite(t *testing.T) {
	values, encodings := 0, 0
	files := readSuite(t)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for i, c := range files[name] {
			values++
			want, err := suiteValue(c)
			if err != nil {
				t.Fatalf("%s, value %d: %v", name, i, err)
			}
			var list []string
			if err := json.Unmarshal(c["msgpack"], &list); err != nil || len(list) == 0 {
				t.Fatalf("%s, value %d: no encodings: %v", name, i, err)
			}
			encoded, err := msgpack.Marshal(want)
			if text := dashed(encoded); err != nil || !slices.Contains(list, text) {
				t.Errorf("%s: %v is encoded as %s (%v), want one of %s", name, want, text, err, list)
			}
			for _, text := range list {
				encodings++
				data, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
				if err != nil {
					t.Fatal(err)
				}
				var got any
				if err := msgpack.Unmarshal(data, &got); err != nil || !sameValue(got, want) {
					t.Errorf("%s: %s is decoded as %v (%T, %v), want %v (%T)", name, text, got, got, err, want, want)
				}
			}
		}
	}
	t.Logf("%d values with %d encodings", values, encodings)
	if values < 85 || encodings < 233 {
		t.Errorf("the suite has only %d values with %d encodings", values, encodings)
	}
}

// readSuite returns the values of the suite by the name of their file.
func readSuite(t *testing.T) map[string][]map[string]json.RawMessage {
	t.Helper()
	for _, l := range languages() {
		if l.folder != "javascript" {
			continue
		}
		dir, err := l.prepare(t.Context(), os.Getenv(installVariable) != "", t.Output())
		if isNotInstalled(err) {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(suiteFile)))
		if err != nil {
			t.Fatal(err)
		}
		var files map[string][]map[string]json.RawMessage
		if err := json.Unmarshal(text, &files); err != nil {
			t.Fatal(err)
		}
		return files
	}
	t.Fatal("no JavaScript")
	return nil
}

// suiteValue returns the Go value of a test case, whose field has the name of its kind.
func suiteValue(c map[string]json.RawMessage) (any, error) {
	for _, kind := range []string{"nil", "bool", "binary", "bignum", "number", "string", "array", "map", "timestamp", "ext"} {
		text, ok := c[kind]
		if !ok {
			continue
		}
		var v any
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		switch kind {
		case "binary":
			return hex.DecodeString(strings.ReplaceAll(v.(string), "-", ""))
		case "bignum":
			return number(v.(string))
		case "timestamp":
			var parts [2]int64
			err := json.Unmarshal(text, &parts)
			return time.Unix(parts[0], parts[1]).UTC(), err
		case "ext":
			code, err := v.([]any)[0].(json.Number).Int64()
			if err != nil {
				return nil, err
			}
			data, err := hex.DecodeString(strings.ReplaceAll(v.([]any)[1].(string), "-", ""))
			return msgpack.Ext{Type: int8(code), Data: data}, err
		}
		return withNumbers(v)
	}
	return nil, fmt.Errorf("no known kind in %s", slices.Sorted(maps.Keys(c)))
}

// withNumbers replaces the numbers in a value of JSON by those of Go.
func withNumbers(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case json.Number:
		return number(v.String())
	case []any:
		for i := range v {
			if v[i], err = withNumbers(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for k := range v {
			if v[k], err = withNumbers(v[k]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// number returns a number as int64, uint64 or float64, the first that has it.
func number(s string) (any, error) {
	f, _, err := big.ParseFloat(s, 10, 128, big.ToNearestEven)
	if err != nil {
		return nil, err
	}
	i, accuracy := f.Int(nil)
	switch {
	case accuracy == big.Exact && i.IsInt64():
		return i.Int64(), nil
	case accuracy == big.Exact && i.IsUint64():
		return i.Uint64(), nil
	}
	v, _ := f.Float64()
	return v, nil
}

// sameValue reports whether two values are equal. A number equals a number of another type.
func sameValue(got, want any) bool {
	switch want := want.(type) {
	case []any:
		got, ok := got.([]any)
		return ok && slices.EqualFunc(got, want, sameValue)
	case map[string]any:
		got, ok := got.(map[string]any)
		return ok && maps.EqualFunc(got, want, sameValue)
	case []byte:
		got, ok := got.([]byte)
		return ok && bytes.Equal(got, want)
	case time.Time:
		got, ok := got.(time.Time)
		return ok && got.Equal(want)
	case msgpack.Ext:
		got, ok := got.(msgpack.Ext)
		return ok && got.Type == want.Type && bytes.Equal(got.Data, want.Data)
	case int64, uint64, float64:
		if _, ok := got.(string); ok {
			return false
		}
		g, err := number(fmt.Sprint(got))
		return err == nil && g == want
	}
	return got == want
}

// dashed writes bytes as the suite does.
func dashed(data []byte) string {
	text := hex.EncodeToString(data)
	var parts []string
	for i := 0; i < len(text); i += 2 {
		parts = append(parts, text[i:i+2])
	}
	return strings.Join(parts, "-")
}
