package msgpack_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// TestShortBufferKeys encodes a field of each type behind a key of each length into
// buffers of every capacity. The template of a step holds 16 bytes, so the length of the
// key decides where the bytes of the value begin.
func TestShortBufferKeys(t *testing.T) {
	wide, text := uint64(1<<63), strings.Repeat("t", 31)
	values := []any{
		true, int8(-128), int16(-32768), int32(-1 << 31), int64(-1 << 63), uint8(255), uint16(65535), uint32(1<<32 - 1), wide,
		float32(1.5), 1.5, text, bytes.Repeat([]byte{1}, 31), [31]byte{1}, time.Unix(-1, 1), &wide, &text, &[]float64{2.5}[0],
		&[]time.Time{time.Unix(-1, 1)}[0], [2]float64{1, 2}, []float32{1}, map[string]float64{"k": 1}, map[int8]string{1: text},
	}
	for _, v := range values {
		for _, tag := range []string{"", ",omitempty"} {
			codec := newCodec(t, msgpack.Options{}) // its plans go away with it, unlike those of the default one
			for size := 1; size <= 34; size++ {
				name := strings.Repeat("k", size)
				typ := reflect.StructOf([]reflect.StructField{
					{Name: "A", Type: reflect.TypeOf(v), Tag: reflect.StructTag(fmt.Sprintf("msgpack:%q", name+tag))},
					{Name: "B", Type: reflect.TypeOf(v), Tag: `msgpack:"b"`},
				})
				p := reflect.New(typ)
				p.Elem().Field(0).Set(reflect.ValueOf(v))
				p.Elem().Field(1).Set(reflect.ValueOf(v))
				want, err := codec.MarshalAppend(make([]byte, 0, 500), p.Interface())
				if err != nil {
					t.Fatal(err)
				}
				beyond := bytes.Repeat([]byte{0xc1}, 64)
				for room := range len(want) + 60 {
					dst := make([]byte, room+64)
					copy(dst[room:], beyond)
					got, err := codec.MarshalAppend(dst[:0:room], p.Interface())
					if err != nil || !bytes.Equal(got, want) {
						t.Fatalf("%v with a key of %d bytes and room for %d: % x, %v, want % x", typ, size, room, got, err, want)
					}
					if !bytes.Equal(dst[room:], beyond) {
						t.Fatalf("%v with a key of %d bytes and room for %d: wrote more bytes", typ, size, room)
					}
				}
			}
		}
	}
}
