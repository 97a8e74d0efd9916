package msgpack_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

type flat struct {
	ID, Count  int64
	Score      float64
	Active     bool
	Low, High  uint16
	Left, Next int32
}

func streamSamples(b *testing.B) map[string]any {
	doc := map[string]any{}
	for _, k := range []string{"alpha", "beta", "gamma", "delta"} {
		doc[k] = []any{int64(1), 2.5, "some text", true, map[string]any{"id": int64(1 << 20), "name": k, "tags": []any{"x", "y"}}}
	}
	docs := make([]any, 1000)
	for i := range docs {
		docs[i] = doc
	}
	return map[string]any{"flat": &flat{ID: 1 << 40, Count: 5, Score: 1.5, Low: 300, Left: -1}, "report": makeReport(), "documents": &docs}
}

// BenchmarkDecodeStream compares a stream, in which the ends of values are not
// known, with the same values in a slice.
func BenchmarkDecodeStream(b *testing.B) {
	for name, v := range streamSamples(b) {
		one, err := msgpack.Marshal(v)
		if err != nil {
			b.Fatal(err)
		}
		n := max(1, 100_000/len(one))
		all := bytes.Repeat(one, n)
		b.Run(name+"/stream", func(b *testing.B) {
			b.SetBytes(int64(len(all)))
			b.ReportAllocs()
			d := msgpack.NewDecoder(nil)
			for b.Loop() {
				d.Reset(struct{ io.Reader }{bytes.NewReader(all)})
				for range n {
					if err := d.Decode(v); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		b.Run(name+"/slice", func(b *testing.B) {
			b.SetBytes(int64(len(all)))
			b.ReportAllocs()
			for b.Loop() {
				for rest := all; len(rest) > 0; {
					n, err := msgpack.UnmarshalPrefix(rest, v)
					if err != nil {
						b.Fatal(err)
					}
					rest = rest[n:]
				}
			}
		})
		b.Run(name+"/skip stream", func(b *testing.B) {
			b.SetBytes(int64(len(all)))
			d := msgpack.NewDecoder(nil)
			for b.Loop() {
				d.Reset(struct{ io.Reader }{bytes.NewReader(all)})
				for range n {
					if err := d.Skip(); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		b.Run(name+"/skip slice", func(b *testing.B) {
			b.SetBytes(int64(len(all)))
			for b.Loop() {
				for rest := all; len(rest) > 0; {
					n, err := wire.Skip(rest, msgpack.MaxDepth)
					if err != nil {
						b.Fatal(err)
					}
					rest = rest[n:]
				}
			}
		})
	}
}

func BenchmarkEncodeStream(b *testing.B) {
	for name, v := range streamSamples(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			e := msgpack.NewEncoder(io.Discard)
			for b.Loop() {
				if err := e.Encode(v); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/append", func(b *testing.B) {
			b.ReportAllocs()
			var buf []byte
			for b.Loop() {
				var err error
				if buf, err = msgpack.MarshalAppend(buf[:0], v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
