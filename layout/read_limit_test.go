package layout_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

// TestReadRefusesLongFrameAtOnce reads lengths beyond the limit. Read must fail without waiting for more bytes.
func TestReadRefusesLongFrameAtOnce(t *testing.T) {
	type item struct {
		Data []byte `layout:"prefix=u8"`
	}
	type prefixed struct {
		Items []item `layout:"prefix=u32"`
	}
	type linked struct {
		Length uint32 `layout:"len=Items"`
		Items  []item
	}
	c := limited(t, new(layout.Codec), 1000)
	for name, v := range map[string]any{"prefix": &prefixed{}, "link": &linked{}} {
		sender := &endless{r: strings.NewReader("\x7f\xff\xff\xff\x01a")}
		if err := c.Read(sender, v); !errors.Is(err, layout.ErrLimit) {
			t.Errorf("%s: %v, want ErrLimit", name, err)
		}
		if sender.waited {
			t.Errorf("%s: Read waits for more of the message", name)
		}
	}
}

// endless is a connection on which nothing arrives after r. It records whether a call waited for more.
type endless struct {
	r      io.Reader
	waited bool
}

func (e *endless) Read(b []byte) (int, error) {
	n, err := e.r.Read(b[:min(1, len(b))])
	if err == io.EOF {
		e.waited = true
	}
	return n, err
}

// TestReadLimitInFrame reads a length that exceeds the limit of Read and also a frame that it is in. The frame is
// complete, so the length is wrong.
func TestReadLimitInFrame(t *testing.T) {
	type message struct {
		F struct {
			N uint32 `layout:"len=N..A"`
			A [3]uint8
		} `layout:"prefix=u8"`
		Tail uint8
	}
	type ranges struct {
		N uint32 `layout:"len=A"`
		M uint8  `layout:"len=M..A"`
		A [3]uint8
		B uint8
	}
	for _, test := range []struct {
		v    any
		data string
	}{{new(message), "\x07\x10\x00\x00\x00abc."}, {new(ranges), "\x10\x00\x00\x00\x04abc."}} {
		inMemory, read := layout.Unmarshal([]byte(test.data), test.v), layout.Read(strings.NewReader(test.data), test.v)
		if !errors.Is(inMemory, layout.ErrLength) || !errors.Is(read, layout.ErrLength) {
			t.Errorf("%T: %v, read from a stream: %v, want ErrLength", test.v, inMemory, read)
		}
	}
}
