package transcode

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestUnread converts streams with a value longer than MaxValue. Error.Unread and the
// bytes that the reader still has must together be the input from that value on, so
// that a caller can convert it in another way.
func TestUnread(t *testing.T) {
	large := `["` + strings.Repeat("x", 3000) + `"]`
	for _, before := range []int{0, 1, 10, 5000} {
		for _, after := range []int{0, 1, 100_000} {
			text := "\ufeff" + strings.Repeat("{\"a\":[1,2]}\n", before)
			json := text + " " + large + "\n" + strings.Repeat("[3]\n", after)
			packed, err := AppendMsgpackValues(nil, []byte(json), nil)
			if err != nil {
				t.Fatal(err)
			}
			begin, _ := AppendMsgpackValues(nil, []byte(text), nil)
			for _, c := range []struct {
				convert func(io.Writer, io.Reader, *Options) (Stats, error)
				data    []byte
				end     int // of the values before the large one
			}{{ToMsgpack, []byte(json), len(text)}, {ToJSON, packed, len(begin)}} {
				for _, r := range []io.Reader{bytes.NewReader(c.data), iotest.HalfReader(bytes.NewReader(c.data)), iotest.DataErrReader(bytes.NewReader(c.data))} {
					var out bytes.Buffer
					stats, err := c.convert(&out, r, &Options{MaxValue: 2000})
					if !errors.Is(err, ErrLimit) || stats.Values != int64(before) {
						t.Fatalf("%d before, %d after: %+v, %v", before, after, stats, err)
					}
					unread := err.(*Error).Unread
					rest, err := io.ReadAll(io.MultiReader(bytes.NewReader(unread), r))
					want := string(c.data[c.end:])
					if err != nil || strings.TrimLeft(string(rest), " \n\ufeff") != strings.TrimLeft(want, " \n") {
						t.Fatalf("%d before, %d after: the rest has %d bytes, %v; want %d", before, after, len(rest), err, len(want))
					}
				}
			}
		}
	}
	_, err := ToJSON(io.Discard, strings.NewReader("\x91\xc1"), &Options{MaxValue: 100})
	if e, ok := errors.AsType[*Error](err); !ok || e.Unread != nil {
		t.Errorf("another error: %v", err)
	}
}

// TestZeroBytes checks that the zero bytes at the end of a file that was not written completely
// are not all read, wherever they begin.
func TestZeroBytes(t *testing.T) {
	for _, before := range []string{"", "{\"a\":1}\n", "1", "[1,", "[{\"a\":", "{\"a", "\"a\\", "  ", "tru", strings.Repeat("[1]\n", 200_000), "[\"" + strings.Repeat("a", 1<<20)} {
		in := &io.LimitedReader{R: io.MultiReader(strings.NewReader(before), &endless{data: []byte{0}}), N: 16 << 20}
		stats, err := ToMsgpack(io.Discard, in, nil)
		_, want := ToMsgpack(io.Discard, strings.NewReader(before+"\x00"), nil)
		if !errors.Is(err, ErrSyntax) || err.Error() != want.Error() || in.N == 0 {
			t.Errorf("after %.20q: %v after %d bytes, with %d left to read; want %v", before, err, stats.BytesIn, in.N, want)
		}
	}
}
