package apns

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"iter"

	"github.com/octet-go/octet/layout"
)

// ReadFeedback connects to the feedback service at address and returns the tuples that it sends until it closes the connection.
// If there is an error, it is in the last pair.
func ReadFeedback(ctx context.Context, address string, config *tls.Config) iter.Seq2[Feedback, error] {
	return func(yield func(Feedback, error) bool) {
		d := tls.Dialer{Config: config}
		conn, err := d.DialContext(ctx, "tcp", address)
		if err != nil {
			yield(Feedback{}, err)
			return
		}
		defer conn.Close()
		defer context.AfterFunc(ctx, func() { conn.(*tls.Conn).NetConn().Close() })()
		r := bufio.NewReader(conn)
		for {
			if _, err := r.Peek(1); err == io.EOF {
				return
			}
			var f Feedback
			err := layout.Read(r, &f)
			if !yield(f, err) || err != nil {
				return
			}
		}
	}
}
