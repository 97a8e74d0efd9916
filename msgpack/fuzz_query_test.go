package msgpack_test

import (
	"errors"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// FuzzGet follows a path from the input, for which only errors about the path are
// allowed, and then every existing path.
func FuzzGet(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte, key string, index int64) {
		for _, path := range [][]any{{key}, {index}, {key, index}, {index, key}} {
			var raw msgpack.Raw
			var err error
			if used := allocated(func() { raw, err = msgpack.Get(data, path...) }); used > uint64(8*len(data))+1<<20 {
				t.Errorf("Get from %d bytes took %d bytes", len(data), used)
			}
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
		if len(data) <= 1<<8 { // the paths of long input are many, and each is long if it is nested
			checkGet(t, data)
		}
	})
}

// FuzzView walks through all parts of the input.
func FuzzView(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		// An error has a path. Other goroutines of the fuzzer allocate at the same time.
		if used := allocated(func() { _, _ = msgpack.ViewOf(data) }); used > uint64(8*len(data))+1<<20 {
			t.Errorf("a View of %d bytes took %d bytes", len(data), used)
		}
		checkView(t, data)
	})
}
