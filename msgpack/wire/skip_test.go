package wire

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

func TestSkipEveryFormat(t *testing.T) {
	for _, v := range slices.Concat(minimal, wasteful) {
		if kind := v.format.Kind(); kind == KindArray || kind == KindMap {
			continue // the vectors are headers only
		}
		t.Run(v.name, func(t *testing.T) {
			src := v.bytes(t)
			if v.name == "ext 32" { // a timestamp of no bytes
				if n, err := Skip(src, 0); n != 0 || err != ErrTimestamp {
					t.Errorf("got %d, %v, want %v", n, err, ErrTimestamp)
				}
				return
			}
			for _, depth := range []int{-1, 0, MaxDepth} {
				if n, err := Skip(append(bytes.Clone(src), 0xc1), depth); n != len(src) || err != nil {
					t.Errorf("depth %d: got %d, %v, want %d", depth, n, err, len(src))
				}
			}
			// As an element, alone and before another one.
			for _, head := range []string{"\x91", "\xdc\x00\x01", "\x81\xc0"} {
				whole := append([]byte(head), src...)
				if n, err := Skip(whole, 1); n != len(whole) || err != nil {
					t.Errorf("in a container: got %d, %v, want %d", n, err, len(whole))
				}
			}
			whole := append(append([]byte{0x92}, src...), 0xc1)
			if n, err := Skip(whole, 1); n != len(whole)-1 || err != ErrReserved {
				t.Errorf("before c1: got %d, %v, want %d", n, err, len(whole)-1)
			}
		})
	}
}

func TestSkipContainers(t *testing.T) {
	elements := func(head string, n int) []byte {
		return append([]byte(head), bytes.Repeat([]byte{0x01}, n)...)
	}
	for _, c := range []struct {
		name string
		src  []byte
	}{
		{"array of 16", elements("\xdc\x00\x10", 16)},
		{"array of 65536", elements("\xdd\x00\x01\x00\x00", 65536)},
		{"map of 16", elements("\xde\x00\x10", 32)},
		{"map of 65536", elements("\xdf\x00\x01\x00\x00", 131072)},
		{"containers side by side", []byte("\x93\x92\x01\x02\x81\x01\x90\x80")},
		{"container as key", []byte("\x81\x92\xa1a\xa1b\x01")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if n, err := Skip(c.src, 3); n != len(c.src) || err != nil {
				t.Errorf("got %d, %v, want %d", n, err, len(c.src))
			}
			for cut := max(0, len(c.src)-20); cut < len(c.src); cut++ {
				if _, err := Skip(c.src[:cut], 3); err != ErrTruncated {
					t.Errorf("of %d bytes: got %v, want %v", cut, err, ErrTruncated)
				}
			}
		})
	}
}

// TestSkipOffset checks that the offset on error is that of the value at fault.
func TestSkipOffset(t *testing.T) {
	for _, c := range []struct {
		name string
		src  string
		n    int
		err  error
	}{
		{"nothing", "", 0, ErrTruncated},
		{"element missing", "\x92\x01", 0, ErrTruncated},
		{"element missing behind a long one", "\x92\xa1a", 3, ErrTruncated},
		{"element missing behind a longer one", "\x92\xd9\x01a", 4, ErrTruncated},
		{"element cut", "\x92\x01\xcd\x01", 2, ErrTruncated},
		{"short string cut", "\x92\x01\xa2a", 2, ErrTruncated},
		{"long string cut", "\x92\x01\xd9\x02a", 2, ErrTruncated},
		{"header cut", "\x92\x01\xda\x01", 2, ErrTruncated},
		{"value of a pair missing", "\x81\x01", 0, ErrTruncated},
		{"never used", "\x93\x01\xc1\x01", 2, ErrReserved},
		{"never used, deeper", "\x93\x01\x92\x01\xc1\x01", 4, ErrReserved},
		{"too deep", "\x91\x91\x91\x90", 3, ErrDepth},
		{"too deep, a map", "\x91\x91\x91\x80", 3, ErrDepth},
		{"too deep, after a flat one", "\x92\x90\x91\x91\x90", 4, ErrDepth},
		{"timestamp of two bytes", "\x92\x01\xd5\xff\x00\x00", 2, ErrTimestamp},
		{"timestamp with too many nanoseconds", "\x91\xd7\xff\xff\xff\xff\xff\x00\x00\x00\x00", 1, ErrTimestamp},
		{"other type of two bytes", "\x92\x01\xd5\xfe\x00\x00\xc1", 6, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if n, err := Skip([]byte(c.src), 3); n != c.n || err != c.err {
				t.Errorf("got %d, %v, want %d, %v", n, err, c.n, c.err)
			}
		})
	}
}

