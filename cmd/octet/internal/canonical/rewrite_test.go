package canonical

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// random appends a random value in a random format.
func random(r *rand.Rand, dst []byte, depth int) []byte {
	wide := func(h ...byte) []byte { return append(dst, h...) }
	kinds := 12
	if depth == 0 {
		kinds = 9
	}
	switch r.IntN(kinds) {
	case 0:
		return wire.AppendNil(dst)
	case 1:
		return wire.AppendBool(dst, r.IntN(2) == 0)
	case 2:
		return wire.AppendInt(dst, int64(r.Uint64())>>r.IntN(64))
	case 3:
		return wide(byte(wire.Int64), 0, 0, 0, 0, 0, 0, 0, byte(r.IntN(4)))
	case 4:
		return wire.AppendFloat64(dst, []float64{0, 1.5, 0.1, -3, 1e300}[r.IntN(5)])
	case 5:
		return wire.AppendFloat32(dst, float32(r.IntN(5)))
	case 6:
		return append(wide(byte(wire.Str16), 0, 1), "abcde"[r.IntN(5)])
	case 7:
		return wire.AppendBin(dst, []byte("abcde"[:r.IntN(5)]))
	case 8:
		return wire.AppendTimestamp(dst, int64(r.IntN(5)), uint32(r.IntN(2)))
	case 9:
		n := r.IntN(4)
		dst = wide(byte(wire.Array32), 0, 0, 0, byte(n))
		for range n {
			dst = random(r, dst, depth-1)
		}
		return dst
	default:
		n := r.IntN(5)
		dst = wide(byte(wire.Map16), 0, byte(n))
		for range n {
			for { // a Go map cannot have a bin as a key
				key := random(r, nil, 0)
				if wire.FormatOf(key[0]).Kind() != wire.KindBin {
					dst = append(dst, key...)
					break
				}
			}
			dst = random(r, dst, depth-1)
		}
		return dst
	}
}

// TestLibrary compares the canonical form with that of package msgpack.
func TestLibrary(t *testing.T) {
	codec, err := msgpack.New(msgpack.Options{Canonical: true, RejectDuplicates: true, AnyStringKeys: true})
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for seed := range uint64(5000) {
		value := random(rand.New(rand.NewPCG(seed, 1)), nil, 3)
		var v any
		var want []byte
		wantErr := codec.Unmarshal(value, &v)
		if wantErr == nil {
			want, wantErr = codec.Marshal(v)
		}
		w := Rewriter{Sort: true, Narrow: true, Unique: true}
		got, err := w.Append(nil, value)
		if errors.Is(wantErr, wire.ErrDuplicateKey) != errors.Is(err, wire.ErrDuplicateKey) {
			t.Fatalf("%x: %v; package msgpack: %v", value, err, wantErr)
		}
		if err != nil {
			continue
		}
		compared++
		if !bytes.Equal(got, want) {
			t.Fatalf("%x:\ngot  %x\nwant %x", value, got, want)
		}
		if again, err := w.Append(nil, got); err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%x: rewritten again: %x, %v", got, again, err)
		}
	}
	if compared < 1000 {
		t.Errorf("only %d values without duplicate keys", compared)
	}
}

func TestRewrite(t *testing.T) {
	for _, c := range []struct {
		name    string
		r       Rewriter
		in, out string
		removed int64
	}{
		{"shortest", Rewriter{}, "dd00000001 cd0005", "9105", 0},
		{"order is kept", Rewriter{}, "82 a16201 a16102", "82a16201a16102", 0},
		{"sort", Rewriter{Sort: true}, "82 a16201 a16102", "82a16102a16201", 0},
		{"floats are kept", Rewriter{}, "cb3ff0000000000000", "cb3ff0000000000000", 0},
		{"narrow", Rewriter{Narrow: true}, "cb3ff0000000000000", "ca3f800000", 0},
		{"NaN", Rewriter{Narrow: true}, "cbfff8000000000001", "ca7fc00000", 0},
		{"merge", Rewriter{Merge: true}, "83 a16201 a16102 d9016201", "82a16102a16201", 1},
		{"merge keeps other values", Rewriter{Merge: true}, "82 a16201 a16202", "82a16201a16202", 0},
		{"last", Rewriter{Last: true}, "84 01c0 a16101 c40161c3 cc01c2", "82c40161c301c2", 2},
		{"last inside", Rewriter{Last: true}, "81 01 82 0202 0203", "8101810203", 1},
		{"a smaller header", Rewriter{Last: true}, "de0010" + "0101020203030404050506060707080809090a0a0b0b0c0c0d0d0e0e0f0f0101",
			"8f" + "020203030404050506060707080809090a0a0b0b0c0c0d0d0e0e0f0f0101", 1},
		{"bin", Rewriter{Bin: true}, "92 a1ff a161", "92c401ffa161", 0},
		{"timestamp", Rewriter{}, "c70cff 00000000 0000000000000001", "d6ff00000001", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, err := hex.DecodeString(string(slices.DeleteFunc([]byte(c.in), func(b byte) bool { return b == ' ' })))
			if err != nil {
				t.Fatal(err)
			}
			out, err := c.r.Append([]byte("x"), in)
			if err != nil || hex.EncodeToString(out[1:]) != c.out || c.r.Removed != c.removed {
				t.Errorf("%x, removed %d, %v; want %s, removed %d", out[1:], c.r.Removed, err, c.out, c.removed)
			}
		})
	}
	r := Rewriter{Unique: true}
	_, err := r.Append(nil, []byte{0x91, 0x82, 1, 1, 0xcc, 1, 1})
	var d *DuplicateError
	if !errors.As(err, &d) || d.Offset != 4 {
		t.Errorf("duplicate: %v, want offset 4", err)
	}
}

func FuzzRewrite(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(random(rand.New(rand.NewPCG(seed, 2)), nil, 3))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := wire.Skip(data, wire.MaxDepth)
		if err != nil {
			return
		}
		for _, r := range []Rewriter{{}, {Sort: true, Narrow: true, Last: true}, {Sort: true, Merge: true, Bin: true}} {
			var out []byte
			var err error
			heaptest.AtMost(t, 100*n+2<<20, func() { out, err = r.Append(nil, data[:n]) })
			if m, skipped := wire.Skip(out, wire.MaxDepth); err != nil || skipped != nil || m != len(out) || len(out) > n && !r.Bin {
				t.Fatalf("%x: %x, %v", data[:n], out, err)
			}
			again, err := r.Append(nil, out)
			if err != nil || !bytes.Equal(again, out) {
				t.Fatalf("%x: first %x, then %x, %v", data[:n], out, again, err)
			}
		}
	})
}
