package record

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
)

// TestSharedBuffers reads files one after the other and at the same time, with Codecs and sizes of blocks that differ,
// so that the buffers of one serve the next. What was read does not change.
func TestSharedBuffers(t *testing.T) {
	aliasing, err := msgpack.New(msgpack.Options{AliasInput: true})
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := msgpack.New(msgpack.Options{AnyNumber: msgpack.AnyNumberRaw})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for j := range 30 {
				n := 100*i + j
				records := numbered(50+5*n, n)
				o := Options{BlockSize: minBlock << (n % 4), Codec: []*msgpack.Codec{nil, aliasing, numbers}[n%3]}
				file := writeTo(t, o, 0, records)
				f, err := NewFile(bytes.NewReader(file), int64(len(file)), &o)
				if err != nil {
					t.Error(err)
					return
				}
				var got []msgpack.Raw
				var values []any
				for _, r := range f.Split(5) {
					for raw, err := range In[msgpack.Raw](f, r) {
						if err != nil {
							t.Error(err)
						}
						got = append(got, raw)
					}
					for v, err := range In[any](f, r) {
						if err != nil {
							t.Error(err)
						}
						values = append(values, v)
						if n%7 == 0 {
							break
						}
					}
				}
				if !same(got, records) {
					t.Errorf("file %d: %d records are wrong", n, len(got))
				}
				for k, v := range values {
					if n%7 == 0 {
						break
					}
					var want any
					if err := f.o.Codec.Unmarshal(records[k], &want); err != nil || fmt.Sprint(v) != fmt.Sprint(want) {
						t.Errorf("file %d: record %d is %v, want %v", n, k, v, want)
					}
				}
			}
		})
	}
	group.Wait()
}

// TestMemoryOfRanges reads many ranges. They use the same buffers.
func TestMemoryOfRanges(t *testing.T) {
	if heaptest.Race {
		t.Skip("under the race detector, a sync.Pool drops what is put into it")
	}
	const ranges, size = 100, 64 << 10
	file := writeTo(t, Options{BlockSize: size}, 0, slices.Repeat([]msgpack.Raw{append([]byte{0xc5, 0x20, 0}, make([]byte, 8<<10)...)}, ranges*size/(8<<10)))
	f := open(t, file)
	list := f.Split(ranges)
	n := 0
	got := allocated(func() {
		for _, r := range list {
			for _, err := range In[skipped](f, r) {
				if err != nil {
					t.Fatal(err)
				}
				n++
			}
		}
	})
	// Each range takes less than a block: half of it is a table to search for markers.
	if limit := int64(ranges * 20 << 10); n < ranges || len(list) < ranges/2 || got > limit {
		t.Errorf("reading %d records in %d ranges allocates %d bytes, more than %d", n, len(list), got, limit)
	}
}
