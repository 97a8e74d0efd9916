package main

import (
	"slices"
	"testing"
)

func BenchmarkMarshalStruct(b *testing.B)   { benchmark(b, "Marshal", "struct") }
func BenchmarkMarshalSlice(b *testing.B)    { benchmark(b, "Marshal", "slice") }
func BenchmarkMarshalMap(b *testing.B)      { benchmark(b, "Marshal", "map") }
func BenchmarkMarshalDocument(b *testing.B) { benchmark(b, "Marshal", "document") }

func BenchmarkMarshalAppendStruct(b *testing.B)   { benchmark(b, "MarshalAppend", "struct") }
func BenchmarkMarshalAppendSlice(b *testing.B)    { benchmark(b, "MarshalAppend", "slice") }
func BenchmarkMarshalAppendMap(b *testing.B)      { benchmark(b, "MarshalAppend", "map") }
func BenchmarkMarshalAppendDocument(b *testing.B) { benchmark(b, "MarshalAppend", "document") }

func BenchmarkUnmarshalStruct(b *testing.B)   { benchmark(b, "Unmarshal", "struct") }
func BenchmarkUnmarshalSlice(b *testing.B)    { benchmark(b, "Unmarshal", "slice") }
func BenchmarkUnmarshalMap(b *testing.B)      { benchmark(b, "Unmarshal", "map") }
func BenchmarkUnmarshalDocument(b *testing.B) { benchmark(b, "Unmarshal", "document") }

func benchmark(b *testing.B, verbName, what string) {
	list, err := contests()
	if err != nil {
		b.Fatal(err)
	}
	v := verbs[slices.IndexFunc(verbs, func(v verb) bool { return v.name == verbName })]
	some := false
	for _, c := range list {
		if c.what != what {
			continue
		}
		some = true
		size, entries, err := c.open()
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range entries {
			run := v.of(e)
			if run == nil {
				continue
			}
			b.Run(c.name+"/"+e.library, func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				if err := run(b.N); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
	if !some {
		b.Skip("this Go came without the JSON documents of encoding/json")
	}
}
