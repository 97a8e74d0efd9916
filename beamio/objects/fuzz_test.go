package objects

import (
	"bytes"
	"context"
	"io"
	"testing"

	"gocloud.dev/blob"
	"gocloud.dev/blob/memblob"
)

// FuzzReadAt compares what an Object reads, at any offsets and with any expectation, with
// the bytes that it has.
func FuzzReadAt(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 200, 5, 255, 9, 12}, uint32(300_000), uint16(10), uint16(200))
	f.Add([]byte{9, 9, 9, 9, 1, 1}, uint32(70_000), uint16(0), uint16(0))
	f.Fuzz(func(t *testing.T, reads []byte, size uint32, from, to uint16) {
		size %= 1 << 20
		want := pattern(int(size), 3)
		for i := range want {
			want[i] += byte(i >> 8)
		}
		store, err := New(&Options{ReadAhead: minRequest, OpenBucket: func(context.Context, string) (*blob.Bucket, error) {
			return memblob.OpenBucket(nil), nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		w, err := store.Create(t.Context(), "mem://b/k")
		if err == nil {
			_, err = w.Write(want)
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		o, err := store.Open(t.Context(), "mem://b/k")
		if err != nil {
			t.Fatal(err)
		}
		if to > 0 {
			o.Expect(int64(from)<<4, int64(to)<<4)
		}
		for ; len(reads) > 3; reads = reads[3:] {
			offset := int64(reads[0])<<12 + int64(reads[1])
			b := make([]byte, int(reads[2])<<9)
			n, err := o.ReadAt(b, offset)
			end := min(offset+int64(len(b)), int64(size))
			if rest := max(end-offset, 0); int64(n) != rest || (err == io.EOF) != (rest < int64(len(b))) || err != nil && err != io.EOF {
				t.Fatalf("%d bytes at %d of %d: %d, %v", len(b), offset, size, n, err)
			}
			if n > 0 && !bytes.Equal(b[:n], want[offset:end]) {
				t.Fatalf("wrong bytes at %d", offset)
			}
			if held := len(o.head.b) + len(o.tail.b) + len(o.window.b); held > openHead+minTail+minRequest+carry {
				t.Fatalf("%d bytes in memory", held)
			}
		}
	})
}
