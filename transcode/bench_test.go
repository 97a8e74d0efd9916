package transcode

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"testing"
)

// BenchmarkConvertRecords converts lines of about 300 bytes. The slice cases
// use one processor, the stream cases all of them.
func BenchmarkConvertRecords(b *testing.B) {
	text, msgpack := records(b, 10000)
	out := make([]byte, 0, 2*len(text))
	for _, c := range []struct {
		conversion
		data []byte
	}{{jsonToMsgpack, text}, {msgpackToJSON, msgpack}} {
		for _, o := range []Options{{}, reversible} {
			name := "plain"
			if o.Reversible {
				name = "reversible"
			}
			b.Run(c.name+"/slice/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(c.data)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := c.slice(out, c.data, &o); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(c.name+"/stream/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(c.data)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := c.stream(io.Discard, bytes.NewReader(c.data), &o); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	b.Run("encoding-json/valid", func(b *testing.B) { // for comparison: validates the text without converting it
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			for line := range bytes.Lines(text) {
				if !json.Valid(line) {
					b.Fatal("invalid")
				}
			}
		}
	})
}

// BenchmarkConvertDocuments converts whole documents in one call.
func BenchmarkConvertDocuments(b *testing.B) {
	docs := documents(b)
	for _, name := range slices.Sorted(maps.Keys(docs)) {
		doc := docs[name]
		msgpack, err := AppendMsgpack(nil, doc, nil)
		if err != nil {
			b.Fatal(err)
		}
		out := make([]byte, 0, 4*len(doc))
		b.Run("AppendMsgpack/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := AppendMsgpack(out, doc, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("AppendJSON/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(msgpack)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := AppendJSON(out, msgpack, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
