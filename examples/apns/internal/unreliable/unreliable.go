// Package unreliable makes network connections that split writes, wait and break.
package unreliable

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// Options says how a connection fails. With the zero value, it works normally.
type Options struct {
	// CutAfter is the mean of the random number of written bytes after which a connection breaks. The last Write may
	// have written only a part of its argument. 0 never breaks the connection.
	CutAfter int

	// Piece is the largest number of bytes that are written at once. 0 means that writes are not split.
	Piece int

	// Pause is the time for which one piece of a hundred waits.
	Pause time.Duration

	// Seed makes the random numbers repeatable.
	Seed uint64
}

// Dial has the signature of net.Dialer.DialContext.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// Dialer returns a function that opens connections with dial and applies the options to them.
func Dialer(dial Dial, o Options) Dial {
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(o.Seed, 1))
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		mu.Lock()
		defer mu.Unlock()
		broken := &conn{Conn: c, options: o, random: rand.New(rand.NewPCG(random.Uint64(), 2)), left: -1}
		if o.CutAfter > 0 {
			broken.left = int(random.ExpFloat64() * float64(o.CutAfter))
		}
		return broken, nil
	}
}

// errCut is the error of writes after the cut.
var errCut = errors.New("unreliable: connection was cut")

type conn struct {
	net.Conn
	options Options
	random  *rand.Rand
	left    int // bytes until the cut, or -1
}

// SetWriteBuffer calls the method of net.TCPConn.
func (c *conn) SetWriteBuffer(bytes int) error {
	if b, ok := c.Conn.(interface{ SetWriteBuffer(bytes int) error }); ok {
		return b.SetWriteBuffer(bytes)
	}
	return nil
}

// Write writes b in pieces, and at the cut only a part of it.
func (c *conn) Write(b []byte) (written int, err error) {
	for len(b) > 0 {
		piece := b
		if c.options.Piece > 0 {
			piece = b[:min(len(b), 1+c.random.IntN(c.options.Piece))]
		}
		if c.options.Pause > 0 && c.random.IntN(100) == 0 {
			time.Sleep(c.options.Pause)
		}
		if c.left >= 0 && len(piece) > c.left {
			n, _ := c.Conn.Write(piece[:c.left])
			if tcp, ok := c.Conn.(*net.TCPConn); ok {
				tcp.SetLinger(0) // Close resets the connection
			}
			c.Conn.Close()
			c.left = 0
			return written + n, errCut
		}
		n, err := c.Conn.Write(piece)
		written += n
		if c.left >= 0 {
			c.left -= n
		}
		if err != nil {
			return written, err
		}
		b = b[n:]
	}
	return written, nil
}
