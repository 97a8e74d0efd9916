package record

import (
	"bytes"
	"context"
	"io"
	"time"
)

// A follower waits for more at the end of the input of a Scanner.
type follower struct {
	ctx      context.Context
	interval time.Duration
	over     bool // ctx is done

	file  io.ReadSeeker // the input, or nil if it cannot seek
	begin int64         // position of the input at offset 0
	first []byte        // the beginning of the file header, after it was read

	// What was missing when a frame was read last.
	head []byte // what was there of the frame
	size int64  // of the input
	need int64  // the size that the frame needs
}

// headSize is the number of bytes of a frame that tell it from another one.
const headSize = blockHeaderSize

// wait waits for the interval. It returns false if the context is done.
func (f *follower) wait() bool {
	timer := time.NewTimer(f.interval)
	defer timer.Stop()
	select {
	case <-f.ctx.Done():
		f.over = true
	case <-timer.C:
	}
	return !f.over
}

// seeks reports whether the input can seek and is still followed.
func (f *follower) seeks() bool { return f != nil && f.file != nil && !f.over }

// now returns the size of the input.
func (f *follower) now() (int64, error) {
	end, err := f.file.Seek(0, io.SeekEnd)
	return end - f.begin, err
}

// has reports whether the bytes at an offset begin with b.
func (f *follower) has(offset int64, b []byte) (bool, error) {
	if _, err := f.file.Seek(f.begin+offset, io.SeekStart); err != nil {
		return false, err
	}
	got := make([]byte, len(b))
	n, err := io.ReadFull(f.file, got)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return bytes.Equal(got[:n], b), err
}

// await waits until the frame at an offset, which was incomplete, may be whole: the input
// has as many bytes as it needs, or a Writer has replaced it. It does not read the frame.
func (f *follower) await(offset int64) error {
	for f.wait() {
		size, err := f.now()
		if err != nil || size < offset || size >= f.need && size != f.size {
			return err
		}
		if same, err := f.has(offset, f.head); !same || err != nil {
			return err
		}
		if same, err := f.has(0, f.first); !same || err != nil {
			return err // move says so
		}
	}
	return nil
}

// move makes the next read begin at an offset, before which the file must be what it was.
func (f *follower) move(offset int64) error {
	size, err := f.now()
	if err != nil {
		return faultAt(err, offset, "seek")
	}
	if size < offset {
		return faultAt(ErrTruncated, offset, "file that became shorter")
	}
	if same, err := f.has(0, f.first); err != nil {
		return faultAt(err, 0, "seek")
	} else if !same {
		return faultAt(ErrTruncated, 0, "file that was written again")
	}
	if _, err := f.file.Seek(f.begin+offset, io.SeekStart); err != nil {
		return faultAt(err, offset, "seek")
	}
	return nil
}

// A cancelReader reads from r until ctx is done, and then what r has within the interval.
// A Read of r that still waits goes on in the background, and what it returns is lost.
type cancelReader struct {
	ctx  context.Context
	wait time.Duration
	r    io.Reader
	buf  []byte
	rest []byte
	err  error
	done chan int // receives the result of a Read into buf; nil if there is none
}

func (c *cancelReader) Read(b []byte) (int, error) {
	if len(c.rest) == 0 && c.err == nil {
		if c.done == nil {
			c.done = make(chan int, 1)
			if c.buf == nil {
				c.buf = make([]byte, largeRead)
			}
			go func() {
				var n int
				n, c.err = c.r.Read(c.buf)
				c.done <- n
			}()
		}
		n, ok := c.result()
		if !ok {
			return 0, io.EOF
		}
		c.done = nil
		if n < 0 || n > len(c.buf) {
			return n, c.err
		}
		c.rest = c.buf[:n]
	}
	n := copy(b, c.rest)
	c.rest = c.rest[n:]
	if len(c.rest) > 0 {
		return n, nil
	}
	err := c.err
	c.err = nil // the next call reads again
	return n, err
}

// result returns the result of the Read of r, if it comes in time.
func (c *cancelReader) result() (n int, ok bool) {
	select {
	case n = <-c.done:
		return n, true
	case <-c.ctx.Done():
	}
	select {
	case n = <-c.done:
		return n, true
	case <-time.After(c.wait):
		return 0, false
	}
}
