package scan

import (
	"errors"
	"io"
)

const (
	windowSize = 64 << 10 // of input in memory at a time
	behind     = 64       // bytes already consumed that stay at hand for a fault
	ahead      = 32       // bytes after a fault that its window shows
)

// errNoProgress is returned for a reader that keeps returning no bytes and no
// error, which would otherwise be asked for ever.
var errNoProgress = errors.New("the input returns neither bytes nor an end")

// A window slides over a reader. buf[lo:hi] is unread; up to behind bytes
// before lo have been consumed and are kept.
type window struct {
	r      io.Reader
	buf    []byte
	lo, hi int
	base   int64 // offset in the input of buf[0]
	err    error // of the reader, once it ended
}

// offset returns where in the input the next unread byte stands.
func (w *window) offset() int64 { return w.base + int64(w.lo) }

// unread returns the bytes that are in memory and not consumed.
func (w *window) unread() []byte { return w.buf[w.lo:w.hi] }

// fill reads until n bytes are unread. It reads no more than the reader gives
// at once, so that a value from a live pipe is seen as soon as it is there. At
// the end of the input it returns io.EOF, with fewer bytes unread than n.
func (w *window) fill(n int) error {
	for empty := 0; w.hi-w.lo < n; {
		if w.err != nil {
			return w.err
		}
		if w.lo+n > len(w.buf) || w.hi == len(w.buf) {
			w.slide()
		}
		got, err := w.r.Read(w.buf[w.hi:])
		w.hi += got
		w.err = err
		if got > 0 {
			empty = 0
		} else if empty++; empty == 100 {
			w.err = errNoProgress
		}
	}
	return nil
}

// slide moves the unread bytes to the front, behind a short history.
func (w *window) slide() {
	from := max(0, w.lo-behind)
	copy(w.buf, w.buf[from:w.hi])
	w.base += int64(from)
	w.lo -= from
	w.hi -= from
}

// around returns the bytes in memory that stand near the offset, and where
// they begin.
func (w *window) around(offset int64) ([]byte, int64) {
	at := min(max(offset-w.base, 0), int64(w.hi))
	from := max(at-behind/2, 0)
	to := min(at+ahead, int64(w.hi))
	return append([]byte(nil), w.buf[from:to]...), w.base + from
}
