package reference

import (
	"encoding/binary"
	"errors"
	"testing"
)

func TestValid(t *testing.T) {
	for _, c := range []struct {
		name string
		data string // hexadecimal
		err  error
	}{
		{"nil", "c0", nil},
		{"document", "82 a1 61 93 01 d9 01 62 c4 01 03 c7 0c ff 00000000 0000000000000001 ca 00000000", nil},
		{"every format with a length", "99 d901 61 da0001 61 db00000001 61 c401 61 c50001 61 c600000001 61 c70101 61 c8000101 61 c90000000101 61", nil},
		{"every fixext", "95 d401 00 d501 0000 d601 00000000 d701 0000000000000000 d801 00000000000000000000000000000000", nil},
		{"every number", "9a cc00 cd0000 ce00000000 cf0000000000000000 d000 d10000 d200000000 d30000000000000000 ca00000000 cb0000000000000000", nil},
		{"containers with lengths", "94 dc0001 01 dd00000001 01 de0001 01 01 df00000001 01 01", nil},
		{"nothing", "", ErrTruncated},
		{"two values", "c0 c0", ErrTrailing},
		{"never used", "c1", ErrReserved},
		{"never used inside", "92 01 c1", ErrReserved},
		{"512 levels", nested(512, "c0"), nil},
		{"513 levels", nested(513, "c0"), ErrDepth},
		{"513 levels, empty", nested(512, "80"), ErrDepth},
		{"timestamp of 4", "d6 ff 00000000", nil},
		{"timestamp of 5", "c7 05 ff 0000000000", ErrTimestamp},
		{"4 Gi elements", "dd ffffffff", ErrTruncated},
		{"8 Gi keys and values", "df ffffffff", ErrTruncated},
		{"pairs that overflow 32 bits to 1 value", "df 80000001 01 01", ErrTruncated},
		{"4 GiB of str", "db ffffffff 61", ErrTruncated},
		{"4 GiB of ext", "c9 ffffffff 01 61", ErrTruncated},
		{"inner array that takes all", "93 92 01 01", ErrTruncated},
		{"inner array that leaves enough", "93 92 01 01 01 01", nil},
		{"inner map that takes all", "82 01 82 01 01 01 01 01", ErrTruncated},
		{"inner map that leaves enough", "82 01 82 01 01 01 01 01 01", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := ref.Valid(unhex(t, c.data)); !errors.Is(err, c.err) {
				t.Errorf("got %v, want %v", err, c.err)
			}
			if c.err != nil {
				return
			}
			whole := unhex(t, c.data)
			for cut := range whole {
				if err := ref.Valid(whole[:cut]); !errors.Is(err, ErrTruncated) {
					t.Errorf("of %d bytes: got %v, want %v", cut, err, ErrTruncated)
				}
			}
		})
	}
}

// TestFalseCounts checks that nested arrays that claim too many elements are
// rejected before memory for the second one is allocated.
func TestFalseCounts(t *testing.T) {
	src := make([]byte, 0, 5*100_000)
	for len(src) < cap(src) {
		src = binary.BigEndian.AppendUint32(append(src, 0xdd), uint32(cap(src)-len(src)-5))
	}
	if err := ref.Unmarshal(src, new(any)); !errors.Is(err, ErrTruncated) {
		t.Errorf("got %v", err)
	}
}

// TestSortMaps checks that only the entries of maps change their order.
func TestSortMaps(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"scalar", "cd0001", "cd0001"},
		{"array keeps its order", "93 03 01 02", "93 03 01 02"},
		{"map", "83 a162 01 a161 02 01 03", "83 01 03 a161 02 a162 01"},
		{"map in a map", "82 02 82 02 02 01 01 01 80", "82 01 80 02 82 01 01 02 02"},
		{"map as key", "81 82 02 02 01 01 c0", "81 82 01 01 02 02 c0"},
		{"map in an array", "91 82 02 02 01 01", "91 82 01 01 02 02"},
		{"map 16", "de 0002 02 02 01 01", "de 0002 01 01 02 02"},
	} {
		got, err := ref.SortMaps(unhex(t, c.data))
		if want := unhex(t, c.want); err != nil || string(got) != string(want) {
			t.Errorf("%s: got % x, %v, want % x", c.name, got, err, want)
		}
	}
	if _, err := ref.SortMaps([]byte{0x81, 0x01}); !errors.Is(err, ErrTruncated) {
		t.Errorf("incomplete value: got %v", err)
	}
}
