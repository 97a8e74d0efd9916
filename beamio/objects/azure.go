package objects

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"io"
	"strings"

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
	// The bucket has other names for these.
	if strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || strings.ContainsRune("\\\"#%?\x7f", r) }) ||
		strings.Contains(key, "../") || strings.HasSuffix(key, "/") {
		return nil, fmt.Errorf("%w: path %q has a key that Azure does not keep as it is", ErrOptions, path)
	}
	return &blockWriter{ctx: ctx, client: c.NewBlockBlobClient(key), size: size, prefix: rand.Text()}, nil
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

func body(b []byte) io.ReadSeekCloser { return streaming.NopCloser(bytes.NewReader(b)) }
