package layout_test

import (
	"bytes"
	"testing"
)

// movedRun has a number of variable width that moves what follows while a run of fixed
// fields is being written.
type movedRun struct {
	N uint32 `layout:"varint,len=A"`
	A [200]uint8
	B uint64
	C uint64
}

// TestCapacity appends messages to slices of every capacity up to the length of the
// message and a little more. The bytes after the capacity do not change, nor do those
// before the message.
func TestCapacity(t *testing.T) {
	c := codec(t)
	values := []any{&movedRun{B: 1, C: 2}}
	for _, m := range messages {
		values = append(values, m.value)
	}
	for _, v := range values {
		want, err := c.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		for room := range min(len(want)+12, 400) {
			memory := bytes.Repeat([]byte{0xee}, 3+room+16)
			got, err := c.MarshalAppend(memory[:3:3+room], v)
			if err != nil || string(got[:3]) != "\xee\xee\xee" || !bytes.Equal(got[3:], want) {
				t.Fatalf("%T with room for %d bytes: % x, %v, want % x", v, room, got, err, want)
			}
			for i, b := range memory[3+room:] {
				if b != 0xee {
					t.Fatalf("%T with room for %d bytes: byte %d after the capacity has changed", v, room, i)
				}
			}
			if len(want) <= room {
				for i, b := range memory[3+len(want) : 3+room] {
					if b != 0xee {
						t.Fatalf("%T with room for %d bytes: byte %d after the message has changed", v, room, i)
					}
				}
			}
		}
	}
}
