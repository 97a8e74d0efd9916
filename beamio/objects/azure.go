package objects

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	azure "github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
)

// A blockWriter writes an object of Azure in blocks, or in one request if it is short. The
// writer of gocloud.dev v0.47.0 panics when the store fails, and the UploadStream of azblob
// v1.8.0, which it calls, frees memory while it is sent, if the store answers with an error
// before it has read all.
type blockWriter struct {
	ctx    context.Context
	client *blockblob.Client
	size   int
	prefix string // distinguishes the blocks from those of other writers

	part    []byte
	blocks  []string
	sending chan error // has the result of the block that is being sent
	err     error
}

func newBlockWriter(ctx context.Context, c *container.Client, path, key string, size int) (*blockWriter, error) {
	if err := checkKey(path, key); err != nil {
		return nil, err
	}
	return &blockWriter{ctx: ctx, client: c.NewBlockBlobClient(key), size: size, prefix: rand.Text()}, nil
}

// checkKey returns an error for the key of a path that the bucket has under another name.
func checkKey(path, key string) error {
	if strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || strings.ContainsRune("\\\"#%?\x7f", r) }) ||
		strings.Contains(key, "../") || strings.HasSuffix(key, "/") {
		return fmt.Errorf("%w: path %q has a key that Azure does not keep as it is", ErrOptions, path)
	}
	return nil
}

func (w *blockWriter) Write(b []byte) (n int, err error) {
	for n < len(b) && w.err == nil {
		if w.part == nil {
			// The library can still read the part before, even if its call has returned.
			w.part = make([]byte, 0, w.size)
		}
		k := min(w.size-len(w.part), len(b)-n)
		w.part = append(w.part, b[n:n+k]...)
		n += k
		if len(w.part) == w.size {
			w.send()
		}
	}
	return n, w.err
}

// send sends the part as a block, when the one before has arrived.
func (w *blockWriter) send() {
	if w.wait(); w.err != nil {
		return
	}
	id := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%s%06d", w.prefix, len(w.blocks)))
	w.blocks = append(w.blocks, id)
	part := w.part
	w.part = nil
	w.sending = make(chan error, 1)
	go func() {
		_, err := w.client.StageBlock(w.ctx, id, body(part), nil)
		w.sending <- err
	}()
}

// wait waits for the block that is being sent.
func (w *blockWriter) wait() {
	if w.sending != nil {
		err := <-w.sending
		w.sending = nil
		if w.err == nil {
			w.err = err
		}
	}
}

// Close makes the object, which has only the blocks of this writer.
func (w *blockWriter) Close() error {
	headers := &azure.HTTPHeaders{BlobContentType: new("application/octet-stream")}
	if len(w.blocks) == 0 && w.err == nil {
		_, w.err = w.client.Upload(w.ctx, body(w.part), &blockblob.UploadOptions{HTTPHeaders: headers})
		return w.err
	}
	if len(w.part) > 0 && w.err == nil {
		w.send()
	}
	if w.wait(); w.err == nil {
		_, w.err = w.client.CommitBlockList(w.ctx, w.blocks, &blockblob.CommitBlockListOptions{HTTPHeaders: headers})
	}
	return w.err
}

const (
	pollPause = 500 * time.Millisecond
	maxPolls  = 3 // polls that fail in a row before a copy is given up
)

// copyBlob copies an object of Azure, and waits until the copy is complete. It calls alive
// when the copy has gone on. The Copy of gocloud.dev v0.47.0 panics if the store answers a
// poll with an error. A copy that does not succeed is removed, because Azure leaves an empty
// object.
func copyBlob(ctx context.Context, c *container.Client, to, from string, alive func()) error {
	target := c.NewBlobClient(to)
	started, err := target.StartCopyFromURL(ctx, c.NewBlobClient(from).URL(), nil)
	if err != nil {
		return err
	}
	status, progress := started.CopyStatus, ""
	for failed := 0; status == nil || *status == azure.CopyStatusTypePending; {
		if err = wait(ctx, pollPause); err != nil {
			return errors.Join(err, abortCopy(ctx, target, started.CopyID))
		}
		p, err := target.GetProperties(ctx, nil)
		if err != nil || p.CopyID == nil || started.CopyID == nil || *p.CopyID != *started.CopyID {
			if err == nil {
				return errors.New("another program has written the object")
			}
			if failed++; failed == maxPolls {
				return errors.Join(err, abortCopy(ctx, target, started.CopyID))
			}
			continue
		}
		failed, status = 0, p.CopyStatus
		if p.CopyProgress != nil && *p.CopyProgress != progress {
			progress = *p.CopyProgress
			alive()
		}
	}
	if *status != azure.CopyStatusTypeSuccess {
		return errors.Join(fmt.Errorf("the copy has the status %s", *status), abortCopy(ctx, target, nil))
	}
	return nil
}

// abortCopy ends a copy, if it has an id, and removes what it has left.
func abortCopy(ctx context.Context, target *azure.Client, id *string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), discardTime)
	defer cancel()
	if id != nil {
		if _, err := target.AbortCopyFromURL(ctx, *id, nil); err != nil {
			return fmt.Errorf("the copy may still be made: %w", err) // or is complete by now
		}
	}
	_, err := target.Delete(ctx, nil)
	return err
}

func body(b []byte) io.ReadSeekCloser { return streaming.NopCloser(bytes.NewReader(b)) }
