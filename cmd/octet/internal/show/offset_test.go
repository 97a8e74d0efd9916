package show

import (
	"bytes"
	"io"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
)

// FuzzSkipValues compares the offsets at which values begin with those that skipping over
// the values finds.
func FuzzSkipValues(f *testing.F) {
	for _, s := range []string{"", "\x92\xa2ab\xcd\x01\x02\xc0", "\xdb\x00\x00\x00\x02ab\x01", "\xc1ab", "\x93\x01", "\xc7\x02\x05ab"} {
		f.Add([]byte(s), uint8(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, at uint8) {
		offset := int64(at) + 1
		var skipped, around int64
		var err error
		heaptest.AtMost(t, 200*len(data)+1<<20, func() { skipped, around, err = skipValues(bytes.NewReader(data), offset) })
		if offset > int64(len(data)) {
			if err != io.EOF || skipped != int64(len(data)) {
				t.Errorf("offset %d of % x: %d, %d, %v", offset, data, skipped, around, err)
			}
			return
		}
		want := int64(-1)
		for begin, open := 0, 1<<20; begin < len(data) && open > 0; {
			h, n, err := wire.ConsumeHeader(data[begin:])
			end := begin + n + int(h.Payload)
			if err != nil || int64(end) > offset {
				if err == nil || err == wire.ErrTruncated {
					want = int64(begin)
				}
				break
			}
			if begin = end; int64(begin) == offset {
				break
			}
		}
		if err != nil || skipped != offset || around != want {
			t.Errorf("offset %d of % x: %d, inside the value at %d, %v; want %d", offset, data, skipped, around, err, want)
		}
	})
}

// TestSkipValues requires that a value is found around each of its bytes but the first.
func TestSkipValues(t *testing.T) {
	data := []byte("\x82\xa2id\xcd\x03\xe8\xa1s\xdb\x00\x00\x00\x02ab")
	for offset, want := range []int64{1: -1, 2: 1, 3: 1, 4: -1, 5: 4, 6: 4, 7: -1, 8: 7, 9: -1, 10: 9, 11: 9, 12: 9, 13: 9, 14: 9, 15: 9} {
		if offset == 0 {
			continue
		}
		if _, around, err := skipValues(bytes.NewReader(data), int64(offset)); err != nil || around != want {
			t.Errorf("offset %d is inside the value at %d (%v), want %d", offset, around, err, want)
		}
	}
}
