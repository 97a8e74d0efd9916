package arrays

import (
	"io"

	"github.com/dustin/go-humanize"
)

// maxText limits the length of a row of CSV and of an element of JSON, which are in memory as a whole. Only tests change it.
var maxText = 256 << 20

// A textReader reads text whose parts are in memory as a whole, and fails in a part that is too long.
type textReader struct {
	r    io.Reader
	part string // what a part is
	left int
}

// next tells that a part begins.
func (t *textReader) next() { t.left = maxText }

func (t *textReader) Read(b []byte) (int, error) {
	if t.left <= 0 {
		return 0, &longError{t.part}
	}
	n, err := t.r.Read(b[:min(len(b), t.left)])
	t.left -= n
	return n, err
}

// A longError tells that a part of text is too long.
type longError struct{ part string }

func (e *longError) Error() string {
	return e.part + " of more than " + humanize.Bytes(uint64(maxText))
}
