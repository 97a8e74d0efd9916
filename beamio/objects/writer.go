package objects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"cloud.google.com/go/storage"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"gocloud.dev/blob"
)

// A Writer writes an object. The object appears at Close, or not at all. A Writer is for
// one goroutine.
type Writer struct {
	s      *Store
	ctx    context.Context
	path   string
	w      io.WriteCloser
	inner  context.Context // of w
	cancel context.CancelCauseFunc
	closed bool
	err    error // of a Write
}

// Create returns a Writer for an object, which replaces one that has the path. If the
// context ends before Close returns, the object is not made. In Azure, a key that has a
// control character, one of \ " # % ?, or ../, or that ends with a slash, is [ErrOptions].
func (s *Store) Create(ctx context.Context, path string) (*Writer, error) {
	b, key, err := s.bucket(ctx, path)
	if err != nil {
		return nil, err
	}
	inner, cancel := context.WithCancelCause(ctx)
	o := &blob.WriterOptions{
		BufferSize: s.o.PartSize,
		// One part is sent while the next one is filled.
		MaxConcurrency: 1,
		ContentType:    "application/octet-stream",
		BeforeWrite: func(as func(any) bool) error {
			var object **storage.ObjectHandle
			var google *storage.Writer
			if as(&object) && as(&google) { // in this order
				google.ChunkRetryDeadline = s.o.Timeout
			}
			return nil
		},
	}
	w := &Writer{s: s, ctx: ctx, path: path, inner: inner, cancel: cancel}
	var microsoft *container.Client
	if b.As(&microsoft) {
		if w.w, err = newBlockWriter(inner, microsoft, path, key, s.o.PartSize); err != nil {
			cancel(nil)
			return nil, err
		}
		return w, nil
	}
	if w.w, err = b.NewWriter(inner, key, o); err != nil {
		cancel(nil)
		return nil, fault("create", path, err)
	}
	return w, nil
}

// OpenWrite is Create, as a filesystem of Beam has it.
func (s *Store) OpenWrite(ctx context.Context, path string) (io.WriteCloser, error) {
	w, err := s.Create(ctx, path)
	if err != nil {
		return nil, err // not a nil *Writer
	}
	return w, nil
}

// Write adds to the object. It returns before the store has the bytes. After an error
// the object cannot be made.
func (w *Writer) Write(b []byte) (n int, err error) {
	if w.closed {
		return 0, w.over()
	}
	if w.err != nil {
		return 0, w.err
	}
	for n < len(b) && w.err == nil {
		part := b[n:min(n+w.s.o.PartSize, len(b))]
		err := w.bounded(func() error {
			got, err := w.w.Write(part)
			n += got
			return err
		})
		w.err = fault("write", w.path, err)
	}
	return n, w.err
}

// patience is how many times Options.Timeout a call can wait for the store. The parts that
// it waits for are sent again by the library of the vendor when they fail.
const patience = 4

// bounded calls a function, and gives the object up if it does not return in time.
func (w *Writer) bounded(call func() error) error {
	timer := time.AfterFunc(patience*w.s.o.Timeout, func() { w.cancel(errStalled) })
	defer timer.Stop()
	err := call()
	if err != nil && context.Cause(w.inner) == errStalled {
		return errStalled
	}
	return err
}

// Close makes the object appear. After an error of Write or Close there is none, or the
// one that was there before; if the connection was lost after the last request was sent,
// the new one can be there, complete.
func (w *Writer) Close() error {
	if w.closed {
		return w.over()
	}
	if w.err != nil {
		_ = w.Abort()
		return w.err
	}
	w.closed = true
	defer w.cancel(nil)
	err := w.bounded(w.w.Close)
	if err == nil {
		return nil
	}
	if w.ctx.Err() != nil {
		err = w.ctx.Err()
	}
	// An Error keeps its reason when what is left is named, too.
	if left := w.discard(); left != nil {
		return errors.Join(fault("write", w.path, err), left)
	}
	return fault("write", w.path, err)
}

// Abort gives the object up and removes the parts that were sent, and those of others who
// write to the same path at the same time. It does nothing after Close. The error names
// what could not be removed.
func (w *Writer) Abort() error {
	if w.closed {
		return nil
	}
	w.closed = true
	w.cancel(nil)
	if err := w.w.Close(); err == nil {
		return fmt.Errorf("objects: abort %s: the object was complete", w.path)
	}
	return w.discard()
}

// discardTime bounds the time for removing parts, because the context may have ended.
const discardTime = 30 * time.Second

// discard removes parts that the library has left.
func (w *Writer) discard() error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), discardTime)
	defer cancel()
	return w.s.DiscardUploads(ctx, w.path, func(path string) bool { return path == w.path })
}

func (w *Writer) over() error {
	return fmt.Errorf("objects: write %s: %w", w.path, fs.ErrClosed)
}
