package record

import (
	"errors"
	"io"
)

// A source gives access to the bytes of a file or stream, mostly in ascending order.
type source interface {
	// at returns n bytes at the offset, or fewer if the input ends. They are valid
	// until the next call.
	at(offset int64, n int) ([]byte, error)
	// has reports whether the input has n bytes at the offset.
	has(offset, n int64) (bool, error)
	// changed says that the bytes before an offset in the buffer were changed.
	changed(before int64)
}

const (
	smallRead = 4 << 10
	largeRead = 64 << 10
)

// A fileSource reads a file of a known size.
type fileSource struct {
	r     io.ReaderAt
	size  int64
	ahead int    // bytes to read at least
	buf   []byte // the bytes at start
	start int64
	wrong int64 // the bytes of buf before this offset are not those of the file
}

func (s *fileSource) has(offset, n int64) (bool, error) { return n <= s.size-offset, nil }

func (s *fileSource) changed(before int64) { s.wrong = before }

func (s *fileSource) at(offset int64, n int) ([]byte, error) {
	if rest := s.size - offset; int64(n) > rest {
		n = int(max(rest, 0))
	}
	if n == 0 {
		return nil, nil
	}
	skip := offset - s.start
	if skip < 0 || skip > int64(len(s.buf)) || offset < s.wrong {
		s.buf, s.wrong = s.buf[:0], 0
	} else if int64(n) <= int64(len(s.buf))-skip {
		return s.buf[skip:][:n:n], nil
	} else {
		s.buf = s.buf[:copy(s.buf, s.buf[skip:])]
	}
	s.start = offset
	have := len(s.buf)
	// The header after a block comes with the block, which saves reading it alone.
	want := int(min(int64(max(n+blockHeaderSize, s.ahead)), s.size-offset))
	if cap(s.buf) < want {
		// Blocks differ a little in size; the next one shall not need another buffer.
		room := int(min(int64(want)+int64(want)/32, s.size-offset))
		s.buf = append(make([]byte, 0, room), s.buf...)
	}
	s.buf = s.buf[:want]
	got, err := s.r.ReadAt(s.buf[have:], offset+int64(have))
	if got < 0 || got > want-have {
		got, err = 0, errCount
	}
	s.buf = s.buf[:have+got]
	switch {
	case len(s.buf) >= n:
		return s.buf[:n:n], nil
	case err == nil, err == io.EOF:
		return nil, faultAt(ErrTruncated, offset+int64(len(s.buf)), "end of file")
	}
	return nil, faultAt(err, offset+int64(len(s.buf)), "read")
}

var errCount = errors.New("the reader returned an invalid count")

// A streamSource reads a stream. It keeps the bytes from the offset of the last
// call on.
type streamSource struct {
	r     io.Reader
	buf   []byte
	from  int   // buf[from:] is kept
	start int64 // the offset of buf[from]
	err   error // of the reader, other than io.EOF
	eof   bool

	follow *follower // waits at the end of the input, or is nil
}

func (s *streamSource) changed(int64) {} // no call goes back to the content of a block

func (s *streamSource) has(offset, n int64) (bool, error) {
	if f := s.follow; f.seeks() && offset+n > s.end() {
		// What is not complete need not be read.
		size, err := f.now()
		if err != nil {
			return false, faultAt(err, offset, "seek")
		}
		if size < offset+n {
			f.size, f.need = size, offset+n
			return false, errAgain
		}
		if _, err := f.file.Seek(f.begin+s.end(), io.SeekStart); err != nil {
			return false, faultAt(err, offset, "seek")
		}
		return true, nil
	}
	// The buffer grows as the bytes arrive, whatever n claims.
	b, err := s.at(offset, int(n))
	return int64(len(b)) >= n, err
}

// end returns the offset of the end of what has arrived.
func (s *streamSource) end() int64 { return s.start + int64(len(s.buf)-s.from) }

func (s *streamSource) at(offset int64, n int) ([]byte, error) {
	for offset > s.start { // pass what comes before
		if s.from < len(s.buf) {
			used := min(offset, s.end()) - s.start
			s.from += int(used)
			s.start += used
			continue
		}
		if !s.more(largeRead) {
			s.missing(offset + int64(n))
			return nil, s.err
		}
	}
	for len(s.buf)-s.from < n {
		if !s.more(n - (len(s.buf) - s.from)) {
			s.missing(offset + int64(n))
			return s.buf[s.from:len(s.buf):len(s.buf)], s.err
		}
	}
	return s.buf[s.from:][:n:n], nil
}

// more reads more bytes. It returns false at the end and after an error. The
// buffer becomes at most twice as large as what has arrived.
func (s *streamSource) more(need int) bool {
	// The kept bytes are moved only here, where they are fewer than a caller needs.
	// Moving them whenever a frame is passed would take time for the whole buffer
	// for each frame, and the buffer can be as large as the largest block.
	if s.from > 0 {
		s.buf, s.from = s.buf[:copy(s.buf, s.buf[s.from:])], 0
	}
	if room := cap(s.buf) - len(s.buf); room < need && room < smallRead {
		grown := make([]byte, len(s.buf), max(2*len(s.buf), len(s.buf)+min(need, largeRead), largeRead))
		copy(grown, s.buf)
		s.buf = grown
	}
	for empty := 0; s.err == nil && !s.eof; {
		n, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
		if n < 0 || n > cap(s.buf)-len(s.buf) {
			n, err = 0, errCount
		}
		s.buf = s.buf[:len(s.buf)+n]
		if err != nil && err != io.EOF {
			s.err = faultAt(err, s.end(), "read")
		}
		if n > 0 {
			s.eof = err == io.EOF && s.follow == nil
			return true
		}
		if err == io.EOF {
			switch f := s.follow; {
			case f.seeks():
				s.err = errAgain
				return false
			case f != nil && !f.over && f.wait():
				continue
			}
			s.eof = true
		}
		if empty++; empty == 100 {
			s.err = faultAt(io.ErrNoProgress, s.end(), "read")
		}
	}
	return false
}

// errAgain says that what was read after the last whole block must be read again,
// because a Writer that continues after a crash replaces it.
var errAgain = errors.New("read again")

// peek returns up to n bytes at the offset that have been read already.
func (s *streamSource) peek(offset int64, n int) []byte {
	if offset < s.start || offset > s.end() {
		return nil
	}
	b := s.buf[s.from+int(offset-s.start):]
	return b[:min(n, len(b))]
}

// missing notes that the input must have this many bytes to go on.
func (s *streamSource) missing(need int64) {
	if s.follow.seeks() {
		s.follow.size, s.follow.need = s.end(), need
	}
}

// again makes the next read begin at the offset.
func (s *streamSource) again(offset int64) bool {
	if s.err = s.follow.move(offset); s.err != nil {
		return false
	}
	s.buf, s.from, s.start = s.buf[:0], 0, offset
	return true
}
