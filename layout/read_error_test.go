package layout_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

// TestReadSaysWhatIsMissing reads messages that end inside of runs of fields, which are read as a whole. The error is that
// of the first field that is not complete: its place, and the bytes that it needs, not those of the run.
func TestReadSaysWhatIsMissing(t *testing.T) {
	type message struct {
		A    uint8
		B    uint16
		C    uint32
		List []struct {
			D uint16
			E uint8
			F [3]byte
		} `layout:"count=u8"`
		G uint16
		H uint64
	}
	typed, err := layout.For[message](nil)
	if err != nil {
		t.Fatal(err)
	}
	whole := append(make([]byte, 7), "\x02............----------"...)
	for n := 1; n < len(whole); n++ {
		var m message
		var inMemory, read *layout.Error
		_, err := typed.UnmarshalPrefix(whole[:n], &m)
		if !errors.As(err, &inMemory) || !errors.As(layout.Read(bytes.NewReader(whole[:n]), &m), &read) {
			t.Fatalf("%d bytes: %v and %v", n, err, read)
		}
		if strings.Contains(inMemory.Text, "elements") {
			continue // a count is compared with what is left, which a stream cannot tell
		}
		needed, _, _ := strings.Cut(inMemory.Text, ", but ")
		if read.Path != inMemory.Path || read.Offset != inMemory.Offset || !strings.HasPrefix(read.Text, needed+", but the input ends after ") {
			t.Errorf("%d bytes: Read returns %q, want that of Unmarshal: %q", n, read, inMemory)
		}
	}
}

// TestReadLongVarint reads numbers of ten bytes that do not end. No further byte can help, so Read must not wait for one.
func TestReadLongVarint(t *testing.T) {
	data := strings.Repeat("\xff", 10)
	for _, v := range []any{
		new(struct {
			A uint64 `layout:"varint"`
		}),
		new(struct {
			A int64 `layout:"sleb128"`
		}),
		new(struct {
			A string `layout:"prefix=varint"`
		}),
	} {
		want := layout.Unmarshal([]byte(data), v)
		if err := layout.Read(strings.NewReader(data), v); !errors.Is(err, layout.ErrRange) || err.Error() != want.Error() {
			t.Errorf("%T: %v, want %v", v, err, want)
		}
		if err := layout.Read(strings.NewReader(data[1:]), v); !errors.Is(err, layout.ErrTruncated) {
			t.Errorf("%T: %v, want ErrTruncated", v, err)
		}
	}
}
