package layout_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/octet-go/octet/layout"
)

// movedRun has a number of variable width that moves what follows while a run of fixed
// fields is being written.
type movedRun struct {
	N uint32 `layout:"varint,len=A"`
	A [200]uint8
	B uint64
	C uint64
}

// comparedRun has a length that is written early and compared later, between runs of
// fixed fields, one of which is measured by numbers on both of its sides.
type comparedRun struct {
	Data  []byte `layout:"prefix=u8"`
	Size  int32  `layout:"len=Data"`
	A     uint8
	First uint32 `layout:"len=A..Last,be"`
	B     int64  `layout:"u48,be"`
	Text  string
	Last  uint32 `layout:"len=A..Last"`
}

// TestCapacity appends messages to slices of every capacity up to the length of the
// message and a little more.
func TestCapacity(t *testing.T) {
	c := codec(t)
	values := []any{&movedRun{B: 1, C: 2}, &comparedRun{Data: []byte("data"), A: 1, B: 2, Text: "text"}}
	for _, m := range messages {
		values = append(values, m.value)
	}
	for _, v := range values {
		want, err := c.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		for room := range min(len(want)+12, 400) {
			if err := appendWithRoom(c, v, want, room); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// appendWithRoom appends v to a slice that has room for so many bytes. It verifies that
// the bytes after the capacity do not change, nor those before the message, nor those
// after it if there is room for it.
func appendWithRoom(c *layout.Codec, v any, want []byte, room int) error {
	memory := bytes.Repeat([]byte{0xee}, 3+room+16)
	got, err := c.MarshalAppend(memory[:3:3+room], v)
	if err != nil || string(got[:3]) != "\xee\xee\xee" || !bytes.Equal(got[3:], want) {
		return fmt.Errorf("%T with room for %d bytes: % x, %v, want % x", v, room, got, err, want)
	}
	for i, b := range memory[3+room:] {
		if b != 0xee {
			return fmt.Errorf("%T with room for %d bytes: byte %d after the capacity has changed", v, room, i)
		}
	}
	if len(want) <= room {
		for i, b := range memory[3+len(want) : 3+room] {
			if b != 0xee {
				return fmt.Errorf("%T with room for %d bytes: byte %d after the message has changed", v, room, i)
			}
		}
	}
	return nil
}
