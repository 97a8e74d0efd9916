//go:build go1.21

package marshaler

import (
	"context"
	"testing"

	"github.com/eko/gocache/lib/v4/cache"
	"github.com/eko/gocache/lib/v4/store"
)

type one struct {
	cache.CacheInterface[any]
	value any
}

func (o *one) Get(context.Context, any) (any, error) { return o.value, nil }
func (o *one) Set(_ context.Context, _, v any, _ ...store.Option) error {
	o.value = v
	return nil
}

// TestExchange exchanges cached values.
func TestExchange(t *testing.T) {
	type item struct {
		ID   int64
		Name string `msgpack:"name,omitempty"`
		L    []uint16
		V    any
	}
	exchange(t, "item", item{300, "n", []uint16{1, 2}, "text"}, func(v item) ([]byte, error) {
		var o one
		err := New(&o).Set(context.Background(), "key", v)
		return o.value.([]byte), err
	}, func(b []byte) (v item, err error) {
		_, err = New(&one{value: b}).Get(context.Background(), "key", &v)
		return v, err
	})
}
