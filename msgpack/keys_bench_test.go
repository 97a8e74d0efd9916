package msgpack_test

import (
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// Two structs that differ in their keys alone, which have one byte each.
type (
	integerKeys struct {
		A int     `msgpack:"1,keyasint"`
		B string  `msgpack:"2,keyasint"`
		C float64 `msgpack:"3,keyasint"`
		D bool    `msgpack:"4,keyasint"`
		E []int   `msgpack:"5,keyasint"`
		F uint32  `msgpack:"6,keyasint"`
	}
	letterKeys struct {
		A int     `msgpack:"a"`
		B string  `msgpack:"b"`
		C float64 `msgpack:"c"`
		D bool    `msgpack:"d"`
		E []int   `msgpack:"e"`
		F uint32  `msgpack:"f"`
	}
)

func keySamples() map[string][2]any {
	return map[string][2]any{
		"integers": {&integerKeys{1, "text", 1.5, true, []int{1, 2, 3}, 7}, new(integerKeys)},
		"letters":  {&letterKeys{1, "text", 1.5, true, []int{1, 2, 3}, 7}, new(letterKeys)},
	}
}

// BenchmarkEncodeKeys compares keys that are integers with names of one letter.
func BenchmarkEncodeKeys(b *testing.B) {
	for name, v := range keySamples() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var buf []byte
			for b.Loop() {
				var err error
				if buf, err = msgpack.MarshalAppend(buf[:0], v[0]); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(len(buf)))
		})
	}
}

// BenchmarkDecodeKeys does the same for decoding.
func BenchmarkDecodeKeys(b *testing.B) {
	for name, v := range keySamples() {
		data, err := msgpack.Marshal(v[0])
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if err := msgpack.Unmarshal(data, v[1]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
