package apns

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/octet-go/octet/layout"
)

// Handler receives the notifications of a Server.
type Handler interface {
	// Push delivers n for the provider whose certificate has this common name. Any status other than OK refuses n.
	// Push is called for one notification of a connection at a time, but for several connections at the same time.
	// Push may keep n.
	Push(provider string, n Notification) Status
}

// HandlerFunc is a function that is a Handler.
type HandlerFunc func(provider string, n Notification) Status

// Push calls f.
func (f HandlerFunc) Push(provider string, n Notification) Status { return f(provider, n) }

// Server receives notifications. A Server is not reused after Shutdown.
type Server struct {
	Handler Handler

	// Feedback returns the tuples that ServeFeedback sends to the provider with this common name. If it is nil, there
	// are none.
	Feedback func(provider string) []Feedback

	// Log is called with the reason why a connection ended, if it is not nil.
	Log func(provider string, err error)

	mu        sync.Mutex
	closed    bool
	listeners map[net.Listener]bool
	conns     map[*tls.Conn]*session
	active    sync.WaitGroup
}

// session is the state of a connection that Shutdown needs.
type session struct {
	mu   sync.Mutex // held while a notification is delivered
	last uint32     // identifier of the last notification that was accepted
	done bool       // an answer was sent; no notification is delivered after it
}

// ErrServerClosed is returned by Serve and ServeFeedback after Shutdown.
var ErrServerClosed = errors.New("apns: server closed")

// drainTime is how long a server reads from a connection after its answer. If it closed the connection with unread bytes,
// TCP would reset the connection and the provider could lose the answer.
const drainTime = 5 * time.Second

// Serve accepts connections of providers from l, which must be a TLS listener that requires and verifies client certificates.
// It returns when l fails or after Shutdown.
func (s *Server) Serve(l net.Listener) error { return s.accept(l, s.receive) }

// ServeFeedback accepts connections to the feedback service from l, a TLS listener as for Serve. It writes the tuples
// that Feedback returns and closes the connection.
func (s *Server) ServeFeedback(l net.Listener) error { return s.accept(l, s.feedback) }

func (s *Server) accept(l net.Listener, serve func(*tls.Conn, string) error) error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		l.Close()
		return ErrServerClosed
	}
	if s.listeners == nil {
		s.listeners = map[net.Listener]bool{}
		s.conns = map[*tls.Conn]*session{}
	}
	s.listeners[l] = true
	s.mu.Unlock()
	for {
		c, err := l.Accept()
		if err != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			delete(s.listeners, l)
			if s.closed {
				return ErrServerClosed
			}
			return err
		}
		conn, ok := c.(*tls.Conn)
		if !ok {
			c.Close()
			return errors.New("apns: listener does not use TLS")
		}
		s.mu.Lock()
		if s.closed {
			s.mu.Unlock()
			conn.Close()
			continue
		}
		s.conns[conn] = &session{}
		s.active.Add(1)
		s.mu.Unlock()
		go s.run(conn, serve)
	}
}

// run serves one connection.
func (s *Server) run(conn *tls.Conn, serve func(*tls.Conn, string) error) {
	defer s.active.Done()
	defer func() {
		conn.Close()
		s.mu.Lock()
		delete(s.conns, conn)
		s.mu.Unlock()
	}()
	provider, err := identify(conn)
	if err == nil {
		err = serve(conn, provider)
	}
	if err != nil && s.Log != nil {
		s.Log(provider, err)
	}
}

// identify returns the common name of the certificate of the provider.
func identify(conn *tls.Conn) (string, error) {
	conn.SetDeadline(time.Now().Add(drainTime))
	if err := conn.Handshake(); err != nil {
		return "", err
	}
	conn.SetDeadline(time.Time{})
	chains := conn.ConnectionState().VerifiedChains
	if len(chains) == 0 {
		return "", errors.New("apns: no verified client certificate")
	}
	return chains[0][0].Subject.CommonName, nil
}

// receive delivers notifications until one is refused or the connection ends.
func (s *Server) receive(conn *tls.Conn, provider string) error {
	s.mu.Lock()
	state := s.conns[conn]
	s.mu.Unlock()
	r := bufio.NewReaderSize(conn, 16<<10)
	for {
		n, err := ReadNotification(r)
		var refused *RefusedError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &refused):
		case errors.Is(err, layout.ErrLimit):
			refused = &RefusedError{Status: ProcessingError, Cause: err}
		case err != nil:
			return fmt.Errorf("apns: reading a notification: %w", err)
		}
		state.mu.Lock()
		if state.done {
			state.mu.Unlock()
			return drain(conn, r)
		}
		if refused == nil {
			if status := s.Handler.Push(provider, n); status != OK {
				refused = &RefusedError{Status: status, Identifier: n.Identifier}
			} else {
				state.last = n.Identifier
			}
		}
		if refused != nil {
			state.done = true
			err = layout.Write(conn, &Response{Status: refused.Status, Identifier: refused.Identifier})
		}
		state.mu.Unlock()
		if refused != nil {
			return errors.Join(refused, err, drain(conn, r))
		}
	}
}

// drain closes the connection for writing, and reads until the provider closes the connection too.
func drain(conn *tls.Conn, r io.Reader) error {
	if err := conn.CloseWrite(); err != nil {
		return err
	}
	conn.SetReadDeadline(time.Now().Add(drainTime))
	_, err := io.Copy(io.Discard, r)
	return err
}

// feedback writes the tuples of the provider.
func (s *Server) feedback(conn *tls.Conn, provider string) error {
	if s.Feedback == nil {
		return conn.CloseWrite()
	}
	var out []byte
	var err error
	for _, f := range s.Feedback(provider) {
		if out, err = layout.MarshalAppend(out, &f); err != nil {
			return err
		}
	}
	if _, err := conn.Write(out); err != nil {
		return err
	}
	return conn.CloseWrite()
}

// Shutdown stops listening, tells each provider the identifier of the last notification that was accepted, and waits until the
// connections end or ctx is done. Connections that are open then are closed.
func (s *Server) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	for l := range s.listeners {
		l.Close()
	}
	for conn, state := range s.conns {
		go announce(conn, state)
	}
	s.mu.Unlock()

	ended := make(chan struct{})
	go func() {
		s.active.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	for conn := range s.conns {
		conn.Close()
	}
	s.mu.Unlock()
	<-ended
	return ctx.Err()
}

// announce tells a provider that the server shuts down.
func announce(conn *tls.Conn, state *session) {
	state.mu.Lock()
	defer state.mu.Unlock()
	if state.done {
		return
	}
	state.done = true
	conn.SetDeadline(time.Now().Add(drainTime))
	layout.Write(conn, &Response{Status: Shutdown, Identifier: state.last})
	conn.CloseWrite()
}
