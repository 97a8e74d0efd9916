package objects

import (
	"context"
	"fmt"
	"time"

	"gocloud.dev/blob"

	// The stores that blob.OpenBucket can open.
	_ "gocloud.dev/blob/azureblob"
	_ "gocloud.dev/blob/gcsblob"
	_ "gocloud.dev/blob/s3blob"
)

// Options are the options of a [Store]. A nil pointer means the zero value, which is the
// recommended default.
type Options struct {
	// ReadAhead is the number of bytes of a request when an object is read in order,
	// from 64 KiB to 256 MiB. An [Object] keeps as many in memory. The default is
	// 8 MiB.
	ReadAhead int
	// PartSize is the number of bytes of a request of a [Writer], from 64 KiB to
	// 256 MiB. S3 requires 5 MiB, and allows 10,000 parts. A Writer keeps two parts in
	// memory. The default is 8 MiB.
	PartSize int
	// Timeout is the time without a byte after which a request that reads is given up
	// and made again. A Writer gives the object up if one of its calls waits four times as
	// long for the store to take a part; in Google Cloud Storage, a part is given up after
	// Timeout. Four times Timeout is also the time for Size and Remove, for each page of
	// List and Visit, for each request of DiscardUploads, and for the second request of Open,
	// which it makes if an object is empty, and for Copy from one sign that it goes on, which
	// Google Cloud Storage and Azure give, to the next. The default is 30 seconds.
	Timeout time.Duration
	// OpenBucket opens the bucket of a URL such as s3://bucket, which has no more than
	// these two parts. The Store keeps the bucket. The default is blob.OpenBucket.
	OpenBucket func(ctx context.Context, url string) (*blob.Bucket, error)
}

const (
	minRequest     = 64 << 10
	maxRequest     = 256 << 20
	defaultRequest = 8 << 20
	defaultTimeout = 30 * time.Second
)

// checked returns Options with defaults in place of zeros.
func checked(o *Options) (Options, error) {
	var c Options
	if o != nil {
		c = *o
	}
	for _, size := range []struct {
		name string
		n    *int
	}{{"ReadAhead", &c.ReadAhead}, {"PartSize", &c.PartSize}} {
		if *size.n == 0 {
			*size.n = defaultRequest
		}
		if *size.n < minRequest || *size.n > maxRequest {
			return c, fmt.Errorf("%w: %s %d is not in the range %d to %d", ErrOptions, size.name, *size.n, minRequest, maxRequest)
		}
	}
	if c.Timeout < 0 {
		return c, fmt.Errorf("%w: Timeout %v is negative", ErrOptions, c.Timeout)
	}
	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}
	if c.OpenBucket == nil {
		c.OpenBucket = blob.OpenBucket
	}
	return c, nil
}
