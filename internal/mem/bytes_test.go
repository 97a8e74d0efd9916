package mem

import "testing"

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