func TestSkipDepth(t *testing.T) {
	for _, c := range []struct {
		nested int
		depth  int
		err    error
	}{
		{511, MaxDepth, nil},
		{512, MaxDepth, nil},
		{513, MaxDepth, ErrDepth},
		{1, 0, ErrDepth},
		{1, -1, ErrDepth},
		{0, 0, nil},
		{1_000_000, MaxDepth, ErrDepth},
		{65_535, 65_535, nil},
	} {
		for _, head := range []string{"\x91", "\xdc\x00\x01", "\xdd\x00\x00\x00\x01", "\x81\xc0", "\xde\x00\x01\xc0"} {
			src := append(bytes.Repeat([]byte(head), c.nested), 0xc0)
			n, err := Skip(src, c.depth)
			want := len(src)
			if c.err != nil {
				want = max(c.depth, 0) * len(head)
			}
			if n != want || err != c.err {
				t.Errorf("%d of % x at depth %d: got %d, %v, want %d, %v", c.nested, head, c.depth, n, err, want, c.err)
			}
		}
	}
	// Nested through the keys of maps. The input ends inside the last one.
	if n, err := Skip(bytes.Repeat([]byte{0x81}, 1_000_000), MaxDepth); n != MaxDepth || err != ErrDepth {
		t.Errorf("maps as keys: got %d, %v", n, err)
	}
}

// TestSkipLedger checks that a count is accepted only if the rest of the input can
// hold the elements, and those that the containers around it still expect.
func TestSkipLedger(t *testing.T) {
	for _, c := range []struct {
		name string
		src  string
		n    int
		err  error
	}{
		{"five bytes that claim 4 Gi elements", "\xdd\xff\xff\xff\xff", 0, ErrTruncated},
		{"five bytes that claim 8 Gi keys and values", "\xdf\xff\xff\xff\xff", 0, ErrTruncated},
		// Twice 2^31 is 0 in 32 bits, twice 2^31 + 1 is 2.
		{"pairs that are none in 32 bits", "\xdf\x80\x00\x00\x00", 0, ErrTruncated},
		{"pairs that are one in 32 bits", "\xdf\x80\x00\x00\x01\x01\x01", 0, ErrTruncated},
		{"str of 4 GiB", "\xdb\xff\xff\xff\xff", 0, ErrTruncated},
		{"bin of 2 GiB", "\xc6\x80\x00\x00\x00a", 0, ErrTruncated},
		{"ext of 4 GiB", "\xc9\xff\xff\xff\xff\x01a", 0, ErrTruncated},
		{"one element too many", "\x93\x01\x01", 0, ErrTruncated},
		{"one value too many", "\x82\x01\x01\x01", 0, ErrTruncated},
		{"an inner array that takes all", "\x93\x92\x01\x01", 1, ErrTruncated},
		{"an inner array that leaves enough", "\x93\x92\x01\x01\x01\x01", 6, nil},
		{"an inner map that takes all", "\x82\x01\x82\x01\x01\x01\x01\x01", 2, ErrTruncated},
		{"an inner map that leaves enough", "\x82\x01\x82\x01\x01\x01\x01\x01\x01", 9, nil},
		{"the last of three levels", "\x92\x92\x93\x01\x01\x01\x01", 2, ErrTruncated},
		{"what an ended container expected is forgotten", "\x92\x93\x01\x01\x01\x92\x01\x01", 8, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if n, err := Skip([]byte(c.src), MaxDepth); n != c.n || err != c.err {
				t.Errorf("got %d, %v, want %d, %v", n, err, c.n, c.err)
			}
		})
	}
}

// TestSkipChainOfClaims uses array headers that each claim all bytes after them.
// Each header alone would be accepted. The ledger refuses the second one.
func TestSkipChainOfClaims(t *testing.T) {
	const links = 200_000
	src := make([]byte, 0, 5*links)
	for len(src) < cap(src) {
		src = binary.BigEndian.AppendUint32(append(src, 0xdd), uint32(cap(src)-len(src)-5))
	}
	if n, err := Skip(src, links); n != 5 || err != ErrTruncated {
		t.Errorf("got %d, %v, want 5, %v", n, err, ErrTruncated)
	}
}
