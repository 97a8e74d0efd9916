package schemas

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

func TestMain(m *testing.M) { heaptest.Main(m) }

// FuzzLoad reads any bytes as a file with a schema, and as messages.
func FuzzLoad(f *testing.F) {
	s := &schema.Schema{Root: schema.Value{Type: &schema.Type{Kind: msgpack.FormArray, Elem: schema.Value{Type: &schema.Type{Kind: msgpack.FormBool}}, Length: -1}}}
	f.Add(s.Compact())
	f.Add([]byte("\x91\xc3\x92\xc2\xc3"))
	f.Add([]byte("\x91\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		heaptest.AtMost(t, 500*len(data)+1<<20, func() {
			if s, err := Load(t.Context(), path, ""); (s == nil) != (err != nil) {
				t.Errorf("a schema and an error: %v, %v", s, err)
			}
			if _, err := Stored(path); err != nil && len(data) < 40 {
				t.Error(err) // too short for a header
			}
		})
		var wrong int64
		var c Check
		heaptest.AtMost(t, 20*len(data)+1<<20, func() {
			wrong, c = 0, Check{Schema: s, Report: func(value, offset int64, err error) error { wrong++; return nil }}
			if err := c.Read(bytes.NewReader(data)); err == nil && msgpack.Valid(data) == nil && c.Values != 1 {
				t.Errorf("% x: %d values", data, c.Values)
			}
		})
		if wrong != c.Wrong || c.Wrong > c.Values {
			t.Errorf("% x: %d reports, %d of %d are wrong", data, wrong, c.Wrong, c.Values)
		}
	})
}

// FuzzParseName checks that a name is put together again.
func FuzzParseName(f *testing.F) {
	f.Add("./event.Event")
	f.Fuzz(func(t *testing.T, text string) {
		var n Name
		var ok bool
		heaptest.AtMost(t, 1<<20, func() { n, ok = ParseName(text) })
		if err := NotAType(text); err != nil && failure.CodeOf(err) != failure.Access {
			t.Errorf("%q: %v", text, err)
		}
		if ok && (n.Package+"."+n.Name != text || n.Package == "" || n.Name == "") {
			t.Errorf("%q: %v", text, n)
		}
	})
}
