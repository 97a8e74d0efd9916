//go:build go1.21

package codec

import (
	"testing"
	"time"
)

// TestExchange exchanges a struct.
func TestExchange(t *testing.T) {
	type arguments struct {
		A    int32
		B    uint64
		Name string `msgpack:"name"`
		At   time.Time
		L    []float32
		M    map[string]int8
	}
	v := arguments{-5, 1 << 50, "n", time.Unix(9, 8), []float32{1.5}, map[string]int8{"k": 3}}
	exchange(t, "arguments", v, func(v arguments) ([]byte, error) { return MsgpackCodec{}.Encode(v) }, func(b []byte) (v arguments, err error) {
		err = MsgpackCodec{}.Decode(b, &v)
		return v, err
	})
}
