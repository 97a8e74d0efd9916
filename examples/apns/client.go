package apns

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// Options configures a Client. A nil pointer means the zero value. NewClient copies its Options.
type Options struct {
	// Window is the maximum number of notifications that are not settled; 0 means 10,000. When the window is full, Send
	// waits, and the client sends a probe to settle the notifications, which costs a new connection.
	Window int

	// Attempts is how many times in a row the client connects without settling a notification before it
	// gives up; 0 means 10. It waits between two attempts, 20 ms at first and then twice as long each time.
	Attempts int

	// Pause is the longest wait between two attempts; 0 means 1 s.
	Pause time.Duration

	// Dial opens the network connection below TLS; nil means a net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	// Refused receives each notification that the server refuses, with its status. Calls come one after the other, from
	// a goroutine of the client; Refused must not call methods of the client.
	Refused func(Notification, Status)
}

// Client sends notifications. Its methods may be called by several goroutines at the same time.
type Client struct {
	address string
	config  *tls.Config
	options Options
	cancel  context.CancelFunc
	stopped chan struct{} // closed when the goroutine of run has ended

	mu      sync.Mutex
	queue   queue
	next    uint32        // identifier of the next notification
	err     error         // why the client gave up
	unsent  chan struct{} // has an element when the queue has grown
	settled chan struct{} // closed and replaced when the queue has shrunk or the client has ended
}

// writeBuffer is the size of the operating system's buffer for a connection.
const writeBuffer = 32 << 10

// ErrClosed is returned by the methods of a Client after Close.
var ErrClosed = errors.New("apns: client closed")

// NewClient returns a client of the server at address. It connects when there is something to send. The
// configuration has the certificate of the provider. Close releases the client.
func NewClient(address string, config *tls.Config, o *Options) *Client {
	var options Options
	if o != nil {
		options = *o
	}
	if options.Window <= 0 {
		options.Window = 10000
	}
	if options.Attempts <= 0 {
		options.Attempts = 10
	}
	if options.Pause <= 0 {
		options.Pause = time.Second
	}
	if options.Dial == nil {
		options.Dial = new(net.Dialer).DialContext
	}
	config = config.Clone()
	if config.ServerName == "" {
		config.ServerName, _, _ = net.SplitHostPort(address)
	}
	ctx, cancel := context.WithCancel(context.Background())
	c := &Client{
		address: address,
		config:  config,
		options: options,
		cancel:  cancel,
		stopped: make(chan struct{}),
		unsent:  make(chan struct{}, 1),
		settled: make(chan struct{}),
	}
	// Identifiers begin at a random number, so that those of two runs of a program do not look like copies.
	var start [4]byte
	rand.Read(start[:])
	c.next = binary.BigEndian.Uint32(start[:])
	go c.run(ctx)
	return c
}

