//go:build go1.21

package cli

import "testing"

// TestExchange exchanges bodies of requests and responses.
func TestExchange(t *testing.T) {
	for name, v := range map[string]any{
		"numbers": []any{uint8(1), uint8(200), uint16(300), uint64(1 << 40), int8(-1), int16(-300), float64(1.5), float32(2)},
		"map":     map[any]any{"items": []any{map[any]any{"id": uint16(5000)}, nil, true, "text", ""}},
		"keys":    map[any]any{uint8(5): map[any]any{}},
	} {
		exchange(t, name, v, MsgPack{}.Marshal, func(b []byte) (v any, err error) {
			err = MsgPack{}.Unmarshal(b, &v)
			return v, err
		})
	}
	type item struct {
		ID   int64 `msgpack:"id"`
		Tags []string
		Next *item `msgpack:"next"`
	}
	exchange(t, "struct", item{1 << 33, nil, &item{ID: -200, Tags: []string{"a", ""}}}, func(v item) ([]byte, error) { return MsgPack{}.Marshal(v) }, func(b []byte) (v item, err error) {
		err = MsgPack{}.Unmarshal(b, &v)
		return v, err
	})
}
