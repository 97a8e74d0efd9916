package msgpack

import (
	"bytes"
	"io"
	"testing"
	"testing/iotest"
)

// TestFirstAttempt looks at the bytes that the first value of an input is decoded from
// before its end is known: all of them if the input has been read to its end, and none if
// more can follow.
func TestFirstAttempt(t *testing.T) {
	message, err := Marshal([]string{"some", "strings"})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		r    io.Reader
		want int
	}{
		"in memory":        {bytes.NewReader(message), len(message)},
		"end with bytes":   {iotest.DataErrReader(bytes.NewReader(message)), len(message)},
		"end not yet seen": {io.MultiReader(bytes.NewReader(message)), 0},
	} {
		d := NewDecoder(c.r)
		if err := d.begin(); err != nil {
			t.Fatal(err)
		}
		if got := d.attempt(); len(got) != c.want {
			t.Errorf("%s: %d bytes, want %d", name, len(got), c.want)
		}
	}
}
