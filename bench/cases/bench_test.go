package cases

import (
	"strings"
	"testing"
)

func BenchmarkMarshalStruct(b *testing.B)   { benchmark(b, verbMarshal, "struct/") }
func BenchmarkMarshalSlice(b *testing.B)    { benchmark(b, verbMarshal, "slice/") }
func BenchmarkMarshalMap(b *testing.B)      { benchmark(b, verbMarshal, "map/") }
func BenchmarkMarshalDocument(b *testing.B) { benchmark(b, verbMarshal, "document/") }
func BenchmarkMarshalTyped(b *testing.B)    { benchmark(b, verbMarshal, "typed/") }

func BenchmarkMarshalAppendStruct(b *testing.B)   { benchmark(b, verbAppend, "struct/") }
func BenchmarkMarshalAppendSlice(b *testing.B)    { benchmark(b, verbAppend, "slice/") }
func BenchmarkMarshalAppendMap(b *testing.B)      { benchmark(b, verbAppend, "map/") }
func BenchmarkMarshalAppendDocument(b *testing.B) { benchmark(b, verbAppend, "document/") }
func BenchmarkMarshalAppendTyped(b *testing.B)    { benchmark(b, verbAppend, "typed/") }

func BenchmarkUnmarshalStruct(b *testing.B)   { benchmark(b, verbUnmarshal, "struct/") }
func BenchmarkUnmarshalSlice(b *testing.B)    { benchmark(b, verbUnmarshal, "slice/") }
func BenchmarkUnmarshalMap(b *testing.B)      { benchmark(b, verbUnmarshal, "map/") }
func BenchmarkUnmarshalDocument(b *testing.B) { benchmark(b, verbUnmarshal, "document/") }
func BenchmarkUnmarshalTyped(b *testing.B)    { benchmark(b, verbUnmarshal, "typed/") }

// benchmark runs the cases whose names begin with prefix.
func benchmark(b *testing.B, verb, prefix string) {
	list, err := Contests()
	if err != nil {
		b.Fatal(err)
	}
	some := false
	for _, c := range list {
		name, ok := strings.CutPrefix(c.Name(), prefix)
		if !ok {
			continue
		}
		some = true
		entries, err := c.Open()
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range entries {
			run := e.Loops[verb]
			if run == nil {
				continue
			}
			b.Run(name+"/"+e.Library, func(b *testing.B) {
				b.SetBytes(int64(e.Size))
				b.ReportAllocs()
				if err := run(b.N); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
	if !some {
		b.Skip("the Go installation has no JSON test documents of encoding/json")
	}
}
