package msgpack_test

import (
	"errors"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
)

// FuzzGet calls Get with a path from the fuzzer, and then with every path that
// exists in the input. If the input is valid, an error must be about the path.
func FuzzGet(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte, key string, index int64) {
		for _, path := range [][]any{{key}, {index}, {key, index}, {index, key}} {
			var raw msgpack.Raw
			var err error
			heaptest.AtMost(t, 8*len(data)+1<<20, func() { raw, err = msgpack.Get(data, path...) })
			if err == nil {
				if err := msgpack.Valid(raw); err != nil {
					t.Errorf("% x at %v: % x: %v", data, path, raw, err)
				}
				continue
			}
			var e *msgpack.Error
			if !errors.As(err, &e) || e.Offset < 0 || int(e.Offset) > len(data) || e.Error() == "" || raw != nil {
				t.Errorf("% x at %v: % x, %v", data, path, raw, err)
			}
			if !errors.Is(err, msgpack.ErrNotFound) && !errors.Is(err, msgpack.ErrMismatch) && msgpack.Valid(data) == nil {
				t.Errorf("% x at %v: %v", data, path, err)
			}
		}
		if len(data) <= 1<<8 { // longer input has too many paths, and long ones if it is nested
			checkGet(t, data)
		}
	})
}

// FuzzView walks through all parts of the input.
func FuzzView(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		heaptest.AtMost(t, 8*len(data)+1<<20, func() { _, _ = msgpack.ViewOf(data) }) // also for the path of an error
		checkView(t, data)
	})
}
