package layout

import (
	"bytes"
	"testing"
)

// TestAppendIntoRoom encodes eight numbers of 64 bits, for which package block has separate
// code, into a slice that has room. Platforms without permutations wrote zeros.
func TestAppendIntoRoom(t *testing.T) {
	type line struct{ A, B, C, D, E, F, G, H uint64 }
	v := line{1, 2, 3, 4, 5, 6, 7, 1 << 63}
	typed, err := For[line](nil)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]byte, 0, 64)
	for _, n := range []uint64{v.A, v.B, v.C, v.D, v.E, v.F, v.G, v.H} {
		for shift := 56; shift >= 0; shift -= 8 {
			want = append(want, byte(n>>shift))
		}
	}
	got, err := typed.Append(make([]byte, 0, 64), &v)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("% x, %v; want % x", got, err, want)
	}
	var back line
	if n, err := typed.UnmarshalPrefix(got, &back); n != 64 || err != nil || back != v {
		t.Errorf("%+v of %d bytes, %v; want %+v", back, n, err, v)
	}
}
