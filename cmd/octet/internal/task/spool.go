package task

import (
	"context"
	"io"
	"os"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// Spool copies r, which is called name, to a temporary file, for work that reads its input
// several times or in any order. remove removes the file. If tick is not nil, Spool calls
// it like [Await].
func Spool(ctx context.Context, r io.Reader, name string, tick func()) (path string, remove func(), err error) {
	f, err := os.CreateTemp("", "octet-*.tmp")
	if err != nil {
		return "", nil, failure.Accessing("temporary file in "+os.TempDir()+", which TMPDIR names", err)
	}
	path = f.Name()
	remove = func() { os.Remove(path) }
	from := &spooled{r: r}
	_, err = Await(ctx, nil, tick, func() (struct{}, error) {
		_, err := io.Copy(f, from)
		if closed := f.Close(); err == nil {
			err = closed
		}
		return struct{}{}, err
	})
	switch {
	case err == nil:
		return path, remove, nil
	case err == failure.ErrInterrupted: // the goroutine may still wait for r
	case from.err != nil:
		err = failure.Accessing(name, from.err)
	default:
		err = failure.Accessing("temporary file "+path, err)
	}
	remove()
	return "", nil, err
}

// A spooled reader keeps its error, to tell it from those of writing.
type spooled struct {
	r   io.Reader
	err error
}

func (s *spooled) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}
