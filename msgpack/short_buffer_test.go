package msgpack_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// TestShortBuffers encodes long strings and nil values into buffers with too little
// room, or with exactly enough.
func TestShortBuffers(t *testing.T) {
	type record struct {
		A string
		B *int
		C string
		D []int
		E int
		F map[string]int
		G any
		H time.Time
	}
	number := 300
	for _, sizes := range [][2]int{{0, 0}, {31, 32}, {32, 31}, {32, 33}, {40, 200}, {255, 256}, {256, 65_535}, {65_536, 32}} {
		for _, full := range []bool{false, true} {
			v := record{A: strings.Repeat("a", sizes[0]), C: strings.Repeat("c", sizes[1]), E: -1}
			if full {
				v.B, v.D, v.F, v.G = &number, []int{1}, map[string]int{"k": 2}, true
			}
			t.Run(fmt.Sprint(sizes, full), func(t *testing.T) {
				want := wire.AppendMapHeader([]byte("before"), 8)
				key := func(name string) []byte { return wire.AppendString(want, name) }
				value := func(value, none []byte) {
					if !full {
						value = none
					}
					want = append(want, value...)
				}
				null := wire.AppendNil(nil)
				want = wire.AppendString(key("A"), v.A)
				want = key("B")
				value(wire.AppendInt(nil, 300), null)
				want = wire.AppendString(key("C"), v.C)
				want = key("D")
				value([]byte{0x91, 1}, null)
				want = wire.AppendInt(key("E"), -1)
				want = key("F")
				value([]byte{0x81, 0xa1, 'k', 2}, null)
				want = key("G")
				value(wire.AppendBool(nil, true), null)
				want = wire.AppendTime(key("H"), v.H)

				beyond := bytes.Repeat([]byte{0xc1}, 64)
				step := max(1, len(want)/1000)
				for room := 0; room <= len(want)+300; room += step {
					dst := append(make([]byte, 0, 6+room+64), "before"...)
					copy(dst[6+room:cap(dst)], beyond)
					got, err := msgpack.MarshalAppend(dst[:6:6+room], &v)
					if err != nil || !bytes.Equal(got, want) {
						t.Fatalf("with room for %d bytes: % .100x, %v, want % .100x", room, got, err, want)
					}
					if !bytes.Equal(dst[6+room:6+room+64], beyond) {
						t.Fatalf("with room for %d bytes: wrote more bytes", room)
					}
				}
				for range 3 {
					got, err := msgpack.Marshal(&v)
					if err != nil || !bytes.Equal(got, want[6:]) {
						t.Fatalf("% .100x, %v, want % .100x", got, err, want[6:])
					}
				}
			})
		}
	}
}
