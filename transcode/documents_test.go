package transcode

import (
	"bytes"
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/klauspost/compress/zstd"
)

// documents returns the JSON files in Go's source tree.
func documents(t testing.TB) map[string][]byte {
	t.Helper()
	pattern := filepath.Join(build.Default.GOROOT, "src/encoding/json/internal/jsontest/testdata/*.json.zst")
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("the Go installation has no JSON test documents: no file matches %s", pattern)
	}
	docs := make(map[string][]byte, len(files))
	for _, file := range files {
		packed, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := zstd.NewReader(nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := d.DecodeAll(packed, nil)
		d.Close()
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		docs[strings.TrimSuffix(filepath.Base(file), ".json.zst")] = text
	}
	return docs
}

// canonical returns the canonical form of a JSON value. Equal values have the
// same canonical form: 1.0 and 1e0 become 1. Integers of any size are kept.
func canonical(t *testing.T, json []byte) string {
	t.Helper()
	v := jsontext.Value(bytes.Clone(json))
	if err := v.Canonicalize(jsontext.CanonicalizeRawInts(false), jsontext.ReorderRawObjects(false)); err != nil {
		t.Fatal(err)
	}
	return string(v)
}

// TestDocuments checks that real documents survive a round trip, with the order
// of their members.
func TestDocuments(t *testing.T) {
	for name, doc := range documents(t) {
		t.Run(name, func(t *testing.T) {
			want := canonical(t, doc)
			for _, o := range []Options{{}, reversible, {Indent: "  "}} {
				msgpack, err := AppendMsgpack(nil, doc, &o)
				if err != nil {
					t.Fatal(err)
				}
				json, err := AppendJSON(nil, msgpack, &o)
				if err != nil {
					t.Fatal(err)
				}
				if canonical(t, json) != want {
					t.Errorf("with %+v, the round trip changed the value", o)
				}
				var packed, text bytes.Buffer
				if _, err := ToMsgpack(&packed, bytes.NewReader(doc), &o); err != nil || !bytes.Equal(packed.Bytes(), msgpack) {
					t.Errorf("with %+v, ToMsgpack differs from AppendMsgpack, %v", o, err)
				}
				if _, err := ToJSON(&text, &packed, &o); err != nil || text.String() != string(json)+"\n" {
					t.Errorf("with %+v, ToJSON differs from AppendJSON, %v", o, err)
				}
			}
		})
	}
}
