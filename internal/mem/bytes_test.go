package mem

import (
	"bytes"
	"testing"
)

func TestUncleared(t *testing.T) {
	for _, n := range []int{1, 2, 100, 1 << 20} {
		b := Uncleared(n)
		if len(b) != 0 || cap(b) != n {
			t.Fatalf("%d: length %d, capacity %d", n, len(b), cap(b))
		}
		first := &b[:1][0]
		for i := range n {
			b = append(b, byte(i))
		}
		if &b[0] != first {
			t.Errorf("%d: the slice was reallocated", n)
		}
		for i := range b {
			if b[i] != byte(i) {
				t.Fatalf("%d: byte %d is %d", n, i, b[i])
			}
		}
	}
}

// TestCopied requires that a copy has no capacity which another slice could share, and is never nil.
func TestCopied(t *testing.T) {
	for _, b := range [][]byte{nil, {}, []byte("abc"), make([]byte, 1000)} {
		c := Copied(b)
		if c == nil || string(c) != string(b) || cap(c) != len(b) {
			t.Errorf("%d bytes: %d, capacity %d, nil: %v", len(b), len(c), cap(c), c == nil)
		}
		if len(b) > 0 {
			if b[0]++; c[0] == b[0] {
				t.Error("the copy changes with the original")
			}
		}
	}
}

// TestWords copies and reverses words at every address, also as on processors that are strict about addresses.
func TestWords(t *testing.T) {
	data := make([]byte, 64)
	for i := range data {
		data[i] = byte(i + 1)
	}
	for from := range 8 {
		for to := range 8 {
			for n := 4; n <= 16; n++ {
				got, want := make([]byte, 64), make([]byte, 64)
				copy(want[to:], data[from:from+n])
				if CopyWords(Bytes(got).Add(uintptr(to)), Bytes(data).Add(uintptr(from)), n); !bytes.Equal(got, want) {
					t.Errorf("%d bytes from %d to %d: %x, want %x", n, from, to, got, want)
				}
			}
			want := make([]byte, 64)
			for i := range 32 {
				want[to+i] = data[from+(i^7)]
			}
			for _, reverse := range []func(dst, src Ptr){reverse64x4, func(dst, src Ptr) { Reverse64x4(dst, src, 0) }} {
				got := make([]byte, 64)
				if reverse(Bytes(got[to:]), Bytes(data[from:])); !bytes.Equal(got, want) {
					t.Errorf("32 bytes from %d to %d: %x, want %x", from, to, got, want)
				}
			}
		}
	}
}
