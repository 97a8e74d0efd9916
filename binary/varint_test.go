package binary

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func FuzzVarint(f *testing.F) {
	for _, b := range [][]byte{{}, {0}, {0x7f}, {0x80}, {0x80, 1}, {0x80, 0}, bytes.Repeat([]byte{0xff}, 12),
		append(bytes.Repeat([]byte{0x80}, 9), 1), append(bytes.Repeat([]byte{0xff}, 9), 2), append(bytes.Repeat([]byte{0xff}, 7), 0x7f)} {
		f.Add(b)
	}
	f.Fuzz(varints)
}

// varints decodes b with both packages, from memory and from a reader.
func varints(t *testing.T, b []byte) {
	u, n := Uvarint(b)
	if wu, wn := binary.Uvarint(b); u != wu || n != wn {
		t.Errorf("Uvarint(% x) = %d, %d, want %d, %d", b, u, n, wu, wn)
	}
	v, n := Varint(b)
	if wv, wn := binary.Varint(b); v != wv || n != wn {
		t.Errorf("Varint(% x) = %d, %d, want %d, %d", b, v, n, wv, wn)
	}
	u, err := ReadUvarint(bytes.NewReader(b))
	if wu, werr := binary.ReadUvarint(bytes.NewReader(b)); u != wu || err != werr {
		t.Errorf("ReadUvarint(% x) = %d, %v, want %d, %v", b, u, err, wu, werr)
	}
	v, err = ReadVarint(bytes.NewReader(b))
	wv, werr := binary.ReadVarint(bytes.NewReader(b))
	if v != wv || err != werr {
		t.Errorf("ReadVarint(% x) = %d, %v, want %d, %v", b, v, err, wv, werr)
	}
	r := NewReader(bytes.NewReader(b), BigEndian)
	v = r.Varint()
	if _, err := r.End(); fmt.Sprint(err) != fmt.Sprint(werr) || err == nil && v != wv {
		t.Errorf("Reader.Varint of % x = %d, %v, want %d, %v", b, v, err, wv, werr)
	}
}

// TestVarints encodes numbers of every length into buffers of every length.
func TestVarints(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	for i := range 5000 {
		x := r.Uint64() >> (i % 64)
		if i%3 == 0 {
			x = 1<<(i%64) - uint64(i/64%3) // near a power of two
		}
		want := binary.AppendUvarint(nil, x)
		if got := AppendUvarint(nil, x); !bytes.Equal(got, want) {
			t.Fatalf("AppendUvarint(%d) = % x, want % x", x, got, want)
		}
		if got, want := AppendVarint(nil, int64(x)), binary.AppendVarint(nil, int64(x)); !bytes.Equal(got, want) {
			t.Fatalf("AppendVarint(%d) = % x, want % x", int64(x), got, want)
		}
		for room := range 12 {
			got, std := slices.Repeat([]byte{9}, 14), slices.Repeat([]byte{9}, 14)
			a := outcome(func() string { return fmt.Sprint(PutUvarint(got[:room:room], x)) })
			b := outcome(func() string { return fmt.Sprint(binary.PutUvarint(std[:room:room], x)) })
			if a != b || !bytes.Equal(got, std) {
				t.Fatalf("PutUvarint(%d) into %d bytes: %s, % x, want %s, % x", x, room, a, got, b, std)
			}
			// The bytes after the result in the same array must not change.
			got, std = slices.Repeat([]byte{9}, 14), slices.Repeat([]byte{9}, 14)
			AppendVarint(got[:room], int64(x))
			binary.AppendVarint(std[:room], int64(x))
			if !bytes.Equal(got, std) {
				t.Fatalf("AppendVarint(%d) after %d bytes left % x, want % x", int64(x), room, got, std)
			}
		}
		varints(t, append(want, 0xff, 0xff, 0xff))
		varints(t, want)
		varints(t, want[:len(want)-1])
	}
}