// Send queues n and returns the identifier that it is sent under; the identifier in n is ignored. The client keeps
// n.Payload, which must not change, until the notification is settled. Send waits while the window is full. The error says that n cannot be
// sent, that ctx is done, or that the client has ended.
func (c *Client) Send(ctx context.Context, n Notification) (identifier uint32, err error) {
	switch {
	case len(n.Payload) == 0:
		return 0, &RefusedError{Status: MissingPayload}
	case len(n.Payload) > MaxPayload:
		return 0, &RefusedError{Status: WrongPayloadSize,
			Cause: fmt.Errorf("payload has %d bytes, at most %d are allowed", len(n.Payload), MaxPayload)}
	}
	if n.Priority == 0 {
		n.Priority = Immediately
	}
	for {
		c.mu.Lock()
		if c.err != nil {
			defer c.mu.Unlock()
			return 0, c.err
		}
		if c.queue.len() < c.options.Window {
			defer c.mu.Unlock()
			n.Identifier = c.identify()
			c.queue.push(entry{Notification: n})
			c.wake()
			return n.Identifier, nil
		}
		if !c.queue.last().probe {
			c.queue.push(entry{Notification: Notification{Identifier: c.identify()}, probe: true})
			c.wake()
		}
		settled := c.settled
		c.mu.Unlock()
		select {
		case <-settled:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

// Flush waits until every notification that was sent before is settled: the server accepted it, or Options.Refused
// received it.
func (c *Client) Flush(ctx context.Context) error {
	c.mu.Lock()
	if c.queue.len() > 0 && !c.queue.last().probe {
		c.queue.push(entry{Notification: Notification{Identifier: c.identify()}, probe: true})
		c.wake()
	}
	target := c.queue.end()
	for {
		err, done, settled := c.err, c.queue.begin() >= target, c.settled
		c.mu.Unlock()
		if done {
			return nil
		}
		if err != nil {
			return err
		}
		select {
		case <-settled:
		case <-ctx.Done():
			return ctx.Err()
		}
		c.mu.Lock()
	}
}

// Close flushes and ends the connection. If the flush fails, Close returns its error. Unsettled then returns the
// notifications that are not settled.
func (c *Client) Close(ctx context.Context) error {
	err := c.Flush(ctx)
	c.fail(ErrClosed)
	c.cancel()
	<-c.stopped
	return err
}

// Unsettled returns the notifications of which the client does not know whether the server accepted them.
func (c *Client) Unsettled() []Notification {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.queue.notifications()
}

// identify returns the identifier of the next notification. It is never 0, because 0 means that there is no identifier.
func (c *Client) identify() uint32 {
	if c.next == 0 {
		c.next++
	}
	c.next++
	return c.next - 1
}

// wake tells the goroutine of run that the queue has grown. The lock is held.
func (c *Client) wake() {
	select {
	case c.unsent <- struct{}{}:
	default:
	}
}

// broadcast wakes the goroutines that wait until the queue has shrunk or the client has ended. The lock is held.
func (c *Client) broadcast() {
	close(c.settled)
	c.settled = make(chan struct{})
}

// fail ends the client.
func (c *Client) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
		c.broadcast()
	}
}

// run keeps a connection while there is something to send.
func (c *Client) run(ctx context.Context) {
	defer close(c.stopped)
	for attempt := 0; ; attempt++ {
		if attempt >= c.options.Attempts {
			return
		}
		if !c.wait(ctx, attempt) {
			return
		}
		progress, err := c.connect(ctx)
		if progress {
			attempt = -1
		} else if attempt+1 == c.options.Attempts {
			c.fail(fmt.Errorf("apns: gave up after %d attempts: %w", c.options.Attempts, err))
		}
	}
}

// wait returns when there is something to send and, after a failed attempt, some time has passed. It returns false if
// the client is closed.
func (c *Client) wait(ctx context.Context, attempt int) bool {
	if attempt > 0 {
		pause := min(10*time.Millisecond<<min(attempt, 10), c.options.Pause)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return false
		}
	}
	for {
		c.mu.Lock()
		waiting := c.queue.len() > 0
		c.mu.Unlock()
		if waiting {
			return true
		}
		select {
		case <-c.unsent:
		case <-ctx.Done():
			return false
		}
	}
}

// connect opens a connection and uses it until it ends. It reports whether notifications were settled.
func (c *Client) connect(ctx context.Context) (progress bool, err error) {
	raw, err := c.options.Dial(ctx, "tcp", c.address)
	if err != nil {
		return false, err
	}
	// Notifications that were sent after a refused one are sent again. A small buffer limits their number.
	if b, ok := raw.(interface{ SetWriteBuffer(bytes int) error }); ok {
		b.SetWriteBuffer(writeBuffer)
	}
	conn := tls.Client(raw, c.config)
	defer conn.Close()
	// Without this, a write or handshake that waits for the server would keep Close waiting.
	defer context.AfterFunc(ctx, func() { raw.Close() })()
	if err := conn.HandshakeContext(ctx); err != nil {
		return false, err
	}
	return c.exchange(ctx, conn)
}
