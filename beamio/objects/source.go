package objects

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// A source makes the requests that read one version of an object.
type source struct {
	ctx     context.Context
	bucket  *blob.Bucket
	path    string
	key     string
	size    int64
	version string // "" until the first answer
	timeout time.Duration
}

// attempts is how many requests in sequence can fail without a new byte. The library of
// each vendor has made some of its own before one fails.
const attempts = 4

var errStalled = errors.New("the store did not answer in time")

// start reads the first n bytes, or fewer if there are no more, and learns size and
// version.
func (s *source) start(n int) ([]byte, error) {
	b := make([]byte, n)
	got, err := s.readFull(b, 0)
	if status, _ := response(err); status == http.StatusRequestedRangeNotSatisfiable {
		// An empty object has no first byte.
		var a *blob.Attributes
		e := bounded(s.ctx, s.timeout, func(ctx context.Context) (err error) {
			a, err = s.bucket.Attributes(ctx, s.key)
			return err
		})
		if e != nil {
			err = e
		} else if a.Size == 0 {
			s.version, err = versionOfEmpty(a), nil
		}
	}
	if err != nil {
		return nil, fault("read", s.path, err)
	}
	return b[:got:got], nil
}

// read reads len(b) bytes at an offset.
func (s *source) read(b []byte, offset int64) error {
	_, err := s.readFull(b, offset)
	return fault("read", s.path, err)
}

// readFull reads until b is full or the object ends. A request that fails in the middle
// continues with another one.
func (s *source) readFull(b []byte, offset int64) (n int, err error) {
	for failed := 0; ; {
		got, err := s.request(b[n:], offset+int64(n))
		n += got
		want := len(b)
		if s.version != "" {
			want = int(min(int64(want), max(s.size-offset, 0)))
		}
		switch {
		case n >= want && s.version != "":
			return n, nil
		case s.ctx.Err() != nil:
			return n, s.ctx.Err()
		case err == nil || err == io.EOF:
			err = io.ErrUnexpectedEOF // the answer was shorter than the object
		case s.version != "" && gcerrors.Code(err) == gcerrors.NotFound:
			return n, ErrChanged
		case isPermanent(err):
			return n, err
		}
		if got > 0 {
			failed = 0
		}
		if failed++; failed == attempts {
			return n, err
		}
		if e := wait(s.ctx, pause(failed, err)); e != nil {
			return n, e
		}
	}
}

// request makes one request, and returns how many bytes arrived before an error.
func (s *source) request(b []byte, offset int64) (n int, err error) {
	ctx, cancel := context.WithCancelCause(s.ctx)
	defer cancel(nil)
	timer := time.AfterFunc(s.timeout, func() { cancel(errStalled) })
	defer timer.Stop()
	defer func() {
		if err != nil && context.Cause(ctx) == errStalled {
			err = errStalled
		}
	}()
	r, err := s.bucket.NewRangeReader(ctx, s.key, offset, int64(len(b)), &blob.ReaderOptions{BeforeRead: pin(s.version)})
	if err != nil {
		return 0, err
	}
	defer r.Close() // it was only read
	// A store that does not know the condition sends what it has.
	switch version := versionOf(r); {
	case s.version == "":
		s.version, s.size = version, r.Size()
	case version != s.version || r.Size() != s.size:
		return 0, ErrChanged
	}
	for n < len(b) && err == nil {
		var got int
		got, err = r.Read(b[n:])
		n += got
		if got > 0 {
			timer.Reset(s.timeout)
		}
	}
	return n, err
}
