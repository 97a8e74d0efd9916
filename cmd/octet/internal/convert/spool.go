package convert

import (
	"bufio"
	"io"
	"os"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// A spool writes MessagePack whose headers are known only after their elements.
// While a header is open, what follows it goes to a temporary file.
type spool struct {
	w     *bufio.Writer // the output
	file  *os.File
	to    *bufio.Writer // the file
	n     int64         // bytes in the file
	heads []head
	open  int
}

// A head is a header and its place in the file.
type head struct {
	at    int64
	bytes []byte
}

// begin opens a header and returns its number.
func (s *spool) begin() (int, error) {
	if s.file == nil {
		f, err := os.CreateTemp("", "octet-*.tmp")
		if err != nil {
			return 0, failure.Accessing("temporary file in "+os.TempDir()+", which TMPDIR names", err)
		}
		// Where an open file can be removed, nothing is left after a signal.
		_ = os.Remove(f.Name())
		s.file, s.to = f, bufio.NewWriterSize(f, 64<<10)
	}
	s.heads = append(s.heads, head{at: s.n})
	s.open++
	return len(s.heads) - 1, nil
}

// end completes a header. With the first one, it copies the file to the output.
func (s *spool) end(number int, header []byte) error {
	s.heads[number].bytes = header
	if s.open--; s.open > 0 {
		return nil
	}
	if err := s.copy(); err != nil {
		return failure.Accessing("temporary file "+s.file.Name(), err)
	}
	s.n, s.heads = 0, s.heads[:0]
	return nil
}

// copy copies the file, with the headers in their places, and empties it. Errors
// of the output stay in s.w.
func (s *spool) copy() error {
	if err := s.to.Flush(); err != nil {
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r := bufio.NewReaderSize(s.file, 64<<10)
	at := int64(0)
	for _, h := range append(s.heads, head{at: s.n}) {
		for at < h.at {
			part, err := r.Peek(int(min(h.at-at, 32<<10)))
			if err != nil {
				return err
			}
			_, _ = s.w.Write(part)
			_, _ = r.Discard(len(part))
			at += int64(len(part))
		}
		_, _ = s.w.Write(h.bytes)
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return s.file.Truncate(0)
}

// Write writes values.
func (s *spool) Write(b []byte) (int, error) {
	if s.open == 0 {
		return s.w.Write(b)
	}
	n, err := s.to.Write(b)
	s.n += int64(n)
	if err != nil {
		err = failure.Accessing("temporary file "+s.file.Name(), err)
	}
	return n, err
}

// close removes the file.
func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
		_ = os.Remove(s.file.Name())
	}
}
