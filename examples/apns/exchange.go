package apns

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/octet-go/octet/layout"
)

// maxBatch is the approximate number of bytes that the client passes to one Write, which is the size of a TLS record.
const maxBatch = 16 << 10

// answerTime is how long the client waits for an answer after a write failed. The answer may already be on its way.
const answerTime = 2 * time.Second

// answer is the result of the goroutine that reads a connection: a response or an error.
type answer struct {
	Response
	err error
}

// exchange sends the queue from its beginning over conn until the server answers or the connection breaks. It
// reports whether notifications were settled.
func (c *Client) exchange(ctx context.Context, conn net.Conn) (progress bool, err error) {
	answers := make(chan answer, 1)
	go func() {
		r, err := readResponse(conn)
		answers <- answer{r, err}
	}()

	c.mu.Lock()
	sent := c.queue.begin() // index of the first notification that was not sent on this connection
	c.mu.Unlock()
	var batch []byte
	for {
		batch, sent, err = c.batch(batch[:0], sent)
		if err != nil {
			return false, err
		}
		if len(batch) > 0 {
			if _, err := conn.Write(batch); err != nil {
				conn.SetReadDeadline(time.Now().Add(answerTime))
				a := <-answers
				if a.err != nil {
					return false, err
				}
				return c.settle(a.Response, sent)
			}
			select {
			case a := <-answers:
				return c.accept(a, sent)
			default:
				continue
			}
		}
		select {
		case a := <-answers:
			return c.accept(a, sent)
		case <-c.unsent:
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// accept handles the answer of the server or the end of the connection.
func (c *Client) accept(a answer, sent int64) (progress bool, err error) {
	if a.err != nil {
		return false, fmt.Errorf("apns: connection ended without an answer: %w", a.err)
	}
	return c.settle(a.Response, sent)
}

// batch appends messages of the queue from index sent on, and returns the index after the last of them.
func (c *Client) batch(dst []byte, sent int64) ([]byte, int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for ; sent < c.queue.end() && len(dst) < maxBatch; sent++ {
		var err error
		e := c.queue.at(sent)
		if e.probe {
			dst, err = layout.MarshalAppend(dst, &Frame{Items: []Item{
				{ID: IdentifierItem, Data: []byte{
					byte(e.Identifier >> 24), byte(e.Identifier >> 16), byte(e.Identifier >> 8), byte(e.Identifier)}},
			}})
		} else {
			dst, err = Append(dst, &e.Notification)
		}
		if err != nil {
			return dst, sent, err
		}
	}
	return dst, sent, nil
}

// errUnknownAnswer is the error of an answer that names a notification that was not
// sent on the connection.
var errUnknownAnswer = errors.New("apns: answer names a notification that was not sent")

// settle removes from the queue what the answer settles. The notifications before index sent were sent on the
// connection. All others are sent again by the next connection.
func (c *Client) settle(r Response, sent int64) (progress bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	index, ok := c.queue.find(r.Identifier, sent)
	if r.Status == Shutdown && !ok {
		return false, nil // the server accepted nothing on this connection, and everything is sent again
	}
	if !ok {
		return false, fmt.Errorf("%w: status %v, identifier %d", errUnknownAnswer, r.Status, r.Identifier)
	}
	e := *c.queue.at(index)
	c.queue.drop(index + 1)
	c.broadcast()
	if r.Status != Shutdown && !e.probe && c.options.Refused != nil {
		c.options.Refused(e.Notification, r.Status)
	}
	return true, nil
}
