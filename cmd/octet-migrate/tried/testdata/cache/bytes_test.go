//go:build go1.21

package cache

import (
	"testing"
	"time"
)

// TestExchange exchanges cached values, with and without compression.
func TestExchange(t *testing.T) {
	type item struct {
		ID   int64
		N    uint8
		Name string `msgpack:",omitempty"`
		At   time.Time
		Tags []string
		By   map[string]float64
	}
	c := New(&Options{})
	long := make([]string, 200)
	for name, v := range map[string]item{"short": {1 << 40, 200, "n", time.Unix(9, 8), []string{"a"}, map[string]float64{"k": 1}}, "long": {Tags: long, At: time.Unix(1, 0)}} {
		exchange(t, name, v, func(v item) ([]byte, error) { return c.Marshal(v) }, func(b []byte) (v item, err error) {
			err = c.Unmarshal(b, &v)
			return v, err
		})
	}
}
